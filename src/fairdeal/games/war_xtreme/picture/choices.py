"""WAR X-TREME: the choices of the viewer, on cards, seats and buttons, and the effect of each pick.

Most actions take one pick. Equipment takes three: the card, its target and a button. Distrust collects the ways to
handle the pile, and accusations and challenges ask for a seat. Picks that only prepare an action have numbers above
those of all actions.
"""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Choice, Draft, Picked, Voice, legal_for
from fairdeal.games.war_xtreme.catalogue.names import plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import WILD_RANK
from fairdeal.games.war_xtreme.options import ENDS_GAME, OUT
from fairdeal.games.war_xtreme.picture.cards import kit_key
from fairdeal.games.war_xtreme.rules.phases import legal_actions
from fairdeal.games.war_xtreme.state import ACTIONS, DISTRUST, phase_of
from fairdeal.games.war_xtreme.text import draft
from fairdeal.games.war_xtreme.text.prompts import aimed, due_kit, say_move
from fairdeal.games.war_xtreme.text.standing import kit_count

PLAIN = {"flip": "Flip!", "sweep": "Sweep", "trust": "Trust"}
COSTS = {ENDS_GAME: "if caught, you lose", OUT: "if caught, you are out"}
"""WAR-85: the price of hiding a card, by option `caught`."""

PREPARED = {"catch": (draft.CATCHING, "Catch a cheat"), "dispute": (draft.QUARRELLING, "Quarrel")}
"""WAR-86, 89: for each action aimed at a seat, the pick that prepares it and the label of its button."""


def label_of(state: Snapshot, voice: Voice, action: int) -> str:
    """Return the label of an action's button: its words as advice, unless a button has shorter ones."""
    match ACTIONS.decode(action):
        case "yes", _:
            return "I feel extreme" if phase_of(state) == "EXTREME" else "War it is"
        case "no", _ if phase_of(state) == "EXTREME":
            return "Not today"
        case "buy_in", war:
            return f"Buy in: {plural_rank(state.wars[war].rank)}"
        case "recruit", slot:
            return f"Recruit {slot + 1}"
        case "distrust", handling:
            return f"{draft.tricks_in_words(handling).capitalize()} it"
        case "catch", seat:
            return f"Catch {voice.names[seat]}"
        case "ask", seat:
            return f"Ask {voice.names[seat]}"
        case "equip", which:
            number, target = draft.kit_and_target(which)
            does = "Look," if target and draft.is_slot(state, number) else "Play it"
            return f"{does}{aimed(state, voice, number, target)}"
        case verb, _ if verb in PLAIN:
            return PLAIN[verb]
    return say_move(state, voice, (action,))


