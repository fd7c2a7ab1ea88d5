"""WAR X-TREME: one-line descriptions of the effects of cards and equipment, generated from the catalogue."""

from fairdeal.engine.scene import capital
from fairdeal.games.war_xtreme.catalogue import entries

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
BANDS = {"once": "once", "continuous": "stays", "curse": "curse", "must": "must play"}
"""WAR-74: labels of the kinds of equipment, as printed on the band of a card."""

PLAIN = {
    entries.Redraw: "Turn up another card",
    entries.Withdraw: "Leave with your card",
    entries.Declare: "Your card declares war on a rival",
    entries.Scrap: "Scrap your curse or a rival’s stayer",
    entries.Ward: "Stops the next kit aimed at you",
    entries.PassCamps: "All camps move left",
}
SPECIAL = {
    "tax": ("All cards of the fight go to the tax pile. Nobody wins.", "WAR-16"),
    "win": ("Takes the pot of this fight.", "WAR-17"),
    "wild": ("Stands as 16, or calls the rank of another card of the fight and ties it.", "WAR-26"),
    "lose": ("Lower than everything else.", "WAR-27"),
}
OPPONENTS = {"high": "highest", "low": "lowest", "all": "all"}
AGAINST = {"high": "whoever shows the highest other card", "low": "whoever shows the lowest card", "all": "everybody"}


def number_word(count: int) -> str:
    """Return a number as text, such as `two` or `12`."""
    return NUMBERS[count] if count < len(NUMBERS) else str(count)


def signed(count: int) -> str:
    """Return a number with its sign, such as `+3` or `−3`."""
    return f"+{count}" if count >= 0 else f"−{-count}"


def some(count: int, one: str) -> str:
    """Return a count with its noun, such as `one card` or `two cards`."""
    return f"{number_word(count)} {one}{'' if count == 1 else 's'}"


def kit_text(kit: entries.Equipment) -> str:
    """Return a one-line description of a piece of equipment."""
    return capital(effect_text(kit.effect, cursed=kit.kind == "curse"))


def effect_text(effect: entries.Effect, cursed: bool) -> str:
    match effect:
        case entries.Mod():
            return mod_text(effect, cursed)
        case entries.Move():
            return move_text(effect)
        case entries.Peek():
            return f"see {some(effect.n, 'recruit')}"
        case entries.Draw():
            return f"draw {number_word(effect.n)} kit"
        case entries.Stake():
            lays = "victim lays" if cursed else "you lay"
            return f"{lays} {number_word(effect.n)} more {'stake' if effect.n == 1 else 'stakes'}"
        case entries.TaxShare(p=(above, below)):
            share = "no tax" if above == 0 else "half the tax" if below == 2 * above else f"{above}/{below} of the tax"
            return f"{'the victim owes' if cursed else 'you owe'} {share}"
    return PLAIN[type(effect)]


def mod_text(effect: entries.Mod, cursed: bool) -> str:
    if effect.when == "now":
        card = "a rival’s face-up card" if effect.whose == "target" else "your face-up card"
    else:
        whose = "the victim’s" if cursed else "your"
        card = f"{whose} {'recruits' if effect.when == 'recruit' else 'turned cards'}"
    return f"{signed(effect.n)} to {card}"


def move_text(effect: entries.Move) -> str:
    cards = some(effect.n, "card")
    if effect.from_ == "self" and effect.to == "others":
        return f"give away {cards}"
    if effect.to == "self":
        return f"take {cards} from {'the tax pile' if effect.from_ == 'tax' else 'a rival'}"
    giver = {"self": "you give", "target": "a rival gives", "tax": "the tax pile gives"}[effect.from_]
    taker = {"target": "a rival", "others": "the others", "tax": "the tax pile"}[effect.to]
    return f"{giver} {cards} to {taker}"


def special_text(card: entries.Unique) -> tuple[str, str]:
    """Return the description of a special card's effect, and the id of its clause."""
    if card.kind == "speed":
        how = f" ({card.how})" if card.how not in (None, card.action) else ""
        return f"A race: the first to do this takes the pot: {card.action}{how}.", "WAR-18"
    if card.kind == "war":
        camp = " The first stakes come from the camps." if card.source == "camp" else ""
        return f"War with {AGAINST[card.target or 'all']}.{camp}", "WAR-24" if camp else "WAR-21"
    if card.kind == "joker":
        drawn = 1 if card.draw is None else card.draw
        return f"Beats Wild and all regular cards. If it wins by rank, draw {number_word(drawn)} kit.", "WAR-25"
    return SPECIAL[card.kind]


def special_foot(card: entries.Unique) -> str:
    """Return the footer of a special card, such as `war: lowest`, `speed: bow` or `tax`."""
    if card.kind == "war":
        return f"war: {OPPONENTS[card.target or 'all']}" + (", camps" if card.source == "camp" else "")
    if card.kind == "speed":
        return f"speed: {card.action}"
    if card.kind == "joker":
        return f"joker +{1 if card.draw is None else card.draw} kit"
    return card.kind
