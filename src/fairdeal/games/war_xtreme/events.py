"""WAR X-TREME: the events of a move: the move itself, followed by the consequences that the rules carried out.

An event about a secret reports that a seat has acted, without revealing its action.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Act, Event, WithOther
from fairdeal.engine.kit.seats import is_in, members
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY, UNKNOWN
from fairdeal.engine.scene import Voice, capital, count_of, listed
from fairdeal.games.war_xtreme.catalogue.names import in_words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import AT_RIVAL, TAX, WAR_RANK, WARD, WILD_RANK
from fairdeal.games.war_xtreme.options import SEEDED
from fairdeal.games.war_xtreme.picture.cards import kit_key
from fairdeal.games.war_xtreme.rules.fight import card_kind
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.state import ACTIONS, FOR_ROUND, FOR_TURN, IN_HAND, IN_PLAY, Phase, phase_of
from fairdeal.games.war_xtreme.text.draft import is_slot, kit_and_target, tricks_of
from fairdeal.games.war_xtreme.text.outcome import won
from fairdeal.games.war_xtreme.text.prompts import WINDOWS
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_count, kit_in, swept_by, title_of

SWEEPS = (
    ("sweep", "up {} with a flourish"),
    ("take", "{} and {looks} almost humble"),
    ("gather", "in {} as if it had been skill"),
    ("pocket", "{}"),
)
"""WAR-32: wordings of the winner's flourish, which are used in rotation."""

FAREWELLS = (
    "{who} out, and may now comment freely.",
    "{who} out. The band plays something slow.",
    "{who} out of cards and out of the game.",
)
FOLDS = ("", "A war", "A double war", "A triple war")
DONE: dict[Phase, str] = {"EXTREME": "answered", "RACE": "moved", "CHOICE": "chosen"}

# --- the move itself --------------------------------------------------------------------------------------------


class DidInSecret(Act):
    """WAR-03, 20, 54: an answer, an action or a choice of another seat. It is secret until all seats have acted."""

    phase: Phase

    def sentence(self, voice: Voice) -> str:
        return f"{voice.names[self.seat]} has {DONE[self.phase]}."


class Felt(Act):
    """WAR-03: the viewer's own answer to the question whether they feel extreme."""

    extreme: bool

    def sentence(self, voice: Voice) -> str:
        if self.extreme:
            return f"{voice.does(self.seat, 'feel')} extreme."
        return f"{voice.does(self.seat, 'do', 'does')} not feel extreme. It happens."


class Chose(Act):
    """WAR-54: the viewer's own choice: to flee, or to buy into the war of `rank`."""

    rank: int | None

    def sentence(self, voice: Voice) -> str:
        what = "flee" if self.rank is None else f"buy into the war of {plural_rank(self.rank)}"
        return f"{voice.does(self.seat, 'choose')} to {what}."


class Flipped(Act):
    """WAR-30: a seat's signal that it is ready to turn its card."""

    words = "You flip."


class Passed(events.Passed):
    """WAR-76: a seat's pass in a window for equipment."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'pass', 'passes')}."


class StoodStill(events.Passed):
    """WAR-18: a seat's pass in a race."""

    words = "You stand still."


class Raced(Act):
    """WAR-18, 19: a speed action, which is right or wrong."""

    action: str
    wrong: bool

    def sentence(self, voice: Voice) -> str:
        return f"{voice.title(self.seat)}: {self.action}{'; wrong one, out of the race.' if self.wrong else '!'}"


class TimeUp(Event):
    """WAR-19: the end of a race by timeout."""

    words = "Time is up, and nobody was quick enough."


class Called(Act):
    """WAR-26: the rank that a Wild is called, which may be its own."""

    rank: int

    def sentence(self, voice: Voice) -> str:
        stands = "stands" if self.rank == WILD_RANK else f"is as good as {rank_name(self.rank)}"
        return f"{voice.title(self.seat)}: the Wild {stands}."


class Recruited(Act):
    """WAR-36: a warrior's pick of a slot."""

    slot: int

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'pick')} slot {self.slot}."


class SweptUp(Act):
    """WAR-32: the sweep of the table by the winner."""

    words = "You sweep the table clean."


