"""Go Fish on the table: faces, zones, and the choice of a rank and then of whom to ask."""

from collections.abc import Mapping, Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import Options
from fairdeal.engine.scene import Card, Choice, Draft, Face, Ink, Picked, Prompt, Scene, Skin, Voice, counted, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, on_cards, seat_of, stack_zone
from go_fish.rules import ACTIONS, OF_A_RANK, RANKS, asked_seat, legal_actions
from go_fish.words import CODES, books_of, plural, result

RANK = len(ACTIONS)
"""Picks from here on choose a rank: RANK + its number."""

SIGNS = ("A", *map(str, range(2, 11)), "J", "Q", "K")

SKIN = Skin(
    name="go-fish",
    cloth=("#cfe6e8", "#10262b"),
    cloth_2=("#b4d7db", "#183840"),
    kinds={"rank": Ink("#fbf6ea", "#14333a")},
    back=Ink("#1b6f7d", "#d9f2f4"),
    back_sign="≈",
)


def faces(options: Options) -> Mapping[str, Face]:
    """What is printed on the thirteen ranks."""
    return {
        code: Face(kind="rank", name=code.capitalize(), big=sign, corner=sign, clause="FISH-20")
        for code, sign in zip(CODES, SIGNS, strict=True)
    }


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `picks` is the rank they have chosen, if any."""
    viewer, seats = voice.viewer, range(state.players)
    ids = CardIds(CODES, back="go-fish")  # cards go from hand to hand, and then to the books
    areas = []
    for seat in seats:
        books = books_of(state, seat)
        cards = [ids.card(rank, group=number) for number, rank in enumerate(books) for _ in range(OF_A_RANK)]
        areas.append(
            area_zone(f"books{seat}", seat, viewer, "groups", cards, say="books", count=len(books), size="small")
        )
    hands = [hand_zone(seat, viewer, ids.cards(state.hands[seat].held, f"hand{seat}")) for seat in seats]
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    rank = picks[0] - RANK if picks else None
    hand = hands[viewer].cards if viewer >= 0 else ()
    chosen = [card.id for card in hand if rank is not None and card.face == CODES[rank]]
    return Scene(
        skin="go-fish",
        title="Go Fish",
        sub=f"{state.players} players",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"question {state.turn_no}",),
        seats=tuple(
            seat_of(
                state,
                seat,
                voice,
                counted(state.hands[seat].length, "card"),
                counted(len(areas[seat].cards) // 4, "book"),
            )
            for seat in seats
        ),
        zones=(*areas, *hands, stack_zone("deck", "Pool", state.deck.length, size="table")),
        prompt=prompt(state, voice, rank),
        choices=tuple(choices_of(state, voice, legal, rank, hand)),
        draft=Draft(chosen=tuple(chosen), picks=tuple(picks), undo=True) if picks else None,
        result=result(state, voice),
    )


def choices_of(
    state: Snapshot, voice: Voice, legal: Sequence[int], rank: int | None, hand: Sequence[Card]
) -> list[Choice]:
    """The ranks in hand; and, when one is chosen, whom to ask for it."""
    choices = []
    for number in sorted({action % RANKS for action in legal}):
        cards = [card.id for card in hand if card.face == CODES[number]]
        choices += on_cards(RANK + number, f"Ask for {plural(CODES[number])}", cards)
    for action in legal:
        if action % RANKS == rank:
            seat = asked_seat(state, voice.viewer, action)
            label = f"Ask {voice.name(seat)} for {plural(CODES[rank])}"
            choices.append(Choice(action, "seat", label, on=str(seat)))
            if state.players == 2:
                choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def prompt(state: Snapshot, voice: Voice, rank: int | None) -> Prompt:
    """What is asked of the viewer."""
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, "FISH-30")
    if voice.viewer not in state.acting:
        return Prompt("waiting", f"{voice.names[state.turn]} is choosing whom to ask")
    if rank is None:
        return Prompt("yours", "What do you ask for?", "A rank that you hold yourself.", "FISH-10")
    return Prompt("yours", f"Whom do you ask for {plural(CODES[rank])}?", "They give you all they have.", "FISH-11")


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """A rank first, then a seat; the chosen rank once more takes it back."""
    if choice < RANK:
        return Picked((), (choice,))
    return Picked(() if choice in picks else (choice,))


def picks_of(state: Snapshot, player: int, actions: Sequence[int]) -> list[int]:
    """The rank, then whom to ask for it."""
    return [RANK + actions[0] % RANKS, actions[0]]


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """A question as advice."""
    seat = asked_seat(state, voice.viewer, actions[0])
    return f"Ask {voice.name(seat)} for {plural(CODES[actions[0] % RANKS])}"
