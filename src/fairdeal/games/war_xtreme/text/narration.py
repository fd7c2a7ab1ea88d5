"""WAR X-TREME: what a move did, in words: the move itself (moves_told.py), then what the rules did on their own."""

from __future__ import annotations

from collections.abc import Sequence

from fairdeal.engine.records import EMPTY, UNKNOWN, Record
from fairdeal.engine.scene import Line, Voice, count_of, listed
from fairdeal.engine.seats import is_in
from fairdeal.games.war_xtreme.catalogue.names import Words, plural_rank
from fairdeal.games.war_xtreme.catalogue.reading import words_of
from fairdeal.games.war_xtreme.catalogue.tables import TAX, WAR_RANK
from fairdeal.games.war_xtreme.rules.fight import card_kind
from fairdeal.games.war_xtreme.rules.piles import deck_size
from fairdeal.games.war_xtreme.state import (
    CHOICE,
    DISPUTING,
    EXTREME,
    FOR_ROUND,
    FOR_TURN,
    IN_HAND,
    PREP,
    RECRUITING,
    REGROUP,
)
from fairdeal.games.war_xtreme.text.moves_told import move_lines
from fairdeal.games.war_xtreme.text.outcome import decided, victory
from fairdeal.games.war_xtreme.text.standing import kit_count, kit_in, seats_in, swept_by, title_of

SWEEPS = (
    ("sweep", "up {cards} with a flourish"),
    ("take", "{cards} and look|looks almost humble"),
    ("gather", "in {cards} as if it had been skill"),
    ("pocket", "{cards}"),
)
"""WAR-32: the winner's flourish, in turns."""

FAREWELLS = (
    "{who} out, and may now comment freely.",
    "{who} out. The band plays something slow.",
    "{who} out of cards and out of the game.",
)
FOLDS = ("", "A war", "A double war", "A triple war")


def narrate(before: Record, after: Record, player: int, actions: Sequence[int], voice: Voice) -> list[Line]:
    """The move itself, then what came of it."""
    words = words_of(after)
    told = Told(before, after, words, voice)
    return [*move_lines(before, after, player, actions[0], words, voice), *told.lines()]


def has_round_begun(state: Record) -> bool:
    """Have the cards of the round turned?"""
    phase = int(state.phase)
    waiting = phase in (PREP, DISPUTING, EXTREME)
    return not (waiting or (phase == REGROUP and int(state.regroup.purpose) in (FOR_ROUND, FOR_TURN)))


