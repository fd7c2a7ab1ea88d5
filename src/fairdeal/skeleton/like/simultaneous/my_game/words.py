"""My Game in words: moves, positions, reasons and events."""

from collections.abc import Sequence

from fairdeal.engine import written
from fairdeal.engine.errors import BadPosition
from fairdeal.engine.events import Act, Event, Revealed
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Voice
from fairdeal.skeleton.my_game.rules import HAND
from fairdeal.skeleton.my_game.words import CODES, NUMBERS, ended, tricks

from .rules import CARDS

# without: PlayedCard

POSITION = written.Position(
    written.Cards(CODES, [1] * CARDS, "c1, c2 and so on", "MINE-01"),
    chosen=written.Places("the card that each seat has chosen", unknown=True),
    played=written.Places("the card that each seat turned up last"),
    used=written.Owners("by card, who has played it in an earlier trick"),
    hands=written.Hands(most=HAND),
    won=written.Numbers("tricks", highest=HAND),
)


def check_position(state: Record) -> None:
    """Let all seats act that have not chosen yet. Raises BadPosition if there are none, or if one of them has no
    card."""
    if state.over:
        return
    waiting = [seat for seat in range(state.players) if state.chosen[seat] == EMPTY]
    if not waiting:
        raise BadPosition(
            "chosen",
            "",
            "at least one seat must still choose a card [MINE-10]",
        )
    if not all(state.hands[seat].length for seat in waiting):
        raise BadPosition("hands", "", "a seat that is to choose must have a card [MINE-10]")
    state.to_act = sum(1 << seat for seat in waiting)


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
