"""Checks that viewers receive only information that they may know: hidden information must not affect the data that
they receive.

A game's hidden information is declared a second time, based on its page of rules: `Hidden` names the zones with hidden
cards or choices. The declaration determines which cards must move when a guess is drawn, and how many cards were
examined: a zone in which nothing was ever hidden fails the check.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from fairdeal.bots.bots import ask
from fairdeal.bots.registry import find_bot
from fairdeal.engine.events import Event, attack_in, described, round_in
from fairdeal.engine.game import Game
from fairdeal.engine.kit import chance
from fairdeal.engine.records import SPECTATOR, Record, new
from fairdeal.engine.records import chance as chance_record
from fairdeal.engine.state import Seen, State, Table
from fairdeal.engine.tips import bitten, read_bites
from fairdeal.engine.travel import travelled
from fairdeal.testing.play import (
    Path,
    at,
    check_equal,
    check_same,
    differing,
    must_have,
    path_text,
    play_at_random,
    random_states,
    table_of,
    viewers,
)

Position = dict[str, Any]
Cards = Counter[Any]
Where = tuple["Zone", Path]


@dataclass(frozen=True)
class Zone:
    """A place of hidden cards or choices. Fields:

    path        path in a position: `hands.*.*` is every place of every hand, and `hands.*[]` every hand as a pile
                without order
    pool        name of a pool; zones of one pool share their cards, which may lie in any of these zones
    phase       the only phase in which the zone is hidden; other zones with the same path are then ignored
    own         number of steps of the path that identify a separate pool: 2 for `boards.*.*` if every board has its own
                cards
    others      (position, path): number of other values that could be here, if the zone does not hold cards
    remembered  whether all seats have seen the cards that went in, so that they are hidden only from viewers without
                recall and are the same in all arrangements

    >>> Zone("hands.*[]").pool
    'cards'
    """

    path: str
    pool: str = "cards"
    phase: str = ""
    own: int = 0
    others: Callable[[Position, Path], int] | None = None
    remembered: bool = False

    def __str__(self) -> str:
        return f"{self.phase}: {self.path}" if self.phase else self.path


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """The hidden information of a game. Fields:

    zones      zones of hidden cards and choices
    rearrange  (position, viewer, dice, deep): the position with a different arrangement of everything that the viewer
               cannot know or, if not `deep`, of so little that the next move looks the same. By default, the game's own
               guesses are used, which find fewer errors, because information that the rules wrongly reveal also stays
               in place in guesses
    moments    (options, position, moves): positions that random games seldom reach, with moves as `seat: move`
    aside      (position): the cards of the pool `cards` that are in no zone of the position
    told       (shown position, path): whether the card at this path is shown in another place
    knowledge  fields that record which seats have seen a card, and that change with the cards
    forgets    kinds of events, by class name, after which the game forgets where cards are that were seen; `*` stands
               for all

    >>> Hidden(zones=[Zone("hands.*[]"), Zone("deck.*")]).zones[1].path
    'deck.*'
    """

    zones: Sequence[Zone]
    rearrange: Callable[[Position, int, random.Random, bool], Position] | None = None
    moments: Sequence[tuple[Mapping[str, object], Mapping[str, object], Sequence[str]]] = ()
    aside: Callable[[Position], Sequence[Any]] = lambda position: ()
    told: Callable[[Position, Path], bool] = lambda shown, path: False
    knowledge: Sequence[str] = ()
    forgets: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not self.zones:
            raise ValueError("name the zones with hidden cards; without any, nothing would be checked")

    def rearranged(self, state: State, viewer: int, dice: random.Random, deep: bool = True) -> State:
        """Return a complete state that differs from this one only in information hidden from the viewer."""
        if self.rearrange is None:
            source = new(chance_record)
            chance.set_key(source, dice.randbytes(32))
            return state.view(viewer, 100).resample(source)
        other = state.table.setup(self.rearrange(state.position(), viewer, dice, deep))
        chance.set_key(other.record.chance, dice.randbytes(32))
        return other


def check_shown(table: Table, hidden: Hidden, name: str, states: int = 25) -> Counter[str]:
    """Check that views, positions, scenes, legal actions and hints do not depend on hidden cards."""
    tally = Counter[str]()
    for state, dice, where in random_states(table, name, states):
        position = state.position()
        for viewer in viewers(state):
            other = hidden.rearranged(state, viewer, dice)
            tally["rearranged"] += other.position() != position
            told = f"{table}, {where}: seat {viewer} is shown what it may not know"
            for recall in (0, 100):
                ours, theirs = state.view(viewer, recall), other.view(viewer, recall)
                check_same(ours.record, theirs.record, f"{told}, with recall {recall}")
                check_equal(ours.position(), theirs.position(), f"{told}, position with recall {recall}")
            check_scenes(state, other, viewer, f"{told}, scene")
            if viewer in state.to_act:
                check_equal(state.legal_actions(viewer), other.legal_actions(viewer), f"{told}, legal actions")
                bot = find_bot("greedy", state.table, viewer, b"")
                hints = [ask(bot, state, viewer, 0), ask(bot, other, viewer, 0)]
                check_equal(hints[0].actions, hints[1].actions, f"{told}, hint")
                check_equal(hints[0].reason, hints[1].reason, f"{told}, reason of the hint")
                tally["hints"] += 1
    must_have(tally["rearranged"], states / 2, f"{table}: states with another arrangement of hidden cards")
    must_have(tally["hints"], states / 2, f"{table}: hints that were compared")
    return tally


def check_scenes(one: State, other: State, viewer: int, where: str) -> None:
    """Check that two states look the same to a viewer."""
    scenes = [one.scene(viewer), other.scene(viewer)]
    if scenes[0] != scenes[1]:
        check_equal(msgspec.to_builtins(scenes[0]), msgspec.to_builtins(scenes[1]), where)


def check_narration(table: Table, hidden: Hidden, name: str, states: int = 25) -> Counter[str]:
    """Check that the events and sentences of a move do not depend on hidden cards."""
    tally = Counter[str]()
    for state, dice, where in random_states(table, name, states):
        after = state.copy()
        player, actions = play_at_random(after, dice)
        names = [f"Player {seat}" for seat in range(state.players)]
        for viewer in viewers(state):
            other = hidden.rearranged(state, viewer, dice, deep=False)
            if not other.is_legal_move(player, actions):
                continue
            later = other.copy()
            later.play_actions(player, actions)
            if later.view(viewer).record.tobytes() != after.view(viewer).record.tobytes():
                continue  # the move revealed a card that differs, such as the next one of the row
            tally["compared"] += 1
            lines, others = (
                told_of(one.seen_by(viewer, names), then.seen_by(viewer, names), player, actions)
                for one, then in ((state, after), (other, later))
            )
            assert lines == others, f"{table}, {where}: told {viewer}: {lines}, {others}"
    least = states / 3  # where all choose at once, most moves of others are cards that lie elsewhere in a guess
    must_have(tally["compared"], least, f"{table}: moves that were described in two arrangements")
    return tally


def told_of(before: Seen, after: Seen, player: int, actions: Sequence[int]) -> list[tuple[Event | str, ...]]:
    """Return everything that a viewer may know about a move: its events, their sentences, the attack and the round that
    it ended, and the tips that it triggers."""
    events, voice = before.happened(after, player, actions), before.voice
    data = [(event.sentence(voice), event) for event in events]
    told = travelled(described(events, voice, player), before.scene(), after.scene())
    tips = bitten(read_bites(before.game.clauses), told, after.scene(), before.scene)
    moved = [(str((line.moves, line.turned)),) for _, line in told]
    return [*data, (str(attack_in(events, voice)),), (str(round_in(events, voice)),), (str(tips),), *moved]


def check_choices(
    table: Table, name: str, spoken: Sequence[str] = (), states: int = 25, tries: int = 6
) -> Counter[str]:
    """Check that the other viewers receive the same data for two moves of a seat, such as secret choices, if the
    resulting states look the same to them. `spoken` are the verbs of moves that everyone hears, although the state does
    not store them."""
    tally = Counter[str]()
    for state, dice, where in random_states(table, name, states):
        player, names = dice.choice(state.to_act), [f"Player {seat}" for seat in range(state.players)]
        moves: dict[str, tuple[Path, State]] = {}
        for _ in range(tries):
            after = state.copy()
            actions = play_at_random(after, dice, player)[1]
            moves.setdefault(state.game.write_move(state.record, player, actions), (actions, after))
        for viewer in viewers(state):
            if viewer == player:
                continue
            before, alike = state.seen_by(viewer, names), dict[bytes, tuple[str, Any]]()
            for move, (actions, after) in moves.items():
                tally["looks"] += 1
                if move.split()[0] in spoken:
                    tally["spoken"] += 1
                    continue
                seen = b"".join([after.view(viewer, recall).record.tobytes() for recall in (0, 100)])
                lines = told_of(before, after.seen_by(viewer, names), player, actions)
                other, told = alike.setdefault(seen, (move, lines))
                tally["compared"] += other != move
                both = f"{other!r} and {move!r} of seat {player} look the same to {viewer}"
                hint = "if everybody sees or hears such a move, name its verb in `spoken`"
                assert lines == told, f"{table}, {where}: {both}, but {viewer} is told {told}, {lines}; {hint}"
    if table.players > 1:
        must_have(tally["looks"], states, f"{table}: moves that viewers were told")
    return tally


def check_half_made(table: Table, name: str, states: int = 25) -> Counter[str]:
    """Check that only the player of an unfinished move can see it."""
    tally = Counter[str]()
    for state, _, where in random_states(table, name, states):
        player = state.to_act[0]
        for action in state.legal_actions(player):
            tally["actions"] += 1
            composing = state.copy()
            composing.apply(player, action)
            if composing.composing:
                tally["half made"] += 1
                for viewer in viewers(state):
                    same = composing.view(viewer).record.tobytes() == state.view(viewer).record.tobytes()
                    if same != (viewer != player):
                        seen = "does not see" if same else "sees"
                        raise AssertionError(f"{table}, {where}: {viewer} {seen} action {action} of seat {player}")
    must_have(tally["actions"], states / 2, f"{table}: first actions of moves")
    return tally


def check_zones(tables: Sequence[Table], hidden: Hidden, steps: int = 80) -> dict[str, Cards]:
    """Check that every hidden card of every zone can move: a rearranged position shows no difference, and guesses put
    the card elsewhere. Cards that can be deduced stay in place and are counted separately. What no seat has seen can be
    drawn again. Return the number of cards by zone."""
    source = chance.seeded("resample")
    tally: dict[Zone, Cards] = {zone: Counter() for zone in hidden.zones}
    watched: Counter[int] = Counter()
    for state, dice, position in states_of_every_zone(tables, hidden, steps):
        for viewer in sorted(viewers(state), key=watched.__getitem__)[:3]:
            watched[viewer] += 1
            check_viewer(state, position, viewer, dice, hidden, tally, source)
        check_redrawn(state, position, source)
    game = tables[0].game
    for zone, found in tally.items():
        seen = f"{game.name}: hidden cards in {zone} that could move"
        must_have(found["moved"], 2, f"{seen}; {found['stayed']} can be deduced")
        if not zone.remembered:
            must_have(found["rearranged"], 1, f"{game.name}: arrangements in which {zone} held other cards")
    missed = {SPECTATOR, *range(game.players[1])} - watched.keys()
    if missed:
        raise AssertionError(f"{game.name}: no viewer had the seats {sorted(missed)}; list options with more seats")
    return {str(zone): found for zone, found in tally.items()}


def check_redrawn(state: State, position: Position, source: Record) -> None:
    """Check that no seat sees another state if everything that no seat has seen is drawn again."""
    redrawn = state.redraw(source)
    for seat in range(state.players):
        for recall in (0, 100):
            where = f"{state.table}, redrawn, seat {seat} with recall {recall} in {position}"
            check_same(redrawn.view(seat, recall).record, state.view(seat, recall).record, where)


def check_viewer(
    state: State,
    position: Position,
    viewer: int,
    dice: random.Random,
    hidden: Hidden,
    tally: dict[Zone, Cards],
    source: Record,
) -> None:
    """Check one viewer's views of a state, with and without recall."""
    other = hidden.rearranged(state, viewer, dice)
    rearrangement = other.position()
    views = [state.view(viewer, recall) for recall in (0, 100)]
    for recall, view in enumerate(views[: 1 + (views[0] != views[1])]):
        where = f"{state.table}, seat {viewer} with recall {100 * recall} in {position}"
        check_same(other.view(viewer, 100 * recall).record, view.record, where)
        shown = view.position()
        check_only_zones_hide(hidden, position, shown)
        found = hidden_cards(hidden, position, shown)
        movable = can_move(hidden, position, shown, found)
        check_all_move(view, 100 * recall, position, found, movable, source, where)
        for (zone, path), cards in found.items():
            free = Counter({card: n for card, n in cards.items() if (zone, path, card) in movable})
            rearranges = cards_at(rearrangement, path) != cards_at(position, path)
            tally[zone] += Counter(moved=free.total(), stayed=(cards - free).total(), rearranged=rearranges)
            if rearranges and not free:
                raise AssertionError(f"{where}: {path_text(path)} can be deduced, but differs when rearranged")


