"""CHIMAX JACKPOT: the sentence that says what to do, the words on buttons, and how a game ended."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Prompt, Result, Voice, count_of, listed
from fairdeal.games.chimax.cards import SIGNS
from fairdeal.games.chimax.deck import FACES, INFINITY, QUESTION
from fairdeal.games.chimax.jackpot.rules.lines import faces_claimed, shown_face, worth_of_book
from fairdeal.games.chimax.jackpot.rules.play import may_hold
from fairdeal.games.chimax.jackpot.state import (
    ACROSS,
    ALLOWED,
    CLAIM,
    CLAIMING,
    COMPLETING,
    DECLARING,
    DONE,
    FLIP,
    HOLD,
    LINES,
    REELS,
    STAND_FOR,
)
from fairdeal.games.chimax.jackpot.text.notation import LINE_NAMES
from fairdeal.games.chimax.state import OVER
from fairdeal.games.chimax.text.words import outcome, shared_prompt

REEL_NAMES = ("Left", "Middle", "Right")


def faces_of(state: Record, line: int) -> tuple[int, int, int] | None:
    """The three faces that a line stands for as a Book; None if it is none."""
    faces = int(faces_claimed(state, line))
    return None if faces < 0 else (faces // (FACES * FACES), faces // FACES % FACES, faces % FACES)


def button_label(state: Record, action: int) -> str:
    """The words on the button of one of the game's own actions."""
    if action in (FLIP, HOLD):
        return "Flip" if action == FLIP else "Hold"
    if action == DONE:
        return "Spin on"
    if CLAIM <= action < DONE:
        line = action - CLAIM
        faces = faces_of(state, line)
        book = " ".join(SIGNS[face] for face in faces) if faces else ""
        return f"Claim {book} {where(line)}"
    return SIGNS[action - STAND_FOR]


def where(line: int) -> str:
    """`across`, `in the left column`."""
    return "across" if line == ACROSS else f"in the {LINE_NAMES[line]} column"


def points_for(state: Record, line: int) -> int:
    """What a claim of this line would score."""
    faces = faces_of(state, line)
    return int(worth_of_book(state, *faces)) if faces else 0


def prompt(state: Record, voice: Voice) -> Prompt:
    """The sentence of the moment."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    phase, reel = int(state.phase), int(state.reel)
    if voice.viewer != 0:
        return Prompt("waiting", f"{voice.title(0)} plays the machine.", "", "JACK-03")
    if phase == DECLARING:
        return Prompt("yours", "A ? turns up. What does it stand for?", "Once said, it stays said.", "JACK-06")
    if phase == CLAIMING:
        best = max(points_for(state, line) for line in range(LINES))
        return Prompt(
            "yours",
            "A Book! Do you claim it?",
            f"{count_of(best, 'point')}, and the cards leave the columns.",
            "JACK-08",
        )
    if may_hold(state):
        return Prompt("yours", f"{REEL_NAMES[reel]} reel: flip a new card, or hold?", promise(state, reel), "JACK-03")
    empty = int(state.columns[reel].length) == 0
    why = "An empty column holds nothing." if empty else "A spin flips one card at least."
    return Prompt("yours", f"{REEL_NAMES[reel]} reel: flip a card.", why, "JACK-04")


def promise(state: Record, reel: int) -> str:
    """What the cards that lie open already make, or would make with the right card."""
    if all(int(state.columns[one].length) for one in range(REELS)):
        top = faces_of(state, ACROSS)
        if top and int(state.flipped):
            held = "Hold here" if reel == REELS - 1 else "Hold from here on"
            jackpot = "a Jackpot" if top[0] == top[1] == INFINITY else "a Book"
            return f"{held}, and the line reads {' '.join(SIGNS[face] for face in top)}: {jackpot}."
    wanted = wanted_down(state, reel)
    if wanted:
        return f"Down the column, {wanted} would make a Book."
    return "Three alike or three neighbours, across or down."


def wanted_down(state: Record, reel: int) -> str:
    """The faces that would make a Book of a column: `15 or a ?`."""
    column = state.columns[reel].cards.tolist()[: int(state.columns[reel].length)]
    if len(column) < 2:
        return ""
    below, top = (shown_face(state, card) for card in column[-2:])
    faces = int(COMPLETING[int(state.options.run_order), 2, below, top])
    signs = [SIGNS[face] for face in range(FACES) if faces >> face & 1 and face != QUESTION]
    if faces & int(ALLOWED[int(state.options.qmark_values)]):
        signs.append("a ?")
    if len(signs) > 5:
        return "nearly anything"
    return listed(signs, "or")


def total(state: Record) -> int:
    """JACK-11: the points of all deals, those of a deal under way too."""
    running = int(state.phase) >= OVER + 1
    return int(state.match.totals[0]) + (int(state.points) if running else 0)


def result(state: Record, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    return outcome(state, voice, (total(state),), "point", decided(state))


def decided(state: Record) -> str:
    """JACK-11: one deal against par; of several, what the last one brought."""
    points, par = int(state.points), int(state.options.par)
    books = count_of(int(state.books.length) // 3, "Book")
    if int(state.options.deals) > 1:
        return f"The last deal: {count_of(points, 'point')} in {books}, par {par}."
    if points >= par:
        return f"{books}, and par was {par}: the machine pays."
    return f"{books}, and par was {par}: the house thanks you."
