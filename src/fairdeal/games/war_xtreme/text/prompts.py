"""WAR X-TREME: the prompt for the viewer, moves as advice, and the headline in the middle of the table."""

from collections.abc import Callable, Sequence
from typing import Literal

from fairdeal.engine.kit.seats import is_in
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, NOBODY
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, listed
from fairdeal.games.war_xtreme.catalogue.effects_told import kit_text
from fairdeal.games.war_xtreme.catalogue.entries import Equipment
from fairdeal.games.war_xtreme.catalogue.names import Words, a_rank, plural_rank, rank_name, titled
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import SPEED, TAX, TAX_RANK, WAR, WAR_RANK, WILD_RANK, WIN
from fairdeal.games.war_xtreme.rules import fight
from fairdeal.games.war_xtreme.rules.preparation import due_card
from fairdeal.games.war_xtreme.state import ACTIONS, IN_HAND, SEATS, Phase, phase_of
from fairdeal.games.war_xtreme.text import draft
from fairdeal.games.war_xtreme.text.explain import WANTED
from fairdeal.games.war_xtreme.text.standing import in_ring_order, kit_in, swept_by

CLAUSES = {phase: clause for phase, (_, _, clause) in WANTED.items()} | {"REGROUP": "WAR-61", "RACE": "WAR-18"}
"""The clause of each phase's prompt."""

WINDOWS: tuple[Phase, ...] = ("REACT", "BRACE", "CLASH")
"""The windows for equipment: phases in which the seats with a playable card are asked one after another (WAR-76)."""

DOES: dict[Phase, str] = {
    "REGROUP": "is asked for trust",
    "DISPUTE": "is asked to settle it by war",
    "REACT": "may play equipment",
    "WILD": "calls a number",
    "BRACE": "may play equipment",
    "RECRUIT": "picks a recruit",
    "CLASH": "may play equipment",
    "SWEEP": "sweeps the table",
}
"""The activity of a single seat in a phase, as shown to the seats that wait."""

DO: dict[Phase, str] = {"EXTREME": "asked whether to play", "PREP": "getting ready", "RACE": "racing"}
"""The activity of several seats that act at the same time (default: choosing)."""


def prompt(state: Snapshot, words: Words, voice: Voice, picks: Sequence[int], ended: Result | None) -> Prompt:
    """Return the prompt for the viewer."""
    if ended:
        return Prompt("over", ended.text, ended.why, "WAR-92")
    if voice.viewer not in state.acting:
        return waiting_prompt(state, voice)
    if picks:
        return picked_prompt(state, words, voice, picks)
    asked = QUESTIONS[phase_of(state)]
    text, sub = asked(state, words, voice) if callable(asked) else asked
    return Prompt("yours", text, sub, CLAUSES[phase_of(state)])


def waiting_prompt(state: Snapshot, voice: Voice) -> Prompt:
    phase, viewer, clause = phase_of(state), voice.viewer, CLAUSES.get(phase_of(state), "WAR-92")
    waiting = in_ring_order(state, state.to_act)
    if phase in WINDOWS and not waiting:
        mode: Literal["together", "waiting"] = "together" if viewer >= 0 and is_in(state.alive, viewer) else "waiting"
        return Prompt(mode, "Does anybody play equipment?", "Everybody who can is asked in turn.", clause)
    names = listed([voice.names[seat] for seat in waiting]) if waiting else "nobody"
    if phase in DOES:
        return Prompt("waiting", f"{names} {DOES[phase]}", "", clause)
    if viewer >= 0 and is_in(state.alive, viewer):
        done = {
            "PREP": "You have flipped.",
            "CHOICE": "You have chosen." if state.choices[viewer] else "You have nothing to choose.",
            "RACE": "You are out of this race." if is_in(state.locked, viewer) else "You are not in this race.",
            "EXTREME": "You have answered.",
        }
        if phase in done:
            return Prompt("together", f"{done[phase]} Waiting for {names}", "", clause)
    verb = "is" if len(waiting) == 1 else "are"
    return Prompt("waiting", f"{names} {verb} {DO.get(phase, 'choosing')}", "", clause)


# --- questions ---------------------------------------------------------------------------------------------------

Question = tuple[str, str]