class Choices:
    """The choices of one scene, after the picks already made."""

    def __init__(self, state: Snapshot, voice: Voice, picks: Sequence[int], hand: Sequence[Card]) -> None:
        self.state, self.words, self.voice = state, words_of(state), voice
        self.picks, self.hand = tuple(picks), hand
        legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
        self.legal = [(action, *ACTIONS.decode(action)) for action in legal]
        self.found: list[Choice] = []
        self.aimed = self.picks[-1] if self.picks and self.picks[-1] in legal else None
        self.due = due_kit(state, self.words, voice.viewer) if legal else None
        for action, verb, which in self.legal:
            self.of_plain_action(action, verb, which)
        recruits = [action for action, verb, _ in self.legal if verb == "recruit"]
        if len(recruits) > 1:
            self.button(recruits[0], "Any")
        self.of_distrust()
        self.of_seats("catch")
        self.of_seats("dispute")
        self.of_equipment()

    def button(self, pick: int, label: str = "", main: bool = False, rank: int = 0, note: str = "") -> None:
        label = label or label_of(self.state, self.voice, pick)
        self.found.append(Choice(pick, "button", label, note=note, key="Enter" if main else "", main=main, rank=rank))

    def on_seat(self, action: int, seat: int, label: str = "") -> None:
        label = label or label_of(self.state, self.voice, action)
        self.found.append(Choice(action, "seat", label, on=str(seat)))

    def of_plain_action(self, action: int, verb: str, which: int) -> None:
        """Add the choice for an action that takes one pick. `flip` and `sweep` are on the main button unless a move is
        unfinished, or the flip would hide a card (WAR-84)."""
        match verb:
            case "flip" if self.due:
                self.button(action, "Flip and hide it", note=COSTS[self.state.options.caught])
            case "flip" | "sweep":
                self.button(action, main=not self.picks)
            case "pass" | "yes" | "no" | "flee" | "buy_in" | "trust" | "act":
                self.button(action)
            case "recruit":
                label = label_of(self.state, self.voice, action)
                self.found.append(Choice(action, "card", label, on=f"slot{which + 1}"))
            case "ask":
                self.on_seat(action, which)
            case "call":
                note = "stand" if which == WILD_RANK else rank_name(which)
                self.found.append(Choice(action, "value", str(which), note=note))

    def of_distrust(self) -> None:
        """WAR-62, 63: add a button for each way to handle the pile, and a button that applies all those picked."""
        if not any(verb == "distrust" for _, verb, _ in self.legal):
            return
        chosen = draft.handling_of(self.picks)
        for name, bit in draft.TRICKS.items():
            if not chosen & bit:
                self.button(DISTRUST + bit, f"… and {name}" if chosen else name.capitalize())
        if chosen:
            self.button(DISTRUST + chosen, main=True)

    def of_seats(self, verb: str) -> None:
        """WAR-86, 89: add a button that leads to the choice of a seat, and add the seats after the button was pressed.

        An accusation has a prominent button only if some seat may hide a card; a challenge never has one.
        """
        preparing, label = PREPARED[verb]
        seats = {action: seat for action, found, seat in self.legal if found == verb}
        if not self.picks and seats:
            matters = verb == "catch" and any(kit_count(self.state, seat) for seat in seats.values())
            self.button(preparing, label, rank=0 if matters else 1)
        elif seats and self.picks[0] == preparing:
            for action, seat in seats.items():
                self.on_seat(action, seat)
            if self.aimed in seats:
                self.button(self.aimed, main=True)

    def of_equipment(self) -> None:
        """WAR-74: add the playable cards of the hand, the targets of the picked card, and the button that plays it."""
        if self.picks and self.picks[0] in (draft.CATCHING, draft.QUARRELLING):
            return
        ways: dict[int, dict[int, int]] = {}
        for action, verb, which in self.legal:
            if verb == "equip":
                number, target = draft.kit_and_target(which)
                ways.setdefault(number, {})[action] = target
        for number, targets in ways.items():
            kit = self.words.equipment[number - 1]
            for card in self.hand:
                if card.face == kit_key(kit) and not card.mark:
                    self.found.append(Choice(draft.PLAYING + number, "card", kit.name, on=card.id))
            if kit is self.due and not self.picks:
                self.button(draft.PLAYING + number, f"Play {kit.name}", main=True)
            if self.picks and self.picks[0] == draft.PLAYING + number:
                self.of_targets(number, kit.name, targets)

    def of_targets(self, number: int, name: str, targets: dict[int, int]) -> None:
        """Add the targets of the picked card, by action. A single target need not be picked."""
        if len(targets) == 1:
            self.aimed = next(iter(targets))
        else:
            for action, target in targets.items():
                if draft.is_slot(self.state, number):
                    self.found.append(Choice(action, "card", f"{name} from slot {target}", on=f"slot{target}"))
                elif target - 1 != self.voice.viewer:
                    self.on_seat(action, target - 1, f"On {self.voice.names[target - 1]}")
                elif action != self.aimed:
                    self.button(action, "On yourself")
        if self.aimed in targets:
            self.button(self.aimed, main=True)

    def draft(self) -> Draft | None:
        """Return the unfinished move, with the picked card and its target, or None."""
        if not self.picks:
            return None
        chosen = next((choice.on for choice in reversed(self.found) if choice.id == self.picks[0] and choice.on), "")
        aim = ""
        if self.aimed is not None and ACTIONS.decode(self.aimed).verb == "equip":
            number, target = draft.kit_and_target(ACTIONS.decode(self.aimed).which)
            if draft.is_slot(self.state, number):
                aim = f"slot{target}"
            elif target and target - 1 != self.voice.viewer:
                aim = f"seat:{target - 1}"
        return Draft((chosen,) if chosen else (), (aim,) if aim else (), self.picks, undo=True)


def pick(state: Snapshot, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Return the result of a pick: a longer draft or a complete move."""
    if choice >= draft.CATCHING:
        return Picked((choice,))
    verb, which = ACTIONS.decode(choice)
    if verb == "distrust":
        return Picked((), (choice,)) if which == draft.handling_of(picks) else Picked((*picks, choice))
    if verb not in ("catch", "dispute", "equip") or choice in picks or is_only_way(state, player, verb, which):
        return Picked((), (choice,))
    return Picked((*picks[:1], choice))


def picks_of(state: Snapshot, player: int, actions: Sequence[int]) -> list[int]:
    """Return the picks that lead to a move, in the order in which they are made."""
    action = actions[0]
    verb, which = ACTIONS.decode(action)
    if verb == "distrust":
        return [DISTRUST + bit for bit in draft.TRICKS.values() if which & bit]
    if verb in PREPARED:
        return [PREPARED[verb][0], action]
    if verb == "equip":
        return [draft.PLAYING + draft.kit_and_target(which)[0], action]
    return [action]


def is_only_way(state: Snapshot, player: int, verb: str, which: int) -> bool:
    """Return whether a piece of equipment has exactly one legal target."""
    if verb != "equip":
        return False
    legal = map(ACTIONS.decode, legal_for(state, player, legal_actions, ACTIONS))
    numbers = [draft.kit_and_target(other)[0] for found, other in legal if found == "equip"]
    return numbers.count(draft.kit_and_target(which)[0]) == 1
