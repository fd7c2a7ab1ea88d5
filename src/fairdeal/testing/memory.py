"""The check that perfect memory keeps what was seen.

A view with full recall contains everything that a perfect memory knows, and `resample` deals all other cards. If the
state does not store where a card went that the viewer saw, a guess may deal it to another place. The check therefore
compares guesses after a move with states that could have come about: states that the viewer thought possible before the
move, after the same move or another one that looks alike and has the same events. A card that the viewer saw, and that
is in a place, or in one of two piles, in all of these states, must be there in the guesses too.
"""

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any, NamedTuple

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.events import Event
from fairdeal.engine.kit import chance
from fairdeal.engine.records import Record
from fairdeal.engine.state import PERFECT_MEMORY, State, Table
from fairdeal.testing.hiding import Hidden
from fairdeal.testing.play import Move, Path, at, must_have, path_text, play_at_random, random_states, viewers

GUESSES, MISSES = 6, 2
"""Number of guesses after a move, and how many of them must miss a card before the check searches for a reason."""

TRIES, ENOUGH, HOPELESS = 1000, 10, 200
"""Maximum number of states before the move that are tried, and how many of those with other random numbers must have a
move that looks alike. With fewer, a missing card proves nothing. The search ends early if there is none after 200."""

Place = tuple[Path, ...]
"""A place, a pile or a larger part of a position, or two of them that belong to different seats. The path () stands for
everywhere outside the position."""

Cards = Counter[tuple[Path, str]]
"""Numbers of cards, and of other words, by place or pile."""


class Look(NamedTuple):
    """A move, as a viewer experiences it."""

    viewer: int
    before: State
    after: State
    move: Move

    def seen(self) -> bytes:
        """Return what a viewer with a perfect memory sees after the move."""
        content: bytes = self.after.view(self.viewer, PERFECT_MEMORY).record.tobytes()
        return content

    def events(self) -> list[Event]:
        """Return the events of the move, as the viewer may know them."""
        before, after = self.before.seen_by(self.viewer), self.after.seen_by(self.viewer)
        return list(before.happened(after, *self.move))


def check_memory(table: Table, hidden: Hidden, name: str, states: int = 15) -> Counter[str]:
    """Check that no guess deals a card again that its viewer saw go to another place, except after the events that
    `hidden.forgets` lists."""
    tally = Counter[str]()
    source = chance.seeded("memory")
    for state, dice, where in random_states(table, name, states):
        after = state.copy()
        move = play_at_random(after, dice)
        look = Look(dice.choice(viewers(state)), state, after, move)
        if any(type(event).__name__ in hidden.forgets for event in look.events()):
            continue
        for place, card in forgotten(look, hidden, dice, source, tally):
            text = state.game.write_move(state.record, *move)
            there = " or ".join(path_text(path) if path else "no place" for path in place)
            raise AssertionError(
                f"{table}, {where}: `{text}` of seat {move[0]} left {card!r} in {there}, as viewer {look.viewer} saw, "
                f"but `resample` deals it again; store it, and show it in views with recall"
            )
    must_have(tally["followed"], states, f"{table}: cards that were seen before a move or moved by it")
    return tally


def forgotten(
    look: Look, hidden: Hidden, dice: random.Random, source: Record, tally: Counter[str]
) -> list[tuple[Place, str]]:
    """Return the cards that the viewer followed to a place, but that guesses after the move miss there, with the place.
    Count in `tally` the cards that were followed, and those that remained `unclear` because too few moves looked
    alike."""
    least, view = followed(look, hidden), look.after.view(look.viewer, PERFECT_MEMORY)
    tally["followed"] += len(least)
    misses: Counter[tuple[Place, str]] = Counter()
    for _ in range(GUESSES):
        cards = everywhere(cards_of(view.resample(source), hidden))
        misses.update(one for one in least if equal_cards(cards, *one) < least[one])
    missed = {one for one, times in misses.items() if times >= MISSES}
    before, alike = look.before.view(look.viewer, PERFECT_MEMORY), 0
    for turn in range(TRIES if missed else 0):
        other = swapped(look, hidden, {card for _, card in missed}, dice) if turn % 3 else before.resample(source)
        if other and turn % 3 == 1:
            other.record.chance = look.before.record.chance
        after = other and looking_alike(look, other, dice)
        if after:
            cards = everywhere(cards_of(after, hidden))
            missed = {one for one in missed if equal_cards(cards, *one) >= least[one]}
            alike += turn % 3 != 1
        if not missed or (alike == 0 and turn > HOPELESS):
            break
    tally["unclear"] += len(missed) if alike < ENOUGH else 0
    return sorted(missed, key=str) if alike >= ENOUGH else []