def ask_trust(state: Snapshot, words: Words, voice: Voice) -> Question:
    owner, new = state.regroup.owner, count_of(state.regroup.fresh, "card")
    if owner == voice.viewer:
        return "Who do you ask for trust?", "They may trust your shuffle, or do it again their own way."
    sub = f"The new army has {new}. Distrust it with a shuffle, a cut or a turn."
    return f"Do you trust {voice.of(owner)} shuffle?", sub


def due_kit(state: Snapshot, words: Words, seat: int) -> Equipment | None:
    """WAR-83: return the first piece of equipment that a seat must play before it flips, or None."""
    place = due_card(state, seat) if phase_of(state) == "PREP" else NOBODY
    return words.equipment[kit_in(state, IN_HAND + seat)[place] - 1] if place != NOBODY else None


def ask_flip(state: Snapshot, words: Words, voice: Voice) -> Question:
    kit = [words.equipment[number - 1] for number in kit_in(state, IN_HAND + voice.viewer) if number > 0]
    if state.round_no == 1 and kit:
        return "Ready? Flip!", "All cards turn together. No equipment in the first round."
    due = due_kit(state, words, voice.viewer)
    if due:
        return f"{due.name} must be played.", "Flipping now would hide it, which is cheating."
    playable = any("PREP" in one.windows for one in kit)
    text = "Flip, or play equipment first?" if playable else "Ready? Flip!"
    return text, "All cards turn when everybody has flipped."


def ask_dispute(state: Snapshot, words: Words, voice: Voice) -> Question:
    text = f"{voice.title(state.challenger)} wants to settle it by war. Accept?"
    return text, "With a shadow deck, for bragging rights. No card changes hands."


def ask_reaction(state: Snapshot, words: Words, voice: Voice) -> Question:
    return f"{as_it_stands(state, voice)[1]}. Play equipment?", "Everybody is asked in turn until all have passed."


def ask_race(state: Snapshot, words: Words, voice: Voice) -> Question:
    wanted = fight.printed_actions(state, fight.fighters(state))
    actions = [titled(action) for number, action in enumerate(words.actions) if wanted >> number & 1]
    text = f"Quick! {' or '.join(actions)}!"
    return text, "The first right answer takes the pot. A wrong one puts you out."


def ask_choice(state: Snapshot, words: Words, voice: Voice) -> Question:
    wars = listed([plural_rank(war.rank) for war in state.wars[: state.war_count]])
    card = words.rank_in_words(state.faces[voice.viewer])
    text = f"War of {wars}, and you show {card}. Flee, or buy in?"
    return text, "Fleeing saves your card. Buying in costs two cards."


QUESTIONS: dict[Phase, Question | Callable[[Snapshot, Words, Voice], Question]] = {
    "EXTREME": ("Do you feel extreme?", "If you say no, you are not dealt in. No hard feelings."),
    "REGROUP": ask_trust,
    "PREP": ask_flip,
    "DISPUTE": ask_dispute,
    "REACT": ask_reaction,
    "WILD": ("Your Wild: what is it?", "Keep 16, or call the rank of another card to tie it: that is war."),
    "RACE": ask_race,
    "CHOICE": ask_choice,
    "BRACE": ("The stakes are laid. Play equipment?", "Recruits are picked next."),
    "RECRUIT": ("Pick your recruit from the ring", "All recruits turn together; the highest takes the pot."),
    "CLASH": ask_reaction,
    "SWEEP": ("It is all yours. Sweep!", "You do not have to choose anything."),
}


def picked_prompt(state: Snapshot, words: Words, voice: Voice, picks: Sequence[int]) -> Prompt:
    """Return the prompt for an unfinished move."""
    first, chosen = picks[0], len(picks) > 1
    if first == draft.CATCHING:
        price = state.options.false_catch
        cost = f"If you are wrong, it costs you {count_of(price, 'card')}." if price else ""
        text = f"Catch {voice.names[picks[1] % SEATS]} cheating?" if chosen else "Who hides a card that must be played?"
        return Prompt("yours", text, cost or "A false accusation costs nothing here.", "WAR-86")
    if first == draft.QUARRELLING:
        text = f"Settle it with {voice.names[picks[1] % SEATS]}?" if chosen else "Who do you quarrel with?"
        return Prompt("yours", text, "A war with a shadow deck, for bragging rights.", "WAR-89")
    if first >= draft.PLAYING:
        kit = words.equipment[first - draft.PLAYING - 1]
        whom = {"rival": ": on whom?", "seat": ": on whom?", "slot": ": which slot?"}.get(kit.target, "?")
        clause = "WAR-74" if kit.kind == "once" else "WAR-79"
        return Prompt("yours", f"{kit.name}{'?' if chosen else whom}", f"{kit_text(kit)}.", clause)
    tricks = draft.tricks_in_words(draft.handling_of(picks))
    return Prompt("yours", f"{tricks.capitalize()} the new army?", "In this order, each once.", "WAR-63")


