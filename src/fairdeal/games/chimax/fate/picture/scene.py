"""CHIMAX FATE: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Choice, Scene, Voice, Zone, count_of, counted, legal_for
from fairdeal.engine.scene.instruments import NO_CHOICE, Sector, Wheel
from fairdeal.engine.scene.zones import area_zone
from fairdeal.games.chimax.cards import FACE_CODES, SIGNS
from fairdeal.games.chimax.deck import FACES
from fairdeal.games.chimax.fate.bots import prize_of
from fairdeal.games.chimax.fate.rules import legal_actions
from fairdeal.games.chimax.fate.state import ACTIONS, BY_FACE, FLIP, NAMING, SPIN
from fairdeal.games.chimax.fate.text.prompts import headline, prompt, result
from fairdeal.games.chimax.picture.layout import flip_choices, layout_zone, place_id
from fairdeal.games.chimax.picture.parts import cards_of, fan, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.state import CUTTING, DEALING, OWN_PHASE
from fairdeal.games.chimax.text.words import shared_choices

COLUMNS = 5
NARROW = (5, 3)
"""Number of columns and rows of the layout on a narrow screen."""


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single pick."""
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    viewer, seats = voice.viewer, list(enumerate(state.taken[: state.players]))
    taken = [taken_zone(seat, viewer, pile.held) for seat, pile in seats]
    totals = state.match.totals
    counters = [
        (counted(totals[seat], "point", icon="trophy"), counted(pile.length, "card", icon="cards"))
        for seat, pile in seats
    ]
    return Scene(
        skin="chimax",
        title="Chimax Fate",
        sub=f"{count_of(state.players, 'player')} · {count_of(state.options.tries, 'look')} a spin",
        viewer=viewer,
        mode="over" if state.over else "live",
        tray="none",
        facts=facts(state),
        seats=seats_of(state, voice, counters),
        zones=(*layout_zones(state), *pack_zone(state), *playoff_zones(state, viewer), *taken),
        headline=headline(state),
        stage=wheel(state, legal) or fan(state, legal),
        prompt=prompt(state, voice),
        choices=tuple(choices(legal)),
        result=result(state, voice),
    )


def wheel(state: Snapshot, legal: list[int]) -> Wheel | None:
    """Return the wheel, with a sector for each face or place, skipping those taken (FATE-03, 05). It is also shown
    after the game."""
    if state.phase < OWN_PHASE and not (state.over and state.layout.length):
        return None
    by_face = state.options.wheel == BY_FACE
    return Wheel(
        sectors=tuple(
            Sector(SIGNS[face], FACE_CODES[face], taken=not state.left >> face & 1)
            if by_face
            else Sector(str(face + 1), taken=state.layout.held[face] == EMPTY)
            for face in range(FACES)
        ),
        zones=("layout",),
        at=state.wheel,
        spins=state.spins,
        prize=tuple(prize_of(state, look) for look in range(1, state.options.tries + 1)) if by_face else (1,),
        used=state.layout.open.length,
        spin=SPIN if SPIN in legal else NO_CHOICE,
    )


def facts(state: Snapshot) -> tuple[str, ...]:
    """Return the number of spins and the number of cards left, as text."""
    if state.phase in (DEALING, CUTTING):
        return ()
    if state.players == 1:
        return (f"spin {state.spins} of {state.options.solo_spins}",)
    return (count_of(state.spins, "spin"), f"{count_of(state.left.bit_count(), 'card')} left")


def layout_zones(state: Snapshot) -> list[Zone]:
    """Return the zone of the thirteen places. The card that the wheel points at is marked (MEM-01, FATE-10)."""
    if not state.layout.length:
        return []
    missed = {state.missed.place: state.missed.card} if state.missed.card != EMPTY else {}
    zone = layout_zone(state.layout, COLUMNS, NARROW, missed=missed)
    if state.phase != NAMING:
        return [zone]
    wanted = place_id(zone.id, state.wheel)
    cards = tuple(card.replaced(mark="this one") if card.id == wanted else card for card in zone.cards)
    return [zone.replaced(cards=cards)]


def taken_zone(seat: int, viewer: int, kinds: list[int]) -> Zone:
    """Return the zone of the cards taken by a seat (FATE-07)."""
    id = f"taken{seat}"
    return area_zone(id, seat, viewer, "row", cards_of(id, kinds), say="cards taken", size="small")


def choices(legal: list[int]) -> list[Choice]:
    """Return the choices: cards to turn up, faces to name, and buttons."""
    found = shared_choices(legal)
    for action in legal:
        match ACTIONS.decode(action):
            case "flip", _:
                found += flip_choices([action], FLIP)
            case "spin", _:
                found.append(Choice(action, "button", "Spin the wheel", key="Enter", main=True))
            case "stop", _:
                found.append(Choice(action, "button", "Stop here"))
            case "name", face:
                found.append(Choice(action, "value", SIGNS[face]))
    return found