def states_of_every_zone(
    tables: Sequence[Table], hidden: Hidden, steps: int
) -> Iterator[tuple[State, random.Random, Position]]:
    """Yield states of random games with their positions, until each zone has had hidden cards or the games
    are over."""
    for table in tables:
        kept = set[Zone]()
        dice = random.Random(f"{table}")
        state = None
        for _ in range(steps):
            if state is None or state.over:
                state = table.deal(str(dice.random()))
            position = state.position()
            met = {zone for zone, _ in hidden_cards(hidden, position, state.view(SPECTATOR).position())}
            if met - kept or (met and dice.random() < 0.03):
                kept.update(met)
                yield state.copy(), dice, position
            play_at_random(state, dice)
    for state in moments_of(tables[0].game, hidden):
        yield state, random.Random(str(state.table)), state.position()


def moments_of(game: Game, hidden: Hidden) -> Iterator[State]:
    """Yield the positions that random games seldom reach."""
    for options, start, moves in hidden.moments:
        state = table_of(game, options).setup(start)
        for move in moves:
            state.play(int(move.split(": ")[0]), move.split(": ")[1])
        yield state


def places(value: Any, steps: Sequence[str], path: Path = ()) -> Iterator[Path]:
    """Yield the paths of a position that match a zone's steps."""
    if not steps:
        yield path
        return
    keys: Any = [steps[0]] if steps[0] != "*" else list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        found = at(value, (key,))
        if len(steps) == 1 or isinstance(found, dict | list):
            yield from places(found, steps[1:], (*path, key))


