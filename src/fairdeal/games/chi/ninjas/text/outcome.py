"""Chaos Ninjas: how a game ended, in words and places."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Result, Voice, count_of, listed
from fairdeal.engine.seats import members
from fairdeal.games.chi.ninjas.state import TO_WIN


def winners(state: Record) -> list[int]:
    return members(int(state.winners))


def has_six(state: Record) -> bool:
    """NINJA-06: has the player on turn won with six cards in play? Else the turns have run out (NINJA-09)."""
    turn = int(state.turn)
    return winners(state) == [turn] and int(state.areas[turn].length) >= TO_WIN


def victory(state: Record, voice: Voice) -> str:
    """`You win.`, `Bo and Cleo share the win.`"""
    seats = winners(state)
    if len(seats) == 1:
        return f"{voice.does(seats[0], 'win')}."
    names = listed([voice.name(seat) for seat in seats])
    return f"{names[0].upper()}{names[1:]} share the win."


def decided(state: Record, voice: Voice) -> tuple[str, str]:
    """One sentence on what decided it, and the clause."""
    if has_six(state):
        return f"Nobody broke the six cards in front of {voice.name(int(state.turn))}.", "NINJA-06"
    seats = sorted(range(int(state.players)), key=lambda seat: -int(state.areas[seat].length))
    told = "; ".join(tally(state, seat, voice) for seat in seats)
    return f"The turns ran out: {told}.", "NINJA-09"


def tally(state: Record, seat: int, voice: Voice) -> str:
    """`Bo 4 in play and 2 cards`."""
    in_play, cards = int(state.areas[seat].length), int(state.hands[seat].length)
    return f"{voice.name(seat)} {in_play} in play and {count_of(cards, 'card')}"


def result(state: Record, voice: Voice) -> Result | None:
    """The end, with the cards in play, or None while the game runs."""
    if not state.over:
        return None
    won = tuple(int(seat in winners(state)) for seat in range(int(state.players)))
    places = tuple(1 if score else 1 + sum(won) for score in won)
    in_play = tuple(int(state.areas[seat].length) for seat in range(int(state.players)))
    return Result(text=victory(state, voice), places=places, scores=in_play, why=decided(state, voice)[0])