# --- advice ------------------------------------------------------------------------------------------------------


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice, such as `Play Slingshot on Bo`."""
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
            return f"Distrust {voice.of(state.regroup.owner)} shuffle: {draft.tricks_in_words(handling)}"
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
            number, target = draft.kit_and_target(which)
    return f"Play {words.equipment[number - 1].name}{aimed(state, voice, number, target)}"


def aimed(state: Snapshot, voice: Voice, number: int, target: int) -> str:
    """Return the target of equipment as text, such as ` on Bo` or ` from slot 3 on`. It is empty if there is no
    target."""
    if not target:
        return ""
    if draft.is_slot(state, number):
        return f" from slot {target} on"
    return " on yourself" if target - 1 == voice.viewer else f" on {voice.name(target - 1)}"


# --- the middle --------------------------------------------------------------------------------------------------


def headline(state: Snapshot, voice: Voice) -> Headline | None:
    """Return the headline: the deciding card of a fight, or the result of the last round. Return None during a war."""
    if state.over or phase_of(state) == "EXTREME" or (state.war_count and phase_of(state) != "CHOICE"):
        return None
    if fight.fighters(state):
        rank, text = as_it_stands(state, voice)
        return Headline("as it stands", short_rank(rank), text)
    swept = swept_by(state)
    if all(card == EMPTY for card in state.turned):
        return Headline("round", str(state.round_no), "Everybody turns a card.")
    if swept == NOBODY:
        return Headline("last round", "–", "Nobody took anything.")
    card = state.turned[swept]
    big = short_rank(fight.card_rank(state, card)) if card != EMPTY else "–"
    return Headline("last round", big, f"{voice.does(swept, 'take')} the pot.")


def short_rank(rank: int) -> str:
    """Return a rank in short form, such as `K`, `9` or `19`."""
    return rank_name(rank)[0] if 11 <= rank <= 15 else str(rank)


def as_it_stands(state: Snapshot, voice: Voice) -> tuple[int, str]:
    """Return the rank that decides the fight, and a sentence about the outcome if nothing changes.

    Examples: `Dai’s Speed makes a race`, `War of 9s`, `Bo leads with a King`.
    """
    seats = fight.fighters(state)
    kind = fight.acting_kind(fight.kinds_present(state, seats))
    if kind >= WAR:  # kinds are ordered by rank
        return WAR_RANK + kind - WAR, special_line(state, seats, kind, voice)
    powers = fight.all_powers(state, seats)
    tied, best = fight.tied_ranks(state, seats, powers), fight.highest_power(state, seats, powers)
    if tied and not fight.in_clash(state):
        ranks = [rank for rank in range(TAX_RANK, 0, -1) if tied >> rank & 1]
        return ranks[0], f"War of {listed([plural_rank(rank) for rank in ranks])}"
    if best and tied >> best & 1:
        return best, f"{plural_rank(best)} tie: another step"
    leader = next((seat for seat in in_ring_order(state, seats) if fight.power_of(powers, seat) == best), 0)
    return best, f"{voice.does(leader, 'lead')} with {a_rank(best) if best else rank_name(best)}"


def special_line(state: Snapshot, seats: int, kind: int, voice: Voice) -> str:
    """Return a sentence about the effect of the special kind that acts in a fight."""
    owners = [voice.of(seat) for seat in in_ring_order(state, fight.seats_of_kind(state, seats, kind))]
    if owners[0] == "your":
        owners[0] = "Your"
    if kind == WIN and len(owners) > 1:
        return "The Win cards go to war"
    does = {
        TAX: "Tax takes everything",
        WIN: "Win takes the pot",
        SPEED: "Speed makes a race",
        WAR: "War card calls to arms",
    }
    return f"{listed(owners)} {does[kind]}"
