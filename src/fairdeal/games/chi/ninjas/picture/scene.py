"""Chaos Ninjas: the scene of a table, for all screens."""

from collections import Counter as Tally
from collections.abc import Sequence

from fairdeal.engine.kit.positions import kinds_in
from fairdeal.engine.kit.seats import rival
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Choice, Counter, Draft, Picked, Scene, Seat, Voice, Zone, count_of, legal_for
from fairdeal.engine.scene.zones import CardIds, area_zone, on_cards, seat_of, zone
from fairdeal.games.chi.ninjas.cards import CODES, KIND_OF, name_of
from fairdeal.games.chi.ninjas.picture.attack import attack_under_way, played
from fairdeal.games.chi.ninjas.rules.legal import kind_in_play, legal_actions
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, DEFENDER, PHASES, SPIRIT, STACK, TO_WIN
from fairdeal.games.chi.ninjas.text.draft import ATTACK, Attack, belongs_to_attack, is_target, pick_of
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of, verb_of
from fairdeal.games.chi.ninjas.text.outcome import result
from fairdeal.games.chi.ninjas.text.prompts import button_label, prompt, target_words
from fairdeal.games.chi.picture.parts import DUEL_ZONE, attack_zone, deck_zone, discard_zone, row_zone

IDS = CardIds(CODES, back="chaos-ninjas")


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. `picks` are the picks of the viewer's unfinished move."""
    viewer = voice.viewer
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    attack = Attack(state, viewer, picks) if legal and PHASES[state.phase] in ("act", "strike") else None
    zones = Zones(state, viewer, in_reach(state, viewer, attack))
    picked = picks[0] if picks and not belongs_to_attack(picks[0]) else None
    choices = choices_of(state, voice, legal, picked, zones)
    if attack:
        choices += attack_choices(state, voice, attack, zones)
    return Scene(
        skin="chaos-ninjas",
        title="Chaos Ninjas",
        sub=f"{count_of(state.players, 'player')} · {TO_WIN} in play win",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"turn {state.turn_no}",),
        seats=tuple(account_of(state, seat, voice) for seat in range(state.players)),
        zones=zones.all(),
        stage=attack_under_way(state, voice, zones.areas),
        prompt=prompt(state, voice, picked, attack, can_act=bool(legal)),
        choices=tuple(choices),
        draft=draft_of(state, viewer, picks, attack, choices, zones),
        result=result(state, voice),
    )


def account_of(state: Snapshot, seat: int, voice: Voice) -> Seat:
    in_hand, number = Counter("in hand", state.hands[seat].length, "cards"), state.areas[seat].length
    about_to_win = number >= TO_WIN and not state.over and seat not in state.acting
    in_play, note = Counter("in play", f"{number}/{TO_WIN}", "flag"), "wins next turn" if about_to_win else ""
    return seat_of(state, seat, voice, in_hand, in_play, note=note)


def in_reach(state: Snapshot, viewer: int, attack: Attack | None) -> set[int]:
    """Return the seats to highlight: the defender of an attack, or the possible targets of an unfinished one."""
    if PHASES[state.phase] in ("duel", "decoy"):
        return {state.duel.defender}
    if attack is None or not attack.picks:
        return set()
    return {aimed_at(state, viewer, target)[0] for target in attack.targets}


class Zones:
    """The zones of a table."""

    def __init__(self, state: Snapshot, viewer: int, heeded: set[int]) -> None:
        seats, healing = range(state.players), PHASES[state.phase] == "take" and viewer == state.turn
        self.discard = open_discard(state) if healing else discard_zone(tuple(state.discard), IDS)
        self.areas = [cards_zone(state, seat, viewer, seat in heeded) for seat in seats]
        self.duel = duel_zone(state)
        self.hands = [IDS.hand(seat, viewer, state.hands[seat].held) for seat in seats]
        self.row = row_zone(tuple(state.row), IDS, fold=bool(heeded) and state.players > 2)
        self.deck = deck_zone(state.deck.length)

    def all(self) -> tuple[Zone, ...]:
        return (*self.areas, *self.hands, self.deck, self.duel, self.row, self.discard)


def of_kind(place: Zone, kind: int) -> list[str]:
    """Return the ids of all cards of a kind in a zone."""
    return [card.id for card in place.cards if card.face == CODES[kind]]


def open_discard(state: Snapshot) -> Zone:
    """NINJA-39: return the discard pile, with its Defenders spread out above its other cards for the Medic."""
    kinds = kinds_in(state.discard)
    defenders = IDS.cards([kind for kind in kinds if DEFENDER <= kind < COUNTER], "discard")
    return zone("discard", "centre", "row", defenders, label="Discard", count=len(kinds), heed=True, size="small")


