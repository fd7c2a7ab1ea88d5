"""Go Fish on the table: faces, zones, and the choice of a rank and of the seat to ask."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Options
from fairdeal.engine.scene import Card, Choice, Draft, Face, Ink, Picked, Prompt, Scene, Skin, Voice, counted, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, on_cards, seat_of, stack_zone

from .rules import ACTIONS, OF_A_RANK, RANKS, legal_actions
from .words import CODES, PLURALS, ended

RANK = len(ACTIONS)
"""First pick that chooses a rank: the pick is RANK + the number of the rank."""

SIGNS = ("A", *map(str, range(2, 11)), "J", "Q", "K")
SKIN = Skin(
    name="go-fish",
    cloth=("#cfe6e8", "#10262b"),
    cloth_2=("#b4d7db", "#183840"),
    kinds={"rank": Ink("#fbf6ea", "#14333a")},
    back=Ink("#1b6f7d", "#d9f2f4"),
    back_sign="≈",
)

IDS = CardIds(CODES, back="go-fish")


def faces(options: Options) -> Mapping[str, Face]:
    """Return the faces of the thirteen ranks."""
    return {
        code: Face(kind="rank", name=code.capitalize(), big=sign, corner=sign, clause="FISH-20")
        for code, sign in zip(CODES, SIGNS, strict=True)
    }


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` contains the chosen rank, if any."""
    viewer, seats = voice.viewer, range(state.players)
    books = [[rank for rank in range(RANKS) if state.books[rank] == seat + 1] for seat in seats]
    zones = []
    for seat in seats:
        kinds = [rank for rank in books[seat] for _ in range(OF_A_RANK)]
        groups = [number // OF_A_RANK for number in range(len(kinds))]
        cards = IDS.cards(kinds, f"books{seat}", groups=groups)
        more = {"say": "books", "count": len(books[seat]), "size": "small"}
        zones.append(area_zone(f"books{seat}", seat, viewer, "groups", cards, **more))
    hands = [hand_zone(seat, viewer, IDS.cards(state.hands[seat].held, f"hand{seat}")) for seat in seats]
    hand = hands[viewer].cards if viewer >= 0 else ()
    rank = picks[0] - RANK if picks else None
    choices = choices_of(state, voice, rank, hand)
    chosen = tuple(choice.on for choice in choices if choice.id in picks)
    result, prompt = None, Prompt("waiting", f"{voice.names[state.turn]} is choosing whom to ask")
    if rank is not None:
        whom = f"Whom do you ask for {PLURALS[CODES[rank]]}?"
        prompt = Prompt("yours", whom, "They give you all they have.", "FISH-11")
    elif viewer in state.acting:
        prompt = Prompt("yours", "What do you ask for?", "A rank that you hold yourself.", "FISH-10")
    for end in ended(state):
        result = end.result(voice)
        prompt = Prompt("over", result.text, result.why, "FISH-30")
    counters = [(counted(state.hands[seat].length, "card"), counted(len(books[seat]), "book")) for seat in seats]
    return Scene(
        skin="go-fish",
        title="Go Fish",
        sub=f"{state.players} players",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"question {state.turn_no}",),
        seats=tuple(seat_of(state, seat, voice, *counters[seat]) for seat in seats),
        zones=(*zones, *hands, stack_zone("deck", "Pool", state.deck.length, size="table")),
        prompt=prompt,
        result=result,
        choices=tuple(choices),
        draft=Draft(chosen, picks=tuple(picks), undo=True) if picks else None,
    )


def choices_of(state: Snapshot, voice: Voice, rank: int | None, hand: Sequence[Card]) -> list[Choice]:
    """Return the choices for the ranks in hand and, after one is chosen, for the seats to ask."""
    choices, legal = [], legal_for(state, voice.viewer, legal_actions, ACTIONS)
    for number in sorted({action % RANKS for action in legal}):
        cards = [card.id for card in hand if card.face == CODES[number]]
        choices += on_cards(RANK + number, f"Ask for {PLURALS[CODES[number]]}", cards)
    for action in legal:
        if action % RANKS == rank:
            label, seat = say_move(state, voice, [action]), rival(state, voice.viewer, action // RANKS)
            choices.append(Choice(action, "seat", label, on=str(seat)))
            if state.players == 2:
                choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the result of a pick: first a rank, then a seat. Picking the chosen rank again takes it back."""
    return Picked((), (choice,)) if choice < RANK else Picked(() if choice in picks else (choice,))


def picks_of(state: Snapshot, player: int, actions: Sequence[int]) -> list[int]:
    """Return the picks of a move: the rank, then the seat to ask."""
    return [RANK + actions[0] % RANKS, actions[0]]


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a question as advice."""
    return f"Ask {voice.name(rival(state, voice.viewer, actions[0] // RANKS))} for {PLURALS[CODES[actions[0] % RANKS]]}"
