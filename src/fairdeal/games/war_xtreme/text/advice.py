"""WAR X-TREME: a move as advice, in the words of the table."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.scene import Voice
from fairdeal.engine.snapshots import Snapshot
from fairdeal.games.war_xtreme.catalogue.names import a_rank, plural_rank, titled
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import WILD_RANK
from fairdeal.games.war_xtreme.state import ACTIONS, phase_of
from fairdeal.games.war_xtreme.text.draft import is_slot, kit_and_target, tricks_in_words


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """A move as advice: `Play Slingshot on Bo`."""
    words = words_of(state)
    match ACTIONS.decode(actions[0]):
        case "flip", _:
            return "Flip"
        case "sweep", _:
            return "Sweep the table"
        case "pass", _:
            return "Stand still" if phase_of(state) == "RACE" else "Pass"
        case "yes", _:
            return "Say that you feel extreme" if phase_of(state) == "EXTREME" else "Accept the war"
        case "no", _:
            return "Stay out of it" if phase_of(state) == "EXTREME" else "Decline"
        case "flee", _:
            return "Flee"
        case "buy_in", war:
            return f"Buy into the war of {plural_rank(state.wars[war].rank)}"
        case "recruit", slot:
            return f"Pick recruit {slot + 1}"
        case "trust", _:
            return f"Trust {voice.of(state.regroup.owner)} shuffle"
        case "distrust", handling:
            return f"Distrust {voice.of(state.regroup.owner)} shuffle: {tricks_in_words(handling)}"
        case "act", number:
            return titled(words.actions[number])
        case "call", rank:
            return "Let your Wild stand" if rank == WILD_RANK else f"Call your Wild {a_rank(rank)}"
        case "catch", seat:
            return f"Accuse {voice.name(seat)} of hiding a card"
        case "dispute", seat:
            return f"Quarrel with {voice.name(seat)}"
        case "ask", seat:
            return f"Ask {voice.name(seat)} for trust"
        case _, which:
            number, target = kit_and_target(which)
    return f"Play {words.equipment[number - 1].name}{aimed(state, voice, number, target)}"


def aimed(state: Snapshot, voice: Voice, number: int, target: int) -> str:
    """` on Bo`, ` from slot 3 on`; nothing for equipment that needs no target."""
    if not target:
        return ""
    if is_slot(state, number):
        return f" from slot {target} on"
    return " on yourself" if target - 1 == voice.viewer else f" on {voice.name(target - 1)}"