def cards_zone(state: Snapshot, seat: int, viewer: int, heed: bool) -> Zone:
    """Return the zone of a seat's cards in play, with marks on safe and attacked cards."""
    kinds, stacked = state.areas[seat].held, state.options.same_colour == STACK
    fighting = PHASES[state.phase] in ("duel", "decoy") and seat == state.duel.defender
    id, marks, groups = f"area{seat}", [], []
    for number, kind in enumerate(kinds):
        safe = stacked and kind < COUNTER and kinds.count(kind) > 1
        marks.append("safe" if safe else "attacked" if fighting and number == state.duel.target else "")
        groups.append(kinds.index(kind) if safe else number)
    cards = sorted(IDS.cards(kinds, id, marks, groups), key=lambda card: card.group)
    size = "table" if seat == viewer or state.players == 2 else "small"
    return area_zone(id, seat, viewer, "groups", cards, say="area", slots=TO_WIN, heed=heed, size=size)


def duel_zone(state: Snapshot) -> Zone:
    """Return the zone of the current attack's cards, which lie between the players until the attack is decided."""
    cards = IDS.cards(played(state), DUEL_ZONE) if PHASES[state.phase] == "duel" else ()
    return attack_zone(cards, "Attack")


def choices_of(state: Snapshot, voice: Voice, legal: list[int], picked: int | None, zones: Zones) -> list[Choice]:
    """Return a choice for every card that an action other than an attack uses, and buttons for the remaining
    actions."""
    choices: list[Choice] = []
    hand = zones.hands[voice.viewer]
    for action in legal:
        if is_target(action):
            continue
        label = button_label(state, voice.viewer, action, voice)
        match ACTIONS.decode(action):
            case "draw", place:
                choices += on_cards(action, label, [f"row.{place}"])
            case "play", number:
                choices += on_cards(action, label, of_kind(hand, kind_in_play(number)))
            case "card", kind:
                choices += on_cards(action, label, of_kind(zones.discard if verb_of(state) == "take" else hand, kind))
            case "rob", number:
                choices.append(Choice(action, "seat", label, on=str(rival(state, voice.viewer, number))))
            case _:
                choices.append(Choice(action, "button", label, main=len(legal) == 1))
        if action == picked:
            choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices


def attack_choices(state: Snapshot, voice: Voice, attack: Attack, zones: Zones) -> list[Choice]:
    """Return the choices for an unfinished attack: its targets, the cards to add or take back, and the attack
    itself."""
    choices = []
    for target in sorted(attack.targets):
        seat, kind = aimed_at(state, voice.viewer, target)
        does = ATTACK if attack.whole and target == attack.whole[0] else target
        words = f"Attack {target_words(state, voice.viewer, target, voice)}"
        choices += on_cards(does, words, of_kind(zones.areas[seat], kind))
    for card, kind, number in attackers(zones.hands[voice.viewer]):
        if number < attack.cards[kind]:
            choices.append(Choice(pick_of(kind, attack.picks[:number]), "card", f"Take back {name_of(kind)}", on=card))
        elif attack.takes(kind):
            choices.append(Choice(pick_of(kind, attack.picks), "card", f"Attack with {name_of(kind)}", on=card))
    if attack.whole:
        words = target_words(state, voice.viewer, attack.whole[0], voice)
        choices.append(Choice(ATTACK, "button", f"Attack {words}", key="Enter", main=True))
    return choices


def attackers(hand: Zone) -> list[tuple[str, int, int]]:
    """Return the cards in hand that may attack, each with its id, its kind and its index among equal cards, of which
    the last one is played first."""
    found: list[tuple[str, int, int]] = []
    met: Tally[int] = Tally()
    for card in reversed(hand.cards):
        kind = KIND_OF[str(card.face)]
        if kind < DEFENDER or kind == SPIRIT:
            found.append((card.id, kind, met[kind]))
            met[kind] += 1
    return found[::-1]


def draft_of(
    state: Snapshot, viewer: int, picks: Sequence[int], attack: Attack | None, choices: list[Choice], zones: Zones
) -> Draft | None:
    """Return the unfinished move: the picked cards and the card that they attack."""
    if not picks:
        return None
    if attack is None or not attack.picks:
        chosen = [choice.on for choice in choices if choice.id == picks[0] and choice.kind == "card"][-1:]
        return Draft(chosen=tuple(chosen), picks=tuple(picks), undo=True)
    cards = attackers_of(attack.whole) if attack.whole else list(attack.cards.elements())
    target = attack.whole[0] if attack.whole else attack.target
    aim: list[str] = []
    if target is not None:
        seat, kind = aimed_at(state, viewer, target)
        aim = of_kind(zones.areas[seat], kind)[:1]
    chosen = [card for card, kind, number in attackers(zones.hands[viewer]) if number < cards.count(kind)]
    return Draft(chosen=tuple(chosen), aim=tuple(aim), picks=tuple(picks), undo=True)


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the result of a pick.

    Responses and the choice of a seat to rob are played immediately, and a complete attack is played by its button. Any
    other action must be picked twice.
    """
    if choice == ATTACK:
        whole = Attack(state, player, picks).whole
        assert whole is not None
        return Picked((), whole)
    if belongs_to_attack(choice):
        return Picked(Attack(state, player, picks).picked(choice))
    shown_first = ACTIONS.decode(choice).verb in ("draw", "play", "card")
    return Picked((choice,)) if shown_first and choice not in picks else Picked((), (choice,))
