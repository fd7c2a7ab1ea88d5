"""CHIMAX BOOKS: the sentence that says what to do, the words on buttons, and how it ended."""

from __future__ import annotations

from fairdeal.engine.records import Record
from fairdeal.engine.scene import Prompt, Result, Score, Voice, count_of, listed
from fairdeal.engine.seats import members
from fairdeal.games.chimax.books.state import CHOOSE, DECLARING, FACE, PLAY, SLOT, SPECIALS_ONLY, TOP, TOP_ONLY
from fairdeal.games.chimax.cards import NAMES, name_of
from fairdeal.games.chimax.rules.trick import winning_entry
from fairdeal.games.chimax.text.words import outcome, shared_prompt


def result(state: Record, voice: Voice) -> Result | None:
    """The end, or None while the game runs."""
    totals = state.match.totals.tolist()[: int(state.players)]
    why = ""
    if not int(state.tied) and max(totals) < int(state.options.target):
        rounds = count_of(int(state.match.game), "round")
        why = f"Nobody reached {int(state.options.target)} in {rounds}, so the points count as they are."
    return outcome(state, voice, totals, "point", why)


ALL_AT_ONCE = "All cards are turned up together."


def card_label(action: int) -> str:
    """The words for playing a card."""
    if action == TOP:
        return "Turn the top card"
    return f"Play {NAMES[action - FACE]}" if action >= FACE else f"Turn slot {action - SLOT + 1}"


def prompt(state: Record, voice: Voice) -> Prompt | None:
    shared = shared_prompt(state, voice, result(state, voice))
    if shared:
        return shared
    acting = members(int(state.to_act))
    if voice.viewer not in acting:
        if int(state.phase) == CHOOSE and voice.viewer >= 0:
            waiting = listed([voice.names[seat] for seat in acting])
            return Prompt("together", f"You have chosen. Waiting for {waiting}", ALL_AT_ONCE, "BOOKS-11")
        names = " and ".join(voice.title(seat) for seat in acting)
        verb = "is" if len(acting) == 1 else "are"
        wanted = "give a ? its value" if int(state.phase) == DECLARING else "play"
        return Prompt("waiting", f"{names} {verb} to {wanted}.", so_far(state, voice), "BOOKS-10")
    if int(state.phase) == DECLARING:
        return Prompt("yours", "What does your ? stand for?", value_advice(state, voice), "BOOKS-15")
    if int(state.phase) == CHOOSE:
        return Prompt("yours", f"{which_card(state)} Nobody sees it yet.", ALL_AT_ONCE, "BOOKS-11")
    if not int(state.book.length):
        return Prompt("yours", f"You lead. {which_card(state)}", "The highest card wins the Book.", "BOOKS-10")
    return Prompt("yours", f"Your turn. {which_card(state)}", so_far(state, voice), "BOOKS-12")


def which_card(state: Record) -> str:
    if int(state.options.pick) == TOP_ONLY:
        return "Lay your top card face down." if int(state.phase) == CHOOSE else "Turn your top card up."
    if int(state.phase) == CHOOSE:
        return "Which card do you choose?"
    return "Which card do you play?" if int(state.options.peek) else "Which card do you turn up?"


def so_far(state: Record, voice: Voice) -> str:
    """Who wins the Book as it lies."""
    if not int(state.book.length) or int(state.phase) not in (PLAY, DECLARING):
        return ""
    entry = int(winning_entry(state.book))
    seat, card = int(state.book.seats[entry]), name_of(int(state.book.cards[entry]))
    return f"{voice.of(seat).capitalize()} {card} wins so far."


def value_advice(state: Record, voice: Voice) -> str:
    others = int(state.players) - int(state.book.length)
    after = f" {count_of(others, 'card')} still to come." if others else ""
    return f"It ranks just under the real card of that value.{after}"


def score_pad(state: Record, voice: Voice) -> Score:
    """Books of this round, what the last scored round gave, and the totals."""
    scored = int(state.phase) not in (PLAY, CHOOSE, DECLARING)
    rows = tuple(
        (voice.title(seat), int(state.round_scores[seat]), int(state.books[seat]), int(state.match.totals[seat]))
        for seat in range(int(state.players))
    )
    return Score(head=("", "this round" if scored else "last round", "Books", "total"), rows=rows)


def scoring_words(state: Record) -> str:
    """What everybody plays for, in a line."""
    books = "" if int(state.options.scoring) == SPECIALS_ONLY else "A Book 1, "
    return f"{books}three ∞ +3, three 0 −3, two ? +1, two ½ −1"
