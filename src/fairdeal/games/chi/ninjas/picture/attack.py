"""Chaos Ninjas: an attack under way, and what came of it."""

from collections.abc import Callable, Sequence

from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Voice, Zone
from fairdeal.engine.snapshots import Snapshot
from fairdeal.engine.stage import Attack
from fairdeal.games.chi.ninjas.cards import CODES
from fairdeal.games.chi.ninjas.state import ACTIONS, COUNTER, PHANTOM, PHASES
from fairdeal.games.chi.ninjas.text.notation import aimed_at, attackers_of
from fairdeal.games.chi.ninjas.text.prompts import attacked, titled
from fairdeal.games.chi.picture.parts import attack_on, may_block

OUTCOMES: dict[str, Callable[[Voice, int, str], str]] = {
    "COUNTERED": lambda voice, seat, what: f"{voice.does(seat, 'keep')} the {what}",
    "HIT": lambda voice, seat, what: f"{voice.does(seat, 'may', 'may')} lose a Decoy instead",
    "DECOY": lambda voice, seat, what: f"{voice.does(seat, 'lose')} the Decoy instead",
    "DEFEATED": lambda voice, seat, what: f"{voice.does(seat, 'lose')} the {what}",
    "VANISHED": lambda voice, seat, what: f"It returns to {voice.of(seat)} hand",
}
"""What a word means for the defender, and the card that was attacked."""


def attackers(state: Snapshot) -> list[int]:
    """The kinds of the attacking cards, while they lie there."""
    return [kind for kind in state.duel.cards if kind != EMPTY]


def played(state: Snapshot) -> list[int]:
    """The kinds of the cards of an attack, as they came."""
    return attackers(state) + [COUNTER] * state.duel.counters


def attack_under_way(state: Snapshot, voice: Voice, areas: Sequence[Zone]) -> Attack | None:
    """NINJA-10, 12, 41: who attacks what, and who may block it, or lose a Decoy instead."""
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


def resolved(before: Snapshot, after: Snapshot, player: int, actions: Sequence[int], voice: Voice) -> Attack | None:
    """NINJA-13, 14, 41: the attack that a move has ended. One that got through may still be spent on a Decoy."""
    match ACTIONS.decode(actions[0]):
        case "target", _ if PHASES[after.phase] != "duel":  # NINJA-42: under a Shadow nobody was asked
            seat, kind = aimed_at(before, player, actions[0])
            word = "HIT" if PHASES[after.phase] == "decoy" else fallen(before, kind)
            return ended(before, voice, word, player, seat, kind, attackers_of(actions))
        case "pass", _ if player == before.duel.attacker:
            return duel_ended(before, voice, "COUNTERED")
        case "pass", _ if PHASES[after.phase] == "decoy":
            return duel_ended(before, voice, "HIT")
        case "use_decoy", _:
            return duel_ended(before, voice, "DECOY")
        case (("pass" | "skip"), _) if PHASES[before.phase] in ("duel", "decoy"):
            return duel_ended(before, voice, fallen(before, attacked(before)))
    return None


def fallen(before: Snapshot, victim: int) -> str:
    """What became of a card that fell."""
    return "VANISHED" if victim == PHANTOM and before.options.abilities else "DEFEATED"


def duel_ended(before: Snapshot, voice: Voice, word: str) -> Attack:
    """The attack that was under way is over."""
    duel = before.duel
    return ended(before, voice, word, duel.attacker, duel.defender, attacked(before), played(before))


def ended(
    before: Snapshot, voice: Voice, word: str, attacker: int, defender: int, victim: int, cards: Sequence[int]
) -> Attack:
    """An attack with these cards on a kind of card, and what came of it."""
    what = titled(before, victim)
    return attack_on(
        voice,
        attacker,
        defender,
        what,
        text=OUTCOMES[word](voice, defender, what),
        attackers=sum(kind != COUNTER for kind in cards),
        word=word,
        faces=tuple(CODES[kind] for kind in cards),
    )