class AskedTrust(WithOther):
    """WAR-61: a request for trust from the seat that shuffles to another seat."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'ask')} {voice.name(self.other)} for trust."


class Trusted(WithOther):
    """WAR-62: a seat's acceptance of another seat's shuffle."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'trust')} {voice.name(self.other)}. How touching."


class Distrusted(WithOther):
    """WAR-63: a seat's distrust of another seat's shuffle, and the ways in which it handles the pile."""

    tricks: tuple[str, ...]

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'distrust')} {voice.of(self.other)} shuffle: {listed(self.tricks)}."


class Challenged(WithOther):
    """WAR-89: a challenge to a dispute."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'want')} to settle something with {voice.name(self.other)} by war."


class Answered(Act):
    """WAR-89: the answer to a challenge."""

    accepts: bool

    def sentence(self, voice: Voice) -> str:
        if self.accepts:
            return f"{voice.does(self.seat, 'accept')}."
        return f"{voice.does(self.seat, 'decline')}. The wiser one gives in."


class Caught(WithOther):
    """WAR-85: a correct accusation of a cheater."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'catch', 'catches')} {voice.name(self.other)} with a hidden card!"


class AccusedWrongly(WithOther):
    """WAR-86: a false accusation, and its cost in cards."""

    cost: int

    def sentence(self, voice: Voice) -> str:
        price = f" It costs {count_of(self.cost, 'card')}." if self.cost > 0 else ""
        return f"{voice.does(self.seat, 'accuse')} {voice.name(self.other)}, wrongly.{price}"


class PlayedKit(events.Played):
    """WAR-74: equipment played at a seat, at a slot (counted from 1), or without a target."""

    name: str = ""
    target: int = NOBODY
    slot: int = 0

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,) if self.target in (NOBODY, self.seat) else (self.seat, self.target)

    def sentence(self, voice: Voice) -> str:
        on = ""
        if self.slot:
            on = f" at slot {self.slot}"
        elif self.target == self.seat:
            on = " on yourself" if self.seat == voice.viewer else " on their own seat"
        elif self.target != NOBODY:
            on = f" on {voice.name(self.target)}"
        return f"{voice.does(self.seat, 'play')} {self.name}{on}."


def is_secret(state: Snapshot) -> bool:
    """Return whether the actions of the current phase are secret until all seats have acted (WAR-03, 20, 54)."""
    return phase_of(state) in ("EXTREME", "CHOICE") or (phase_of(state) == "RACE" and state.options.race == SEEDED)


def acted(before: Snapshot, after: Snapshot, player: int, action: int, viewer: int) -> Iterator[Event]:
    """Yield the event of the move itself."""
    verb, which = ACTIONS.decode(action)
    phase = phase_of(before)
    match verb:
        case "pass" if phase in WINDOWS and player != viewer:
            return  # an event would reveal that the seat holds a playable card
        case "yes" | "no" | "flee" | "buy_in" | "pass" | "act" if is_secret(before) and player != viewer:
            yield DidInSecret(player, phase)
        case "yes" | "no" if phase == "EXTREME":
            yield Felt(player, verb == "yes")
        case "yes" | "no":
            yield Answered(player, verb == "yes", clauses=("WAR-89",))
        case "flee" | "buy_in":
            yield Chose(player, None if verb == "flee" else before.wars[which].rank)
        case "flip":
            yield Flipped(player)
        case "pass":
            yield StoodStill(player) if phase == "RACE" else Passed(player)
        case "act":
            wrong = is_in(after.locked, player)
            yield Raced(player, words_of(after).actions[which], wrong, clauses=("WAR-19" if wrong else "WAR-18",))
        case "clock":
            yield TimeUp(clauses=("WAR-19",))
        case "call":
            yield Called(player, which, clauses=("WAR-26",))
        case "recruit":
            yield Recruited(player, which + 1)
        case "sweep":
            yield SweptUp(player, clauses=("WAR-32",))
        case "ask":
            yield AskedTrust(player, which, clauses=("WAR-61",))
        case "trust":
            yield Trusted(player, before.regroup.owner, clauses=("WAR-62",))
        case "distrust":
            yield Distrusted(player, before.regroup.owner, tuple(tricks_of(which)), clauses=("WAR-63",))
        case "dispute":
            yield Challenged(player, which, clauses=("WAR-89",))
        case "catch" if after.caught != before.caught:
            yield Caught(player, which, clauses=("WAR-85",))
        case "catch":
            cost = deck_size(before.decks[player]) - deck_size(after.decks[player])
            yield AccusedWrongly(player, which, cost, clauses=("WAR-86",))
        case "equip":
            number, target = kit_and_target(which)
            kit, slot = words_of(before).equipment[number - 1], target if is_slot(before, number) else 0
            seat = target - 1 if target and not slot else NOBODY
            yield PlayedKit(player, (kit_key(kit),), kit.name, seat, slot, clauses=("WAR-74",))


