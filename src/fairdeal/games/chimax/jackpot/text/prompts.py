"""CHIMAX JACKPOT: the prompt, the names of Books, and the result."""

from collections.abc import Sequence

from fairdeal.engine.events import Deciding
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Prompt, Result, Voice, count_of, listed
from fairdeal.games.chimax.cards import FACE_CODES, SIGN_OF, SIGNS, name_of
from fairdeal.games.chimax.deck import FACES, INFINITY, QUESTION
from fairdeal.games.chimax.events import FinishedAlone
from fairdeal.games.chimax.jackpot.rules.lines import faces_claimed, shown_face, worth_of_line
from fairdeal.games.chimax.jackpot.rules.play import may_hold
from fairdeal.games.chimax.jackpot.state import ACROSS, ACTIONS, ALLOWED, CLAIMING, COMPLETING, DECLARING, LINES, REELS
from fairdeal.games.chimax.jackpot.text.notation import LINE_NAMES
from fairdeal.games.chimax.state import OVER, OWN_PHASE
from fairdeal.games.chimax.text import words
from fairdeal.games.chimax.text.words import shared_prompt

REEL_NAMES = ("Left", "Middle", "Right")
JACKPOT = (FACE_CODES[INFINITY],) * 3


def faces_of(state: Snapshot, line: int) -> tuple[str, ...]:
    """Return the codes of the three faces that a line stands for as a Book, or an empty tuple if it is not a Book."""
    faces = faces_claimed(state, line)
    places = () if faces < 0 else (faces // (FACES * FACES), faces // FACES % FACES, faces % FACES)
    return tuple([FACE_CODES[face] for face in places])


def signs_of(book: Sequence[str]) -> str:
    """Return faces as printed on the cards, such as `∞ ∞ ∞`."""
    return " ".join(SIGN_OF[face] for face in book)


def book_in(book: Sequence[str], line: int) -> str:
    """Return a Book and its line in words, such as `∞ ∞ ∞ across` or `1 2 3 in the left column`."""
    where = "across" if line == ACROSS else f"in the {LINE_NAMES[line]} column"
    return f"{signs_of(book)} {where}"


def prompt(state: Snapshot, voice: Voice) -> Prompt:
    """Return the current prompt."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    if voice.viewer != 0:
        return Prompt("waiting", f"{voice.title(0)} plays the machine.", "", "JACK-03")
    if state.phase == DECLARING:
        return Prompt("yours", "A ? turns up. What does it stand for?", "You cannot change it later.", "JACK-06")
    if state.phase == CLAIMING:
        best = count_of(max(worth_of_line(state, line) for line in range(LINES)), "point")
        return Prompt("yours", "A Book! Claim it?", f"{best}, and the cards leave the columns.", "JACK-08")
    reel = f"{REEL_NAMES[state.reel]} reel"
    if may_hold(state):
        return Prompt("yours", f"{reel}: flip a new card, or hold?", promise(state), "JACK-03")
    empty = not state.columns[state.reel].length
    why = "An empty reel has nothing to hold." if empty else "You must flip at least one card per spin."
    return Prompt("yours", f"{reel}: flip a card.", why, "JACK-04")


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice."""
    match ACTIONS.decode(actions[0]):
        case "flip", _:
            return f"Flip a card on the {REEL_NAMES[state.reel].lower()} reel"
        case "hold", _:
            kept = name_of(state.columns[state.reel].held[-1])
            return f"Hold {kept} on the {REEL_NAMES[state.reel].lower()} reel"
        case "stand_for", face:
            return "Let the ? be itself" if face == QUESTION else f"Let the ? stand for {name_of(face)}"
        case "claim", line:
            return f"Claim {book_in(faces_of(state, line), line)}"
        case "done", _:
            return "Spin on"
    return words.say_move(state, voice, actions)


def promise(state: Snapshot) -> str:
    """Return a sentence about the Book that the open cards make, or could make with the right card."""
    top = faces_of(state, ACROSS)
    if top and state.flipped:
        held = "Hold here" if state.reel == REELS - 1 else "Hold from here on"
        return f"{held}, and the line reads {signs_of(top)}: {'a Jackpot' if top == JACKPOT else 'a Book'}."
    wanted = wanted_down(state)
    if wanted:
        return f"Down the column, {wanted} would make a Book."
    return "Three alike or three neighbours, across or down."


def wanted_down(state: Snapshot) -> str:
    """Return the faces that would complete a Book in the column of the turning reel, such as `15 or a ?`."""
    column = state.columns[state.reel].held
    if len(column) < 2:
        return ""
    below, top = (shown_face(state, card) for card in column[-2:])
    faces = int(COMPLETING[state.options.run_order, 2, below, top])
    signs = [SIGNS[face] for face in range(FACES) if faces >> face & 1 and face != QUESTION]
    signs += ["a ?"] * bool(faces & ALLOWED[state.options.qmark_values])
    return listed(signs, "or") if len(signs) <= 5 else "nearly anything"


MOST_OUTS = 5
"""Maximum number of faces that are named one by one."""


def outs(state: Snapshot) -> tuple[int, ...]:
    """Return the faces that would complete a Book if flipped now, down the column or across with the other top
    cards."""
    order, reel = state.options.run_order, state.reel
    columns = [[shown_face(state, card) for card in column.held] for column in state.columns]
    faces = int(COMPLETING[order, 2, columns[reel][-2], columns[reel][-1]]) if len(columns[reel]) > 1 else 0
    tops = [column[-1] for other, column in enumerate(columns) if column and other != reel]
    if len(tops) == REELS - 1:
        faces |= int(COMPLETING[order, reel, tops[0], tops[1]])
    return tuple(face for face in range(FACES) if faces >> face & 1 and face != QUESTION)


def outs_in_words(faces: Sequence[int]) -> str:
    """Return a sentence about the faces that would complete a Book, such as `A 15 or a 25 makes a Book`."""
    if not faces:
        return "Three alike or three in a row, across or down"
    if len(faces) > MOST_OUTS:
        return "Nearly any card makes a Book here"
    signs = [f"{'an' if face == INFINITY else 'a'} {SIGNS[face]}" for face in faces]
    return f"{listed(signs, 'or').capitalize()} makes a Book"


def why_it_pays(state: Snapshot, line: int) -> str:
    """Return the reason why a line is a Book, in words (JACK-07, 09, 10)."""
    faces = faces_of(state, line)
    if faces == JACKPOT:
        return "Jackpot"
    if faces[0] == faces[1]:
        return "three alike"
    return "three in a row" + (", third spin running" if worth_of_line(state, line) > 1 else "")


def total(state: Snapshot) -> int:
    """Return the points of all deals, including the current one (JACK-11)."""
    dealt: int = state.match.totals[0]
    return dealt + (state.points if state.phase >= OWN_PHASE else 0)


class Won(FinishedAlone):
    """JACK-11: the end of a game, with par for a deal, the number of deals, and the points and Books of the last
    deal."""

    par: int
    deals: int
    points: int
    books: int

    def deciding(self) -> Deciding:
        return Deciding(self.best, ("in all",) if self.deals > 1 else ("point",))

    def text(self, voice: Voice) -> str:
        return f"{count_of(self.scores[0], 'point')}, par {self.par * self.deals}."

    def why(self, voice: Voice) -> str:
        books = count_of(self.books, "Book")
        if self.deals > 1:
            return f"The last deal: {count_of(self.points, 'point')} in {books}, par {self.par}."
        return f"{books}: the {'machine pays' if self.points >= self.par else 'house thanks you'}."


def won(state: Snapshot) -> Won:
    """Return the event that ended a finished game."""
    options, books = state.options, state.books.length // 3
    return Won((total(state),), options.par, options.deals, state.points, books, clauses=("JACK-11",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    par = state.options.par * state.options.deals
    return won(state).result(voice, won=total(state) >= par, par=par) if state.phase == OVER else None
