"""CHIP IT: the prompt, the headline, and the reasons why a card cannot be chosen."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Card, Headline, Prompt, Voice, Zone, count_of, listed
from fairdeal.games.chip_it.cards import KIND_OF, by_number, number_of, spoken
from fairdeal.games.chip_it.rules.legal import highest_value, is_open
from fairdeal.games.chip_it.state import ACTIONS, GREENS
from fairdeal.games.chip_it.text.draft import Draft
from fairdeal.games.chip_it.text.notation import played
from fairdeal.games.chip_it.text.outcome import result


def headline(state: Snapshot, voice: Voice) -> Headline:
    if is_open(state):
        return Headline(tag="open round", big="any", text="any number of cards, any value")
    by = f"{count_of(state.top.count, 'card')} · by {voice.name(state.top.owner)}"
    return Headline(tag="to beat", big=str(state.top.value), text=by)


def prompt(state: Snapshot, draft: Draft | None, voice: Voice) -> Prompt:
    ended = result(state, voice)
    if ended:
        return Prompt("over", ended.text, ended.why, "CHIP-64")
    if draft is None:
        return Prompt("waiting", f"{voice.names[state.turn]} is choosing")
    if not draft.picks:
        return first_prompt(state, draft.player)
    if draft.value is None:
        text = f"{count_of(draft.need, 'more card')} to go with {numbers(draft)}"
        return Prompt("yours", text, "They must all reach one value.", "CHIP-22")
    return value_prompt(draft)


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice, such as `Play 8 and 8 as 9, for 2 points`."""
    play = played(actions)
    if play is None:
        points = ACTIONS.decode(actions[0]).which
        return f"Pass and give back {count_of(points, 'point')}" if points else "Pass"
    price = f", for {count_of(play.price, 'point')}" if play.price else ""
    shown = {number_of(kind) for kind in play.kinds}
    raised = "" if shown == {play.value} else f" as {play.value}"
    return f"Play {listed_numbers(play.kinds)}{raised}{price}"


def numbers(draft: Draft) -> str:
    """Return the numbers on the chosen cards, such as `3, 5 and 5`."""
    return listed_numbers(draft.kinds)


def listed_numbers(kinds: Sequence[int]) -> str:
    """Return the numbers on some cards as a list in words, such as `3, 5 and 5`."""
    return listed([str(number_of(kind)) for kind in by_number(kinds)])


def first_prompt(state: Snapshot, player: int) -> Prompt:
    if not state.hands[player].length:
        return Prompt("yours", "Pass: how many points do you give back?", "You have no cards left.", "CHIP-43")
    if is_open(state):
        sub = "Play any number of cards that share a value, or pass and give points back."
        return Prompt("yours", "What do you lead?", sub, "CHIP-21")
    cards = "a card" if state.top.count == 1 else f"{state.top.count} cards"
    text = f"Beat {state.top.value} with {cards}, or pass?"
    return Prompt("yours", text, "If you pass, you may give back a point or two.", "CHIP-22")


def value_prompt(draft: Draft) -> Prompt:
    more = " You may add cards." if is_open(draft.state) else ""
    if len(draft.prices) == 1:
        return Prompt("yours", f"Play {numbers(draft)} as {draft.value}?", more.strip(), "CHIP-25")
    steps, clause = "Green climbs one per point.", "CHIP-23"
    if draft.kinds[-1] >= GREENS:
        steps, clause = f"The value must be a multiple of {number_of(draft.kinds[-1])}.", "CHIP-24"
    return Prompt("yours", f"Play {numbers(draft)} at which value?", f"{steps}{more}", clause)


def tapped(state: Snapshot, viewer: int, picks: Sequence[int], zone: Zone, card: Card) -> str | tuple[str, str]:
    """Return the reason why a card cannot be chosen on the viewer's turn."""
    if zone.place != "hand":
        return "table"
    draft, kind = Draft(state, viewer, picks), KIND_OF[str(card.face)]
    wanted = count_of(state.top.count, "card")
    if not is_open(state) and draft.need <= 0:
        return f"the play to beat has {wanted}", "CHIP-22"
    if not is_open(state) and state.hands[viewer].length < state.top.count:
        return f"you need {wanted} to beat this play", "CHIP-22"
    others = f" together with {', '.join(map(spoken, by_number(draft.kinds)))}" if draft.kinds else ""
    highest = highest_value(state)
    cap = "" if highest >= number_of(kind) else f". No value above {highest} is allowed"
    pool = count_of(state.pool, "point")
    unfit = f"the {pool} in the pool cannot raise {spoken(kind)}{others} to a legal value{cap}"
    return unfit, "CHIP-27"
