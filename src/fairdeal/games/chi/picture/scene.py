"""CHI: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.piles import find
from fairdeal.engine.records import Record
from fairdeal.engine.scene import Choice, Counter, Draft, Picked, Scene, Seat, Voice, Zone, legal_for
from fairdeal.games.chi.cards import CODES, stack_cards, stack_points
from fairdeal.games.chi.colours import colour_of
from fairdeal.games.chi.picture.parts import CardIds, card_of_row, deck_zone, discard_zone, hand_zone, row_zone
from fairdeal.games.chi.rules.legal import can_draw_deck, legal_actions
from fairdeal.games.chi.state import (
    ACTIONS,
    ANSWER_CHI,
    ATTACK_3,
    ATTACK_6,
    DRAW_DECK,
    DUEL,
    PAIR_OF_3,
    PASS,
    PLAY_3,
    SEATS,
    SINGLE_3,
    SINGLE_6,
)
from fairdeal.games.chi.text.explain import played_kind
from fairdeal.games.chi.text.outcome import result
from fairdeal.games.chi.text.prompts import button_label, prompt


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him, `picks` are of his own draft."""
    viewer = voice.viewer
    ids = CardIds(CODES, back="chi")
    picked = picks[0] if picks else None
    discard, areas, hands, row = zones_of(state, viewer, ids)
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    choices = choices_of(state, viewer, legal, picked, hands, row)
    return Scene(
        skin="chi",
        title="Chi",
        sub=f"2 players · {int(state.options.stacks_to_end)} stacks end it",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=tuple(seat_of(state, seat, voice) for seat in range(SEATS)),
        zones=(*areas, *hands, deck_zone(state), row, discard),
        prompt=prompt(state, voice, picked, can_act=bool(legal)),
        choices=tuple(choices),
        draft=draft_of(state, viewer, picked, choices, areas),
        result=result(state, voice),
    )


def facts(state: Record) -> tuple[str, ...]:
    turn = f"turn {int(state.turn_no)}"
    return (turn, "last turn") if state.last_turn else (turn,)


def seat_of(state: Record, seat: int, voice: Voice) -> Seat:
    stacks = state.areas[seat].cards.tolist()[: int(state.areas[seat].length)]
    points = sum(stack_points(stack) for stack in stacks)
    return Seat(
        seat=seat,
        name="You" if seat == voice.viewer else voice.names[seat],
        acts=bool(int(state.to_act) >> seat & 1),
        note="to play" if int(state.to_act) >> seat & 1 else "",
        counters=(
            Counter("in hand", int(state.hands[seat].length)),
            Counter("stacks", f"{len(stacks)}/{int(state.options.stacks_to_end)}"),
            Counter("points", points),
        ),
    )


def zones_of(state: Record, viewer: int, ids: CardIds) -> tuple[Zone, list[Zone], list[Zone], Zone]:
    """Discard pile, areas, hands and row, drawn in the order in which card names are given."""
    discard = discard_zone(state, ids)
    areas = [area_zone(state, seat, viewer, ids) for seat in range(SEATS)]
    hands = [hand_zone(state, seat, viewer, ids) for seat in range(SEATS)]
    return discard, areas, hands, row_zone(state, ids)


def area_zone(state: Record, seat: int, viewer: int, ids: CardIds) -> Zone:
    stacks = state.areas[seat].cards.tolist()[: int(state.areas[seat].length)]
    attacked = int(state.duel.target) if int(state.phase) == DUEL and seat != int(state.duel.attacker) else None
    cards = []
    for number, stack in enumerate(stacks):
        mark = "safe" if stack >= PAIR_OF_3 else "attacked" if number == attacked else ""
        for kind in stack_cards(stack):
            cards.append(ids.card(kind, f"area{seat}", number, group=number, mark=mark))
    return Zone(
        id=f"area{seat}",
        place="own" if seat == viewer else f"seat:{seat}",
        layout="groups",
        label="",
        say="area",
        count=len(stacks),
        cards=tuple(cards),
        slots=int(state.options.stacks_to_end),
        heed=attacked is not None,
        size="table",
    )


def choices_of(
    state: Record, viewer: int, legal: list[int], picked: int | None, hands: list[Zone], row: Zone
) -> list[Choice]:
    """A choice for every card that an action takes, and buttons for the rest."""
    choices: list[Choice] = []
    for action in legal:
        label = button_label(state, viewer, action)
        if action in (ANSWER_CHI, PASS):
            choices.append(Choice(action, "button", label, main=action == PASS and len(legal) == 1))
        elif action == DRAW_DECK:
            on = "deck" if can_draw_deck(state) else ""
            choices.append(Choice(action, "zone" if on else "button", label, on=on, main=not on))
        else:
            cards = cards_of(state, viewer, action, hands, row)
            choices += [Choice(action, "card", label, on=card) for card in cards]
        if action == picked:
            choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def cards_of(state: Record, viewer: int, action: int, hands: list[Zone], row: Zone) -> list[str]:
    """The cards on the table that stand for an action."""
    if action < PLAY_3:
        return [card_of_row(state, row, action).id]
    kind = played_kind(action)
    return [card.id for card in hands[viewer].cards if kind is not None and card.face == CODES[kind]]


def draft_of(state: Record, viewer: int, picked: int | None, choices: list[Choice], areas: list[Zone]) -> Draft | None:
    """The picked card, and the stack it is aimed at."""
    if picked is None:
        return None
    chosen = next((choice.on for choice in choices if choice.id == picked and choice.on), "")
    aim: tuple[str, ...] = ()
    if ATTACK_3 <= picked < ANSWER_CHI:
        stack = (SINGLE_3 if picked < ATTACK_6 else SINGLE_6) + colour_of(picked - ATTACK_3)
        number = int(find(state.areas[1 - viewer], stack))
        aim = tuple(card.id for card in areas[1 - viewer].cards if card.group == number)
    return Draft(chosen=(chosen,) if chosen else (), aim=aim, picks=(picked,), undo=True)


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Buttons of a conflict act at once; everything else is shown first and done when it is picked again."""
    if choice in (ANSWER_CHI, PASS) or choice in picks:
        return Picked((), (choice,))
    if choice == DRAW_DECK and not can_draw_deck(state):
        return Picked((), (choice,))
    return Picked((choice,))
