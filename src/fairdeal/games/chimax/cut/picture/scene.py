"""CHIMAX CUT: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Choice, Scene, Score, Seat, Voice, Zone, count_of, counted, legal_for, noun_for
from fairdeal.engine.scene.instruments import Fan
from fairdeal.engine.scene.zones import SHOWN, area_zone, on_cards, stack_zone, zone
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.cut.bots import cuts_again
from fairdeal.games.chimax.cut.rules import legal_actions
from fairdeal.games.chimax.cut.state import ACTIONS, DECIDING, KEEP, RUNNING, UNTIL_INFINITY
from fairdeal.games.chimax.cut.text.prompts import compared, headline, higher_cards, prompt, result
from fairdeal.games.chimax.picture.parts import cards_of, fan, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.state import CUT, CUTTING, DEALING, DECLARE
from fairdeal.games.chimax.text.words import shared_choices

AIMS = (
    "Do not be left with the lowest card",
    "Infinity wins; nothing else counts",
    "The highest card wins, the lowest loses a point",
)
"""The aim of the game in words, by option `mode`."""


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single pick."""
    ended, number, rounds = result(state, voice), state.match.game, state.match.games
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    return Scene(
        skin="chimax",
        title="Chimax Cut",
        sub=f"{count_of(state.players, 'player')} · {AIMS[state.options.mode]}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        tray="none",
        facts=(f"round {number} of {rounds}" if number <= rounds else "playoff",),
        seats=tuple(seats(state, voice)),
        zones=tuple(zones(state, voice.viewer)),
        headline=headline(state, voice),
        stage=stage(state, legal),
        prompt=prompt(state, voice, ended),
        choices=tuple(choices(state, legal)),
        score=score_pad(state, voice),
        result=ended,
    )


def stage(state: Snapshot, legal: list[int]) -> Fan | None:
    """Return the instrument: the deck, a large view of the card just shown, and the odds of another cut."""
    if state.phase not in RUNNING:
        return fan(state, legal)
    shown, odds = [card.id for card in cards_of("shown", [state.shown])], ""
    if shown and state.phase == DECIDING:
        higher, total = higher_cards(state, state.turn)
        odds = f"{higher} of {total} {noun_for(higher, 'is', 'are')} higher"
    return fan(state, legal, zones=("pack", "shown"), shown="".join(shown), odds=odds)


def seats(state: Snapshot, voice: Voice) -> list[Seat]:
    counters = [(counted(total, "point", icon="trophy"),) for total in state.match.totals[: state.players]]
    return [
        seat.replaced(note="out of this round")
        if state.phase in RUNNING and not is_in(state.alive, seat.seat)
        else seat
        for seat in seats_of(state, voice, counters)
    ]


def zones(state: Snapshot, viewer: int) -> list[Zone]:
    """Return the zones: kept cards in front of their owners, and the deck, the card shown and the discarded cards in
    the centre."""
    found = []
    if state.options.mode != UNTIL_INFINITY:
        found += [kept_zone(state, seat, viewer) for seat in range(state.players)]
    found += playoff_zones(state, viewer)
    for pack in pack_zone(state):
        found.append(pack.replaced(label="Deck", heed=state.phase in (CUTTING, DECIDING)))
    shown, out = cards_of("shown", [state.shown]), cards_of("out", state.out.held)
    if state.pack.length or shown:
        say = "the card shown"
        found.append(zone("shown", "centre", "row", shown, label="Shown", say=say, slots=1, size="table"))
    found.append(stack_zone("out", "Out", len(out), out[-SHOWN:], say="out of the round", cell="left", fold=True))
    return found


def kept_zone(state: Snapshot, seat: int, viewer: int) -> Zone:
    """Return the zone of the card that a seat has kept. While several cards are compared, the lowest ones are
    marked."""
    ranks = compared(state) if state.phase in RUNNING else {}
    mark = "lowest" if len(ranks) > 1 and ranks.get(seat) == min(ranks.values()) else ""
    cards = cards_of(f"kept{seat}", [state.kept[seat]], mark=mark)
    return area_zone(f"kept{seat}", seat, viewer, "row", cards, say="kept card", slots=1, size="small")


def choices(state: Snapshot, legal: list[int]) -> list[Choice]:
    """Return the choices: a choice on the deck cuts it halfway, numbers cut it anywhere, and a choice on the card shown
    keeps it. The main button is the choice that the odds favour."""
    found: list[Choice] = []
    cuts = any(CUT < action < DECLARE for action in legal)
    keeps = KEEP in legal and not (cuts and cuts_again(state, state.turn))
    if cuts:
        again, halfway = state.phase == DECIDING, CUT + state.pack.length // 2
        label = "Cut again, halfway" if again else "Cut halfway"
        found.append(Choice(halfway, "zone", label, on="pack"))
        found.append(Choice(halfway, "button", label, key="" if keeps else "Enter", main=not keeps))
    if KEEP in legal:
        label = f"Keep {name_of(state.shown)}"
        found += on_cards(KEEP, label, [card.id for card in cards_of("shown", [state.shown])])
        found.append(Choice(KEEP, "button", label, key="Enter" if keeps else "", main=keeps))
    return found + shared_choices([action for action in legal if action < KEEP])


def score_pad(state: Snapshot, voice: Voice) -> Score | None:
    """Return the score pad with the totals and the points of the round just scored, or None if there is only one round
    (CUT-08)."""
    if state.match.games == 1:
        return None
    scored = state.phase == DEALING or bool(state.over)
    rows = [
        (voice.title(seat), *[state.round_scores[seat]] * scored, state.match.totals[seat])
        for seat in range(state.players)
    ]
    return Score(head=("", *["this round"] * scored, "points"), rows=tuple(rows))
