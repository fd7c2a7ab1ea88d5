"""CHIMAX JACKPOT: the scene of a table, for all screens."""

from collections.abc import Sequence

from fairdeal.engine.kit.snapshots import Snapshot
from fairdeal.engine.records import UNKNOWN
from fairdeal.engine.scene import (
    Card,
    Choice,
    Counter,
    Headline,
    Panel,
    Scene,
    Score,
    Voice,
    Zone,
    count_of,
    counted,
    legal_for,
)
from fairdeal.engine.scene.instruments import NO_CHOICE, PayLine, Reel, Reels
from fairdeal.engine.scene.zones import on_cards, zone
from fairdeal.games.chimax.cards import FACE_CODES, SIGNS, card_on_table
from fairdeal.games.chimax.jackpot import state as jackpot
from fairdeal.games.chimax.jackpot.rules.lines import worth_of_line
from fairdeal.games.chimax.jackpot.rules.play import legal_actions
from fairdeal.games.chimax.jackpot.text import prompts
from fairdeal.games.chimax.picture.parts import cards_of, fan, pack_zone, seats_of
from fairdeal.games.chimax.state import OWN_PHASE
from fairdeal.games.chimax.text.words import shared_choices

SHOWN = 4
"""Maximum number of Books in a scene, which shows only the last ones."""


def scene(state: Snapshot, voice: Voice, picks: Sequence[int]) -> Scene:
    """Return the scene for the viewer of `voice`."""
    options, several = state.options, state.options.deals > 1
    turning = state.reel if state.phase in (jackpot.REEL, jackpot.DECLARING) else -1
    piles = [pile_zone(reel, pile.held[::-1]) for reel, pile in enumerate(state.stock)]
    columns = [column_zone(reel, column.held, reel == turning) for reel, column in enumerate(state.columns)]
    reels = [part for both in zip(piles, columns, strict=True) for part in both]
    legal = legal_for(state, voice.viewer, legal_actions, jackpot.ACTIONS)
    return Scene(
        skin="chimax",
        title="Jackpot",
        sub=f"1 player · {options.deals} deals" if several else f"1 player · par {options.par}",
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        tray="none",
        facts=(*[f"deal {state.match.game} of {options.deals}"] * several, f"spin {state.spin} of {options.spins}"),
        seats=seats_of(state, voice, [counters(state)]),
        panels=tuple(
            Panel(id=f"reel{reel}", title=name, text="turns" if reel == turning else "")
            for reel, name in enumerate(prompts.REEL_NAMES)
        ),
        zones=(*reels, books_zone(state), *pack_zone(state)),
        headline=Headline(tag="Jackpot", big="∞ ∞ ∞", text=count_of(1 + options.jackpot_bonus, "point")),
        stage=machine(state, legal, columns) or fan(state, legal),
        prompt=prompts.prompt(state, voice),
        choices=tuple(choices_of(state, legal, columns)),
        score=score(state),
        result=prompts.result(state, voice),
    )


def machine(state: Snapshot, legal: Sequence[int], columns: Sequence[Zone]) -> Reels | None:
    """Return the machine: the reels, the paying lines with their values and reasons, and the points still needed for
    par. It is also shown after the game."""
    if state.phase < OWN_PHASE and not state.over:
        return None
    turning = state.reel if state.phase in (jackpot.REEL, jackpot.DECLARING) else -1
    books = range(jackpot.LINES) if state.phase == jackpot.CLAIMING else ()
    found = prompts.outs(state) if state.phase == jackpot.REEL else ()
    return Reels(
        reels=tuple(
            Reel(name, f"stock{reel}", f"column{reel}", state.stock[reel].length, turns=reel == turning)
            for reel, name in enumerate(prompts.REEL_NAMES)
        ),
        zones=(*(f"{part}{reel}" for reel in range(jackpot.REELS) for part in ("stock", "column")), "books"),
        turn=state.spin,
        of=state.options.spins,
        points=state.points,
        par=state.options.par,
        won="books",
        lines=tuple(
            PayLine(
                cards=tuple(cards_in_line(columns, line)),
                label=prompts.signs_of(prompts.faces_of(state, line)),
                why=prompts.why_it_pays(state, line),
                value=worth_of_line(state, line),
                choice=jackpot.CLAIM + line if jackpot.CLAIM + line in legal else NO_CHOICE,
            )
            for line in books
            if prompts.faces_of(state, line)
        ),
        outs=tuple(FACE_CODES[face] for face in found),
        need=prompts.outs_in_words(found) if state.phase == jackpot.REEL else "",
        flip=jackpot.FLIP if jackpot.FLIP in legal else NO_CHOICE,
        hold=jackpot.HOLD if jackpot.HOLD in legal else NO_CHOICE,
    )