# --- immediate effects -----------------------------------------------------------------------------------------


class OfSeats(Event):
    """An event that concerns several seats."""

    among: tuple[int, ...]

    @property
    def seats(self) -> tuple[int, ...]:
        return self.among


class NotDealtIn(OfSeats):
    """WAR-03: the seats that do not feel extreme and are not dealt in."""

    def sentence(self, voice: Voice) -> str:
        verb = "is" if len(self.among) == 1 and self.among != (voice.viewer,) else "are"
        return f"{capital(voice.several(self.among))} {verb} not dealt in."


class WonQuarrel(Act):
    """WAR-90: a dispute won by a seat."""

    words = "You win the right to brag about it."


class QuarrelTaxed(Event):
    """WAR-90: a dispute without a winner, because a Tax card was turned."""

    words = "Tax settles it: nobody may brag."


class Warded(events.Blocked):
    """WAR-81: equipment that blocks a card aimed at its owner."""

    name: str = ""

    def sentence(self, voice: Voice) -> str:
        return f"{self.name} takes it for {voice.name(self.seat)}. Both are junk now."


def came_at_once(before: Snapshot, after: Snapshot, action: int) -> Iterator[Event]:
    """Yield the immediate effects of the move."""
    verb, which = ACTIONS.decode(action)
    match verb:
        case "yes" | "no" if phase_of(before) == "EXTREME":
            out = tuple(seat for seat in range(after.players) if not is_in(after.alive, seat))
            if out and phase_of(after) != "EXTREME":
                yield NotDealtIn(out, clauses=("WAR-03",))
        case "yes":
            won_by = [seat for seat in range(after.players) if after.seats[seat].brag > before.seats[seat].brag]
            yield WonQuarrel(won_by[0], clauses=("WAR-90",)) if won_by else QuarrelTaxed(clauses=("WAR-90",))
        case "equip":
            (number, target), tables, words = kit_and_target(which), before.options.catalogue, words_of(before)
            if target and tables.equipment_target[number - 1] == AT_RIVAL:
                guards = [one for one in kit_in(before, IN_PLAY + target - 1) if tables.equipment_op[one - 1] == WARD]
                for kit in [words.equipment[guard - 1] for guard in guards[:1]]:
                    yield Warded(target - 1, (kit_key(kit),), kit.name, clauses=("WAR-81",))


# --- consequences carried out by the rules ------------------------------------------------------------------------


class Turned(OfSeats):
    """WAR-30, 36: cards turned at the reveal, or recruits, with their ranks and the names of special cards."""

    cards: tuple[str, ...]
    printed: tuple[tuple[int, str], ...]
    recruits: bool = False

    @property
    def shown(self) -> tuple[str, ...]:
        return self.cards

    def sentence(self, voice: Voice) -> str:
        """Return a sentence such as `All turn: you a 9, Bo a King.`"""
        cards = [f"{voice.name(seat)} {in_words(*card)}" for seat, card in zip(self.among, self.printed, strict=True)]
        return f"{'Recruits' if self.recruits else 'All turn'}: {', '.join(cards)}."


class BoughtIn(Act):
    """WAR-51: a bystander's entry into the war of `rank`."""

    rank: int

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'buy')} into the war of {plural_rank(self.rank)}."


class Fled(Act):
    """WAR-51: a bystander's decision to flee, which is shown with the other choices."""

    words = "You flee. Somebody has to carry the news."


class WarCalled(OfSeats):
    """WAR-21, 35: the start of a war. A war started by a War card has the rank of that card."""

    rank: int

    def sentence(self, voice: Voice) -> str:
        war = "War is declared" if self.rank == WAR_RANK else f"War of {plural_rank(self.rank)}"
        return f"{war} between {voice.several(self.among)}."