def followed(look: Look, hidden: Hidden) -> dict[tuple[Place, str], int]:
    """Return the numbers of cards that the viewer may have followed to a place: that it saw there before the move, or
    that it saw elsewhere and that the move brought there or took out of the position."""
    before, after = cards_of(look.before, hidden), cards_of(look.after, hidden)
    shown = cards_of(look.before.view(look.viewer, PERFECT_MEMORY), hidden)
    moved = Counter(face for event in look.events() for face in event.shown)
    for (_, card), count in (shown - after).items():
        moved[card] += count
    came = Counter({one: min(moved[one[1]], count) for one, count in (after - before).items()})
    was, now, saw, least = map(everywhere, (before, after, shown, after & (shown + came)))
    found: dict[tuple[Place, str], int] = {}
    piles: dict[tuple[Path, str], list[Path]] = {}
    for path, card in was.keys() | now.keys():
        one, grown = (path, card), max(0, now[path, card] - was[path, card])
        if not path and moved[card] and grown:
            found[(path,), card] = now[one]
        elif path and (count := min(least[one], saw[one] + grown)) > 0:
            found[(path,), card] = count
        if path and isinstance(path[-1], int):
            piles.setdefault((path[:-1], card), []).append(path)
    for (_, card), paths in piles.items():
        for pair in combinations(sorted(paths, key=str), 2):
            count = sum(found.get(((path,), card), 0) for path in pair)
            if count > 0:
                found[pair, card] = count
    return found


def looking_alike(look: Look, before: State, dice: random.Random) -> State | None:
    """Play the move, or a random move of the same seat, in another state. Return the state after it if the viewer sees
    the same, with the same events, as after the move of `look`."""
    seat, actions = look.move
    if seat == look.viewer or dice.random() < 0.5:
        after = before.after(seat, actions)
    else:
        after = before.copy()
        actions = play_at_random(after, dice, seat)[1]
    other = after and Look(look.viewer, before, after, (seat, actions))
    return after if other and other.seen() == look.seen() and other.events() == look.events() else None


def swapped(look: Look, hidden: Hidden, cards: set[str], dice: random.Random) -> State | None:
    """Return the state before the move with two hidden cards swapped. One of them is in `cards` if possible, and may be
    outside the position. Return None if the state is invalid or looks different to the viewer."""
    state, view = look.before, look.before.view(look.viewer, PERFECT_MEMORY)
    unseen = list((cards_of(state, hidden) - cards_of(view, hidden)).elements())
    position, swaps = state.position(), []
    if unseen:
        outside = ((), dice.choice(sorted(cards)))
        one, other = dice.choice(unseen), dice.choice([one for one in unseen if one[1] in cards] or unseen)
        other = outside if dice.random() < 0.3 else other
        swaps = [(one, other[1]), (other, one[1])]
    for (path, card), new in swaps:
        pile = at(position, path)
        if isinstance(pile, list):
            pile[pile.index(card)] = new
        elif path:
            at(position, path[:-1])[path[-1]] = new
    try:
        changed = state.table.setup(position)
    except FairdealError:
        return None
    chance.set_key(changed.record.chance, dice.randbytes(32))
    return changed if changed.view(look.viewer, PERFECT_MEMORY) == view else None


def cards_of(state: State, hidden: Hidden) -> Cards:
    """Return the cards, and other words, of a state's position by place, or by pile if `hidden` gives it no order.
    Records of who has seen a card are left out."""
    unordered = {tuple(zone.path.removesuffix("[]").split(".")) for zone in hidden.zones if zone.path.endswith("[]")}
    cards: Cards = Counter()
    unfinished: list[tuple[Path, Path, Any]] = [((), (), state.position())]
    while unfinished:
        path, general, value = unfinished.pop()
        if isinstance(value, Mapping):
            parts = value.items()
            unfinished += [((*path, key), (*general, key), part) for key, part in parts if key not in hidden.knowledge]
        elif isinstance(value, list | tuple) and general in unordered:
            cards.update((path, card) for card in value)
        elif isinstance(value, list | tuple):
            unfinished += [((*path, place), (*general, "*"), part) for place, part in enumerate(value)]
        elif isinstance(value, str):
            cards[path, value] += 1
    return cards


def everywhere(cards: Cards) -> Cards:
    """Return the numbers of cards in all parts of the position. For the path (), they are negative: the fewer cards are
    in the position, the more are outside."""
    found: Cards = Counter()
    for (path, card), count in cards.items():
        found[(), card] -= count
        for size in range(1, len(path) + 1):
            found[path[:size], card] += count
    return found


def equal_cards(cards: Cards, place: Place, card: str) -> int:
    """Return the number of equal cards in a place."""
    return sum(cards[path, card] for path in place)
