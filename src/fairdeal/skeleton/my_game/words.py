"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from fairdeal.engine.errors import BadPosition, IllegalMove
from fairdeal.engine.events import Event, Played, Scored, Won
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.matches import start_match
from fairdeal.engine.kit.positions import CardCounter, codes_of, in_range, opened, read_hand, sized
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Result, Voice, count_of

from .rules import ACTIONS, CARDS, HAND

CODES = tuple(f"c{number}" for number in range(1, CARDS + 1))
NUMBERS = {code: number for number, code in enumerate(CODES, 1)}
TEXTS = Texts(ACTIONS, play=("play {}", CODES))


def misread(state: Snapshot, text: str) -> IllegalMove:
    """Return the error for a text that is not an action."""
    return TEXTS.unknown(text, "`play c7`")


def why_not(state: Snapshot, player: int, action: int) -> tuple[str, str] | None:
    """Return the reason and the clause against an action, or None if it is legal."""
    return None if action in state.hands[player].held else ("this card is not in your hand", "MINE-10")


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the greedy bot's reason for a move."""
    return "It takes the trick so far." if actions[0] > max(state.played) else "It cannot be beaten, so the least goes."


class Position(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The fields of a position (rules.md, section 2)."""

    hands: list[list[str]]
    game: str = ""
    options: dict[str, Any] = {}
    played: list[str | None] | None = None
    won: list[int] | None = None
    start: int = 0
    turn: int = 0
    over: bool = False


def write_position(state: Snapshot) -> dict[str, Any]:
    """Return a position as JSON; unknown cards are `?`."""
    seats = range(state.players)
    return {
        "start": state.match.first,
        "turn": state.turn,
        "over": bool(state.over),
        "hands": [codes_of(CODES, state.hands[seat].held) for seat in seats],
        "played": [None if state.played[seat] == EMPTY else CODES[state.played[seat]] for seat in seats],
        "won": state.won[: state.players],
    }


def read_position(position: Mapping[str, Any], state: Record) -> None:
    """Write a position into a blank state that has its options, without running automatic steps."""
    given, state = opened(position, Position, state)
    players = state.players
    start_match(state, 1, in_range("start", given.start, 0, players - 1))
    state.turn = in_range("turn", given.turn, 0, players - 1)
    counted = CardCounter(CODES, [1] * CARDS, "c1 to c12", "MINE-01")
    for seat in range(len(state.played)):
        state.played[seat] = EMPTY
    for seat, code in enumerate(sized("played", given.played or [None] * players, players)):
        if code is not None:
            state.played[seat] = counted.kind(f"played[{seat}]", code)
    for seat, codes in enumerate(sized("hands", given.hands, players)):
        read_hand(state.hands[seat], f"hands[{seat}]", codes, HAND, counted)
    for seat, tricks in enumerate(sized("won", given.won or [0] * players, players)):
        state.won[seat] = in_range(f"won[{seat}]", tricks, 0, HAND)
    state.over = given.over
    if not given.over and (state.played[given.turn] != EMPTY or not state.hands[given.turn].length):
        raise BadPosition("turn", given.turn, "this seat has no card to play [MINE-10]")
    state.to_act = 0 if given.over else 1 << given.turn


# The kinds of events of this game, and `happened`, which returns those of a move.


class PlayedCard(Played, frozen=True):
    """MINE-10: a card, face up."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence: `You play 7.`"""
        return f"{voice.does(self.seat, 'play')} {NUMBERS[self.cards[0]]}."


class TookTrick(Scored, frozen=True):
    """MINE-11: the highest card has taken the trick."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence: `Bo takes the trick.`"""
        return f"{voice.does(self.seat, 'take')} the trick."


class MostTricks(Won, frozen=True):
    """MINE-20: the game is over; scores are tricks."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the seats that the sentence names: the winners."""
        return tuple([seat for seat, tricks in enumerate(self.scores) if tricks == max(self.scores)])

    def text(self, voice: Voice) -> str:
        """Return the result as a sentence: `You win with 2 tricks.`"""
        tricks = count_of(max(self.scores), "trick")
        if len(self.seats) == 1:
            return f"{voice.does(self.seats[0], 'win')} with {tricks}."
        return f"{voice.several_titled(self.seats)} share the win with {tricks} each."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, then the automatic effects of the rules."""
    found: list[Event] = [PlayedCard(player, (CODES[actions[0]],))]
    for seat in range(after.players):
        if after.won[seat] > before.won[seat]:
            found.append(TookTrick(seat, 1, clauses=("MINE-11",)))
    return [*found, won(after)] if after.over else found


def won(state: Snapshot) -> MostTricks:
    """Return the event for the end of a game."""
    return MostTricks(tuple(state.won[: state.players]), clauses=("MINE-20",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    return won(state).result(voice) if state.over else None
