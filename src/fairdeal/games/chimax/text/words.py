"""CHIMAX: notation, buttons and prompts for the actions of the tournament layer."""

from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.kit.actions import Texts
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY
from fairdeal.engine.scene import Choice, Prompt, Result, Voice, count_of
from fairdeal.games.chimax.cards import DECLARABLE
from fairdeal.games.chimax.deck import CARDS
from fairdeal.games.chimax.rules.trick import to_declare
from fairdeal.games.chimax.state import CLOCK, CUTTING, DEALING, LAYER_ACTIONS, OWN, PLAYOFF

Reason = tuple[str, str]
"""The reason why an action is illegal, worded to follow a colon, and its clause."""

# --- moves -------------------------------------------------------------------------------------------------------

LAYER_TEXTS = Texts(
    LAYER_ACTIONS,
    deal="deal",
    cut="cut {}",
    declare=("declare {}", DECLARABLE),
    playoff_card="slot 1",
    clock="clock",
)
"""The notation of the tournament layer's actions, which a game extends: `Texts(ACTIONS, LAYER_TEXTS, keep="keep")`."""


def unreadable(texts: Texts, text: str, examples: str, places: int = 0) -> IllegalMove:
    """Return the error for `text`, which is not an action. `places` is the size of the layout, if cards are flipped."""
    match text.split(" "):
        case ["cut", number] if number.isdecimal():
            return IllegalMove(text, f"cut a pack at a place from 1 to {CARDS - 1}", "GEN-11")
        case ["flip", number] if places and number.isdecimal():
            return IllegalMove(text, f"the places are 1 to {places}", "MEM-01")
    return texts.unknown(text, examples)


def layer_reason(state: Snapshot, player: int, action: int) -> Reason | None:
    """Return the reason why an action of the tournament layer or of the house is illegal now, or None for the game's
    own actions."""
    if player == HOUSE or action == CLOCK:
        return clock_reason(state, player, action)
    if action >= OWN:
        return None
    match LAYER_ACTIONS.decode(action).verb:
        case "deal":
            return "there is nothing to deal now", "GEN-15"
        case "cut" if state.phase in (CUTTING, PLAYOFF):
            return f"cut this pack at a place from 1 to {state.pack.length - 1}", "GEN-11"
        case "cut":
            return "there is no pack to cut now", "GEN-11"
        case "declare" if to_declare(state.book) < 0:
            return "there is no question mark to declare", "BOOKS-15"
        case "declare":
            return "this value is no longer available", "BOOKS-16"
    return "there is no playoff now", "TOUR-06"


def clock_reason(state: Snapshot, player: int, action: int) -> Reason:
    """Return the reason why the clock, or another action of the house, is illegal now (TOUR-04, 05)."""
    if action != CLOCK:
        return "the house can only run the clock", "TOUR-04"
    if player != HOUSE:
        return "only the house can run the clock", "TOUR-04"
    if state.options.round_minutes <= 0:
        return "rounds have no time limit at this table", "TOUR-04"
    return "there is no round or playoff for the clock to end", "TOUR-05"


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return an action of the tournament layer as advice, or "" for one of the game's own actions."""
    if actions[0] >= OWN:
        return ""
    match LAYER_ACTIONS.decode(actions[0]):
        case "deal", _:
            return "Deal the cards"
        case "cut", place:
            return f"Cut the pack at {place} of {state.pack.length}"
        case "declare", value:
            return f"Say that your ? is {DECLARABLE[value]}"
    return "Turn your card up"


# --- choices and prompts -----------------------------------------------------------------------------------------


def shared_choices(legal: Sequence[int]) -> list[Choice]:
    """Return the choices for the tournament layer's actions in `legal`: cuts and values as numbers, and the others as
    buttons."""
    choices = []
    for action in legal:
        if action >= OWN:
            break
        match LAYER_ACTIONS.decode(action):
            case "deal", _:
                choices.append(Choice(action, "button", "Deal", key="Enter", main=True))
            case "playoff_card", _:
                choices.append(Choice(action, "button", "Turn your card up", key="Enter", main=True))
            case "cut", place:
                choices.append(Choice(action, "value", str(place), note="deep" if place > CARDS // 2 else ""))
            case "declare", value:
                choices.append(Choice(action, "value", DECLARABLE[value]))
    return choices


def shared_prompt(state: Snapshot, voice: Voice, result: Result | None) -> Prompt | None:
    """Return the prompt for the result or for a phase of the tournament layer, or None in the game's own phases."""
    if result:
        return Prompt("over", result.text, result.why, "GEN-14")
    acts, phase = voice.viewer in state.acting, state.phase
    in_playoff = phase == PLAYOFF
    to_deal = in_playoff and state.book.leader == NOBODY
    if phase == DEALING or (to_deal and state.turn == NOBODY):
        what = "the playoff" if in_playoff else "the next round"
        if acts:
            return Prompt("yours", f"You deal {what}.", "", "GEN-13")
        return Prompt("waiting", f"{voice.title(state.dealer)} deals {what}.", "", "GEN-13")
    if phase == CUTTING or to_deal:
        if acts:
            return Prompt("yours", "Where do you cut the pack?", f"{count_of(state.pack.length, 'card')}.", "GEN-11")
        return Prompt("waiting", f"{voice.title(state.turn)} cuts the pack.", "", "GEN-11")
    if not in_playoff:
        return None
    if not acts:
        waiting = " and ".join(voice.title(seat) for seat in state.acting)
        return Prompt("waiting", f"Playoff: {waiting} to play.", "", "TOUR-07")
    if state.ones[voice.viewer] == EMPTY:
        return Prompt("yours", "What does your ? stand for?", "Just under the real card of that value.", "TOUR-07")
    return Prompt("yours", "One Book decides. Turn your card up.", "The highest card wins it all.", "TOUR-07")
