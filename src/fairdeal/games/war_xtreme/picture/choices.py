"""WAR X-TREME: what the viewer may choose, on the cards, seats and buttons that choose it, and where a pick leads.

Most actions are one pick. Equipment is picked first, then its target, then the button; distrust gathers what is to be
done; catching and quarrels ask whom. The picks that only prepare have numbers above all actions.
"""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Choice, Draft, Picked, Voice, Zone, legal_for
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name, titled
from fairdeal.games.war_xtreme.picture.cards import kit_key
from fairdeal.games.war_xtreme.rules.effects import equipment_of_action, target_of_action
from fairdeal.games.war_xtreme.rules.phases import legal_actions
from fairdeal.games.war_xtreme.state import (
    ACT,
    ACTIONS,
    ASK,
    BUY_IN,
    CALL,
    CATCH,
    DISPUTE,
    DISTRUST,
    EQUIP,
    EXTREME,
    FLEE,
    FLIP,
    NO,
    PASS,
    RACE,
    RECRUIT,
    SEATS,
    SHUFFLE,
    SLOTS,
    SWEEP,
    TRUST,
    YES,
)
from fairdeal.games.war_xtreme.text.draft import (
    CATCHING,
    PLAYING,
    QUARRELLING,
    TRICKS,
    is_slot,
    tricks_in_words,
)

PLAIN = {FLIP: "Flip!", SWEEP: "Sweep", FLEE: "Flee", TRUST: "Trust"}


def label_of(state: Record, words: Words, voice: Voice, action: int) -> str:
    """The words on the button of an action that needs no target."""
    if action in PLAIN:
        return PLAIN[action]
    if action == PASS:
        return "Stand still" if int(state.phase) == RACE else "Pass"
    if action in (YES, NO):
        extreme = int(state.phase) == EXTREME
        yes, no = ("I feel extreme", "Not today") if extreme else ("War it is", "Decline")
        return yes if action == YES else no
    if BUY_IN <= action < RECRUIT:
        return f"Buy into the war of {plural_rank(int(state.wars[action - BUY_IN].rank))}"
    if RECRUIT <= action < TRUST:
        return f"Recruit {action - RECRUIT + 1}"
    if action < ACT:
        return f"{tricks_in_words(action).capitalize()} it"
    if action < CALL:
        return titled(words.actions[action - ACT])
    if action < CATCH:
        return f"Call {rank_name(action - CALL)}"
    verb = "Catch" if action < DISPUTE else "Quarrel with" if action < ASK else "Ask"
    return f"{verb} {voice.names[(action - CATCH) % SEATS]}"


# --- the choices -------------------------------------------------------------------------------------------------


