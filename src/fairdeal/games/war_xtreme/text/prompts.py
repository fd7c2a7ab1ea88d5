"""WAR X-TREME: the sentence that says what to do, and the one thing in the middle that everybody plays against."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, NOBODY, Record
from fairdeal.engine.scene import Headline, Prompt, Result, Voice, count_of, listed
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.effects_told import kit_text
from fairdeal.games.war_xtreme.catalogue.entries import Equipment
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank, rank_name
from fairdeal.games.war_xtreme.catalogue.tables import (
    SPEED,
    SPEED_RANK,
    TAX,
    TAX_RANK,
    WAR,
    WAR_RANK,
    WIN,
    WIN_RANK,
)
from fairdeal.games.war_xtreme.rules.fight import (
    acting_kind,
    all_powers,
    card_rank,
    fighters,
    in_clash,
    kinds_present,
    power_of,
    printed_actions,
    seats_of_kind,
    tied_ranks,
)
from fairdeal.games.war_xtreme.state import (
    BRACE,
    CALLING,
    CHOICE,
    CLASH,
    DISPUTING,
    DISTRUST,
    EXTREME,
    IN_HAND,
    PREP,
    RACE,
    REACT,
    RECRUITING,
    REGROUP,
    SWEEPING,
)
from fairdeal.games.war_xtreme.text.draft import CATCHING, PLAYING, QUARRELLING, tricks_in_words
from fairdeal.games.war_xtreme.text.standing import acts, kit_in, seats_in, swept_by

CLAUSES = {
    EXTREME: "WAR-03",
    REGROUP: "WAR-61",
    PREP: "WAR-30",
    DISPUTING: "WAR-89",
    REACT: "WAR-76",
    CALLING: "WAR-26",
    RACE: "WAR-18",
    CHOICE: "WAR-51",
    BRACE: "WAR-76",
    RECRUITING: "WAR-36",
    CLASH: "WAR-76",
    SWEEPING: "WAR-32",
}

RANKS = {TAX: TAX_RANK, WIN: WIN_RANK, SPEED: SPEED_RANK, WAR: WAR_RANK}

DOES = {
    REGROUP: "is asked for trust",
    DISPUTING: "is asked to settle it by war",
    REACT: "may play equipment",
    CALLING: "calls a number",
    BRACE: "may play equipment",
    RECRUITING: "picks a recruit",
    CLASH: "may play equipment",
    SWEEPING: "sweeps the table",
}
"""What one seat does while the others wait."""


def prompt(state: Record, words: Words, voice: Voice, picks: Sequence[int], ended: Result | None) -> Prompt:
    """The sentence for the viewer."""
    phase = int(state.phase)
    clause = CLAUSES.get(phase, "WAR-92")
    if ended:
        return Prompt("over", ended.text, ended.why, "WAR-92")
    if not acts(state, voice.viewer):
        return waiting_prompt(state, voice, clause)
    if picks:
        return picked_prompt(state, words, voice, picks, clause)
    text, sub = QUESTIONS[phase](state, words, voice)
    return Prompt("yours", text, sub, clause)


def waiting_prompt(state: Record, voice: Voice, clause: str) -> Prompt:
    waiting = seats_in(state, state.to_act)
    names = listed([voice.names[seat] for seat in waiting]) if waiting else "nobody"
    phase, viewer = int(state.phase), voice.viewer
    if phase in DOES:
        return Prompt("waiting", f"{names} {DOES[phase]}", "", clause)
    if viewer >= 0 and is_in(int(state.alive), viewer) and phase in (PREP, CHOICE, RACE, EXTREME):
        done = {
            PREP: "You have flipped.",
            CHOICE: "It is not yours to choose." if not int(state.choices[viewer]) else "You have chosen.",
            RACE: "You are out of this race." if is_in(int(state.locked), viewer) else "This race is not yours.",
            EXTREME: "You have answered.",
        }[phase]
        return Prompt("together", f"{done} Waiting for {names}", "", clause)
    verb = "is" if len(waiting) == 1 else "are"
    doing = {EXTREME: "asked whether to play", PREP: "getting ready", RACE: "racing", CHOICE: "choosing"}.get(
        phase, "choosing"
    )
    return Prompt("waiting", f"{names} {verb} {doing}", "", clause)


# --- questions ---------------------------------------------------------------------------------------------------

Question = tuple[str, str]


def ask_extreme(state: Record, words: Words, voice: Voice) -> Question:
    return "Do you feel extreme?", "Whoever says no is not dealt in. No hard feelings."


def ask_trust(state: Record, words: Words, voice: Voice) -> Question:
    owner = int(state.regroup.owner)
    if owner == voice.viewer:
        return "Whom do you ask for trust?", "He may believe your shuffle, or do it again his way."
    new = count_of(int(state.regroup.fresh), "card")
    return (
        f"Do you trust {voice.of(owner)} shuffle?",
        f"The new army has {new}. Distrust it with a shuffle, a cut, a turn.",
    )


def ask_flip(state: Record, words: Words, voice: Voice) -> Question:
    due = due_kit(state, words, voice.viewer)
    if due:
        return (
            f"{due.name} must be played. Do it, or flip and hide it?",
            "A hidden card is cheating, if somebody catches it.",
        )
    kit = [words.equipment[number - 1] for number in kit_in(state, IN_HAND + voice.viewer) if number > 0]
    if int(state.round_no) == 1 and kit:
        return "Ready? Flip!", "All cards turn together. No equipment in the first round."
    playable = any("PREP" in one.windows for one in kit)
    sub = "All cards turn when everybody has flipped."
    return ("Flip, or play equipment first?" if playable else "Ready? Flip!"), sub


def due_kit(state: Record, words: Words, viewer: int) -> Equipment | None:
    """WAR-83: a card in the viewer's hand that must be played now."""
    if int(state.round_no) == 1:
        return None
    held = [words.equipment[number - 1] for number in kit_in(state, IN_HAND + viewer) if number > 0]
    return next((kit for kit in held if kit.kind == "must"), None)