class WarWentOn(OfSeats):
    """WAR-37: another step of a war."""

    depth: int

    def sentence(self, voice: Voice) -> str:
        step = FOLDS[self.depth] if self.depth < len(FOLDS) else f"War number {self.depth} in a row"
        return f"{step}! Still in it: {voice.several(self.among)}."


class TookPot(Act):
    """WAR-31, 37: a pot taken by a seat. `gained` is the increase of its camp, or 0 if the camp became a new army."""

    gained: int
    round_no: int

    def sentence(self, voice: Voice) -> str:
        verb, rest = SWEEPS[(self.round_no + self.seat) % len(SWEEPS)]
        cards = count_of(self.gained, "card") if self.gained > 0 else "everything"
        looks = "look" if self.seat == voice.viewer else "looks"
        return f"{voice.does(self.seat, verb)} {rest.format(cards, looks=looks)}."


class PotTaxed(Event):
    """WAR-16: a pot that goes to the tax pile."""

    words = "Tax! Everything goes to the tax pile, and nobody is happy."


class TaxTime(Act):
    """WAR-66: a levy on every seat. `deck` is the size of the biggest deck, whose owner pays most."""

    deck: int

    def sentence(self, voice: Voice) -> str:
        return f"Tax Time! The tax man finds {voice.name(self.seat)}, {title_of(self.deck)}, at home."


class Left(Act):
    """WAR-02: the elimination of a seat."""

    round_no: int

    def sentence(self, voice: Voice) -> str:
        farewell = FAREWELLS[(self.round_no + self.seat) % len(FAREWELLS)]
        return farewell.format(who=voice.does(self.seat, "are", "is"))


class DrewKit(events.Drew):
    """WAR-42: equipment drawn at the end of a round. Only its owner can see the cards."""

    names: tuple[str, ...] = ()

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'draw')} {listed(self.names) or f'{len(self.cards)} kit'}."


class NewArmy(events.Reshuffled):
    """WAR-60: a seat's camp reshuffled as its army of `size` cards."""

    seat: int
    size: int

    @property
    def seats(self) -> tuple[int, ...]:
        return (self.seat,)

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'shuffle')} {count_of(self.size, 'card')} into a new army."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the event of the move, followed by the events of its consequences."""
    found = [*acted(before, after, player, actions[0], viewer), *came_at_once(before, after, actions[0])]
    return [*found, *Course(before, after).events()]


def has_round_begun(state: Snapshot) -> bool:
    """Return whether the cards of the round have been turned."""
    waiting = phase_of(state) in ("PREP", "DISPUTE", "EXTREME")
    return not (waiting or (phase_of(state) == "REGROUP" and state.regroup.purpose in (FOR_ROUND, FOR_TURN)))


