"""CHIMAX: the actions of the tournament layer in writing, on buttons, in prompts and in the log."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.records import EMPTY, HOUSE, NOBODY, Record
from fairdeal.engine.scene import Choice, Line, Prompt, Result, Voice, count_of, listed, places_by
from fairdeal.engine.seats import members
from fairdeal.games.chimax.cards import DECLARABLE, name_of
from fairdeal.games.chimax.deck import CARDS
from fairdeal.games.chimax.rules.trick import to_declare, winning_entry
from fairdeal.games.chimax.state import CLOCK, CUT, CUTTING, DEAL, DEALING, DECLARE, OVER, OWN, PLAYOFF, PLAYOFF_CARD

CUT_MOVE = re.compile(r"cut ([0-9]{1,3})")
WORDS = {"deal": DEAL, "slot 1": PLAYOFF_CARD, "clock": CLOCK}
TEXTS = {action: text for text, action in WORDS.items()}

# --- moves -------------------------------------------------------------------------------------------------------


def write_shared(action: int) -> str | None:
    """The text of an action of the layer; None for one of the game's own."""
    if action in TEXTS:
        return TEXTS[action]
    if action < DECLARE:
        return f"cut {action - CUT}"
    return f"declare {DECLARABLE[action - DECLARE]}" if action < PLAYOFF_CARD else None


def read_shared(text: str) -> int | None:
    """The action of the layer that a text names; None if it names none. Raises IllegalMove if there can be no such."""
    if text in WORDS:
        return WORDS[text]
    parts = CUT_MOVE.fullmatch(text)
    if parts:
        if not 1 <= int(parts[1]) < CARDS:
            raise IllegalMove(text, f"a pack is cut at 1 to {CARDS - 1}", "GEN-11")
        return CUT + int(parts[1])
    verb, _, value = text.partition(" ")
    if verb == "declare" and value in DECLARABLE:
        return DECLARE + DECLARABLE.index(value)
    return None


def explain_shared(state: Record, player: int, action: int, text: str) -> IllegalMove | None:
    """Why an action of the layer, or of the house, is not legal now; None for a seat's action of the game's own."""
    if player == HOUSE or action == CLOCK:
        return IllegalMove(text, *explain_clock(state, player, action))
    phase = int(state.phase)
    if action >= OWN:
        return None
    if action == DEAL:
        return IllegalMove(text, "nothing is to be dealt now", "GEN-15")
    if action < DECLARE:
        if phase not in (CUTTING, PLAYOFF):
            return IllegalMove(text, "there is no pack to cut now", "GEN-11")
        return IllegalMove(text, f"this pack is cut at 1 to {int(state.pack.length) - 1}", "GEN-11")
    if action < PLAYOFF_CARD:
        if to_declare(state.book) < 0:
            return IllegalMove(text, "no question mark waits for a value", "BOOKS-15")
        return IllegalMove(text, "this value is used up", "BOOKS-16")
    return IllegalMove(text, "there is no playoff now", "TOUR-06")


def explain_clock(state: Record, player: int, action: int) -> tuple[str, str]:
    """TOUR-04, 05: the clock is the house's and nothing else is; it ends what is under way, where there is a limit."""
    if action != CLOCK:
        return "the house has the clock, and nothing to play", "TOUR-04"
    if player != HOUSE:
        return "the clock is a matter of the house", "TOUR-04"
    if int(state.options.round_minutes) <= 0:
        return "rounds have no limit at this table", "TOUR-04"
    return "nothing is under way that the clock could end", "TOUR-05"


def sentence(reason: tuple[str, str]) -> tuple[str, str]:
    """A reason with its clause as a sentence of its own."""
    words, clause = reason
    return f"{words[0].upper()}{words[1:].replace('`', '')}.", clause


# --- buttons and prompts -----------------------------------------------------------------------------------------


def shared_label(action: int) -> str:
    """The words on the button of an action of the layer."""
    if action == DEAL:
        return "Deal"
    if action < DECLARE:
        return f"Cut at {action - CUT}"
    if action < PLAYOFF_CARD:
        return f"It is {DECLARABLE[action - DECLARE]}"
    return "Turn your card up"


