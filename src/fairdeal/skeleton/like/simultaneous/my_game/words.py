"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.events import Act, Event, Revealed
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Voice
from fairdeal.skeleton.my_game.rules import HAND
from fairdeal.skeleton.my_game.words import CODES, DECK, NUMBERS, ended, tricks

from .rules import SEATS, options

# without: EQUAL_HANDS, HAS_CARD, IN_ORDER, PlayedCard, cards_of, is_out_of_order, may_play

POSITION = written.Position(
    DECK,
    options,
    SEATS,
    start=written.Seat(at="match.first"),
    over=written.Flag(at="over"),
    hands=written.Hands(room=HAND, zone="hand{}"),
    chosen=written.Places("the card that each seat has chosen", unknown=True),
    played=written.Places("the card that each seat turned up last"),
    used=written.Owners("by card, who has played it in an earlier trick"),
    won=written.Numbers("tricks", highest=HAND, counter="trick"),
)
"""The state of a game: its record, its form in JSON, and what observations show."""

CONDITIONS = (
    written.Condition(
        "chosen",
        "at least one seat must still choose a card [MINE-10]",
        lambda state: not state.over and not waiting(state),
    ),
    written.Condition(
        "hands[{}]",
        "a seat that is to choose must have a card [MINE-10]",
        lambda state, seat: not state.over and seat in waiting(state) and not state.hands[seat].length,
    ),
)
"""The conditions of every state."""


def waiting(state: Snapshot) -> list[int]:
    """Return the seats that have not chosen yet."""
    return [seat for seat in range(state.players) if state.chosen[seat] == EMPTY]


def settle_position(state: Record) -> None:
    """Let all seats act that have not chosen yet."""
    state.to_act = 0 if state.over else sum(1 << seat for seat in waiting(state))


def reason(state: Snapshot, player: int, actions: Sequence[int]) -> str:
    """Return the reason for a move of the greedy bot."""
    return "The best card first."


class Chose(Act):
    """MINE-10: a card chosen face down."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence, such as `Bo has chosen.`"""
        return "You have chosen." if self.seat == voice.viewer else f"{voice.names[self.seat]} has chosen."


class TurnedUp(Revealed):
    """MINE-10: a chosen card, turned up."""

    def sentence(self, voice: Voice) -> str:
        """Return the sentence, such as `You show 7.`"""
        return f"{voice.does(self.seat, 'show')} {NUMBERS[self.cards[0]]}."


def happened(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], viewer: int) -> list[Event]:
    """Return the events of a move: the move itself, followed by the automatic effects of the rules."""
    found: list[Event] = [Chose(player)]
    if sum(after.won) > sum(before.won):
        cards = [CODES[card] for card in after.played[: after.players]]
        found += [TurnedUp(seat, (card,), clauses=("MINE-10",)) for seat, card in enumerate(cards)]
    return [*found, *tricks(before, after), *ended(after)]
