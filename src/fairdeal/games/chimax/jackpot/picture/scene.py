"""CHIMAX JACKPOT: what is on the table, for every screen."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import UNKNOWN, Record
from fairdeal.engine.scene import Card, Choice, Counter, Headline, Panel, Scene, Score, Voice, Zone, legal_for
from fairdeal.games.chimax.cards import SIGNS, card_on_table
from fairdeal.games.chimax.deck import INFINITY
from fairdeal.games.chimax.jackpot.rules.play import legal_actions
from fairdeal.games.chimax.jackpot.state import (
    ACROSS,
    ACTIONS,
    CLAIM,
    DECLARING,
    DONE,
    FLIP,
    HOLD,
    REEL,
    REELS,
    STAND_FOR,
)
from fairdeal.games.chimax.jackpot.text.prompts import REEL_NAMES, button_label, points_for, prompt, result, total
from fairdeal.games.chimax.picture.parts import cards_of, pack_zone, seats_of
from fairdeal.games.chimax.state import OWN, OWN_PHASE
from fairdeal.games.chimax.text.words import shared_choices

SHOWN = 4
"""Books that a scene holds: the last ones; the others lie under them."""


def scene(state: Record, voice: Voice, picks: Sequence[int]) -> Scene:
    """The table as the viewer of `voice` sees it; `state` is concealed for him."""
    legal = legal_for(state, voice.viewer, legal_actions, ACTIONS)
    piles = [pile_zone(state, reel) for reel in range(REELS)]
    columns = [column_zone(state, reel) for reel in range(REELS)]
    return Scene(
        skin="chimax",
        title="Jackpot",
        sub=sub(state),
        viewer=voice.viewer,
        mode="over" if state.over else "live",
        facts=facts(state),
        seats=seats_of(state, voice, [counters(state)]),
        panels=tuple(panel(state, reel) for reel in range(REELS)),
        zones=(
            *(zone for reel in zip(piles, columns, strict=True) for zone in reel),
            books_zone(state),
            *pack_zone(state),
        ),
        headline=headline(state),
        prompt=prompt(state, voice),
        choices=tuple(choices_of(state, legal, columns)),
        score=score(state),
        result=result(state, voice),
    )


def sub(state: Record) -> str:
    deals = int(state.options.deals)
    return f"1 player · {deals} deals" if deals > 1 else f"1 player · par {int(state.options.par)}"


def facts(state: Record) -> tuple[str, ...]:
    spin = f"spin {int(state.spin)} of {int(state.options.spins)}"
    deals = int(state.options.deals)
    return (f"deal {int(state.match.game)} of {deals}", spin) if deals > 1 else (spin,)


def headline(state: Record) -> Headline:
    """What everybody at this table plays for."""
    jackpot = 1 + int(state.options.jackpot_bonus)
    return Headline(tag="Jackpot", big=" ".join(3 * [SIGNS[INFINITY]]), text=f"{jackpot} points")


def counters(state: Record) -> tuple[Counter, ...]:
    found = [Counter("Books", int(state.books.length) // 3), Counter("points", int(state.points))]
    if int(state.options.deals) > 1:
        found.append(Counter("in all", total(state)))
    if int(state.options.streak):
        found.append(Counter("streak", int(state.streak)))
    return tuple(found)


def score(state: Record) -> Score:
    """JACK-11: this deal against par, and all deals."""
    par = int(state.options.par)
    points = int(state.points)
    rows: tuple[tuple[int | str, ...], ...] = (
        (f"Deal {shown_deal(state)}", points, par, "won" if points >= par else ""),
    )
    if int(state.options.deals) > 1:
        rows = (*rows, ("All deals", total(state), "", ""))
    return Score(head=("", "points", "par", ""), rows=rows)


def shown_deal(state: Record) -> int:
    """The number of the deal that lies on the table: between deals it is still the last one (GEN-15)."""
    waits = int(state.phase) < OWN_PHASE and not state.over and int(state.match.game) > 1
    return int(state.match.game) - (1 if waits else 0)


def panel(state: Record, reel: int) -> Panel:
    """A reel: its pile and its column."""
    turns = int(state.phase) in (REEL, DECLARING) and int(state.reel) == reel
    return Panel(id=f"reel{reel}", title=REEL_NAMES[reel], text="turns" if turns else "")


def pile_zone(state: Record, reel: int) -> Zone:
    """What is left of a pile. In an open one the cards lie in order, the next one first (JACK-05)."""
    kinds = state.stock[reel].cards.tolist()[: int(state.stock[reel].length)][::-1]
    open_pile = any(kind != UNKNOWN for kind in kinds)
    name = f"stock{reel}"
    return Zone(
        id=name,
        place="centre",
        layout="lap" if open_pile else "stack",
        label="Pile",
        say=f"{REEL_NAMES[reel].lower()} pile, {len(kinds)} left",
        count=len(kinds),
        cards=tuple(down_card(f"{name}.{len(kinds) - place}", kind) for place, kind in enumerate(kinds))
        if open_pile
        else (),
        size="mini" if open_pile else "small",
        panel=f"reel{reel}",
    )


def down_card(identity: str, kind: int) -> Card:
    """A card of an open pile: it lies face down, but the viewer knows it."""
    known = card_on_table(identity, kind)
    return Card(id=identity, face=known.face, down=True, back="chimax")


def column_zone(state: Record, reel: int) -> Zone:
    """A column, bottom to top: the top card comes last."""
    kinds = state.columns[reel].cards.tolist()[: int(state.columns[reel].length)]
    turns = int(state.phase) in (REEL, DECLARING) and int(state.reel) == reel
    return Zone(
        id=f"column{reel}",
        place="centre",
        layout="column",
        say=f"{REEL_NAMES[reel].lower()} column",
        count=len(kinds),
        cards=cards_of(f"column{reel}", kinds),
        slots=1,
        heed=turns,
        size="table",
        panel=f"reel{reel}",
    )


def books_zone(state: Record) -> Zone:
    """What was claimed in this deal, three cards a Book."""
    kinds = state.books.cards.tolist()[: int(state.books.length)]
    first = max(0, len(kinds) - 3 * SHOWN)
    cards = tuple(
        card_on_table(f"book{place // 3}.{place % 3}", kind, group=place // 3)
        for place, kind in enumerate(kinds)
        if place >= first
    )
    return Zone(
        id="books",
        place="own",
        layout="groups",
        label="Books",
        count=len(kinds) // 3,
        cards=cards,
        fold=True,
        size="small",
    )


def choices_of(state: Record, legal: Sequence[int], columns: Sequence[Zone]) -> list[Choice]:
    """Flipping is picked on the pile, holding on the top card, a claim on its cards; buttons do the same."""
    choices = shared_choices([action for action in legal if action < OWN])
    reel = int(state.reel)
    for action in (one for one in legal if one >= OWN):
        label = button_label(state, action)
        if action == FLIP:
            choices.append(Choice(action, "zone", label, on=f"stock{reel}"))
            choices.append(Choice(action, "button", label, main=len(legal) == 1))
        elif action == HOLD:
            choices.append(Choice(action, "card", label, on=columns[reel].cards[-1].id))
            choices.append(Choice(action, "button", label))
        elif action >= STAND_FOR:
            choices.append(Choice(action, "value", label))
        elif action >= CLAIM and action != DONE:
            line = action - CLAIM
            note = f"+{points_for(state, line)}"
            choices += [Choice(action, "card", label, on=card, note=note) for card in cards_in_line(columns, line)]
            choices.append(Choice(action, "button", label, note=note, main=len(legal) == 2))
        else:
            choices.append(Choice(action, "button", label))
    return choices


def cards_in_line(columns: Sequence[Zone], line: int) -> list[str]:
    """The ids of the cards of a line."""
    if line == ACROSS:
        return [column.cards[-1].id for column in columns]
    return [card.id for card in columns[line - 1].cards[-3:]]
