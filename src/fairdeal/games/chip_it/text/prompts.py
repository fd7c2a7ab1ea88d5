"""CHIP IT: the sentence that says what to do, the headline, and why a card cannot be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Headline, Prompt, Voice, count_of
from fairdeal.games.chip_it.cards import CODES, by_number, number_of
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import GREENS
from fairdeal.games.chip_it.text.draft import Draft
from fairdeal.games.chip_it.text.outcome import result


def headline(state: Record, voice: Voice) -> Headline:
    if is_open(state):
        return Headline(tag="open round", big="any", text="any number of cards, any value")
    owner = int(state.top.owner)
    return Headline(
        tag="to beat",
        big=str(int(state.top.value)),
        text=f"{count_of(int(state.top.count), 'card')} · by {voice.name(owner)}",
    )


def prompt(state: Record, draft: Draft | None, voice: Voice) -> Prompt:
    if state.over:
        ended = result(state, voice)
        return Prompt("over", ended.text if ended else "", ended.why if ended else "", "CHIP-64")
    if draft is None:
        return Prompt("waiting", f"{voice.names[int(state.turn)]} is choosing")
    if not draft.picks:
        return first_prompt(state, draft.player)
    if draft.value is None:
        chosen = " and ".join(str(number_of(kind)) for kind in by_number(draft.kinds))
        return Prompt(
            "yours",
            f"{count_of(draft.need, 'more card')} to go with {chosen}",
            "They must all reach one value.",
            "CHIP-22",
        )
    return value_prompt(draft)


def first_prompt(state: Record, player: int) -> Prompt:
    if not state.hands[player].length:
        return Prompt("yours", "How many points do you give back?", "You have no cards left.", "CHIP-43")
    if is_open(state):
        return Prompt(
            "yours", "What do you lead?", "Any number of cards that share a value; points raise them.", "CHIP-21"
        )
    count, value = int(state.top.count), int(state.top.value)
    cards = "a card" if count == 1 else f"{count} cards"
    return Prompt("yours", f"Beat {value} with {cards}, or pass?", "A pass gives back up to two points.", "CHIP-22")


def value_prompt(draft: Draft) -> Prompt:
    kinds = by_number(draft.kinds)
    numbers = " and ".join(str(number_of(kind)) for kind in kinds)
    more = " You may add cards." if is_open(draft.state) else ""
    if len(draft.prices) == 1:
        return Prompt("yours", f"Play {numbers} as {draft.value}?", more.strip(), "CHIP-25")
    purple = [kind for kind in kinds if kind >= GREENS]
    steps = f"{number_of(purple[-1])} takes only its multiples." if purple else "Green climbs by one a point."
    raised = "" if draft.prices.get(draft.value or 0) else " As they are, it is free."
    return Prompt(
        "yours", f"Play {numbers} at which value?", f"{steps}{raised}{more}", "CHIP-24" if purple else "CHIP-23"
    )


def why(state: Record, viewer: int, picks: Sequence[int], card: str) -> tuple[str, str]:
    """Why a card of the hand cannot be chosen now, and the clause."""
    kind = next((kind for kind, code in enumerate(CODES) if card.startswith(f"{code}.")), None)
    if int(state.turn) != viewer or state.over:
        return "It is not your turn.", "CHIP-12"
    draft = Draft(state, viewer, picks)
    if kind is None or kind not in draft.rest():
        return "Only cards of your hand can be played.", "CHIP-20"
    if not is_open(state) and draft.need <= 0:
        return f"The play to beat has {count_of(int(state.top.count), 'card')}.", "CHIP-22"
    if not is_open(state) and int(state.hands[viewer].length) < int(state.top.count):
        return f"You need {count_of(int(state.top.count), 'card')} to beat this play.", "CHIP-22"
    others = f" together with {' '.join(CODES[k] for k in by_number(draft.kinds))}" if draft.kinds else ""
    cap = "" if highest_value(state) >= number_of(kind) else f" No value above {highest_value(state)} is allowed."
    return (
        f"No value that {CODES[kind]} can reach{others} fits the {int(state.pool)} points of the pool.{cap}",
        "CHIP-27",
    )
