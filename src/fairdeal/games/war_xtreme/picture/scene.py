"""WAR X-TREME: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Choice, Counter, Scene, Seat, Voice, Zone, count_of, legal_for
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN, words_of
from fairdeal.games.war_xtreme.picture.choices import Choices
from fairdeal.games.war_xtreme.picture.zones import FEW, Table
from fairdeal.games.war_xtreme.rules.phases import legal_actions
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.state import ACTIONS, CHOICE, EXTREME, PREP, RACE, RECRUITING
from fairdeal.games.war_xtreme.text.outcome import result, score_pad
from fairdeal.games.war_xtreme.text.prompts import headline, prompt
from fairdeal.games.war_xtreme.text.standing import acts, kit_count, swept_by, title_of


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him, `picks` are of his own draft."""
    words = words_of(state)
    table = Table(state, words, voice)
    zones = table.zones()
    hand = next((zone for zone in zones if zone.id == "kit"), None)
    made = Choices(state, words, voice, picks, legal_for(state, voice.viewer, legal_actions, ACTIONS), hand)
    ended = result(state, voice)
    players = int(state.players)
    return Scene(
        skin="war-xtreme",
        title="War X-treme",
        sub=f"{count_of(players, 'player')} · round {int(state.round_no)}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state, voice, words is BUILT_IN.words),
        seats=tuple(seat_of(state, seat, voice) for seat in range(players)),
        zones=unfolded(zones, made.found),
        panels=tuple(table.panels),
        headline=headline(state, words, voice),
        prompt=prompt(state, words, voice, picks, ended),
        choices=tuple(made.found),
        draft=made.draft(),
        score=score_pad(state, voice),
        result=ended,
    )


def unfolded(zones: Sequence[Zone], choices: Sequence[Choice]) -> tuple[Zone, ...]:
    """The zones, those open in which something can be chosen."""
    chosen = {choice.on for choice in choices}
    return tuple(
        msgspec.structs.replace(zone, fold=False) if chosen & {card.id for card in zone.cards} else zone
        for zone in zones
    )


def facts(state: Record, voice: Voice, built_in: bool) -> tuple[str, ...]:
    """Who is asked first (WAR-07), when it ends at the latest (WAR-94), and whose cards these are."""
    marshal = () if state.over or int(state.phase) == EXTREME else (f"Marshal: {voice.title(int(state.marshal))}",)
    limit = int(state.options.max_rounds)
    last = (f"last round {limit}",) if limit and int(state.round_no) * 4 >= limit * 3 else ()
    return (*marshal, *last, *(() if built_in else ("your own cards",)))


def seat_of(state: Record, seat: int, voice: Voice) -> Seat:
    alive = is_in(int(state.alive), seat) or int(state.phase) == EXTREME
    deck = state.decks[seat]
    kit = [Counter("kit", kit_count(state, seat))] if int(state.options.equipment) else []
    many = int(state.players) > FEW and seat != voice.viewer
    cards = (
        [Counter("deck", deck_size(deck))]
        if many
        else [Counter("army", int(deck.army)), Counter("camp", int(deck.camp))]
    )
    return Seat(
        seat=seat,
        name="You" if seat == voice.viewer else voice.names[seat],
        state="here" if alive else "out",
        acts=acts(state, seat),
        note=note_of(state, seat, alive),
        counters=(*cards, *kit),
    )


def note_of(state: Record, seat: int, alive: bool) -> str:
    """What a seat is doing, and its title (WAR-67)."""
    if not alive:
        gone = int(state.seats[seat].out_round)
        return f"out in round {gone}" if gone else "not dealt in"
    if int(state.phase) == EXTREME:
        return "" if acts(state, seat) else "has answered"
    return " · ".join(part for part in (doing(state, seat), title_of(state, seat)) if part)


def doing(state: Record, seat: int) -> str:
    """`flipped`, `picked`, `swept`: what is worth saying of a seat at this moment."""
    phase = int(state.phase)
    if phase == PREP:
        return "flipped" if is_in(int(state.flipped), seat) else ""
    if phase == RACE and is_in(int(state.locked), seat):
        return "out of the race"
    if phase == CHOICE and int(state.choices[seat]) and not acts(state, seat):
        return "has chosen"
    if phase == RECRUITING and is_in(int(state.picked), seat):
        return "picked"
    if acts(state, seat):
        return "is asked"
    return "swept" if state.over and swept_by(state) == seat else ""