def ask_dispute(state: Record, words: Words, voice: Voice) -> Question:
    challenger = voice.title(int(state.challenger))
    return (
        f"{challenger} wants to settle it by war. Accept?",
        "With a shadow deck, for bragging rights. No card changes hands.",
    )


def ask_reaction(state: Record, words: Words, voice: Voice) -> Question:
    return f"{standing_line(state, words, voice)}. Play equipment?", "Everybody is asked in turn until all have passed."


def ask_brace(state: Record, words: Words, voice: Voice) -> Question:
    return "The stakes are laid. Play equipment?", "Recruits are picked next."


def ask_call(state: Record, words: Words, voice: Voice) -> Question:
    return "Your Wild: what is it?", "16 stands. The rank of another card makes a tie, and so a war."


def ask_race(state: Record, words: Words, voice: Voice) -> Question:
    wanted = int(printed_actions(state, int(fighters(state))))
    actions = [words.how[action] for number, action in enumerate(words.actions) if wanted >> number & 1]
    return (
        f"Quick! {' or '.join(actions).capitalize()}!",
        "The first right one takes the pot. A wrong one is out of the race.",
    )


def ask_choice(state: Record, words: Words, voice: Voice) -> Question:
    wars = [plural_rank(int(state.wars[war].rank)) for war in range(int(state.war_count))]
    card = words.rank_in_words(int(state.faces[voice.viewer]))
    text = f"War of {listed(wars)}, and you show {card}. Flee, or buy in?"
    return text, "Fleeing saves your card. Two cards for the tax pile buy you in."


def ask_recruit(state: Record, words: Words, voice: Voice) -> Question:
    return "Pick your recruit from the ring", "All recruits turn together; the highest takes the pot."


def ask_sweep(state: Record, words: Words, voice: Voice) -> Question:
    return "It is all yours. Sweep!", "A flourish, not a choice."


QUESTIONS = {
    EXTREME: ask_extreme,
    REGROUP: ask_trust,
    PREP: ask_flip,
    DISPUTING: ask_dispute,
    REACT: ask_reaction,
    CALLING: ask_call,
    RACE: ask_race,
    CHOICE: ask_choice,
    BRACE: ask_brace,
    RECRUITING: ask_recruit,
    CLASH: ask_reaction,
    SWEEPING: ask_sweep,
}