class Told:
    """What the rules did between two moments."""

    def __init__(self, before: Record, after: Record, words: Words, voice: Voice) -> None:
        self.before, self.after, self.words, self.voice = before, after, words, voice
        self.seats = range(int(after.players))
        self.caught = int(after.caught) != int(before.caught)
        self.next_round = int(after.round_no) > int(before.round_no)
        self.ended = self.next_round or (bool(after.over) and int(before.phase) != EXTREME and not self.caught)
        self.turned = not has_round_begun(before) and (has_round_begun(after) or self.next_round) and not self.caught
        self.turned = self.turned and int(before.phase) != EXTREME
        self.clashed = int(before.phase) == RECRUITING and not self.still_picking()
        self.settled = self.ended or int(after.war_count) < int(before.war_count)

    def still_picking(self) -> bool:
        same = int(self.after.wars[0].depth) == int(self.before.wars[0].depth)
        return int(self.after.phase) == RECRUITING and same and int(self.after.picked) != 0

    def lines(self) -> list[Line]:
        found: list[Line] = []
        if self.turned:
            found += self.turned_lines("All turn", [seat for seat in self.seats if is_in(int(self.before.alive), seat)])
        if self.clashed:
            found += self.turned_lines("Recruits", seats_in(self.before, self.before.wars[0].warriors))
        found += self.choice_lines()
        found += self.war_lines()
        found += self.pot_lines()
        found += self.tax_lines()
        found += self.leaving_lines()
        found += self.kit_lines()
        found += self.regroup_lines()
        if self.after.over and not self.before.over:
            found.append(Line(f"{victory(self.after, self.voice)} {decided(self.after, self.voice)}", ("WAR-92",)))
        return found

    def turned_lines(self, what: str, seats: Sequence[int]) -> list[Line]:
        """`All turn: You a 9, Bo a King.`"""
        cards = [(seat, int(self.after.turned[seat])) for seat in seats]
        shown = [
            f"{self.voice.title(seat)} {self.words.rank_in_words(card)}"
            for seat, card in cards
            if card not in (EMPTY, UNKNOWN)
        ]
        return [Line(f"{what}: {', '.join(shown)}.")] if shown else []

    def choice_lines(self) -> list[Line]:
        """WAR-51 to 54: what the bystanders chose is told when all have."""
        before, after = self.before, self.after
        if int(before.phase) != CHOICE or int(after.phase) == CHOICE:
            return []
        lines = []
        for seat in self.seats:
            choice = int(before.choices[seat])
            asked = is_in(int(before.to_act), seat) or choice == UNKNOWN
            joined = [war for war in range(int(after.war_count)) if is_in(int(after.wars[war].warriors), seat)]
            if asked and joined:
                rank = plural_rank(int(after.wars[joined[0]].rank))
                lines.append(Line(f"{self.voice.does(seat, 'buy')} into the war of {rank}.", ("WAR-51",)))
            elif asked and int(after.phase) != REGROUP:
                lines.append(Line(f"{self.voice.does(seat, 'flee')}. Somebody has to carry the news.", ("WAR-51",)))
        return lines

    def war_lines(self) -> list[Line]:
        """Wars called, and further steps of the one being fought."""
        before, after = self.before, self.after
        count = int(after.war_count)
        if count and not int(before.war_count) and int(after.phase) != CHOICE:
            return [self.call_line(war) for war in range(count)]
        if int(after.phase) == CHOICE and int(before.phase) != CHOICE:
            return [self.call_line(war) for war in range(count)]
        if self.settled or not count:
            return []
        depth = int(after.wars[0].depth)
        if depth > int(before.wars[0].depth) > 0:
            step = FOLDS[depth] if depth < len(FOLDS) else f"War number {depth} in a row"
            left = listed([self.voice.name(seat) for seat in seats_in(after, after.wars[0].warriors)])
            return [Line(f"{step}! Still in it: {left}.", ("WAR-37",))]
        return []

    def call_line(self, war: int) -> Line:
        record = self.after.wars[war]
        names = [self.voice.name(seat) for seat in seats_in(self.after, record.warriors)]
        who = listed(names)
        if int(record.rank) == WAR_RANK:
            return Line(f"War is declared between {who}.", ("WAR-21",))
        return Line(f"War of {plural_rank(int(record.rank))} between {who}.", ("WAR-35",))

    def pot_lines(self) -> list[Line]:
        """WAR-31, 37: who took the pot; or Tax did."""
        if not self.settled or int(self.before.phase) == EXTREME:
            return []
        seat = swept_by(self.after)
        if seat >= 0:
            return [self.sweep_line(seat)]
        cards = [int(card) for card in self.after.turned if int(card) not in (EMPTY, UNKNOWN)]
        if any(int(card_kind(self.after, card)) == TAX for card in cards):
            return [Line("Tax! Everything goes to the tax pile, and nobody is happy.", ("WAR-16",))]
        return []

    def sweep_line(self, seat: int) -> Line:
        gained = int(self.after.decks[seat].camp) - int(self.before.decks[seat].camp)
        cards = count_of(gained, "card") if gained > 0 else "everything"
        verb, rest = SWEEPS[(int(self.before.round_no) + seat) % len(SWEEPS)]
        text = f"{self.voice.does(seat, verb)} {rest.format(cards=cards)}."
        mine, _, others = text.partition("|")
        if others:
            text = (
                f"{mine}{others[others.index(' ') :]}"
                if seat == self.voice.viewer
                else f"{mine[: mine.rindex(' ')]} {others}"
            )
        won = int(self.after.seats[seat].wars_won) > int(self.before.seats[seat].wars_won)
        return Line(text, ("WAR-37",) if won else ())

    def tax_lines(self) -> list[Line]:
        """WAR-66: a tax pile that has grown although nothing was laid on it."""
        before, after = int(self.before.tax.length), int(self.after.tax.length)
        if (
            after <= before
            or self.caught
            or any(
                int(card_kind(self.after, int(card))) == TAX
                for card in self.after.turned
                if int(card) not in (EMPTY, UNKNOWN)
            )
        ):
            return []
        if int(self.before.phase) in (CHOICE, REGROUP) and after - before <= 2 * len(self.seats):
            return []
        payers = [seat for seat in self.seats if is_in(int(self.after.alive), seat)]
        richest = max(payers, key=lambda seat: int(deck_size(self.before.decks[seat])), default=0)
        title = title_of(self.before, richest)
        return [Line(f"Tax Time! The tax man finds {self.voice.name(richest)}, {title}, at home.", ("WAR-66",))]

    def leaving_lines(self) -> list[Line]:
        """WAR-02: who is out."""
        gone = [seat for seat in self.seats if is_in(int(self.before.alive) & ~int(self.after.alive), seat)]
        lines = []
        for seat in gone:
            text = FAREWELLS[(int(self.before.round_no) + seat) % len(FAREWELLS)]
            lines.append(Line(text.format(who=self.voice.does(seat, "are", "is")), ("WAR-02",)))
        return lines

    def kit_lines(self) -> list[Line]:
        """WAR-42: equipment drawn at the end of the round; only its owner is told what it is."""
        lines = []
        for seat in self.seats if self.ended and not self.after.over else ():
            drawn = kit_count(self.after, seat) - kit_count(self.before, seat)
            if drawn > 0:
                what = self.drawn_names(seat) if seat == self.voice.viewer else f"{drawn} kit"
                lines.append(Line(f"{self.voice.does(seat, 'draw')} {what or f'{drawn} kit'}.", ("WAR-42",)))
        return lines

    def drawn_names(self, seat: int) -> str:
        """The names of what the viewer has drawn."""
        held = kit_in(self.after, IN_HAND + seat)
        for number in kit_in(self.before, IN_HAND + seat):
            if number in held:
                held.remove(number)
        names = [self.words.equipment[number - 1].name for number in held if number > 0]
        return listed(names)

    def regroup_lines(self) -> list[Line]:
        """WAR-60, 61: a camp becomes an army, and somebody is asked to believe it."""
        before, after = self.before, self.after
        if int(after.phase) != REGROUP:
            return []
        owner = int(after.regroup.owner)
        if int(before.phase) == REGROUP and int(before.regroup.owner) == owner:
            return []
        new = count_of(int(after.regroup.fresh), "card")
        return [Line(f"{self.voice.does(owner, 'shuffle')} {new} into a new army.", ("WAR-60",))]
