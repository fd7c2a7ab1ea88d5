"""`GameTests`: all tests of a game as one pytest class."""

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import pytest

from fairdeal.engine.compile import compiled
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.game import Game
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import State, Table
from fairdeal.lab.coverage import case_files
from fairdeal.lab.perft import perft
from fairdeal.testing import (
    agreement,
    cases,
    fuzz,
    hiding,
    invariants,
    lessons,
    memory,
    observing,
    roundtrips,
    scenes,
    screens,
)
from fairdeal.testing.hiding import Hidden
from fairdeal.testing.play import table_of

Options = Mapping[str, object]


class GameTests:
    """The tests of one game. Derive a class from it in a test file, and set its attributes:

    game           the name of the installed game
    options        sets of options to test in addition to the presets
    hidden         the game's hidden information
    invariant      a rule that returns 0, or a positive number for an error in a state
    longest        maximum number of moves of a game
    random_games   number of random games of every preset that are checked state by state
    counts         counts of moves (perft) in deal 7 that must not change, as pairs of options and counts by depth
    least_cases    minimum number of cases
    least_clauses  minimum number of clauses
    least_lessons  minimum number of lessons; the first one is first.toml
    calm           options with which a table of any size can be played for some moves
    rare           verbs and phases in cases that random games need not reach
    spoken         verbs of moves that everybody hears, although the state does not store what was said
    marked_in      folder whose tests may be marked with clauses (default: the folder of the test file)

    >>> class TestChi(GameTests):
    ...     game = "chi"
    ...     hidden = Hidden(zones=[Zone("hands.*[]"), Zone("deck.*")])
    >>> TestChi.the_game().title
    'Chi'
    """

    game: ClassVar[str] = ""
    options: ClassVar[Sequence[Options]] = ()
    hidden: ClassVar[Hidden | None] = None
    invariant: ClassVar[Callable[..., Any]] = staticmethod(invariants.nothing_broken)
    longest: ClassVar[int] = 1_000_000
    random_games: ClassVar[int] = 20_000
    counts: ClassVar[Sequence[tuple[Options, Sequence[int]]]] = ()
    least_cases: ClassVar[int] = 10
    least_clauses: ClassVar[int] = 10
    least_lessons: ClassVar[int] = 0
    calm: ClassVar[Options] = MappingProxyType({})
    rare: ClassVar[Sequence[str]] = ()
    spoken: ClassVar[Sequence[str]] = ()
    marked_in: ClassVar[Path | None] = None

    @classmethod
    def the_game(cls) -> Game:
        """Return the game. Raises UnknownGame, with similar names."""
        return find_game(cls.game)

    @classmethod
    def compile(cls) -> None:
        """Compile all functions that the tests call together, so that shared rules are typed only once."""
        compiled.compiled(cls.the_game())
        checker(cls.game, cls.invariant)
        perft(table_of(cls.the_game()).deal(1), 1)

    @classmethod
    def table_at(cls, preset: str) -> Table:
        """Return a table with the options of a preset."""
        return table_of(cls.the_game(), preset=preset)

    @classmethod
    def tables(cls) -> dict[str, Table]:
        """Return a table for every preset and every set of options, by name, without duplicates."""
        named = {preset: cls.table_at(preset) for preset in cls.the_game().presets}
        named |= {str(dict(options)): table_of(cls.the_game(), options) for options in ({}, *cls.options)}
        found: dict[str, Table] = {}
        for name, table in named.items():
            if not any(table.options == other.options for other in found.values()):
                found[name] = table
        return found

    @classmethod
    def what_is_hidden(cls) -> Hidden:
        """Return the game's `hidden`. Raises FairdealError if it is not declared."""
        if cls.hidden is None:
            words = "say where cards lie hidden: `hidden = Hidden(zones=[Zone('hands.*[]')])`"
            raise FairdealError(f"{cls.game} declares nothing hidden; {words}")
        return cls.hidden

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        names = set(metafunc.fixturenames)
        if "preset" in names:
            metafunc.parametrize("preset", list(self.the_game().presets))
        if "table" in names:
            tables = self.tables()
            metafunc.parametrize("table", list(tables.values()), ids=list(tables))
        if "case_file" in names:
            files = case_files(self.the_game())
            metafunc.parametrize("case_file", files, ids=[path.stem for path in files])
        if "kept" in names:
            metafunc.parametrize("kept", self.counts, ids=[str(dict(options)) for options, _ in self.counts])

    # --- cases and the page -----------------------------------------------------------------------------------------

    def test_cases_by_plain_rules(self, case_file: Path) -> None:
        cases.check_cases(case_file, compiled=False)

    def test_cases_by_compiled_rules(self, case_file: Path) -> None:
        compiled.compiled(self.the_game())
        cases.check_cases(case_file, compiled=True)

    def test_there_are_cases(self) -> None:
        cases.check_number_of_cases(self.the_game(), self.least_cases)

    def test_every_clause_is_checked(self) -> None:
        folder = self.marked_in or Path(str(sys.modules[type(self).__module__].__file__)).parent
        for covered in cases.check_coverage(self.the_game(), folder, self.least_clauses):
            clause = covered.clause
            print(f"{clause.id} [{clause.mark}] {len(covered.cases)} cases, {len(covered.tests)} tests")

    def test_the_page_is_read_whole(self) -> None:
        cases.check_page(self.the_game(), self.least_clauses)

    # --- rules ------------------------------------------------------------------------------------------------------

    def test_invariants(self, preset: str) -> None:
        checked = checker(self.game, self.invariant)
        invariants.check_invariants(
            self.table_at(preset), checked, self.random_games, self.longest, f"invariants {preset}"
        )

    def test_compiled_and_plain_rules_agree(self, table: Table) -> None:
        game = table.game
        print(dict(agreement.check_agreement(table, compiled.plain(game), compiled.compiled(game))))

    def test_rules_can_be_written_as_webassembly(self) -> None:
        assert wasm_of(self.the_game()).code

    def test_perft_of_some_deals_stays_what_it_was(self, kept: tuple[Options, Sequence[int]]) -> None:
        agreement.check_kept(self.the_game(), *kept)

    # --- what is hidden ---------------------------------------------------------------------------------------------

    def test_nothing_shown_depends_on_hidden_cards(self, preset: str) -> None:
        print(dict(hiding.check_shown(self.table_at(preset), self.what_is_hidden(), f"{self.game} {preset}")))

    def test_nothing_told_depends_on_hidden_cards(self, preset: str) -> None:
        print(dict(hiding.check_narration(self.table_at(preset), self.what_is_hidden(), f"{self.game} {preset}")))

    def test_nothing_told_depends_on_secret_choices(self, preset: str) -> None:
        print(dict(hiding.check_choices(self.table_at(preset), f"{self.game} {preset}", self.spoken)))

    def test_every_hidden_card_moves(self) -> None:
        for zone, found in hiding.check_zones(list(self.tables().values()), self.what_is_hidden()).items():
            print(f"{zone}: {found['moved']} cards moved, {found['stayed']} can be worked out")

    def test_nothing_seen_is_dealt_again(self, preset: str) -> None:
        if "*" not in self.what_is_hidden().forgets:
            print(dict(memory.check_memory(self.table_at(preset), self.what_is_hidden(), f"{self.game} {preset}")))

    def test_observations_hold_all_that_is_known(self, table: Table) -> None:
        print(dict(observing.check_complete(table, f"{self.game} {table}")))

    def test_a_half_made_move_is_seen_by_its_player_only(self, preset: str) -> None:
        hiding.check_half_made(self.table_at(preset), f"{self.game} {preset}")

    # --- words and pictures -----------------------------------------------------------------------------------------

    def test_moves_and_positions_read_back(self) -> None:
        """Check notation and positions at all tables, and check that they include every verb and phase found in the
        cases."""
        missed = cases.named_in_cases(self.the_game()) - set(self.rare)
        for name, table in self.tables().items():
            missed -= roundtrips.check_reading(table, f"{self.game} {name}").keys()
        for state in hiding.moments_of(self.the_game(), self.hidden) if self.hidden else ():
            missed -= roundtrips.check_reading(state.table, f"{self.game} {state.table}", state).keys()
        never = ", ".join(sorted(missed))
        assert not missed, (
            f"{self.game}: cases name {never}, but no random game reached it; add it to `rare` if it is rare"
        )

    def test_scenes_show_the_fields_that_the_game_lists(self) -> None:
        scenes.check_in_scene(self.the_game(), self.game)

    def test_scenes(self, preset: str) -> None:
        print(dict(scenes.check_scenes(self.table_at(preset), f"{self.game} {preset}")))

    def test_nothing_overlaps_on_any_screen(self) -> None:
        """Draw scenes of games for few players, and of games for many players, whose seats take up more space."""
        numbers = dict.fromkeys(self.the_game().players)
        tables = [table_of(self.the_game(), {"players": players} | dict(self.calm)) for players in numbers]
        print(dict(screens.check_boxes(tables, self.game)))

    def test_advice_is_words_and_can_be_followed(self, preset: str) -> None:
        print(dict(scenes.check_advice(self.table_at(preset), f"{self.game} {preset}")))

    def test_lessons(self) -> None:
        print(dict(lessons.check_lessons(self.the_game(), self.least_lessons)))

    # --- noise ------------------------------------------------------------------------------------------------------

    def test_a_nearly_legal_move_is_legal_or_refused(self) -> None:
        fuzz.check_nearly_legal_moves(states_of(self.game))

    def test_a_move_of_another_situation_is_legal_or_refused(self) -> None:
        fuzz.check_moves_of_elsewhere(states_of(self.game))

    def test_a_number_of_any_length_in_a_move_is_refused_at_most(self) -> None:
        fuzz.check_long_numbers(states_of(self.game))

    def test_a_nearly_right_position_sets_up_or_is_refused(self) -> None:
        fuzz.check_nearly_right_positions(states_of(self.game))

    def test_a_position_of_another_moment_sets_up_or_is_refused(self) -> None:
        print(dict(fuzz.check_other_moments(states_of(self.game))))

    def test_any_fields_of_a_position_set_up_or_are_refused(self) -> None:
        fuzz.check_any_fields(states_of(self.game))


@cache
def checker(name: str, invariant: Callable[..., Any]) -> Callable[..., None]:
    return invariants.checker_of(find_game(name), invariant)


@cache
def states_of(name: str) -> list[State]:
    return fuzz.states_of(find_game(name))