def picked_prompt(state: Record, words: Words, voice: Voice, picks: Sequence[int], clause: str) -> Prompt:
    """The question that a half-made move asks."""
    first = picks[0]
    if first == CATCHING:
        price = int(state.options.false_catch)
        sub = (
            f"If you are wrong, it costs you {count_of(price, 'card')}." if price else "Being wrong costs nothing here."
        )
        text = (
            f"Catch {voice.names[picks[1] % 8]} cheating?"
            if len(picks) > 1
            else "Who hides a card that must be played?"
        )
        return Prompt("yours", text, sub, "WAR-86")
    if first == QUARRELLING:
        text = f"Settle it with {voice.names[picks[1] % 8]}?" if len(picks) > 1 else "With whom do you quarrel?"
        return Prompt("yours", text, "A war with a shadow deck, for bragging rights.", "WAR-89")
    if first >= PLAYING:
        kit = words.equipment[first - PLAYING - 1]
        whom = {"rival": ": on whom?", "seat": ": on whom?", "slot": ": which slot?"}.get(kit.target, "?")
        text = f"{kit.name}{whom if len(picks) == 1 else '?'}"
        return Prompt("yours", text, f"{kit_text(kit)}.", "WAR-74" if kit.kind == "once" else "WAR-79")
    chosen = DISTRUST + sum({pick - DISTRUST for pick in picks})
    return Prompt(
        "yours", f"{tricks_in_words(chosen).capitalize()} the new army?", "In this order, each once.", "WAR-63"
    )


# --- the middle --------------------------------------------------------------------------------------------------


def headline(state: Record, words: Words, voice: Voice) -> Headline | None:
    """What counts now: the best card of a fight, or what the last round came to. A war has its own frame."""
    if state.over or int(state.phase) == EXTREME:
        return None
    if int(state.war_count) and int(state.phase) != CHOICE:
        return None
    seats = int(fighters(state))
    if seats and not in_clash(state):
        return Headline("as it stands", short_rank(what_counts(state, seats)), standing_line(state, words, voice))
    swept = swept_by(state)
    if all(int(card) == EMPTY for card in state.turned):
        return Headline("round", str(int(state.round_no)), "Everybody turns a card.")
    if swept == NOBODY:
        return Headline("last round", "–", "Nobody took anything.")
    card = int(state.turned[swept])
    big = short_rank(int(card_rank(state, card))) if card != EMPTY else "–"
    return Headline("last round", big, f"{voice.does(swept, 'take')} the pot.")


def what_counts(state: Record, seats: int) -> int:
    """The rank that decides the fight: of the kind that acts, of the highest tie, or the best."""
    kind = int(acting_kind(kinds_present(state, seats)))
    if kind >= WAR:
        return RANKS[kind]
    powers = int(all_powers(state, seats))
    tied = int(tied_ranks(state, seats, powers))
    return tied.bit_length() - 1 if tied else max(int(power_of(powers, seat)) for seat in seats_in(state, seats))


def short_rank(rank: int) -> str:
    """`K`, `9`, `19`."""
    return {15: "A", 14: "K", 13: "Q", 12: "P", 11: "J"}.get(rank, str(rank))


def standing_line(state: Record, words: Words, voice: Voice) -> str:
    """What the cards of the fight would come to: `Dai’s Speed makes a race`, `War of 9s`, `Bo leads with a King`."""
    seats = int(fighters(state))
    kind = int(acting_kind(kinds_present(state, seats)))
    owners = [voice.of(seat) for seat in seats_in(state, seats_of_kind(state, seats, kind))] if kind >= WAR else []
    if owners:
        whose = listed([owners[0].capitalize() if owners[0] == "your" else owners[0], *owners[1:]])
    if kind == TAX:
        return f"{whose} Tax takes everything"
    if kind == WIN:
        return f"{whose} Win takes the pot" if len(owners) == 1 else "The Win cards go to war"
    if kind == SPEED:
        return f"{whose} Speed makes a race"
    if kind == WAR:
        return f"{whose} War card calls to arms"
    powers = int(all_powers(state, seats))
    tied = int(tied_ranks(state, seats, powers))
    best = max((int(power_of(powers, seat)) for seat in seats_in(state, seats)), default=0)
    wars = [plural_rank(rank) for rank in range(21, 0, -1) if tied >> rank & 1]
    if wars and (not in_clash(state) or tied >> best & 1):
        return f"War of {listed(wars)}" if not in_clash(state) else f"{plural_rank(best)} tie: another step"
    leader = next((seat for seat in seats_in(state, seats) if int(power_of(powers, seat)) == best), 0)
    name = rank_name(best)
    article = "" if best in (0,) else "an " if name in ("Ace", "8", "11") else "a "
    return f"{voice.does(leader, 'lead')} with {article}{name}"
