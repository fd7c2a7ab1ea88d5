"""Chaos Ninjas: what is on the table, for every screen."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, Record
from fairdeal.engine.scene import Choice, Counter, Draft, Picked, Scene, Seat, Voice, Zone, count_of, legal_for
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF, kind_in_play, name_of
from fairdeal.games.chi.ninjas.rules.legal import legal_actions, target_seat
from fairdeal.games.chi.ninjas.state import (
    ACT,
    ACTIONS,
    ANSWER,
    CARD,
    COUNTER,
    DECOYING,
    DEFENDER,
    DUEL,
    IN_PLAY,
    NO_ACTION,
    PLAY,
    ROB,
    SPIRIT,
    STACK,
    STRIKING,
    TAKING,
    TARGET,
    TO_WIN,
    USE_DECOY,
    WITH,
)
from fairdeal.games.chi.ninjas.text.draft import ATTACK, Attack, belongs_to_attack, pick_of
from fairdeal.games.chi.ninjas.text.notation import attackers_of
from fairdeal.games.chi.ninjas.text.outcome import result
from fairdeal.games.chi.ninjas.text.prompts import button_label, prompt, target_words
from fairdeal.games.chi.picture.parts import CardIds, card_of_row, deck_zone, discard_zone, hand_zone, row_zone
from fairdeal.games.chi.text.telling import cards_of


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him, `picks` are of his own draft."""
    viewer = voice.viewer
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    attack = Attack(state, viewer, picks) if legal and int(state.phase) in (ACT, STRIKING) else None
    zones = Zones(state, viewer, in_reach(state, viewer, attack))
    picked = picks[0] if picks and not belongs_to_attack(picks[0]) else None
    choices = choices_of(state, voice, legal, picked, zones)
    if attack:
        choices += attack_choices(state, voice, attack, zones)
    return Scene(
        skin="chaos-ninjas",
        title="Chaos Ninjas",
        sub=f"{count_of(int(state.players), 'player')} · {TO_WIN} in play win",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"turn {int(state.turn_no)}",),
        seats=tuple(seat_of(state, seat, voice) for seat in range(int(state.players))),
        zones=zones.all(),
        prompt=prompt(state, voice, picked, attack, can_act=bool(legal)),
        choices=tuple(choices),
        draft=draft_of(state, viewer, picks, attack, choices, zones),
        result=result(state, voice),
    )


def seat_of(state: Record, seat: int, voice: Voice) -> Seat:
    in_play, acts = int(state.areas[seat].length), bool(int(state.to_act) >> seat & 1)
    about = "wins next turn" if in_play >= TO_WIN and not state.over else ""
    return Seat(
        seat=seat,
        name="You" if seat == voice.viewer else voice.names[seat],
        acts=acts,
        note="to play" if acts else about,
        counters=(Counter("in hand", int(state.hands[seat].length)), Counter("in play", f"{in_play}/{TO_WIN}")),
    )


def in_reach(state: Record, viewer: int, attack: Attack | None) -> set[int]:
    """The seats that matter now: where a card is attacked, or where the viewer's half-made attack can reach one."""
    if int(state.phase) in (DUEL, DECOYING):
        return {int(state.duel.defender)}
    if attack is None or not attack.picks:
        return set()
    return {int(target_seat(state, viewer, target - TARGET)) for target in attack.targets}