def cards_at(position: Position, path: Path) -> Cards:
    """Return the cards at a path to a place or a pile."""
    found = at(position, path)
    return Counter(found if isinstance(found, list) else [] if found is None else [found])


def paths_of_zones(hidden: Hidden, position: Position) -> Iterator[Where]:
    """Yield the zones of a position with their paths, to each place or pile."""
    phase = position.get("phase")
    special = {zone.path for zone in hidden.zones if zone.phase and zone.phase == phase}
    for zone in hidden.zones:
        if zone.phase == phase if zone.phase else zone.path not in special:
            for path in places(position, zone.path.removesuffix("[]").split(".")):
                if isinstance(at(position, path), list) == zone.path.endswith("[]"):
                    yield zone, path


def hidden_cards(hidden: Hidden, position: Position, shown: Position) -> dict[Where, Cards]:
    """Return, by zone and path, the cards of a position that a view of it does not show."""
    found = {
        (zone, path): cards_at(position, path) - cards_at(shown, path)
        for zone, path in paths_of_zones(hidden, position)
    }
    return {where: cards for where, cards in found.items() if cards}


def can_move(
    hidden: Hidden, position: Position, shown: Position, found: dict[Where, Cards]
) -> set[tuple[Zone, Path, Any]]:
    """Return the hidden cards that can lie in another place, because enough different cards can take their places.

    If K of N cards that may lie anywhere are identical, a place or pile of n cards contains at least n - (N - K) of
    these K cards.
    """
    untold = {(zone, path): cards for (zone, path), cards in found.items() if not hidden.told(shown, path)}
    pools: dict[Path, Cards] = {}
    for (zone, path), cards in untold.items():
        pools.setdefault(pool_of(zone, path), Counter()).update(cards)
    if ("cards",) in pools:
        pools["cards",].update(hidden.aside(position))
    movable = set()
    for (zone, path), cards in untold.items():
        pool = pools[pool_of(zone, path)]
        for card, count in cards.items():
            others = zone.others(position, path) if zone.others else pool.total() - pool[card]
            if cards.total() - others < count:
                movable.add((zone, path, card))
    return movable


