"""My Game on the table: faces, zones and choices."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Options
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Choice, Face, Ink, Picked, Prompt, Scene, Skin, Voice, counted, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, seat_of

from .rules import ACTIONS, legal_actions
from .words import CODES, result

SKIN = Skin(
    name="my-game",
    cloth=("#e6dcc6", "#1c1a16"),
    cloth_2=("#d8cbb0", "#2a2620"),
    kinds={"card": Ink("#fbf6ea", "#3a2a16")},
    back=Ink("#6b4a21", "#f6ead2"),
    back_sign="♠",
)


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the cards."""
    signs = {code: code.removeprefix("c") for code in CODES}
    return {code: Face(kind="card", name=sign, big=sign, corner=sign, clause="MINE-11") for code, sign in signs.items()}


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the table as the viewer of `voice` sees it; every move is one pick."""
    viewer, seats = voice.viewer, range(state.players)
    ids = CardIds(CODES, back="my-game")
    tables = []
    for seat in seats:
        cards = ids.cards([card for card in [state.played[seat]] if card != EMPTY])
        tables.append(area_zone(f"played{seat}", seat, viewer, "row", cards, say="card played", slots=1, size="table"))
    hands = [hand_zone(seat, viewer, ids.cards(state.hands[seat].held, f"hand{seat}")) for seat in seats]
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    choices = [Choice(action, "card", f"Play {action + 1}", on=f"{CODES[action]}.1") for action in legal]
    return Scene(
        skin="my-game",
        title="My Game",
        sub=f"{state.players} players",
        viewer=viewer,
        mode="over" if state.over else "live",
        seats=tuple(seat_of(state, seat, voice, counted(state.won[seat], "trick")) for seat in seats),
        zones=(*tables, *hands),
        prompt=prompt(state, voice),
        choices=tuple(choices),
        result=result(state, voice),
    )


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """Return the prompt for the viewer."""
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, "MINE-20")
    if voice.viewer in state.acting:
        return Prompt("yours", "Which card do you play?", "The highest takes the trick.", "MINE-11")
    return Prompt("waiting", f"{voice.names[state.turn]} is choosing a card")


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the move for a pick; every move is one pick."""
    return Picked((), (choice,))