class Choices:
    """The choices of one scene, with the picks already made."""

    def __init__(
        self, state: Record, words: Words, voice: Voice, picks: Sequence[int], legal: Sequence[int], hand: Zone | None
    ) -> None:
        self.state, self.words, self.voice = state, words, voice
        self.picks, self.legal = tuple(picks), list(legal)
        self.hand = hand.cards if hand else ()
        self.found: list[Choice] = []
        self.aimed = self.picks[-1] if self.picks and self.picks[-1] in self.legal else None
        self.gather()

    def gather(self) -> None:
        self.of_plain_actions()
        self.of_distrust()
        self.of_seats(CATCHING, "Catch a cheat", range(CATCH, DISPUTE))
        self.of_seats(QUARRELLING, "Quarrel", range(DISPUTE, ASK))
        for action in self.legal:
            if ASK <= action < EQUIP:
                self.add(action, "seat", on=str(action - ASK))
        self.of_equipment()

    def add(self, action: int, kind: str, label: str = "", on: str = "", note: str = "", main: bool = False) -> None:
        assert kind in ("card", "zone", "seat", "button", "value")
        words = label or label_of(self.state, self.words, self.voice, action)
        key = "Enter" if main else ""
        self.found.append(Choice(action, kind, words, on=on, note=note, key=key, main=main))  # type: ignore[arg-type]

    def of_plain_actions(self) -> None:
        """What is done by one pick. While something is being put together, the way on is its own button."""
        recruits = [action for action in self.legal if RECRUIT <= action < TRUST]
        for action in self.legal:
            if action in (FLIP, SWEEP):
                self.add(action, "button", main=not self.picks)
            elif action < RECRUIT or action == TRUST or ACT <= action < CALL:
                self.add(action, "button")
            elif action in recruits:
                self.add(action, "card", on=f"slot{action - RECRUIT + 1}")
            elif CALL <= action < CATCH:
                rank = action - CALL
                self.add(action, "value", str(rank), note="stand" if rank == 16 else rank_name(rank))
        if len(recruits) > 1:
            self.add(recruits[0], "button", "Any")

    def of_distrust(self) -> None:
        """WAR-62, 63: every trick can be added once; the button does them all."""
        if DISTRUST + SHUFFLE not in self.legal:
            return
        chosen = sum({pick - DISTRUST for pick in self.picks})
        for bit, name in TRICKS.items():
            if not chosen & bit:
                self.add(DISTRUST + bit, "button", f"… and {name}" if chosen else name.capitalize())
        if chosen:
            self.add(DISTRUST + chosen, "button", main=True)

    def of_seats(self, preparing: int, label: str, actions: range) -> None:
        """WAR-86, 89: a button that lights the seats, or names the only one."""
        legal = [action for action in self.legal if action in actions]
        if not legal or (self.picks and self.picks[0] != preparing):
            return
        if not self.picks:
            self.add(preparing, "button", label)
            return
        for action in legal:
            self.add(action, "seat", on=str((action - CATCH) % SEATS))
        if self.aimed in legal:
            self.add(self.aimed, "button", main=True)

    def of_equipment(self) -> None:
        """WAR-74: a card of the hand, what it can be aimed at, and the button that plays it."""
        if self.picks and self.picks[0] in (CATCHING, QUARRELLING):
            return
        ways: dict[int, list[int]] = {}
        for action in self.legal:
            if action >= EQUIP:
                ways.setdefault(equipment_of_action(action), []).append(action)
        for number, actions in ways.items():
            kit = self.words.equipment[number - 1]
            for card in self.hand:
                if card.face == kit_key(kit) and not card.mark:
                    self.add(PLAYING + number, "card", kit.name, on=card.id)
            if self.picks and self.picks[0] == PLAYING + number:
                self.of_targets(number, actions)

    def of_targets(self, number: int, actions: list[int]) -> None:
        """The targets of the piece that is picked. One alone is aimed at without a pick."""
        kit = self.words.equipment[number - 1]
        if len(actions) == 1:
            self.aimed = actions[0]
        for action in actions if len(actions) > 1 else ():
            target = target_of_action(action)
            if is_slot(self.state, number):
                self.add(action, "card", f"{kit.name} from slot {target}", on=f"slot{target}")
            elif target - 1 == self.voice.viewer:
                if self.aimed != action:
                    self.add(action, "button", "On yourself")
            else:
                self.add(action, "seat", f"On {self.voice.names[target - 1]}", on=str(target - 1))
        if self.aimed in actions:
            self.add(self.aimed, "button", play_label(self.state, self.words, self.voice, self.aimed), main=True)

    # --- the draft ------------------------------------------------------------------------------------------

    def draft(self) -> Draft | None:
        """The picked card and what it is aimed at."""
        if not self.picks:
            return None
        chosen = next((choice.on for choice in self.found if choice.id == self.picks[0] and choice.on), "")
        aim = ""
        if self.aimed is not None and self.aimed >= EQUIP and is_slot(self.state, equipment_of_action(self.aimed)):
            aim = f"slot{target_of_action(self.aimed)}"
        return Draft((chosen,) if chosen else (), (aim,) if aim else (), self.picks, undo=True)


def play_label(state: Record, words: Words, voice: Voice, action: int) -> str:
    """`Play it`, `Play it on Bo`, `Look at slots from 3`."""
    target = target_of_action(action)
    if not target:
        return "Play it"
    if is_slot(state, equipment_of_action(action)):
        return f"Look, from slot {target} on"
    return "Play it on yourself" if target - 1 == voice.viewer else f"Play it on {voice.names[target - 1]}"


def pick(state: Record, player: int, picks: Sequence[int], choice: int) -> Picked:
    """Where a pick leads: a longer draft, or a whole move."""
    if choice == SWEEP or choice in range(RECRUIT) or choice in range(ACT, CATCH) or choice in range(ASK, EQUIP):
        return Picked((), (choice,))
    if choice in (CATCHING, QUARRELLING) or choice >= PLAYING:
        return Picked((choice,))
    if choice >= EQUIP:
        number = equipment_of_action(choice)
        ways = [
            way
            for way in legal_for(state, player, legal_actions, ACTIONS)
            if way >= EQUIP and equipment_of_action(way) == number
        ]
        done = choice in picks or len(ways) == 1
        return Picked((), (choice,)) if done else Picked((*picks[:1], choice))
    if choice >= CATCH:
        return Picked((), (choice,)) if choice in picks else Picked((*picks[:1], choice))
    if RECRUIT <= choice <= RECRUIT + SLOTS - 1 or choice == TRUST:
        return Picked((), (choice,))
    chosen = sum({pick - DISTRUST for pick in picks})
    if choice - DISTRUST == chosen:
        return Picked((), (choice,))
    return Picked((*picks, choice))
