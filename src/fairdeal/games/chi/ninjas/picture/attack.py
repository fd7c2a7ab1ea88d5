"""Chaos Ninjas: the current attack in a scene."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice, Zone
from fairdeal.engine.scene.instruments import Attack
from fairdeal.games.chi.ninjas.state import COUNTER, PHASES
from fairdeal.games.chi.ninjas.text.prompts import attacked, titled
from fairdeal.games.chi.picture.parts import attack_on, may_block


def attackers(state: Snapshot) -> list[int]:
    """Return the kinds of the attacking cards that are still on the table."""
    return [kind for kind in state.duel.cards if kind != EMPTY]


def played(state: Snapshot) -> list[int]:
    """Return the kinds of the cards of an attack, in the order in which they were played."""
    return attackers(state) + [COUNTER] * state.duel.counters


def attack_under_way(state: Snapshot, voice: Voice, areas: Sequence[Zone]) -> Attack | None:
    """NINJA-10, 12, 41: return the current attack, or None. It names the seat that may block or lose a Decoy."""
    phase, duel = PHASES[state.phase], state.duel
    if phase not in ("duel", "decoy"):
        return None
    decoy = f"{voice.does(duel.defender, 'may', 'may')} lose the Decoy instead"
    return attack_on(
        voice,
        duel.attacker,
        duel.defender,
        titled(state, attacked(state)),
        text=may_block(voice, duel, "Counter") if phase == "duel" else decoy,
        attackers=len(attackers(state)),
        target=next(card.id for card in areas[duel.defender].cards if card.mark == "attacked"),
        awaits=duel.answering,
    )
