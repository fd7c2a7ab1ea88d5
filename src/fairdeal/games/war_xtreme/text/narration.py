"""WAR X-TREME: what a move did, in words: the move itself, then what the rules did on their own. What is still secret
is told as done, not as what."""

from collections import Counter
from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, UNKNOWN
from fairdeal.engine.scene import Line, Voice, capital, count_of, listed
from fairdeal.engine.seats import is_in, members
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import AT_RIVAL, TAX, WAR_RANK, WARD, WILD_RANK
from fairdeal.games.war_xtreme.rules.fight import card_kind
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.state import ACTIONS, FOR_ROUND, FOR_TURN, IN_HAND, IN_PLAY, SEEDED, phase_of
from fairdeal.games.war_xtreme.text.draft import is_slot, kit_and_target, tricks_in_words
from fairdeal.games.war_xtreme.text.outcome import decided, victory
from fairdeal.games.war_xtreme.text.prompts import WINDOWS
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_count, kit_in, swept_by, title_of

SWEEPS = (
    ("sweep", "up {} with a flourish"),
    ("take", "{} and {looks} almost humble"),
    ("gather", "in {} as if it had been skill"),
    ("pocket", "{}"),
)
"""WAR-32: the winner's flourish, in turns."""

FAREWELLS = (
    "{who} out, and may now comment freely.",
    "{who} out. The band plays something slow.",
    "{who} out of cards and out of the game.",
)
FOLDS = ("", "A war", "A double war", "A triple war")