class Zones:
    """The zones of a table, drawn in the order in which card names are given."""

    def __init__(self, state: Record, viewer: int, heeded: set[int]) -> None:
        ids = CardIds(CODES, back="chaos-ninjas")
        seats = range(int(state.players))
        self.discard = open_discard(state, ids) if is_healing(state, viewer) else discard_zone(state, ids)
        self.areas = [area_zone(state, seat, viewer, ids, seat in heeded) for seat in seats]
        self.duel = duel_zone(state, ids)
        self.hands = [hand_zone(state, seat, viewer, ids) for seat in seats]
        self.row = row_zone(state, ids, fold=bool(heeded) and int(state.players) > 2)
        self.deck = deck_zone(state)

    def all(self) -> tuple[Zone, ...]:
        fight = (self.duel,) if self.duel.cards else ()
        return (*self.areas, *self.hands, self.deck, *fight, self.row, self.discard)

    def in_area(self, seat: int, kind: int) -> list[str]:
        """The ids of all cards of a kind in front of a player."""
        return [card.id for card in self.areas[seat].cards if card.face == CODES[kind]]

    def in_hand(self, seat: int, kind: int) -> list[str]:
        return [card.id for card in self.hands[seat].cards if card.face == CODES[kind]]


def is_healing(state: Record, viewer: int) -> bool:
    """NINJA-39: is the viewer to choose a Defender of the discard pile?"""
    return int(state.phase) == TAKING and viewer == int(state.turn)


def open_discard(state: Record, ids: CardIds) -> Zone:
    """The discard pile spread out: the Defenders, one of which may be taken; the others lie under them."""
    kinds = [kind for kind, count in enumerate(state.discard.tolist()) for _ in range(count)]
    defenders = [kind for kind in kinds if DEFENDER <= kind < COUNTER]
    ids.pass_over([kind for kind in kinds if kind not in defenders])
    cards = tuple(ids.card(kind, "discard", place) for place, kind in enumerate(defenders))
    return Zone(
        id="discard",
        place="centre",
        layout="row",
        label="Discard",
        count=len(kinds),
        cards=cards,
        heed=True,
        size="small",
    )


def area_zone(state: Record, seat: int, viewer: int, ids: CardIds, heed: bool) -> Zone:
    kinds, stacked = cards_of(state.areas[seat]), int(state.options.same_colour) == STACK
    fighting = int(state.phase) in (DUEL, DECOYING) and seat == int(state.duel.defender)
    attacked = int(state.duel.target) if fighting else -1
    cards = []
    for number, kind in enumerate(kinds):
        safe = stacked and kind < COUNTER and kinds.count(kind) > 1
        mark = "safe" if safe else "attacked" if number == attacked else ""
        cards.append(ids.card(kind, f"area{seat}", number, group=kinds.index(kind) if safe else number, mark=mark))
    mine = seat == viewer
    return Zone(
        id=f"area{seat}",
        place="own" if mine else f"seat:{seat}",
        layout="groups",
        label="",
        say="area",
        count=len(kinds),
        cards=tuple(sorted(cards, key=lambda card: card.group)),
        slots=TO_WIN,
        heed=heed,
        size="table" if mine or int(state.players) == 2 else "small",
    )


def duel_zone(state: Record, ids: CardIds) -> Zone:
    """The cards of a running attack, which lie apart until it is decided."""
    kinds = [kind for kind in state.duel.cards.tolist() if kind != EMPTY] + [COUNTER] * int(state.duel.counters)
    fight = kinds if int(state.phase) == DUEL else []
    cards = tuple(ids.card(kind, "duel", place) for place, kind in enumerate(fight))
    return Zone(
        id="duel", place="centre", layout="lap", label="Attack", count=len(cards), cards=cards, heed=True, size="small"
    )


def choices_of(state: Record, voice: Voice, legal: list[int], picked: int | None, zones: Zones) -> list[Choice]:
    """A choice for every card that an action takes, and buttons for the rest; attacks have their own."""
    choices: list[Choice] = []
    for action in legal:
        if TARGET <= action < WITH:
            continue
        label = button_label(state, voice.viewer, action, voice)
        if ANSWER <= action <= USE_DECOY or action == NO_ACTION:
            choices.append(Choice(action, "button", label, main=len(legal) == 1))
        elif ROB <= action < CARD:
            seat = (voice.viewer + action - ROB + 1) % int(state.players)
            choices.append(Choice(action, "seat", label, on=str(seat)))
        else:
            choices += [
                Choice(action, "card", label, on=card) for card in cards_for(state, voice.viewer, action, zones)
            ]
        if action == picked:
            choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def cards_for(state: Record, viewer: int, action: int, zones: Zones) -> list[str]:
    """The cards on the table that stand for an action."""
    if action < PLAY:
        return [card_of_row(state, zones.row, action).id]
    if action < TARGET:
        return zones.in_hand(viewer, kind_in_play(action - PLAY))
    if int(state.phase) == TAKING:
        return [card.id for card in zones.discard.cards if card.face == CODES[action - CARD]]
    return zones.in_hand(viewer, action - CARD)