def shared_choices(legal: Sequence[int]) -> list[Choice]:
    """The choices of the layer among legal actions: cuts and values as numbers, the rest as buttons."""
    choices = []
    for action in legal:
        if action in (DEAL, PLAYOFF_CARD):
            choices.append(Choice(action, "button", shared_label(action), key="Enter", main=True))
        elif action < DECLARE:
            choices.append(Choice(action, "value", str(action - CUT), note="deep" if action > CARDS // 2 else ""))
        elif action < PLAYOFF_CARD:
            choices.append(Choice(action, "value", DECLARABLE[action - DECLARE]))
    return choices


def shared_prompt(state: Record, voice: Voice, result: Result | None) -> Prompt | None:
    """The sentence of a phase of the layer; None in the game's own phases."""
    phase, turn = int(state.phase), int(state.turn)
    if result:
        return Prompt("over", result.text, result.why, "GEN-14")
    acts = voice.viewer >= 0 and bool(int(state.to_act) >> voice.viewer & 1)
    dealer = int(state.dealer)
    if phase == DEALING or (phase == PLAYOFF and turn == NOBODY and int(state.book.leader) == NOBODY):
        what = "the playoff" if phase == PLAYOFF else "the next round"
        if acts:
            return Prompt("yours", f"You deal {what}.", "", "GEN-13")
        return Prompt("waiting", f"{voice.title(dealer)} deals {what}.", "", "GEN-13")
    if phase == CUTTING or (phase == PLAYOFF and int(state.book.leader) == NOBODY):
        if acts:
            return Prompt(
                "yours", "Where do you cut the pack?", f"{count_of(int(state.pack.length), 'card')}.", "GEN-11"
            )
        return Prompt("waiting", f"{voice.title(turn)} cuts the pack.", "", "GEN-11")
    if phase != PLAYOFF:
        return None
    if not acts:
        waiting = members(int(state.to_act))
        return Prompt(
            "waiting", f"Playoff: {' and '.join(voice.title(seat) for seat in waiting)} to play.", "", "TOUR-07"
        )
    if int(state.ones[voice.viewer]) == EMPTY:
        return Prompt("yours", "What does your ? stand for?", "Just under the real card of that value.", "BOOKS-15")
    return Prompt("yours", "One Book decides. Turn your card up.", "The highest card wins it all.", "TOUR-07")


# --- the log -----------------------------------------------------------------------------------------------------


def shared_lines(before: Record, after: Record, player: int, action: int, voice: Voice) -> list[Line]:
    """What an action of the layer did; nothing for the game's own, nor for the end of the time in its own phases."""
    if action >= OWN:
        return []
    if action == CLOCK:
        return time_lines(before)
    if action == DEAL:
        if int(after.pack.length):
            return [Line(f"{voice.does(player, 'shuffle')}.", ("GEN-10",))]
        return [Line(f"{voice.does(player, 'deal')}.", ("GEN-13",))]
    if action < DECLARE:
        return [Line(f"{voice.does(player, 'cut')} at {action - CUT}.", ("GEN-11",))]
    if action < PLAYOFF_CARD:
        value = DECLARABLE[action - DECLARE]
        return [Line(f"{voice.of(player).capitalize()} ? is {value}.", ("BOOKS-15",)), *tap_lines(before, after, voice)]
    kind = int(before.ones[player])
    if kind < 0:
        kind = next(
            (int(after.book.cards[i]) for i in range(int(after.book.length)) if after.book.seats[i] == player), -1
        )
    return [
        Line(f"{voice.does(player, 'turn')} up {name_of(kind)}." if kind >= 0 else f"{voice.does(player, 'play')}.")
    ]


def time_lines(before: Record) -> list[Line]:
    """TOUR-05: what the end of the time did before a deal, or in a playoff."""
    if int(before.phase) not in (CUTTING, PLAYOFF):
        return []
    told = "the house cuts the pack" if int(before.pack.length) else "the playoff is played out"
    return [Line(f"Time is up: {told}.", ("TOUR-05",))]


def tap_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """BOOKS-21: a Tap is announced."""
    tapped = [seat for seat in range(4) if int(after.book.taps[seat]) > int(before.book.taps[seat])]
    return [Line(f"Tap! {voice.title(seat)} went one higher.", ("BOOKS-21",)) for seat in tapped]


def tie_lines(before: Record, after: Record, voice: Voice) -> list[Line]:
    """TOUR-06: a playoff begins."""
    if int(after.phase) != PLAYOFF or int(before.phase) == PLAYOFF:
        return []
    return [Line(f"{names_of(int(after.tied), voice)} are level: one Book decides.", ("TOUR-06",))]


def closing_lines(before: Record, after: Record, ended: Result | None, voice: Voice, *clauses: str) -> list[Line]:
    """A tie that is played off, and how the game ended."""
    lines = tie_lines(before, after, voice)
    if ended:
        lines.append(Line(f"{ended.text} {ended.why}".strip(), clauses))
    return lines


def names_of(seats: int, voice: Voice) -> str:
    """`You and Bo`, `Ada, Bo and Cleo`."""
    names = [voice.title(seat) if not number else voice.name(seat) for number, seat in enumerate(members(seats))]
    return listed(names)


# --- the end -----------------------------------------------------------------------------------------------------


def outcome(state: Record, voice: Voice, scores: Sequence[int], unit: str, why: str = "") -> Result | None:
    """How a game ended, or None while it runs: the winners first, the others by their scores."""
    if int(state.phase) != OVER:
        return None
    winners = members(int(state.winners))
    places = places_by([(seat in winners, score) for seat, score in enumerate(scores)])
    top = count_of(scores[winners[0]], unit) if winners else ""
    verb = "wins" if len(winners) == 1 and winners[0] != voice.viewer else "win"
    text = f"{names_of(int(state.winners), voice)} {verb} with {top}." if winners else "Nobody wins."
    if int(state.tied) and not why:
        entry = int(winning_entry(state.book))
        why = f"Level before the playoff, which {name_of(int(state.book.cards[entry]))} won."
    return Result(text=text, places=places, scores=tuple(scores), why=why)
