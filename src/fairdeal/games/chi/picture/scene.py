"""CHI: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Choice, Counter, Draft, Picked, Scene, Seat, Voice, Zone, counted, legal_for
from fairdeal.engine.scene.instruments import Attack
from fairdeal.engine.scene.zones import CardIds, area_zone, hand_zone, on_cards, seat_of
from fairdeal.games.chi.cards import CODES, stack_cards, stack_points
from fairdeal.games.chi.colours import COLOUR_NAMES
from fairdeal.games.chi.picture import parts
from fairdeal.games.chi.rules.legal import can_draw_deck, legal_actions
from fairdeal.games.chi.state import ACTIONS, CHI, DUEL, NO_ACTION, PAIR_OF_3, SEATS, SINGLE_3, SINGLE_6, YIN
from fairdeal.games.chi.text.explain import played_kind
from fairdeal.games.chi.text.outcome import result
from fairdeal.games.chi.text.prompts import button_label, prompt


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` are the picks of the viewer's unfinished move."""
    viewer = voice.viewer
    picked = picks[0] if picks else None
    ids = CardIds(CODES, back="chi")  # ids are assigned against the flow of cards: row, hand, area, discard pile
    discard = parts.discard_zone(state, ids)
    areas = [stacks_zone(state, seat, viewer, ids) for seat in range(SEATS)]
    attack = duel_zone(state, voice, ids)
    hands = [
        hand_zone(seat, viewer, ids.cards(hand.held, f"hand{seat}"), any_order=True)
        for seat, hand in enumerate(state.hands)
    ]
    row = parts.row_zone(state, ids)
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    choices = choices_of(state, legal, picked, hands[viewer], row)
    return Scene(
        skin="chi",
        title="Chi",
        sub=f"2 players · {state.options.stacks_to_end} stacks end it",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"turn {state.turn_no}", *["last turn"] * state.last_turn),
        seats=tuple(account_of(state, seat, voice) for seat in range(SEATS)),
        zones=(*areas, *hands, parts.deck_zone(state), attack, row, discard),
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


def stacks_zone(state: Snapshot, seat: int, viewer: int, ids: CardIds) -> Zone:
    """Return the zone of the stacks in a seat's area, with marks on safe and attacked stacks."""
    attacked = state.duel.target if state.phase == DUEL and seat != state.duel.attacker else None
    cards: list[Card] = []
    for number, stack in enumerate(state.areas[seat].held):
        mark = "safe" if stack >= PAIR_OF_3 else "attacked" if number == attacked else ""
        cards += ids.cards(stack_cards(stack), mark=mark, group=number)
    return area_zone(
        f"area{seat}",
        seat,
        viewer,
        "groups",
        cards,
        say="area",
        count=state.areas[seat].length,
        slots=state.options.stacks_to_end,
        heed=attacked is not None,
        size="table",
    )


def duel_zone(state: Snapshot, voice: Voice, ids: CardIds) -> Zone:
    """CHI-41: return the zone of a conflict: the attacking Yin and the Chi played on it."""
    if state.phase != DUEL:
        return parts.attack_zone(ids, (), "")
    return parts.attack_zone(ids, played(state), voice.does(state.duel.attacker, "attack"))


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


def choices_of(state: Snapshot, legal: list[int], picked: int | None, hand: Zone, row: Zone) -> list[Choice]:
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
                choices += on_cards(action, label, [parts.card_of_row(state, row, place).id])
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
    chosen = next((choice.on for choice in choices if choice.id == picked and choice.on), "")
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
