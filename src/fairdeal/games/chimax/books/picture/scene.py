"""CHIMAX BOOKS: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, NOBODY, Record
from fairdeal.engine.scene import Card, Choice, Counter, Headline, Scene, Voice, Zone, count_of, legal_for
from fairdeal.games.chimax.books.rules.play import legal_actions, slot_of
from fairdeal.games.chimax.books.state import (
    ACTIONS,
    CHOOSE,
    DECLARING,
    FACE,
    PLAY,
    SLOTS,
    TOP,
)
from fairdeal.games.chimax.books.text.positions import won_kinds
from fairdeal.games.chimax.books.text.prompts import card_label, prompt, result, score_pad, scoring_words
from fairdeal.games.chimax.cards import card_on_table
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, VALUES
from fairdeal.games.chimax.picture.parts import book_zone, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.rules.trick import BY_BOOK, BY_TABLE, free_values
from fairdeal.games.chimax.state import OWN
from fairdeal.games.chimax.text.words import shared_choices


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him. A move is a single pick."""
    players, viewer, target = int(state.players), voice.viewer, int(state.options.target)
    return Scene(
        skin="chimax",
        title="Chimax Books",
        sub=f"{players} players · {'own hand seen' if int(state.options.peek) else 'hands unseen'} · to {target}",
        viewer=viewer,
        mode="over" if state.over else "live",
        facts=(f"round {int(state.match.game)}",),
        seats=seats_of(state, voice, [counters_of(state, seat) for seat in range(players)]),
        zones=tuple(zones_of(state, voice)),
        headline=Headline(tag="to reach", big=str(target), text=scoring_words(state)),
        prompt=prompt(state, voice),
        choices=tuple(choices_of(state, viewer)),
        score=score_pad(state, voice),
        result=result(state, voice),
    )


def counters_of(state: Record, seat: int) -> tuple[Counter, ...]:
    taps = int(state.book.taps[seat])
    more = (Counter("Taps", taps),) if taps else ()
    return Counter("Books", int(state.books[seat])), Counter("total", int(state.match.totals[seat])), *more


def zones_of(state: Record, voice: Voice) -> list[Zone]:
    """The Book, the values that are left, hands and won piles; in a playoff what is left of them."""
    zones = []
    if not int(state.tied):
        for seat in range(int(state.players)):
            zones.append(hand_zone(state, seat, voice.viewer))
            zones.append(won_zone(state, seat, voice.viewer))
    zones += pack_zone(state)
    if int(state.taken.length):
        zones.append(taken_zone(state, voice))
    elif int(state.phase) in (PLAY, CHOOSE, DECLARING):
        zones.append(book_zone(state))
    zones += playoff_zones(state, voice.viewer)
    if int(state.phase) in (PLAY, CHOOSE, DECLARING):
        zones.append(values_zone(state, voice))
    return zones


def hand_zone(state: Record, seat: int, viewer: int) -> Zone:
    """A hand: slots keep their numbers, so a card can be followed by its slot. Committed cards are drawn apart."""
    hand, mine = state.hands[seat], seat == viewer
    committed = int(state.book.committed[seat])
    cards = []
    for slot, card in enumerate(hand.cards.tolist()[: int(hand.length)]):
        if card != EMPTY:
            mark = "chosen" if slot + 1 == committed else "exposed" if int(state.exposed[seat]) >> slot & 1 else ""
            cards.append(card_on_table(hand_card_id(seat, slot), card, mark=mark))
    return Zone(
        id=f"hand{seat}",
        place="hand" if mine else f"seat:{seat}",
        layout="fan" if mine else "lap",
        label="Your hand" if mine else "",
        say="hand",
        count=len(cards),
        cards=tuple(cards),
        size="hand" if mine else "mini",
        fold=not mine,
    )


def hand_card_id(seat: int, slot: int) -> str:
    return f"hand{seat}.{slot + 1}"


def won_zone(state: Record, seat: int, viewer: int) -> Zone:
    """BOOKS-14: a pile face down while the round is played; laid open when it is scored."""
    length = int(state.won.length[seat])
    running = int(state.phase) in (PLAY, CHOOSE, DECLARING)
    cards: list[Card] = []
    if not running:
        cards = [card_on_table(f"won{seat}.{number}", kind) for number, kind in enumerate(won_kinds(state, seat))]
    return Zone(
        id=f"won{seat}",
        place="own" if seat == viewer else f"seat:{seat}",
        layout="stack" if running else "lap",
        label="Books" if seat == viewer else "",
        say=f"won pile, {count_of(length, 'card')}",
        count=length,
        cards=tuple(cards),
        size="mini",
        fold=True,
    )


def taken_zone(state: Record, voice: Voice) -> Zone:
    """The Book just won, until the next card is played."""
    winner = int(state.taken.winner)
    cards = zip(state.taken.seats.tolist(), state.taken.cards.tolist()[: int(state.taken.length)], strict=False)
    return Zone(
        id="taken",
        place="centre",
        layout="row",
        label=f"{voice.does(winner, 'win')} this Book",
        count=int(state.taken.length),
        cards=tuple(card_on_table(f"book.{seat}", kind, mark="won" if seat == winner else "") for seat, kind in cards),
        slots=int(state.players),
        size="table",
    )


def values_zone(state: Record, voice: Voice) -> Zone:
    """BOOKS-16: what a question mark may still stand for, and who has used the others."""
    acting = int(state.turn) if int(state.turn) != NOBODY else voice.viewer
    shared = int(state.book.scope) in (BY_TABLE, BY_BOOK)
    seat = voice.viewer if voice.viewer >= 0 else max(acting, 0)
    free = int(free_values(state.book, seat))
    cards = tuple(
        card_on_table(
            f"value.{value}",
            DECLARED + FIFTEEN + value,
            mark="free" if free >> value & 1 else user_of(state, value, voice),
        )
        for value in range(VALUES)
    )
    whose = "A ?" if shared else f"{voice.of(seat).capitalize()} ?"
    return Zone(
        id="values",
        place="centre",
        layout="row",
        label=f"{whose} may still be",
        say="values of question marks",
        count=free.bit_count(),
        cards=cards,
        size="small",
        fold=True,
    )


def user_of(state: Record, value: int, voice: Voice) -> str:
    """Who has declared a value in this round."""
    for seat in range(int(state.players)):
        declared = state.book.declared[seat]
        if FIFTEEN + value in declared.cards.tolist()[: int(declared.length)]:
            return voice.title(seat)
    return "not yours"


def choices_of(state: Record, viewer: int) -> list[Choice]:
    """A choice on every card that may be played, and what the layer of all games offers."""
    legal = legal_for(state, viewer, legal_actions, ACTIONS)
    choices = []
    for action in legal:
        if action < OWN:
            continue
        choices += [
            Choice(action, "card", card_label(action), on=hand_card_id(viewer, slot))
            for slot in slots_for(state, viewer, action)
        ]
        if action == TOP:
            choices.append(Choice(action, "button", card_label(action), key="Enter", main=True))
    return choices + shared_choices(legal)


def slots_for(state: Record, viewer: int, action: int) -> list[int]:
    """The slots whose cards an action may be picked by: all of the same face."""
    if action < FACE or action == TOP:
        return [int(slot_of(state, viewer, action))]
    cards = state.hands[viewer].cards.tolist()[:SLOTS]
    return [slot for slot in range(int(state.hands[viewer].length)) if cards[slot] == action - FACE]
