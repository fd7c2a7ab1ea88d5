"""CHIMAX BOOKS: the scene of a table, for all screens."""

from collections.abc import Sequence
from operator import itemgetter

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import EMPTY
from fairdeal.engine.scene import Card, Choice, Counter, Headline, Scene, Voice, Zone, count_of, counted, legal_for
from fairdeal.engine.scene.instruments import Spot, Trick
from fairdeal.engine.scene.zones import area_zone, hand_zone, on_cards, zone
from fairdeal.games.chimax.books.record import slots_of, won_kinds
from fairdeal.games.chimax.books.rules.play import legal_actions
from fairdeal.games.chimax.books.state import ACTIONS, TOP, TOP_ONLY
from fairdeal.games.chimax.books.text.prompts import prompt, result, score_pad, scoring_words
from fairdeal.games.chimax.cards import card_on_table, name_of
from fairdeal.games.chimax.deck import DECLARED, FIFTEEN, VALUES
from fairdeal.games.chimax.picture.parts import book_zone, fan, pack_zone, playoff_zones, seats_of
from fairdeal.games.chimax.rules.trick import BY_BOOK, BY_TABLE, free_values, winning_entry
from fairdeal.games.chimax.state import OWN_PHASE
from fairdeal.games.chimax.text.words import shared_choices


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`. Every move is a single pick."""
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    target, hands = state.options.target, "own hand seen" if state.options.peek else "hands unseen"
    return Scene(
        skin="chimax",
        title="Chimax Books",
        sub=f"{state.players} players · {hands} · to {target}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        tray="two",
        facts=(f"round {state.match.game}",),
        seats=seats_of(state, voice, [counters_of(state, seat) for seat in range(state.players)]),
        zones=tuple(zones_of(state, voice)),
        headline=Headline(tag="to reach", big=str(target), text=scoring_words(state)),
        stage=trick(state) or fan(state, legal),
        prompt=prompt(state, voice),
        choices=tuple(choices_of(state, voice.viewer, legal)),
        score=score_pad(state, voice),
        result=result(state, voice),
    )


def counters_of(state: Snapshot, seat: int) -> tuple[Counter, ...]:
    taps = state.book.taps[seat]
    counters = counted(state.books[seat], "Book"), Counter("total", state.match.totals[seat], "trophy")
    return (*counters, counted(taps, "Tap")) if taps else counters


def zones_of(state: Snapshot, voice: Voice) -> list[Zone]:
    """Return the zones: the Book, the free values, the hands and the won piles. In a playoff, return the Book and the
    single cards."""
    zones, running = [], state.phase >= OWN_PHASE
    for seat in range(0 if state.tied else state.players):
        cards = hand_cards(state, seat, voice.viewer)
        zones.append(hand_zone(seat, voice.viewer, cards, any_order=is_sorted(state)))
        zones.append(won_zone(state, seat, voice.viewer))
    zones += pack_zone(state)
    if state.taken.length:
        zones.append(taken_zone(state, voice))
    elif running:
        zones.append(book_zone(state))
    zones += playoff_zones(state, voice.viewer)
    return [*zones, values_zone(state, voice)] if running or state.taken.length else zones


def is_sorted(state: Snapshot) -> bool:
    """Return whether owners see their hands, and may play any card of them."""
    return bool(state.options.peek) and state.options.pick != TOP_ONLY


def hand_cards(state: Snapshot, seat: int, viewer: int) -> list[Card]:
    """Return the cards of a hand. Card ids contain the slot, which never changes. A hand that its owner sees is sorted
    by rank for the owner, if `is_sorted`."""
    marks = dict.fromkeys(slots_of(state.exposed[seat]), "exposed") | {state.book.committed[seat]: "chosen"}
    slots = list(enumerate(state.hands[seat].held, 1))
    if seat == viewer and is_sorted(state):
        slots.sort(key=itemgetter(1))
    return [
        card_on_table(f"hand{seat}.{slot}", kind, mark=marks.get(slot, "")) for slot, kind in slots if kind != EMPTY
    ]


def won_zone(state: Snapshot, seat: int, viewer: int) -> Zone:
    """Return the zone of a won pile, which is face down during the round and open after it is scored (BOOKS-14)."""
    running, kinds = state.phase >= OWN_PHASE, won_kinds(state, seat)
    cards = [card_on_table(f"won{seat}.{number}", kind) for number, kind in enumerate(kinds)]
    return area_zone(
        f"won{seat}",
        seat,
        viewer,
        "stack" if running else "lap",
        [] if running else cards,
        label="Books" if seat == viewer else "",
        say=f"won pile, {count_of(len(kinds), 'card')}",
        count=len(kinds),
        size="mini",
        fold=True,
    )


def taken_zone(state: Snapshot, voice: Voice) -> Zone:
    """Return the zone of the Book just won, shown until the next card is played."""
    winner = state.taken.winner
    cards = [
        card_on_table(f"book.{seat}", kind, mark="won" if seat == winner else "")
        for seat, kind in zip(state.taken.seats, state.taken.held, strict=False)
    ]
    label = f"{voice.does(winner, 'win')} this Book"
    return zone("taken", "centre", "row", cards, label=label, slots=state.players, size="table")


def trick(state: Snapshot) -> Trick | None:
    """Return the Book in play, or the one just won, as an instrument with a spot for every seat."""
    taken = bool(state.taken.length)
    if state.tied or not (taken or state.phase >= OWN_PHASE):
        return None
    book = state.taken if taken else state.book
    seats = book.seats[: book.length]
    best = seats.index(state.taken.winner) if taken else winning_entry(book) if seats else -1
    return Trick(
        tuple(
            Spot(
                seat,
                card=f"book.{seat}" if seat in seats else "",
                wins=seat in seats and seats.index(seat) == best,
                led=bool(seats) and seat == seats[0],
            )
            for seat in range(state.players)
        ),
        zones=("taken" if taken else "book",),
        done=taken,
    )


def values_zone(state: Snapshot, voice: Voice) -> Zone:
    """Return the zone of the values that a question mark may be declared as. Values that are not free show the seat
    that used them (BOOKS-16)."""
    seat = voice.viewer if voice.viewer >= 0 else max(state.turn, 0)
    cards, free = [], free_values(state.book, seat)
    for value in range(VALUES):
        mark = "free" if free >> value & 1 else user_of(state, value, voice)
        cards.append(card_on_table(f"value.{value}", DECLARED + FIFTEEN + value, mark=mark))
    whose = "A ?" if state.book.scope in (BY_TABLE, BY_BOOK) else f"{voice.title_of(seat)} ?"
    label, say, count = f"{whose} may still be", "values of question marks", free.bit_count()
    return zone(
        "values", "centre", "row", cards, label=label, say=say, count=count, size="small", cell="right", fold=True
    )


def user_of(state: Snapshot, value: int, voice: Voice) -> str:
    """Return the name of the seat that declared a value in this round, or `not yours` if no seat did."""
    users = [seat for seat, declared in enumerate(state.book.declared) if FIFTEEN + value in declared.held]
    return voice.title(users[0]) if users else "not yours"


def choices_of(state: Snapshot, viewer: int, legal: Sequence[int]) -> list[Choice]:
    """Return a choice for every playable card, and the choices of the tournament layer."""
    choices = []
    hand = dict(enumerate(state.hands[viewer].held, 1))
    for action in legal:
        match ACTIONS.decode(action):
            case "slot", place:
                label, slots = f"Turn slot {place + 1}", [place + 1]
            case "face", face:
                label, slots = f"Play {name_of(face)}", [slot for slot, kind in hand.items() if kind == face]
            case "top", _:
                label, slots = "Turn the top card", [slot for slot, kind in hand.items() if kind != EMPTY][:1]
            case _:
                continue
        choices += on_cards(action, label, [f"hand{viewer}.{slot}" for slot in slots])
        if action == TOP:
            choices.append(Choice(action, "button", label, key="Enter", main=True))
    return choices + shared_choices(legal)
