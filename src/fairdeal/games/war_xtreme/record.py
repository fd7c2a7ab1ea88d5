"""WAR X-TREME: the record of a game, its JSON form and what observations show of it (docs/rules/war-xtreme.md, part 5).

What must hold between the fields is in `conditions.py`.
"""

from dataclasses import replace

from fairdeal.engine.fields import Fields
from fairdeal.engine.kit.forms import flags, in_order, number, one_seat, some_seats
from fairdeal.engine.kit.piles import push
from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.options import options_record
from fairdeal.engine.records import EMPTY, i1, i2, record
from fairdeal.engine.written import Number, Part, Phase, Position, Seat, SeatOrNobody, Seats, Unwritten, Word
from fairdeal.games.war_xtreme import fields
from fairdeal.games.war_xtreme import state as xtreme
from fairdeal.games.war_xtreme.catalogue.tables import TAX_RANK, TWO, WILD_RANK
from fairdeal.games.war_xtreme.fields import MOST, BySeat, Kit, Member, Pile
from fairdeal.games.war_xtreme.options import WarOptions
from fairdeal.games.war_xtreme.rules.fight import in_clash
from fairdeal.games.war_xtreme.rules.kit.piles import put_in_camp, put_in_centre, put_on_army
from fairdeal.games.war_xtreme.state import CARDS, ON_TABLE, PHASES, POT, POT_UP, SEATS, SLOTS, WARS
from fairdeal.games.war_xtreme.text.standing import tagged

OF_SEATS = (i1, SEATS)
MOST_MODS = 9_999
MOST_STEPS = 100

deck = record(army=i2, camp=i2, cards=(i1, CARDS))
"""WAR-08: the record type of the cards that a seat owns. The army starts at index 0, with its top card last. The camp
is stored from the last index down, in catalogue order. Indices in between hold 0."""

centre = record(length=i2, cards=(i1, CARDS), tags=(i1, CARDS))
"""The record type of cards that do not belong to any seat: those in pots, and those under the face-up card of a table
(WAR-76). They are sorted by tag, and then by catalogue order in a pot and by age on a table."""

equipment = record(cards=(i1, xtreme.EQUIPMENT), ends=(i2, xtreme.ZONES))
"""The record type of all equipment, grouped by zone. `ends` holds the end index of each zone. Equipment in play is
ordered oldest first, the store top first, and other zones by number."""


def put_on_table(state: Fields, seat: int, card: int) -> None:
    """WAR-76: put a face-up card on a seat's table, on top of those already there."""
    if state.faces[seat] != EMPTY:
        put_in_centre(state, ON_TABLE + seat, state.faces[seat])
    state.faces[seat] = card


def on_table(state: Snapshot, seat: int) -> list[int]:
    """Return the cards on a seat's table, the face-up one last."""
    face = state.faces[seat]
    return tagged(state, ON_TABLE + seat) + ([] if in_clash(state) or face == EMPTY else [face])


