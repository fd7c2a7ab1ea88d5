"""Chaos Ninjas: how a game ended, in words and places."""

from fairdeal.engine.scene import Result, Voice, capital, count_of
from fairdeal.engine.snapshots import Snapshot, seats_in
from fairdeal.games.chi.ninjas.state import TO_WIN


def victory(state: Snapshot, voice: Voice) -> str:
    """`You win.`, `Bo and Cleo share the win.`"""
    seats = seats_in(state.winners)
    if len(seats) == 1:
        return f"{voice.does(seats[0], 'win')}."
    return f"{capital(voice.several(seats))} share the win."


def decided(state: Snapshot, voice: Voice) -> tuple[str, str]:
    """One sentence on what decided it, and the clause: six cards in play (NINJA-06), or that the turns ran out."""
    in_play = [area.length for area in state.areas]
    if seats_in(state.winners) == (state.turn,) and in_play[state.turn] >= TO_WIN:
        return f"Nobody broke the six cards in front of {voice.name(state.turn)}.", "NINJA-06"
    told = "; ".join(
        f"{voice.name(seat)} with {in_play[seat]} in play and {count_of(state.hands[seat].length, 'card')}"
        for seat in sorted(range(state.players), key=lambda seat: -in_play[seat])
    )
    return f"The turns ran out: {told}.", "NINJA-09"


def standing(state: Snapshot) -> list[int]:
    """NINJA-06: how many cards everybody has in play."""
    return [area.length for area in state.areas[: state.players]]


def result(state: Snapshot, voice: Voice) -> Result | None:
    """The end, with the cards in play, or None while the game runs."""
    if not state.over:
        return None
    winners, seats = seats_in(state.winners), range(state.players)
    places = tuple(1 if seat in winners else 1 + len(winners) for seat in seats)
    in_play = tuple(state.areas[seat].length for seat in seats)
    return Result(text=victory(state, voice), places=places, scores=in_play, why=decided(state, voice)[0])