def narrate(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what came of it."""
    told = Told(before, after, voice)
    return [*move_lines(before, after, player, actions[0], told.words, voice), *told.lines()]


def has_round_begun(state: Snapshot) -> bool:
    """Have the cards of the round turned?"""
    waiting = phase_of(state) in ("PREP", "DISPUTE", "EXTREME")
    return not (waiting or (phase_of(state) == "REGROUP" and state.regroup.purpose in (FOR_ROUND, FOR_TURN)))


class Told:
    """What the rules did between two moments."""

    def __init__(self, before: Snapshot, after: Snapshot, voice: Voice) -> None:
        self.before, self.after, self.voice = before, after, voice
        self.words = words_of(after)
        self.seats = range(after.players)
        self.shown = {seat: card for seat, card in enumerate(after.turned) if card not in (EMPTY, UNKNOWN)}
        self.taxed = any(card_kind(after, card) == TAX for card in self.shown.values())
        self.asking = phase_of(before) == "EXTREME"
        self.caught = after.caught != before.caught
        self.next_round = after.round_no > before.round_no
        self.ended = self.next_round or (after.over and not self.asking and not self.caught)
        self.settled = self.ended or after.war_count < before.war_count

    def lines(self) -> list[Line]:
        before, after = self.before, self.after
        found: list[Line] = []
        if self.has_turned():
            found += self.turned_lines("All turn", members(before.alive))
        if phase_of(before) == "RECRUIT" and not self.still_picking():
            found += self.turned_lines("Recruits", in_ring_order(before, before.wars[0].warriors))
        found += self.choice_lines()
        found += self.war_lines()
        found += self.pot_lines()
        found += self.tax_lines()
        found += self.leaving_lines()
        found += self.kit_lines()
        found += self.regroup_lines()
        if after.over and not before.over:
            found.append(Line(f"{victory(after, self.voice)} {decided(after, self.voice)}", ("WAR-92",)))
        return found

    def has_turned(self) -> bool:
        """Have the cards of a round turned meanwhile?"""
        if self.asking or self.caught or has_round_begun(self.before):
            return False
        return self.next_round or has_round_begun(self.after)

    def still_picking(self) -> bool:
        same = self.after.wars[0].depth == self.before.wars[0].depth
        return phase_of(self.after) == "RECRUIT" and same and self.after.picked != 0

    def turned_lines(self, what: str, seats: Sequence[int]) -> list[Line]:
        """`All turn: you a 9, Bo a King.`"""
        cards = [(seat, self.shown[seat]) for seat in seats if seat in self.shown]
        shown = [f"{self.voice.name(seat)} {self.words.rank_in_words(card)}" for seat, card in cards]
        return [Line(f"{what}: {', '.join(shown)}.")] if shown else []

    def choice_lines(self) -> list[Line]:
        """WAR-51 to 54: what the bystanders chose is told when all have."""
        before, after = self.before, self.after
        if phase_of(before) != "CHOICE" or phase_of(after) == "CHOICE":
            return []
        lines = []
        for seat in self.seats:
            if seat in before.acting or before.choices[seat] == UNKNOWN:
                joined = [war.rank for war in after.wars[: after.war_count] if is_in(war.warriors, seat)]
                if joined:
                    rank = plural_rank(joined[0])
                    lines.append(Line(f"{self.voice.does(seat, 'buy')} into the war of {rank}.", ("WAR-51",)))
                elif phase_of(after) != "REGROUP":
                    lines.append(Line(f"{self.voice.does(seat, 'flee')}. Somebody has to carry the news.", ("WAR-51",)))
        return lines

    def war_lines(self) -> list[Line]:
        """Wars called, and further steps of the one being fought."""
        before, after = self.before, self.after
        called = phase_of(before) != "CHOICE" if phase_of(after) == "CHOICE" else not before.war_count
        if called:
            return [self.call_line(war) for war in after.wars[: after.war_count]]
        war = after.wars[0]
        if self.settled or not war.depth > before.wars[0].depth > 0:
            return []
        step = FOLDS[war.depth] if war.depth < len(FOLDS) else f"War number {war.depth} in a row"
        return [Line(f"{step}! Still in it: {self.names(war.warriors)}.", ("WAR-37",))]

    def names(self, seats: int) -> str:
        return self.voice.several(in_ring_order(self.after, seats))

    def call_line(self, war: Snapshot) -> Line:
        if war.rank == WAR_RANK:
            return Line(f"War is declared between {self.names(war.warriors)}.", ("WAR-21",))
        return Line(f"War of {plural_rank(war.rank)} between {self.names(war.warriors)}.", ("WAR-35",))

    def pot_lines(self) -> list[Line]:
        """WAR-31, 37: who took the pot; or Tax did."""
        if not self.settled or self.asking:
            return []
        seat = swept_by(self.after)
        if seat >= 0:
            return [self.sweep_line(seat)]
        return [Line("Tax! Everything goes to the tax pile, and nobody is happy.", ("WAR-16",))] * self.taxed

    def sweep_line(self, seat: int) -> Line:
        gained = self.after.decks[seat].camp - self.before.decks[seat].camp
        verb, rest = SWEEPS[(self.before.round_no + seat) % len(SWEEPS)]
        cards = count_of(gained, "card") if gained > 0 else "everything"
        rest = rest.format(cards, looks="look" if seat == self.voice.viewer else "looks")
        won = self.after.seats[seat].wars_won > self.before.seats[seat].wars_won
        return Line(f"{self.voice.does(seat, verb)} {rest}.", ("WAR-37",) if won else ())

    def tax_lines(self) -> list[Line]:
        """WAR-66: a tax pile that has grown although nothing was laid on it."""
        grown = self.after.tax.length - self.before.tax.length
        if grown <= 0 or self.caught or self.taxed:
            return []
        if phase_of(self.before) in ("CHOICE", "REGROUP") and grown <= 2 * len(self.seats):
            return []
        payers = members(self.after.alive)
        richest = max(payers, key=lambda seat: deck_size(self.before.decks[seat]), default=0)
        title = title_of(self.before, richest)
        return [Line(f"Tax Time! The tax man finds {self.voice.name(richest)}, {title}, at home.", ("WAR-66",))]

    def leaving_lines(self) -> list[Line]:
        """WAR-02: who is out."""
        lines = []
        for seat in members(self.before.alive & ~self.after.alive):
            text = FAREWELLS[(self.before.round_no + seat) % len(FAREWELLS)]
            lines.append(Line(text.format(who=self.voice.does(seat, "are", "is")), ("WAR-02",)))
        return lines

    def kit_lines(self) -> list[Line]:
        """WAR-42: equipment drawn at the end of the round; only its owner is told what it is."""
        lines = []
        for seat in self.seats if self.ended and not self.after.over else ():
            drawn = kit_count(self.after, seat) - kit_count(self.before, seat)
            if drawn > 0:
                what = self.drawn_names(seat) if seat == self.voice.viewer else ""
                lines.append(Line(f"{self.voice.does(seat, 'draw')} {what or f'{drawn} kit'}.", ("WAR-42",)))
        return lines

    def drawn_names(self, seat: int) -> str:
        """The names of what the viewer has drawn."""
        drawn = Counter(kit_in(self.after, IN_HAND + seat)) - Counter(kit_in(self.before, IN_HAND + seat))
        return listed([self.words.equipment[number - 1].name for number in drawn.elements() if number > 0])

    def regroup_lines(self) -> list[Line]:
        """WAR-60, 61: a camp becomes an army, and somebody is asked to believe it."""
        before, after = self.before, self.after
        owner = after.regroup.owner
        if phase_of(after) != "REGROUP" or (phase_of(before) == "REGROUP" and before.regroup.owner == owner):
            return []
        new = count_of(after.regroup.fresh, "card")
        return [Line(f"{self.voice.does(owner, 'shuffle')} {new} into a new army.", ("WAR-60",))]


# --- the move itself --------------------------------------------------------------------------------------------


def move_lines(before: Snapshot, after: Snapshot, player: int, action: int, words: Words, voice: Voice) -> list[Line]:
    """The move, and what it did at once."""
    verb, which = ACTIONS.decode(action)
    match verb:
        case "yes" | "no" if phase_of(before) == "EXTREME":
            return extreme_lines(after, player, verb, voice)
        case "yes":
            return [Line(f"{voice.does(player, 'accept')}.", ("WAR-89",)), brag_line(before, after, voice)]
        case "equip":
            return kit_lines(before, player, *kit_and_target(which), words, voice)
        case "pass" | "act" if phase_of(before) == "RACE":
            return [race_line(after, player, verb, which, words, voice)]
        case "flee" | "buy_in":
            return [choice_line(before, player, verb, which, voice)]
        case "pass" if phase_of(before) in WINDOWS and player != voice.viewer:
            return []  # only who holds something to play can pass
        case "catch":
            return [catch_line(before, after, player, which, voice)]
    return [plain_line(before, player, verb, which, voice)]


def plain_line(before: Snapshot, player: int, verb: str, which: int, voice: Voice) -> Line:
    match verb:
        case "flip":
            return Line(f"{voice.does(player, 'flip')}.")
        case "sweep":
            return Line(f"{voice.does(player, 'sweep')} the table clean.", ("WAR-32",))
        case "recruit":
            return Line(f"{voice.does(player, 'pick')} slot {which + 1}.")
        case "ask":
            return Line(f"{voice.does(player, 'ask')} {voice.name(which)} for trust.", ("WAR-61",))
        case "trust":
            owner = voice.name(before.regroup.owner)
            return Line(f"{voice.does(player, 'trust')} {owner}. How touching.", ("WAR-62",))
        case "distrust":
            distrusts = f"{voice.does(player, 'distrust')} {voice.of(before.regroup.owner)} shuffle"
            return Line(f"{distrusts}: {tricks_in_words(which)}.", ("WAR-63",))
        case "call":
            stands = "stands" if which == WILD_RANK else f"is as good as {rank_name(which)}"
            return Line(f"{voice.title(player)}: the Wild {stands}.", ("WAR-26",))
        case "dispute":
            rival = voice.name(which)
            return Line(f"{voice.does(player, 'want')} to settle something with {rival} by war.", ("WAR-89",))
        case "no":
            return Line(f"{voice.does(player, 'decline')}. The wiser one gives in.", ("WAR-89",))
        case "clock":
            return Line("Time is up, and nobody was quick enough.", ("WAR-19",))
    return Line(f"{voice.does(player, 'pass', 'passes')}.")


def extreme_lines(after: Snapshot, player: int, verb: str, voice: Voice) -> list[Line]:
    """WAR-03: nobody is told what the others said before all have."""
    told = f"{voice.names[player]} has answered."
    if player == voice.viewer:
        told = "You feel extreme." if verb == "yes" else "You do not feel extreme. It happens."
    out = [voice.name(seat) for seat in range(after.players) if not is_in(after.alive, seat)]
    if phase_of(after) == "EXTREME" or not out:
        return [Line(told)]
    verb = "is" if len(out) == 1 and out != ["you"] else "are"
    return [Line(told), Line(f"{capital(listed(out))} {verb} not dealt in.", ("WAR-03",))]


def brag_line(before: Snapshot, after: Snapshot, voice: Voice) -> Line:
    """WAR-90: who has won a quarrel."""
    for seat, (account, old) in enumerate(zip(after.seats, before.seats, strict=True)):
        if account.brag > old.brag:
            return Line(f"{voice.does(seat, 'win')} the right to brag about it.", ("WAR-90",))
    return Line("Tax settles it: nobody may brag.", ("WAR-90",))


def race_line(after: Snapshot, player: int, verb: str, which: int, words: Words, voice: Voice) -> Line:
    """WAR-18 to 20: in a seeded race actions are secret until all have named one."""
    if after.options.race == SEEDED and player != voice.viewer:
        return Line(f"{voice.names[player]} has moved.")
    if verb == "pass":
        return Line(f"{voice.does(player, 'stand')} still.")
    told = f"{voice.title(player)}: {words.actions[which]}"
    if is_in(after.locked, player):
        return Line(f"{told}; wrong one, out of the race.", ("WAR-19",))
    return Line(f"{told}!", ("WAR-18",))


def choice_line(before: Snapshot, player: int, verb: str, war: int, voice: Voice) -> Line:
    """WAR-54: chosen in secret."""
    if player != voice.viewer:
        return Line(f"{voice.names[player]} has chosen.")
    if verb == "flee":
        return Line("You choose to flee.")
    return Line(f"You choose to buy into the war of {plural_rank(before.wars[war].rank)}.")


def kit_lines(before: Snapshot, player: int, number: int, target: int, words: Words, voice: Voice) -> list[Line]:
    """WAR-74, 81: equipment, unless a bodyguard stops it."""
    tables, seat = before.options.catalogue, target - 1
    if not target:
        on = ""
    elif is_slot(before, number):
        on = f" at slot {target}"
    elif seat == player:
        on = " on yourself" if player == voice.viewer else " on their own seat"
    else:
        on = f" on {voice.name(seat)}"
    lines = [Line(f"{voice.does(player, 'play')} {words.equipment[number - 1].name}{on}.", ("WAR-74",))]
    if target and tables.equipment_target[number - 1] == AT_RIVAL:
        guards = [one for one in kit_in(before, IN_PLAY + seat) if tables.equipment_op[one - 1] == WARD]
        for guard in guards[:1]:
            name = words.equipment[guard - 1].name
            lines.append(Line(f"{name} takes it for {voice.name(seat)}. Both are junk now.", ("WAR-81",)))
    return lines


def catch_line(before: Snapshot, after: Snapshot, player: int, accused: int, voice: Voice) -> Line:
    """WAR-85, 86."""
    if after.caught != before.caught:
        catches = voice.does(player, "catch", "catches")
        return Line(f"{catches} {voice.name(accused)} with a hidden card!", ("WAR-85",))
    paid = deck_size(before.decks[player]) - deck_size(after.decks[player])
    price = f" It costs {count_of(paid, 'card')}." if paid > 0 else ""
    return Line(f"{voice.does(player, 'accuse')} {voice.name(accused)}, wrongly.{price}", ("WAR-86",))
