"""CHIP IT: what is on the table, for every screen."""

from __future__ import annotations

import functools
from collections import Counter as Tally
from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import (
    Card,
    Choice,
    Counter,
    Scene,
    Seat,
    Voice,
    Zone,
    count_of,
)
from fairdeal.engine.scene import Draft as SceneDraft
from fairdeal.games.chip_it.cards import CODES, by_number, cost
from fairdeal.games.chip_it.rules.legal import is_open
from fairdeal.games.chip_it.state import COMPLETE, FIRST_CARD, KINDS, MOST_RETURNED, MUST_RETURN, NEVER
from fairdeal.games.chip_it.text.draft import TAKE_BACK, VALUE, Draft
from fairdeal.games.chip_it.text.outcome import result, score_pad
from fairdeal.games.chip_it.text.positions import discarded
from fairdeal.games.chip_it.text.prompts import headline, prompt

MODES = ("Single game", "Tournament", "Duel")


SHOWN = 6
"""Cards of the discard pile that a scene holds: the last ones; the others lie under them."""


class CardIds:
    """Names for the cards on the table: the code and which of the two copies, in the order they are met.

    Cards go from hand to front to discard pile, so zones are drawn in the opposite order: a card keeps its name.
    """

    def __init__(self) -> None:
        self.met = [0] * KINDS

    def card(self, kind: int, value: int | None = None, load: int = 0) -> Card:
        self.met[kind] += 1
        return open_card(kind, self.met[kind], value, load)

    def pass_over(self, kinds: Sequence[int]) -> None:
        """Cards that lie under others."""
        for kind in kinds:
            self.met[kind] += 1