def pool_of(zone: Zone, path: Path) -> Path:
    """Return the path of the pool whose hidden cards could be swapped with those at `path`."""
    return (zone.pool, *path[: zone.own])


def check_only_zones_hide(hidden: Hidden, position: Position, shown: Position) -> None:
    """Check that everything missing from a view lies in a zone."""
    zones = {path for _, path in paths_of_zones(hidden, position)}
    for path in differing(position, shown):
        if path[0] not in hidden.knowledge and not any(path[:size] in zones for size in range(1, len(path) + 1)):
            raise AssertionError(f"{path_text(path)} is not shown, but is not in any of the zones: {position}")


def check_all_move(
    view: State,
    recall: int,
    position: Position,
    found: dict[Where, Cards],
    movable: set[tuple[Zone, Path, Any]],
    source: Record,
    where: str,
) -> None:
    """Check that each card that can lie in another place does so in at least one guess, that no other card moves, and
    that every guess is consistent with the view."""
    viewer = SPECTATOR if view.viewer is None else view.viewer
    left, guesses = set(movable), 0
    while guesses < 3 or (left and guesses < 1000):
        guess, guesses = view.resample(source), guesses + 1
        check_same(guess.view(viewer, recall).record, view.record, f"{where}: a guess that does not fit")
        guessed = guess.position()
        for (zone, path), cards in found.items():
            for card in cards:
                if cards_at(guessed, path)[card] < cards_at(position, path)[card]:
                    if (zone, path, card) not in movable:
                        raise AssertionError(f"{where}: {path_text(path)} can only be {card}, but the guess differs")
                    left.discard((zone, path, card))
    for _, path, card in sorted(left, key=str)[:1]:
        raise AssertionError(f"{where}: all {guesses} guesses have {card} at {path_text(path)}, like the position")