def attack_choices(state: Record, voice: Voice, attack: Attack, zones: Zones) -> list[Choice]:
    """Targets and Attackers that go with what is chosen, what is chosen to be taken back, and the attack itself."""
    choices = []
    for target in sorted(attack.targets):
        words = target_words(state, voice.viewer, target, voice)
        seat = int(target_seat(state, voice.viewer, target - TARGET))
        does = ATTACK if attack.whole and target == attack.whole[0] else target
        choices += [
            Choice(does, "card", f"Attack {words}", on=card) for card in target_cards(state, target, seat, zones)
        ]
    for card, kind, number in attackers(voice.viewer, zones):
        if number < attack.cards[kind]:
            choices.append(Choice(pick_of(kind, attack.picks[:number]), "card", f"Take back {name_of(kind)}", on=card))
        elif attack.takes(kind):
            choices.append(Choice(pick_of(kind, attack.picks), "card", f"Attack with {name_of(kind)}", on=card))
    if attack.whole:
        words = target_words(state, voice.viewer, attack.whole[0], voice)
        choices.append(Choice(ATTACK, "button", f"Attack {words}", key="Enter", main=True))
    return choices


def target_cards(state: Record, target: int, seat: int, zones: Zones) -> list[str]:
    return zones.in_area(seat, kind_in_play((target - TARGET) % IN_PLAY))


def attackers(viewer: int, zones: Zones) -> list[tuple[str, int, int]]:
    """The cards in hand that may attack: id, kind, and which of its kind it is there."""
    found: list[tuple[str, int, int]] = []
    met: Tally[int] = Tally()
    for card in zones.hands[viewer].cards:
        kind = KIND_OF[str(card.face)]
        if kind < DEFENDER or kind == SPIRIT:
            found.append((card.id, kind, met[kind]))
            met[kind] += 1
    return found


def draft_of(
    state: Record, viewer: int, picks: Sequence[int], attack: Attack | None, choices: list[Choice], zones: Zones
) -> Draft | None:
    """The picked cards, and the card they are aimed at."""
    if not picks:
        return None
    if attack is None or not attack.picks:
        chosen = next((choice.on for choice in choices if choice.id == picks[0] and choice.kind == "card"), "")
        return Draft(chosen=(chosen,) if chosen else (), picks=tuple(picks), undo=True)
    cards = attackers_of(attack.whole) if attack.whole else list(attack.cards.elements())
    target = attack.whole[0] if attack.whole else attack.target
    aim: list[str] = []
    if target is not None:
        aim = target_cards(state, target, int(target_seat(state, viewer, target - TARGET)), zones)[:1]
    chosen_ids = tuple(card for card, kind, number in attackers(viewer, zones) if number < cards.count(kind))
    return Draft(chosen=chosen_ids, aim=tuple(aim), picks=tuple(picks), undo=True)


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Answers, and whom to rob, act at once, an attack when it is whole; everything else is shown first, and done when
    it is picked again."""
    if choice == ATTACK:
        whole = Attack(state, player, picks).whole
        assert whole is not None
        return Picked((), whole)
    if belongs_to_attack(choice):
        return Picked(Attack(state, player, picks).picked(choice))
    if ANSWER <= choice < CARD or choice == NO_ACTION or choice in picks:
        return Picked((), (choice,))
    return Picked((choice,))
