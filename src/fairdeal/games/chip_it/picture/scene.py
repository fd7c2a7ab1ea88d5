"""CHIP IT: the scene of a table, for all screens."""

import functools
from collections import Counter as Tally
from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Choice, Counter, Scene, Seat, Voice, Zone, count_of, counted
from fairdeal.engine.scene import Draft as SceneDraft
from fairdeal.engine.scene.zones import CACHED, CardIds, area_zone, heap_zone, seat_of, stack_zone, zone
from fairdeal.games.chip_it.cards import CODES, WRITTEN, by_number, cost, spoken
from fairdeal.games.chip_it.rules.legal import legal_passes
from fairdeal.games.chip_it.state import COMPLETE, DUEL, FIRST_CARD, MOST_RETURNED, PASS, SINGLE, TOURNAMENT
from fairdeal.games.chip_it.text.draft import PICKS, TAKE_BACK, VALUE, Draft
from fairdeal.games.chip_it.text.outcome import points_of, result, score_pad
from fairdeal.games.chip_it.text.prompts import headline, prompt

MODES = {SINGLE: "Single game", TOURNAMENT: "Tournament", DUEL: "Duel"}
IDS = CardIds(CODES)


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` are the picks of the viewer's unfinished move."""
    viewer, seats, match = voice.viewer, range(state.players), state.match
    draft = Draft(state, viewer, picks) if state.turn == viewer and not state.over else None
    fronts = [
        front_zone(tuple(front.held), front.value, is_to_beat(state, seat), seat, viewer)
        for seat, front in enumerate(state.fronts[: state.players])
    ]
    pool = stack_zone("pool", "Pool", state.pool, icon="chip", cell="left", fold=True)
    zones = [*fronts, pool, discard_zone(tuple(state.discard))]
    choices: list[Choice] = []
    if viewer >= 0:
        hand, choices = hand_zone(state.hands[viewer].held, draft)
        zones.append(hand)
    chosen = tuple(choice.on for choice in choices if PICKS.decode(choice.id).verb == "take_back")
    if draft:
        choices += buttons(draft, alone=not choices)
    return Scene(
        skin="chip-it",
        title="Chip It",
        sub=f"{MODES[state.options.mode]} · {count_of(state.players, 'player')}",
        viewer=viewer,
        mode="over" if state.over else "live",
        tray="two",
        facts=(f"game {match.game} of {match.games}",) if match.games > 1 else (),
        seats=tuple(account_of(state, seat, voice) for seat in seats),
        zones=tuple(zones),
        headline=headline(state, voice),
        prompt=prompt(state, draft, voice),
        choices=tuple(choices),
        draft=SceneDraft(chosen=chosen, picks=tuple(picks), undo=True) if picks else None,
        score=score_pad(state, voice),
        result=result(state, voice),
    )


def is_to_beat(state: Snapshot, seat: int) -> bool:
    return state.top.count > 0 and state.top.owner == seat


def account_of(state: Snapshot, seat: int, voice: Voice) -> Seat:
    """Return the summary of a seat: its cards, and the points of its bank, or at the end all that count (CHIP-61)."""
    done = seat in state.finished.held
    cards = counted(state.hands[seat].length, "card", icon="cards")
    points = counted(state.bank[seat], "point", icon="chip")
    if state.over:
        points = Counter("points left", points_of(state, seat), "chip")
    note = "done" if done else "leads" if is_to_beat(state, seat) else ""
    return seat_of(state, seat, voice, cards, points, note=note, state="done" if done else "here")


@functools.lru_cache(CACHED)
def front_zone(held: tuple[int, ...], value: int, leads: bool, seat: int, viewer: int) -> Zone:
    """Return the zone of the cards that a seat has played, with the points that raise them to their value."""
    id, kinds, to_beat = f"front{seat}", by_number(held), bool(held) and leads
    cards = [raised(card, kind, value) for card, kind in zip(IDS.cards(kinds, id), kinds, strict=True)]
    label = ("to beat" if to_beat else "beaten") if cards else ""
    return area_zone(id, seat, viewer, "lap", cards, label=label, say="play", heed=to_beat, size="table")


@functools.lru_cache(CACHED)
def discard_zone(counts: tuple[int, ...]) -> Zone:
    pile = IDS.pile(counts, "discard", WRITTEN)
    return heap_zone("discard", "Discard", pile, size="small", cell="right", fold=True)


def raised(card: Card, kind: int, value: int | None) -> Card:
    """Return a card with the points that raise it to a value."""
    points = cost(kind, value) if value else 0
    return card.replaced(value=value, load=points) if points else card


def hand_zone(kinds: list[int], draft: Draft | None) -> tuple[Zone, list[Choice]]:
    """Return the zone of the viewer's hand, and the choices on its cards. Of equal cards, the last ones are chosen."""
    held, left = by_number(kinds), Tally(draft.kinds if draft else ())
    cards, choices, addable = [*IDS.cards(held, "hand")], [], draft.addable() if draft else ()
    for place, kind in reversed([*enumerate(held)]):
        card = cards[place]
        if draft and left[kind] > 0:
            left[kind] -= 1
            cards[place] = raised(card, kind, draft.value)
            choices.append(Choice(TAKE_BACK + kind, "card", f"take back {spoken(kind)}", on=card.id))
        elif kind in addable:
            choices.append(Choice(FIRST_CARD + kind, "card", f"choose {spoken(kind)}", on=card.id))
    return zone("hand", "hand", "fan", cards, label="Your hand", size="hand", any_order=True), choices[::-1]


def buttons(draft: Draft, alone: bool) -> list[Choice]:
    """Return the buttons: the values of a complete combination and "Play", or the passes if no card has been chosen.
    `alone` is true if no card can be chosen."""
    if not draft.picks:
        return passes(draft.state, draft.player, alone)
    if draft.value is None:
        return []
    values = [
        Choice(VALUE + value, "value", str(value), note=count_of(price, "point") if price else "free")
        for value, price in sorted(draft.prices.items())
    ]
    play = Choice(COMPLETE, "button", f"Play as {draft.value}", key="Enter", main=True)
    return [*(values if len(values) > 1 else []), play]


def passes(state: Snapshot, player: int, alone: bool) -> list[Choice]:
    """Return the buttons for the legal passes (CHIP-40, 44, 45). A pass is the main button only if it is the only
    move."""
    found = [0] * (MOST_RETURNED + 1)
    legal = found[: legal_passes(state, player, found)]
    labels = [f"Pass and give back {action - PASS}" if action > PASS else "Pass" for action in legal]
    only = alone and len(legal) == 1
    return [Choice(action, "button", label, main=only) for action, label in zip(legal, labels, strict=True)]
