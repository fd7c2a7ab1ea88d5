"""CHIMAX BOOKS: the prompt, the score pad and the result."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.scene import Prompt, Result, Score, Voice, count_of, listed
from fairdeal.games.chimax import events
from fairdeal.games.chimax.books.state import ACTIONS, CHOOSE, DECLARING, SPECIALS_ONLY, TOP_ONLY
from fairdeal.games.chimax.cards import name_of
from fairdeal.games.chimax.events import decided
from fairdeal.games.chimax.rules.trick import winning_entry
from fairdeal.games.chimax.state import OVER, OWN_PHASE
from fairdeal.games.chimax.text import words
from fairdeal.games.chimax.text.words import shared_prompt

ALL_AT_ONCE = "All cards are turned up together."


class Won(events.Won):
    """BOOKS-28, 29: the end of a game, with the target and the number of rounds played."""

    target: int
    rounds: int
    counters = ("total",)

    def why(self, voice: Voice) -> str:
        if self.decider or max(self.scores) >= self.target:
            return super().why(voice)
        return f"Nobody reached {self.target} in {count_of(self.rounds, 'round')}, so the points count as they are."


def won(state: Snapshot) -> Won:
    """Return the event that ended a finished game."""
    totals, target = tuple(state.match.totals[: state.players]), state.options.target
    return Won(totals, *decided(state), target, state.match.game, clauses=("BOOKS-28",))


def result(state: Snapshot, voice: Voice) -> Result | None:
    """Return the result, or None while the game runs."""
    return won(state).result(voice) if state.phase == OVER else None


def prompt(state: Snapshot, voice: Voice) -> Prompt | None:
    """Return the current prompt for the viewer."""
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    if voice.viewer not in state.acting:
        return waiting(state, voice)
    if state.phase == DECLARING:
        others = state.players - state.book.length
        after = f" {count_of(others, 'card')} still to come." if others else ""
        advice = f"It ranks just under the real card of that value.{after}"
        return Prompt("yours", "What does your ? stand for?", advice, "BOOKS-15")
    if state.phase == CHOOSE:
        return Prompt("yours", f"{which_card(state)} Nobody sees it yet.", ALL_AT_ONCE, "BOOKS-11")
    if not state.book.length:
        return Prompt("yours", f"You lead. {which_card(state)}", "The highest card wins the Book.", "BOOKS-10")
    return Prompt("yours", f"Your turn. {which_card(state)}", so_far(state, voice), "BOOKS-12")


def say_move(state: Snapshot, voice: Voice, actions: Sequence[int]) -> str:
    """Return a move as advice."""
    match ACTIONS.decode(actions[0]):
        case "slot", place:
            return f"Turn up the card in slot {place + 1}"
        case "face", face:
            return f"Play {name_of(face)}"
        case "top", _:
            return "Turn the top card up"
    return words.say_move(state, voice, actions)


def waiting(state: Snapshot, voice: Voice) -> Prompt:
    """Return the prompt for a viewer who has to wait for other seats."""
    if state.phase == CHOOSE and voice.viewer >= 0:
        names = listed([voice.names[seat] for seat in state.acting])
        return Prompt("together", f"You have chosen. Waiting for {names}", ALL_AT_ONCE, "BOOKS-11")
    names = " and ".join(voice.title(seat) for seat in state.acting)
    verb = "is" if len(state.acting) == 1 else "are"
    wanted = "give a ? its value" if state.phase == DECLARING else "play"
    return Prompt("waiting", f"{names} {verb} to {wanted}.", so_far(state, voice), "BOOKS-10")


def which_card(state: Snapshot) -> str:
    if state.options.pick == TOP_ONLY:
        return "Lay your top card face down." if state.phase == CHOOSE else "Turn your top card up."
    if state.phase == CHOOSE:
        return "Which card do you choose?"
    return "Which card do you play?" if state.options.peek else "Which card do you turn up?"


def so_far(state: Snapshot, voice: Voice) -> str:
    """Return a sentence about the card that is winning the Book so far, or "" for an empty Book."""
    if not state.book.length:
        return ""
    entry = winning_entry(state.book)
    card = name_of(state.book.cards[entry]).removeprefix("a ")
    return f"{voice.title_of(state.book.seats[entry])} {card} wins so far."


def score_pad(state: Snapshot, voice: Voice) -> Score:
    """Return the score pad, with the last scored round, the Books of this round, and the totals."""
    round_ = "last round" if state.phase >= OWN_PHASE else "this round"
    numbers = zip(state.round_scores[: state.players], state.books, state.match.totals, strict=False)
    rows = tuple((voice.title(seat), *points) for seat, points in enumerate(numbers))
    return Score(head=("", round_, "Books", "total"), rows=rows)


def scoring_words(state: Snapshot) -> str:
    """Return the scoring rules in one line."""
    books = "" if state.options.scoring == SPECIALS_ONLY else "A Book 1, "
    return f"{books}three ∞ +3, three 0 −3, two ? +1, two ½ −1"
