"""WAR X-TREME: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Choice, Counter, Scene, Seat, Voice, Zone, count_of
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, words_of
from fairdeal.games.war_xtreme.picture.choices import Choices
from fairdeal.games.war_xtreme.picture.fight import fight
from fairdeal.games.war_xtreme.picture.stage import race
from fairdeal.games.war_xtreme.picture.zones import FEW, Table
from fairdeal.games.war_xtreme.rules.kit.piles import deck_size
from fairdeal.games.war_xtreme.state import phase_of
from fairdeal.games.war_xtreme.text.outcome import result, score_pad
from fairdeal.games.war_xtreme.text.prompts import headline, prompt
from fairdeal.games.war_xtreme.text.standing import kit_count, swept_by, title_of


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` are the picks of the viewer's unfinished move."""
    words = words_of(state)
    table = Table(state, words, voice)
    zones = table.zones()
    hand = next((zone.cards for zone in zones if zone.id == "kit"), ())
    made = Choices(state, voice, picks, hand)
    ended = result(state, voice)
    return Scene(
        skin="war-xtreme",
        title="War X-treme",
        sub=f"{count_of(state.players, 'player')} · round {state.round_no}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state, voice, words is BUILT_IN.words),
        seats=tuple(account_of(state, seat, voice) for seat in range(state.players)),
        zones=unfolded(zones, made.found),
        panels=tuple(table.panels),
        headline=headline(state, voice),
        stage=race(state, words, zones, [action for action, _, _ in made.legal]) or fight(state, words, voice, zones),
        prompt=prompt(state, words, voice, picks, ended),
        choices=tuple(made.found),
        draft=made.draft(),
        score=score_pad(state, voice),
        result=ended,
    )


def unfolded(zones: Sequence[Zone], choices: Sequence[Choice]) -> tuple[Zone, ...]:
    """Return the zones, with those that contain a choice unfolded."""
    chosen = {choice.on for choice in choices}
    return tuple(zone.replaced(fold=False) if chosen & {card.id for card in zone.cards} else zone for zone in zones)


def facts(state: Snapshot, voice: Voice, built_in: bool) -> tuple[str, ...]:
    """Return facts about the table: the marshal (WAR-07), the last round (WAR-94) and a changed catalogue."""
    found, limit = [], state.options.max_rounds
    if not state.over and phase_of(state) != "EXTREME":
        found.append(f"Marshal: {voice.title(state.marshal)}")
    if limit and state.round_no * 4 >= limit * 3:
        found.append(f"last round {limit}")
    if not built_in:
        found.append("your own cards")
    return tuple(found)


SIGNS = {"deck": "cards", "army": "cards"}
"""Icons of counters."""


def account_of(state: Snapshot, seat: int, voice: Voice) -> Seat:
    """Return the summary of a seat. At a large table, only the viewer's own piles are counted separately."""
    deck = state.decks[seat]
    counts = {"army": deck.army, "camp": deck.camp}
    if state.players > FEW and seat != voice.viewer:
        counts = {"deck": deck_size(deck)}
    if state.options.equipment:
        counts["kit"] = kit_count(state, seat)
    alive = is_in(state.alive, seat) or phase_of(state) == "EXTREME"
    return Seat(
        seat=seat,
        name=voice.title(seat),
        state="here" if alive else "out",
        acts=seat in state.acting,
        note=note_of(state, seat, alive),
        counters=tuple(Counter(label, count, SIGNS.get(label, "")) for label, count in counts.items()),
    )


def note_of(state: Snapshot, seat: int, alive: bool) -> str:
    """Return the activity of a seat and its title (WAR-67)."""
    if not alive:
        gone = state.seats[seat].out_round
        return f"out in round {gone}" if gone else "not dealt in"
    if phase_of(state) == "EXTREME":
        return "" if seat in state.acting else "has answered"
    return " · ".join(part for part in (doing(state, seat), title_of(deck_size(state.decks[seat]))) if part)


def doing(state: Snapshot, seat: int) -> str:
    """Return the current activity of a seat, such as `flipped`, `picked` or `swept`, or an empty string."""
    if phase_of(state) == "PREP":
        return "flipped" if is_in(state.flipped, seat) else ""
    if phase_of(state) == "RACE" and is_in(state.locked, seat):
        return "out of the race"
    if seat in state.acting:
        return "is asked"
    if phase_of(state) == "CHOICE" and state.choices[seat]:
        return "has chosen"
    if phase_of(state) == "RECRUIT" and is_in(state.picked, seat):
        return "picked"
    return "swept" if state.over and swept_by(state) == seat else ""
