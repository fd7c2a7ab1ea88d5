"""CHIMAX BOOKS: why the greedy bot chose a move, in a line."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import Record
from fairdeal.games.chimax.books.rules import slot_of
from fairdeal.games.chimax.books.state import DECLARING
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, QUESTION, RANK
from fairdeal.games.chimax.state import DECLARE, OWN
from fairdeal.games.chimax.trick import strength, winning_entry


def reason(state: Record, player: int, actions: Sequence[int]) -> str:
    """Why the greedy bot chose a move."""
    action = actions[0]
    if int(state.phase) == DECLARING:
        return reason_to_declare(state, action)
    if action < OWN:
        return "There is nothing to be clever about here."
    card = int(state.hands[player].cards[slot_of(state, player, action)])
    if card < 0:
        return "Nobody knows what lies there: one card is as good as another."
    if card == QUESTION:
        return "A ? can stand for a high number, and counts for a pair."
    if not int(state.book.length):
        return "Of what is left unseen, this much may be risked."
    best = int(winning_entry(state.book))
    if int(RANK[card]) > int(strength(state.book, best)):
        return "It wins as the Book lies, and nothing better needs to go."
    return "This Book is lost to you, so the least goes."


def reason_to_declare(state: Record, action: int) -> str:
    value = DECLARED + FIFTEEN + action - DECLARE
    rank = int(RANK[value])
    others = [int(strength(state.book, entry)) for entry in range(int(state.book.length))]
    if all(rank > other for other in others):
        return "The value that wins, as the Book lies."
    return "It cannot win, so the highest value is burnt: nobody else can have it."