@functools.cache
def open_card(kind: int, copy: int, value: int | None, load: int) -> Card:
    return Card(id=f"{CODES[kind]}.{copy}", face=CODES[kind], value=value, load=load)


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him, `picks` are of his own draft."""
    ids = CardIds()
    players, viewer, turn = int(state.players), voice.viewer, int(state.turn)
    mine = bool(viewer >= 0 and turn == viewer and not state.over)
    draft = Draft(state, viewer, picks) if mine else None
    discard = discard_zone(state, ids)
    fronts = [front_zone(state, seat, viewer, ids) for seat in range(players)]
    zones = [*fronts, pool_zone(state), discard]
    choices: list[Choice] = []
    chosen: tuple[str, ...] = ()
    if viewer >= 0:
        hand, choices, chosen = hand_zone(state, viewer, draft, ids)
        zones.append(hand)
    if draft:
        choices += buttons(state, draft)
    return Scene(
        skin="chip-it",
        title="Chip It",
        sub=f"{MODES[int(state.options.mode)]} · {count_of(players, 'player')}",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=tuple(seat_of(state, seat, voice) for seat in range(players)),
        zones=tuple(zones),
        headline=headline(state, voice),
        prompt=prompt(state, draft, voice),
        choices=tuple(choices),
        draft=SceneDraft(chosen=chosen, picks=tuple(picks), undo=True) if picks else None,
        score=score_pad(state, voice),
        result=result(state, voice),
    )


def facts(state: Record) -> tuple[str, ...]:
    if int(state.match.games) > 1:
        return (f"game {int(state.match.game)} of {int(state.match.games)}",)
    return ()


def seat_of(state: Record, seat: int, voice: Voice) -> Seat:
    done = seat in state.finished.cards.tolist()[: int(state.finished.length)]
    points = int(state.bank[seat])
    counters = [Counter("cards", int(state.hands[seat].length)), Counter("points", points, icon="chip")]
    return Seat(
        seat=seat,
        name="You" if seat == voice.viewer else voice.names[seat],
        state="done" if done else "here",
        acts=bool(int(state.to_act) >> seat & 1),
        note=note(state, seat, done),
        counters=tuple(counters),
    )


def note(state: Record, seat: int, done: bool) -> str:
    if done:
        return "done"
    if state.top.count and int(state.top.owner) == seat:
        return "leads"
    return "to play" if int(state.to_act) >> seat & 1 else ""


def front_zone(state: Record, seat: int, viewer: int, ids: CardIds) -> Zone:
    front = state.fronts[seat]
    value = int(front.value)
    cards = []
    for kind in by_number(front.cards.tolist()[: int(front.length)]):
        load = cost(kind, value) or 0
        cards.append(ids.card(kind, value if load else None, load))
    to_beat = bool(cards) and bool(state.top.count) and int(state.top.owner) == seat
    return Zone(
        id=f"front{seat}",
        place="own" if seat == viewer else f"seat:{seat}",
        layout="lap",
        label=("to beat" if to_beat else "beaten") if cards else "",
        count=len(cards),
        cards=tuple(cards),
        heed=to_beat,
        size="table",
    )


def pool_zone(state: Record) -> Zone:
    pool = int(state.pool)
    return Zone(id="pool", place="centre", layout="stack", label="Pool", count=pool, icon="chip", fold=True)


def discard_zone(state: Record, ids: CardIds) -> Zone:
    kinds = list(discarded(state))
    ids.pass_over(kinds[:-SHOWN])
    cards = tuple(ids.card(kind) for kind in kinds[-SHOWN:])
    return Zone(
        id="discard",
        place="centre",
        layout="stack",
        label="Discard",
        count=len(kinds),
        cards=cards,
        size="small",
        fold=True,
    )


def hand_zone(
    state: Record, viewer: int, draft: Draft | None, ids: CardIds
) -> tuple[Zone, list[Choice], tuple[str, ...]]:
    """The viewer's hand, the choices on its cards, and the ids of the chosen ones."""
    hand = state.hands[viewer]
    left = Tally(draft.kinds if draft else ())
    addable = draft.addable() if draft else set()
    cards, choices, chosen = [], [], []
    for kind in by_number(hand.cards.tolist()[: int(hand.length)]):
        if draft and left[kind] > 0:
            left[kind] -= 1
            load = (cost(kind, draft.value) or 0) if draft.value else 0
            cards.append(ids.card(kind, draft.value if load else None, load))
            choices.append(Choice(TAKE_BACK + kind, "card", f"take back {CODES[kind]}", on=cards[-1].id))
            chosen.append(cards[-1].id)
        else:
            cards.append(ids.card(kind))
            if kind in addable:
                choices.append(Choice(FIRST_CARD + kind, "card", f"choose {CODES[kind]}", on=cards[-1].id))
    zone = Zone(
        id="hand", place="hand", layout="fan", label="Your hand", count=len(cards), cards=tuple(cards), size="hand"
    )
    return zone, choices, tuple(chosen)


def buttons(state: Record, draft: Draft) -> list[Choice]:
    """The values of a complete combination, the button that plays it, and the passes while nothing is chosen."""
    if not draft.picks:
        return passes(state, draft.player)
    if draft.value is None:
        return []
    values = [
        Choice(VALUE + value, "value", str(value), note=count_of(price, "point") if price else "free")
        for value, price in sorted(draft.prices.items())
    ]
    play = Choice(COMPLETE, "button", f"Play as {draft.value}", key="Enter", main=True)
    return [*(values if len(values) > 1 else []), play]


def passes(state: Record, player: int) -> list[Choice]:
    """CHIP-40, 44, 45."""
    leader_pass = int(state.options.leader_pass)
    least = 0
    if is_open(state):
        if leader_pass == NEVER and state.hands[player].length:
            return []
        least = 1 if leader_pass in (MUST_RETURN, NEVER) else 0
    offered = range(least, min(MOST_RETURNED, int(state.bank[player])) + 1)
    return [
        Choice(points, "button", f"Pass, give back {points}" if points else "Pass", main=len(offered) == 1)
        for points in offered
    ]