class Course:
    """The consequences of a move, which are found by comparing the states before and after it."""

    def __init__(self, before: Snapshot, after: Snapshot) -> None:
        self.before, self.after = before, after
        self.words = words_of(after)
        self.seats = range(after.players)
        self.shown = {seat: card for seat, card in enumerate(after.turned) if card not in (EMPTY, UNKNOWN)}
        self.taxed = any(card_kind(after, card) == TAX for card in self.shown.values())
        self.asking = phase_of(before) == "EXTREME"
        self.caught = after.caught != before.caught
        self.next_round = after.round_no > before.round_no
        self.ended = self.next_round or (after.over and not self.asking and not self.caught)
        self.settled = self.ended or after.war_count < before.war_count

    def events(self) -> Iterator[Event]:
        """Yield the events of the consequences, in order."""
        before, after = self.before, self.after
        if self.has_turned():
            yield from self.turned(members(before.alive))
        if phase_of(before) == "RECRUIT" and not self.still_picking():
            yield from self.turned(in_ring_order(before, before.wars[0].warriors), recruits=True)
        yield from self.choices()
        yield from self.wars()
        yield from self.pot()
        yield from self.tax_time()
        for seat in members(before.alive & ~after.alive):
            yield Left(seat, before.round_no, clauses=("WAR-02",))
        yield from self.drawn()
        yield from self.new_army()
        if after.over and not before.over:
            yield won(after)

    def has_turned(self) -> bool:
        """Return whether the cards of a round were turned between the two states."""
        if self.asking or self.caught or has_round_begun(self.before):
            return False
        return self.next_round or has_round_begun(self.after)

    def still_picking(self) -> bool:
        same = self.after.wars[0].depth == self.before.wars[0].depth
        return phase_of(self.after) == "RECRUIT" and same and self.after.picked != 0

    def turned(self, seats: Sequence[int], recruits: bool = False) -> Iterator[Event]:
        """Yield an event with the cards turned by those of `seats` that turned a card."""
        among = tuple(seat for seat in seats if seat in self.shown)
        cards = [self.shown[seat] for seat in among]
        if cards:
            codes = tuple(self.words.codes[card] for card in cards)
            yield Turned(among, codes, tuple(self.words.rank_and_name(card) for card in cards), recruits)

    def choices(self) -> Iterator[Event]:
        """WAR-51 to 54: yield the choices of the bystanders when all of them have chosen."""
        before, after = self.before, self.after
        if phase_of(before) != "CHOICE" or phase_of(after) == "CHOICE":
            return
        for seat in self.seats:
            if seat in before.acting or before.choices[seat] == UNKNOWN:
                joined = [war.rank for war in after.wars[: after.war_count] if is_in(war.warriors, seat)]
                if joined:
                    yield BoughtIn(seat, joined[0], clauses=("WAR-51",))
                elif phase_of(after) != "REGROUP":
                    yield Fled(seat, clauses=("WAR-51",))

    def wars(self) -> Iterator[Event]:
        """Yield the wars that were called, and the event of a further step of the current war."""
        before, after = self.before, self.after
        called = phase_of(before) != "CHOICE" if phase_of(after) == "CHOICE" else not before.war_count
        for war in after.wars[: after.war_count] if called else ():
            clause = "WAR-21" if war.rank == WAR_RANK else "WAR-35"
            yield WarCalled(self.ring(war.warriors), war.rank, clauses=(clause,))
        war = after.wars[0]
        if not called and not self.settled and war.depth > before.wars[0].depth > 0:
            yield WarWentOn(self.ring(war.warriors), war.depth, clauses=("WAR-37",))

    def ring(self, seats: int) -> tuple[int, ...]:
        return tuple(in_ring_order(self.after, seats))

    def pot(self) -> Iterator[Event]:
        """WAR-31, 37: yield an event for a pot that a seat, or the tax pile, took."""
        seat = swept_by(self.after)
        if not self.settled or self.asking:
            return
        if seat >= 0:
            gained = self.after.decks[seat].camp - self.before.decks[seat].camp
            war = self.after.seats[seat].wars_won > self.before.seats[seat].wars_won
            yield TookPot(seat, max(gained, 0), self.before.round_no, clauses=("WAR-37",) if war else ())
        elif self.taxed:
            yield PotTaxed(clauses=("WAR-16",))

    def tax_time(self) -> Iterator[Event]:
        """WAR-66: yield a levy, if the tax pile has grown although the move put no cards on it."""
        grown = self.after.tax.length - self.before.tax.length
        if grown <= 0 or self.caught or self.taxed:
            return
        if phase_of(self.before) in ("CHOICE", "REGROUP") and grown <= 2 * len(self.seats):
            return
        decks = [deck_size(deck) for deck in self.before.decks]
        richest = max(members(self.after.alive), key=lambda seat: decks[seat], default=0)
        yield TaxTime(richest, decks[richest], clauses=("WAR-66",))

    def drawn(self) -> Iterator[Event]:
        """WAR-42: yield the equipment that seats drew at the end of the round, as far as the viewer may know it."""
        for seat in self.seats if self.ended and not self.after.over else ():
            number = kit_count(self.after, seat) - kit_count(self.before, seat)
            if number > 0:
                hand = Counter(kit_in(self.after, IN_HAND + seat)) - Counter(kit_in(self.before, IN_HAND + seat))
                kit = [self.words.equipment[one - 1] for one in hand.elements() if one > 0]
                cards = tuple(kit_key(one) for one in kit) or ("",) * number
                yield DrewKit(seat, cards, tuple(one.name for one in kit), clauses=("WAR-42",))

    def new_army(self) -> Iterator[Event]:
        """WAR-60, 61: yield an event if a camp has become an army and another seat is asked for trust."""
        owner = self.after.regroup.owner
        again = phase_of(self.before) == "REGROUP" and self.before.regroup.owner == owner
        if phase_of(self.after) == "REGROUP" and not again:
            yield NewArmy(owner, self.after.regroup.fresh, clauses=("WAR-60",))
