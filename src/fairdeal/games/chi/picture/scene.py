"""CHI: the scene of a table, for all screens."""

import functools
from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Choice, Counter, Draft, Picked, Scene, Seat, Voice, Zone, counted, legal_for
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.zones import CACHED, CardIds, area_zone, on_cards, seat_of
from fairdeal.games.chi.cards import CODES, stack_cards, stack_points
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.picture import parts
from fairdeal.games.chi.rules.legal import can_draw_deck, legal_actions
from fairdeal.games.chi.state import ACTIONS, CHI, DUEL, NO_ACTION, PAIR_OF_3, SEATS, SINGLE_3, SINGLE_6, YIN
from fairdeal.games.chi.text.explain import played_kind
from fairdeal.games.chi.text.outcome import result
from fairdeal.games.chi.text.prompts import button_label, prompt

IDS = CardIds(CODES, back="chi")


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` are the picks of the viewer's unfinished move."""
    viewer = voice.viewer
    picked = picks[0] if picks else None
    areas = [
        stacks_zone(tuple(area.held), attacked_stack(state, seat), state.options.stacks_to_end, seat, viewer)
        for seat, area in enumerate(state.areas)
    ]
    hands = [IDS.hand(seat, viewer, hand.held) for seat, hand in enumerate(state.hands)]
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    choices = choices_of(state, legal, picked, hands[viewer])
    return Scene(
        skin="chi",
        title="Chi",
        sub=f"2 players · {state.options.stacks_to_end} stacks end it",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"turn {state.turn_no}", *["last turn"] * state.last_turn),
        seats=tuple(account_of(state, seat, voice) for seat in range(SEATS)),
        zones=(
            *areas,
            *hands,
            parts.deck_zone(state.deck.length),
            duel_zone(state, voice),
            parts.row_zone(tuple(state.row), IDS),
            parts.discard_zone(tuple(state.discard), IDS),
        ),
        stage=attack_under_way(state, voice, areas),
        prompt=prompt(state, voice, picked, can_act=bool(legal)),
        choices=tuple(choices),
        draft=draft_of(state, viewer, picked, choices, areas),
        result=result(state, voice),
    )


def account_of(state: Snapshot, seat: int, voice: Voice) -> Seat:
    area = state.areas[seat].held
    in_hand = Counter("in hand", state.hands[seat].length, "cards")
    stacks = Counter("stacks", f"{len(area)}/{state.options.stacks_to_end}", "flag")
    points = counted(sum(stack_points(stack) for stack in area), "point", icon="trophy")
    return seat_of(state, seat, voice, in_hand, stacks, points)


def attacked_stack(state: Snapshot, seat: int) -> int | None:
    """Return the number of the stack of a seat that its rival attacks now, or None."""
    return state.duel.target if state.phase == DUEL and seat != state.duel.attacker else None


@functools.lru_cache(CACHED)
def stacks_zone(held: tuple[int, ...], attacked: int | None, slots: int, seat: int, viewer: int) -> Zone:
    """Return the zone of the stacks in a seat's area, with marks on safe and attacked stacks."""
    id = f"area{seat}"
    kinds = [card for stack in held for card in stack_cards(stack)]
    groups = [number for number, stack in enumerate(held) for _ in stack_cards(stack)]
    marks = ["safe" if held[number] >= PAIR_OF_3 else "attacked" if number == attacked else "" for number in groups]
    cards = IDS.cards(kinds, id, marks, groups)
    return area_zone(
        id,
        seat,
        viewer,
        "groups",
        cards,
        say="area",
        count=len(held),
        slots=slots,
        heed=attacked is not None,
        size="table",
    )


def duel_zone(state: Snapshot, voice: Voice) -> Zone:
    """CHI-41: return the zone of a conflict: the attacking Yin and the Chi played on it."""
    if state.phase != DUEL:
        return parts.attack_zone((), "")
    return parts.attack_zone(IDS.cards(played(state), parts.DUEL_ZONE), voice.does(state.duel.attacker, "attack"))


def played(state: Snapshot) -> list[int]:
    """Return the kinds of the cards of a conflict, in the order in which they were played."""
    return [YIN + state.duel.colour, *[CHI] * state.duel.counters]


def attack_under_way(state: Snapshot, voice: Voice, areas: Sequence[Zone]) -> Attack | None:
    """CHI-40, 41: return the current attack, with its target and the seat that may block, or None."""
    if state.phase != DUEL:
        return None
    duel, defender = state.duel, 1 - state.duel.attacker
    return parts.attack_on(
        voice,
        duel.attacker,
        defender,
        attacked(state),
        text=parts.may_block(voice, duel, "Chi"),
        target=next(card.id for card in areas[defender].cards if card.group == duel.target),
        awaits=duel.answering,
    )


def attacked(state: Snapshot) -> str:
    """Return the target of the current attack as text, such as `red 3`."""
    stack = state.areas[1 - state.duel.attacker].held[state.duel.target]
    return f"{COLOUR_NAMES[state.duel.colour]} {stack_points(stack)}"


def choices_of(state: Snapshot, legal: list[int], picked: int | None, hand: Zone) -> list[Choice]:
    """Return a choice for every card that an action uses, and buttons for the other actions."""
    choices: list[Choice] = []
    held: dict[str | None, list[str]] = {}
    for card in hand.cards:
        held.setdefault(card.face, []).append(card.id)
    for action in legal:
        label = button_label(state, action)
        match ACTIONS.decode(action):
            case "answer_chi" | "pass" as verb, _:
                choices.append(Choice(action, "button", label, main=verb == "pass" and len(legal) == 1))
            case "draw_deck", _ if can_draw_deck(state):
                choices.append(Choice(action, "zone", label, on="deck"))
            case "draw_deck", _:
                choices.append(Choice(action, "button", label, main=True))
            case "draw", place:
                choices += on_cards(action, label, [f"row.{place}"])
            case _:
                kind = played_kind(action)
                choices += on_cards(action, label, held.get(CODES[kind], ()) if kind is not None else ())
        if action == picked:
            choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def draft_of(
    state: Snapshot, viewer: int, picked: int | None, choices: list[Choice], areas: list[Zone]
) -> Draft | None:
    """Return the unfinished move: the picked card and the stack that it attacks."""
    if picked is None:
        return None
    chosen = next((choice.on for choice in reversed(choices) if choice.id == picked and choice.on), "")
    aim: tuple[str, ...] = ()
    match ACTIONS.decode(picked):
        case "attack_3" | "attack_6" as verb, colour:
            number = state.areas[1 - viewer].held.index((SINGLE_3 if verb == "attack_3" else SINGLE_6) + colour)
            aim = tuple(card.id for card in areas[1 - viewer].cards if card.group == number)
    return Draft(chosen=(chosen,) if chosen else (), aim=aim, picks=(picked,), undo=True)


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the result of a pick. Except for the buttons of a conflict, an action must be picked twice."""
    at_once = ACTIONS.decode(choice).verb in ("answer_chi", "pass")
    if at_once or choice in picks or (choice == NO_ACTION and not can_draw_deck(state)):
        return Picked((), (choice,))
    return Picked((choice,))