POSITION = Position(
    fields.CatalogueCards((), (), "", "WAR-04"),
    options_record(WarOptions),
    SEATS,
    phase=Phase(", ".join(PHASES), names=PHASES, default="PREP", over="OVER"),
    turn=Unwritten(form=one_seat("seat to act, if there is only one")),
    acting=fields.Acting(of=list[int], value=lambda state: [*state.acting], reason="the seats that may act are {}"),
    round_no=fields.Round(key="round", lowest=1, default=2),
    marshal=Seat(),
    alive=Unwritten(store=i2, form=some_seats("seats still in the game")),
    flipped=Unwritten(store=i2, form=some_seats("seats that have flipped in this round")),
    passes=Number(highest=lambda state: state.players - 1),
    seats=fields.Rows(
        parts={
            "alive": Member(of="alive", default=True),
            "flipped": Member(of="flipped"),
            "army": Pile(
                of="decks.{}.army",
                held=lambda state, seat: state.decks[seat].cards[: state.decks[seat].army][::-1],
                put=lambda state, seat, card: put_on_army(state.decks[seat], card),
                unknown=True,
                from_below=True,
                zone="army{}",
                counter="army",
            ),
            "camp": Pile(
                of="decks.{}.camp",
                held=lambda state, seat: state.decks[seat].cards[CARDS - state.decks[seat].camp :][::-1],
                put=lambda state, seat, card: put_in_camp(state.decks[seat], card),
                zone="camp{}",
                counter="camp",
            ),
            "table": Pile(held=on_table, put=put_on_table),
            "hand": fields.HiddenKit(zones=xtreme.IN_HAND),
            "hidden": Kit(zones=xtreme.HIDDEN),
            "in_play": Kit(zones=xtreme.IN_PLAY, in_order=True),
            "brag": Number(highest=MOST),
            "wars_won": Number(highest=MOST),
            "trusted": Number(highest=MOST),
            "distrusted": Number(highest=MOST),
            "out_round": fields.Round(),
            "seen": fields.Chosen(
                names=tuple(range(1, SLOTS + 1)),
                store=i2,
                form=flags(SLOTS, "slots whose recruits the seat has seen"),
            ),
            "said": fields.Chosen(names=("catch", "dispute"), clause="WAR-86, WAR-89"),
        }
    ),
    decks=Unwritten(
        store=(deck, SEATS),
        shown={"cards": number("army, top card last, then empty places, then the camp in catalogue order")},
    ),
    # the face-up cards of a fight, or recruits while they are picked; EMPTY if a seat has none
    faces=fields.Fight("face-up card in a fight, or recruit", key="fight", store=OF_SEATS, zone="recruit{}"),
    # the card each seat turned last, at the reveal or as a recruit, visible to everyone
    turned=fields.Turned("card turned last", store=OF_SEATS, zone="turned{}"),
    # the seat that took the last pot of the round; rules read neither `turned` nor `swept`
    swept=fields.Swept(form=one_seat("seat that took the last pot of the round", first=1)),
    picked=Unwritten(store=i2, form=some_seats("warriors with a recruit for this step, or an empty hand")),
    slots=fields.Slots(room=SLOTS, form=in_order(number())),
    tax=Pile(
        of="tax",
        store=record(length=i2, cards=(i1, CARDS)),
        shown={"cards": number("cards of the tax pile")},
        held=lambda state, _: state.tax.held[::-1],
        put=lambda state, _, card: push(state.tax, card),
        unknown=True,
        from_below=True,
    ),
    centre=Unwritten(
        store=centre,
        shown={
            "cards": number("cards in pots and below the face-up cards of tables"),
            "tags": number("locations of those cards"),
        },
    ),
    war_count=Unwritten(),
    wars=fields.Rows(
        room=WARS,
        length="war_count",
        parts={
            "rank": Number(lowest=1, highest=TAX_RANK - 1, default=TWO),
            "depth": Number(highest=MOST_STEPS),
            "source": Word(names=("army", "camp"), form=number()),  # of the next stakes
            "warriors": fields.Warriors(required=True),
            "borrowing": Seats(),
            "pot_up": Pile(
                held=lambda state, war: tagged(state, war * POT + POT_UP),
                put=lambda state, war, card: put_in_centre(state, war * POT + POT_UP, card),
            ),
            "pot_down": fields.PotDown(),
            "recruits": fields.Recruits(),
        },
    ),
    mods=BySeat("amount added to the rank", store=(i2, SEATS), lowest=-MOST_MODS, highest=MOST_MODS),
    declared=BySeat(store=OF_SEATS, form=one_seat("opponent named", first=1), first=1, highest=SEATS - 1),
    called=BySeat("rank called for a Wild", store=OF_SEATS, lowest=TWO, highest=WILD_RANK),
    choices=fields.Choices("answer", store=OF_SEATS),
    locked=Seats("seats locked out of the race"),
    equipment=Unwritten(
        store=equipment,
        shown={"cards": number("all equipment, zone by zone"), "ends": number("end of each zone")},
    ),
    store=fields.HiddenKit(zones=xtreme.STORE, in_order=True),
    junk=Kit(zones=xtreme.JUNK),
    earned=fields.Earned(
        store=record(length=i1, seats=(i1, WARS), numbers=(i1, WARS)), shown={"seats": in_order(one_seat())}
    ),
    regroup=Part(  # WAR-60: the lowest `fresh` cards of the owner's army come from its camp
        phases=("REGROUP",),
        parts={
            "fresh": Number(key="new", lowest=1, highest=CARDS, required=True),
            "owner": Seat(required=True),
            "asked": SeatOrNobody(),  # NOBODY while the owner chooses the seat to ask for trust
            "purpose": Word(key="for", names=("round", "turn", "price", "stakes"), required=True, form=number()),
        },
    ),
    challenger=fields.Dispute(key="dispute", phases=("DISPUTE",)),
    caught=Seats(),
    winners=Seats(),
)

OBSERVED = replace(POSITION.observed(), rotates=False)
"""The forms in observations. Actions contain the numbers of seats, so these do not start with the viewer."""