def counters(state: Snapshot) -> tuple[Counter, ...]:
    found = [counted(state.books.length // 3, "Book"), counted(state.points, "point")]
    if state.options.deals > 1:
        found.append(Counter("in all", prompts.total(state)))
    if state.options.streak:
        found.append(Counter("streak", state.streak))
    return tuple(found)


def score(state: Snapshot) -> Score:
    """Return the score pad: the points of the current deal, or of the previous deal between deals (GEN-15), with par,
    and the total of all deals (JACK-11)."""
    points, par, deal = state.points, state.options.par, state.match.game
    waits = state.phase < OWN_PHASE and not state.over and deal > 1
    rows: list[tuple[int | str, ...]] = [(f"Deal {deal - waits}", points, par, "won" if points >= par else "")]
    if state.options.deals > 1:
        rows.append(("All deals", prompts.total(state), "", ""))
    return Score(head=("", "points", "par", ""), rows=tuple(rows))


def pile_zone(reel: int, kinds: list[int]) -> Zone:
    """Return the zone of a pile, starting with the next card. In an open pile the cards are face down, but their faces
    are known (JACK-05)."""
    shown = len(kinds) if any(kind != UNKNOWN for kind in kinds) else 0
    faces = [None if kind == UNKNOWN else FACE_CODES[kind] for kind in kinds[:shown]]
    cards = [Card(f"stock{reel}.{shown - place}", face, down=True, back="chimax") for place, face in enumerate(faces)]
    return zone(
        f"stock{reel}",
        "centre",
        "lap" if shown else "stack",
        cards,
        label="Pile",
        say=f"{prompts.REEL_NAMES[reel].lower()} pile, {len(kinds)} left",
        count=len(kinds),
        size="mini" if shown else "small",
        panel=f"reel{reel}",
    )


def column_zone(reel: int, kinds: list[int], turns: bool) -> Zone:
    """Return the zone of a column, with the top card last."""
    id, say = f"column{reel}", f"{prompts.REEL_NAMES[reel].lower()} column"
    cards = cards_of(id, kinds)
    return zone(id, "centre", "column", cards, say=say, slots=1, heed=turns, size="table", panel=f"reel{reel}")


def books_zone(state: Snapshot) -> Zone:
    """Return the zone of the Books claimed in this deal."""
    first = max(0, state.books.length - 3 * SHOWN)
    cards = [
        card_on_table(f"book{place // 3}.{place % 3}", kind, group=place // 3)
        for place, kind in enumerate(state.books.held[first:], first)
    ]
    count = state.books.length // 3
    return zone("books", "own", "groups", cards, label="Books", count=count, fold=True, size="small")


def choices_of(state: Snapshot, legal: Sequence[int], columns: Sequence[Zone]) -> list[Choice]:
    """Return the choices: a choice on the pile flips, one on the top card holds, and those on the cards of a Book claim
    it. Buttons have the same effects."""
    choices = shared_choices(legal)
    for action in legal:
        match jackpot.ACTIONS.decode(action):
            case "flip", _:
                choices.append(Choice(action, "zone", "Flip", on=f"stock{state.reel}"))
                choices.append(Choice(action, "button", "Flip", main=len(legal) == 1))
            case "hold", _:
                choices += on_cards(action, "Hold", [columns[state.reel].cards[-1].id])
                choices.append(Choice(action, "button", "Hold"))
            case "stand_for", face:
                choices.append(Choice(action, "value", SIGNS[face]))
            case "claim", line:
                book, note = prompts.faces_of(state, line), f"+{worth_of_line(state, line)}"
                label = f"Claim {prompts.book_in(book, line)}"
                choices += on_cards(action, label, cards_in_line(columns, line), note=note)
                choices.append(Choice(action, "button", label, note=note, main=len(legal) == 2))
            case "done", _:
                choices.append(Choice(action, "button", "Spin on"))
    return choices


def cards_in_line(columns: Sequence[Zone], line: int) -> list[str]:
    """Return the ids of the cards in a line."""
    if line == jackpot.ACROSS:
        return [column.cards[-1].id for column in columns]
    return [card.id for card in columns[line - 1].cards[-3:]]
