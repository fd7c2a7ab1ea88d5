"""CHI: the events of a move."""

from collections.abc import Iterator, Sequence

from fairdeal.engine import events
from fairdeal.engine.events import Event
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import Voice
from fairdeal.engine.scene.instruments import Attack
from fairdeal.games.chi.cards import CODES, NAMES, points_of, stack_points
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.picture.parts import attack_on
from fairdeal.games.chi.picture.scene import played
from fairdeal.games.chi.rules.legal import can_draw_deck
from fairdeal.games.chi.state import ACTIONS, OVER, SINGLE_3, YANG_3, YANG_6
from fairdeal.games.chi.text.outcome import won
from fairdeal.games.chi.text.telling import gained, pile_events


class Took(events.Drew):
    """CHI-21: a card taken from the row."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'take')} {NAMES[self.cards[0]]} from the row."


class Drew(events.Drew):
    """CHI-21, 46: a card drawn from the deck. Only the seat that drew it can see it."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'draw')} {NAMES[self.cards[0]]} from the deck."


class DrewUnseen(events.Drew):
    """CHI-21: a seat's choice to draw from the deck. The card drawn has a separate event."""

    words = "You draw from the deck."


class Played(events.Played):
    """CHI-31, 33: a Yang played into the seat's area, with its points."""

    points: int = 0

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'play')} {NAMES[self.cards[0]]}, {self.points} points."


class Paired(events.Played):
    """CHI-31: a second 3 of a colour, which makes both cards safe."""

    colour: str = ""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'play')} a second {self.colour} Yang: safe."


class Attacked(events.Attacked):
    """CHI-40: a Yin played against a stack. `target` describes the stack, such as `red 3`."""

    target: str = ""

    def sentence(self, voice: Voice) -> str:
        attacks = f"{voice.does(self.seat, 'attack')} {voice.of(self.defender)} {self.target}"
        return f"{attacks} with {NAMES[self.cards[0]]}."


class Blocked(events.Blocked):
    """CHI-41: a block with a Chi."""

    words = "You block with a Chi."


class GaveIn(events.Passed):
    """CHI-42: a seat's pass in a conflict, which loses the conflict."""

    words = "You give in."


class DidNothing(events.Passed):
    """CHI-13: a turn passed because no action is possible."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'can', 'can')} do nothing."


class Discarded(events.Discarded):
    """CHI-11: a card discarded above the hand limit."""

    def sentence(self, voice: Voice) -> str:
        return f"{voice.does(self.seat, 'discard')} {NAMES[self.cards[0]]}."


class AttackEnded(events.AttackEnded):
    """CHI-42 to 44: the end of a conflict, lost by the seat that gave in. `cards` are all the cards played in it."""

    cards: tuple[str, ...]
    colour: str
    points: int
    repelled: bool

    def outcome(self, voice: Voice) -> str:
        verb = voice.does(self.defender, "keep" if self.repelled else "lose")
        return f"{verb} the {self.colour} {self.points}"

    def sentence(self, voice: Voice) -> str:
        return f"{self.outcome(voice)}."

    def attack(self, voice: Voice) -> Attack:
        return attack_on(
            voice,
            self.attacker,
            self.defender,
            f"{self.colour} {self.points}",
            text=self.outcome(voice),
            word="BLOCKED" if self.repelled else "BROKEN",
            faces=self.cards,
        )


class LastTurn(events.Act):
    """CHI-60: the announcement of the last turn, after the start player has filled an area."""

    def sentence(self, voice: Voice) -> str:
        return f"The area is full: {voice.does_then(self.seat, 'have', 'has')} the last turn."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the event of the move, followed by the events of its consequences."""
    action = actions[0]
    found = [acted(before, player, action)]
    match ACTIONS.decode(action):
        case "pass", _:
            found.append(attack_ended(before, player))
            found += drawn(before, after, before.duel.attacker, "CHI-46")
        case "draw_deck", _ if can_draw_deck(before):
            found += drawn(before, after, player, "CHI-21")
    found += pile_events(before, after, action, "Yin", "CHI-52")
    if after.last_turn and not before.last_turn:
        found.append(LastTurn(after.turn, clauses=("CHI-60",)))
    if after.phase == OVER:
        found.append(won(after))
    return found


def acted(before: Snapshot, player: int, action: int) -> Event:
    """Return the event of the move itself."""
    match ACTIONS.decode(action):
        case "draw", place:
            return Took(player, (CODES[before.row[place]],))
        case "play_3", colour if SINGLE_3 + colour in before.areas[player].held:
            return Paired(player, (CODES[YANG_3 + colour],), COLOUR_NAMES[colour], clauses=("CHI-31",))
        case "play_3" | "play_6" as verb, colour:
            kind = colour + (YANG_3 if verb == "play_3" else YANG_6)
            return Played(player, (CODES[kind],), points_of(kind))
        case "attack_3" | "attack_6" as verb, colour:
            return Attacked(player, (CODES[colour],), 1 - player, f"{COLOUR_NAMES[colour]} {verb[-1]}")
        case "answer_chi", _:
            return Blocked(player)
        case "pass", _:
            return GaveIn(player)
        case "discard", kind:
            return Discarded(player, (CODES[kind],), clauses=("CHI-11",))
    return DrewUnseen(player) if can_draw_deck(before) else DidNothing(player, clauses=("CHI-13",))


def attack_ended(before: Snapshot, loser: int) -> AttackEnded:
    attacker = before.duel.attacker
    return AttackEnded(
        attacker,
        1 - attacker,
        tuple([CODES[kind] for kind in played(before)]),
        COLOUR_NAMES[before.duel.colour],
        stack_points(before.areas[1 - attacker].held[before.duel.target]),
        repelled=loser == attacker,
        clauses=("CHI-44",) if loser == attacker else ("CHI-43",),
    )


def drawn(before: Snapshot, after: Snapshot, drawer: int, clause: str) -> Iterator[Drew]:
    """Yield the event of a card that a seat drew from the deck. Only that seat sees its face."""
    for kind in gained(before, after, drawer)[:1]:
        yield Drew(drawer, ("" if kind == UNKNOWN else CODES[kind],), clauses=(clause,))
