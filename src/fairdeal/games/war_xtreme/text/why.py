"""WAR X-TREME: why a card of the table cannot be chosen now, in words, and the clause."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.games.war_xtreme.catalogue.entries import Equipment
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.state import BRACE, CLASH, IN_HAND, PREP, REACT
from fairdeal.games.war_xtreme.text.standing import acts, kit_in

WINDOWS = {PREP: "PREP", REACT: "REACT", BRACE: "BRACE", CLASH: "CLASH"}
MOMENTS = {
    "PREP": "before the cards turn",
    "REACT": "when the cards have turned",
    "BRACE": "when the stakes are laid",
    "CLASH": "when the recruits have turned",
}


def why(state: Record, viewer: int, picks: object, card: str) -> tuple[str, str]:
    """Why a card cannot be chosen now."""
    if state.over:
        return "The game is over.", "WAR-92"
    if not acts(state, viewer):
        return "It is not your turn.", "WAR-07"
    name = card.partition(".")[0].removeprefix("kit/")
    words = words_of(state)
    if name in words.kit_of:
        number = words.kit_of[name]
        return why_not_played(state, words.equipment[number - 1], number in kit_in(state, IN_HAND + viewer))
    if card.startswith("slot"):
        return "Recruits are picked when the stakes of a war are laid; nobody looks at them before.", "WAR-36"
    if "?" in card:
        return "Nobody may look at this card.", "WAR-08"
    return "This card has been played: it goes where the fight sends it.", "WAR-31"


def why_not_played(state: Record, kit: Equipment, held: bool) -> tuple[str, str]:
    """Why a piece of equipment is not played."""
    if not held:
        return f"{kit.name} can no longer be played.", "WAR-84" if kit.kind == "must" else "WAR-79"
    window = WINDOWS.get(int(state.phase))
    if int(state.round_no) == 1:
        return "No equipment in the first round.", "WAR-73"
    if window is None:
        return "Equipment is played before the cards turn, or when somebody may react.", "WAR-75"
    if window not in kit.windows:
        moments = " or ".join(MOMENTS[one] for one in kit.windows)
        return f"{kit.name} is played {moments}.", "WAR-75"
    return f"{kit.name} has nothing to act on now.", "WAR-80"
