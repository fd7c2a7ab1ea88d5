"""Each check of the kit finds a game that is broken on purpose, in plain rules, and fails if it checked nothing."""

import itertools
from collections import Counter
from dataclasses import replace

import msgspec
import pytest

import fairdeal
from fairdeal.engine.compile import compiled
from fairdeal.engine.errors import IllegalMove
from fairdeal.engine.events import Event
from fairdeal.engine.kit.forms import absent, counted, flags, placed
from fairdeal.engine.records import SPECTATOR, rule
from fairdeal.engine.scene import Sentence
from fairdeal.engine.scene import Zone as SceneZone
from fairdeal.engine.scene.instruments import Fan
from fairdeal.engine.scene.shown import cards_in, counter_of, size_in
from fairdeal.engine.written import Condition
from fairdeal.games.chi.cards import CODES
from fairdeal.lab.perft import perft
from fairdeal.testing import (
    GameTests,
    Hidden,
    Zone,
    agreement,
    cases,
    fuzz,
    hiding,
    invariants,
    observing,
    roundtrips,
    scenes,
    screens,
)
from fairdeal.testing.play import check_same, random_states, table_of
from tests.conftest import refusal
from tests.games import engines
from tests.games.rearranging import rearrange_chi

CHI, CUT = fairdeal.find_game("chi"), fairdeal.find_game("chimax-cut")
HIDDEN = Hidden(zones=[Zone("deck.*"), Zone("hands.*[]")], knowledge=["seen"])
REARRANGED = replace(HIDDEN, rearrange=rearrange_chi)
NUMBERS = itertools.count()
chi_legal, chi_apply = CHI.rules.legal_actions, CHI.rules.apply
chi_conceal, chi_resample = CHI.rules.conceal, CHI.rules.resample


def broken(**changed):
    """CHI with other rules or functions, as a game of its own."""
    rules = {name: changed.pop(name) for name in list(changed) if hasattr(CHI.rules, name)}
    return replace(CHI, name=f"broken-{next(NUMBERS)}", rules=replace(CHI.rules, **rules), **changed)


def chi(**changed):
    return table_of(broken(**changed))


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """Run CHI as plain Python, even if other tests have compiled it."""
    monkeypatch.setattr(compiled, "_compiled", {})


def finds(words):
    return pytest.raises(AssertionError, match=words)


class ChiTests(GameTests):
    game = "chi"


def test_a_condition_that_a_random_game_breaks_is_found():
    never = Condition("turn_no", "there is no third turn [CHI-10]", lambda state: state.turn_no == 3)
    with finds(r"turn_no is wrong: there is no third turn \[CHI-10\]"):
        assert [*random_states(chi(conditions=(never,)), "kit", 20)]


# --- differences of states ------------------------------------------------------------------------------------------


def test_different_states_are_distinguished_by_their_fields():
    one, other = table_of(CHI).deal(1), table_of(CHI).deal(1)
    check_same(one.record, other.record, "alike")
    other.record.hands[1].cards[3] += 1
    other.record.turn = 5
    with finds(
        r"two deals: .*turn is \d in one and 5 in the other.*"
        r"|two deals: .*hands\[1\]\.cards\[3\] is \d+ in one and \d+ in the other"
    ):
        check_same(one.record, other.record, "two deals")


# --- invariants -----------------------------------------------------------------------------------------------------


@rule
def nine_turns(state):
    """An invariant that is false from the tenth turn on."""
    return 77 if state.turn_no > 9 else 0


@rule
def legal_twice(state, player, actions):
    """The first action is listed twice."""
    count = chi_legal(state, player, actions)
    actions[count] = actions[0]
    return count + (count > 0)


@rule
def legal_for_all(state, player, actions):
    """An action is legal even for seats that are not to act."""
    actions[0] = 0
    return max(chi_legal(state, player, actions), 1)


def check_games(table, invariant=invariants.nothing_broken, longest=1000, games=3):
    bound = compiled.contract_of(table.game) | {"violation": invariant}
    checked = compiled.bound_plainly({"checked_games": invariants.checked_games}, bound)["checked_games"]
    return invariants.check_invariants(table, checked, games, longest, "kit")


@rule
def legal_too_many(state, player, actions):
    """More actions are written than there is room for."""
    for place in range(len(actions) + 5):
        actions[place] = place
    return len(actions) + 5


def test_the_error_of_a_rule_that_writes_too_many_actions_says_how_many_there_are():
    with pytest.raises(IndexError, match=r"legal_actions writes at least (\d+) actions, but ACTIONS declares \d+"):
        chi(legal_actions=legal_too_many).deal(1).legal_actions(0)


@pytest.mark.parametrize(
    ("table", "options", "words"),
    [
        (chi(), {"invariant": nine_turns}, r"invariant 77 is broken: .*seed 'kit', game 0, after \d+ moves: .*'hands'"),
        (chi(), {"longest": 10}, "more moves than it may have"),
        (chi(legal_actions=legal_twice), {}, "must ascend"),
        (chi(legal_actions=legal_for_all), {}, "exactly for those who are to act"),
        (chi(), {"games": 0}, "different actions that were played: 0"),
    ],
)
def test_broken_states_are_named_with_game_seed_and_move(table, options, words):
    with finds(words):
        check_games(table, **options)


# --- agreement ------------------------------------------------------------------------------------------------------


@rule
def apply_once_wrong(state, player, action):
    """In turn 4 a card of a hand is another."""
    chi_apply(state, player, action)
    if state.turn_no == 4:
        state.hands[0].cards[0] = (int(state.hands[0].cards[0]) + 1) % 37


@rule
def do_nothing(state, player, other):
    pass


def check_both(steps=200, **changed):
    game = broken()
    engines = [compiled.plain_engine(one) for one in (game, replace(game, rules=replace(game.rules, **changed)))]
    return agreement.check_agreement(table_of(game), *engines, steps=steps)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"apply": apply_once_wrong},
            r"seed '.*', action \d+, \d+ of seat \d: hands\[0\]\.cards\[0\] is \d+ in one and \d+ in the other",
        ),
        (
            {"conceal": do_nothing},
            r"what -1 sees with recall 100: hands\[0\]\.cards\[0\] is -1 in one and \d+ in the other",
        ),
        ({"resample": do_nothing}, "a guess of seat"),
        ({"legal_actions": legal_twice}, r"seat \d may play \["),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_engines_that_differ_are_found_by_field_seed_and_action(changed, words):
    with finds(words):
        check_both(**changed)


def test_perft_refuses_a_depth_below_zero():
    with refusal("at least 0"):
        perft(chi().deal(seed=1), -1)


def test_looking_through_the_eyes_of_another_is_refused():
    with refusal("viewer 0"):
        chi().deal(seed=1).view(0).scene(1)


def test_an_agreement_about_too_little_fails():
    with finds("checked too little"):
        check_both(steps=0)


# --- what is hidden -------------------------------------------------------------------------------------------------


@rule
def conceal_all_but_a_card(state, viewer, recall):
    """The lowest card of the other hand is shown."""
    shown = int(state.hands[1 - max(viewer, 0)].cards[0])
    chi_conceal(state, viewer, recall)
    if viewer >= 0:
        state.hands[1 - viewer].cards[0] = shown


@rule
def conceal_no_hand(state, viewer, recall):
    """The other hand is shown, the deck is not."""
    hands = [bytes(hand) for hand in state.hands]
    chi_conceal(state, viewer, recall)
    for hand, cards in zip(state.hands, hands, strict=True):
        for place, card in enumerate(type(hand).from_buffer_copy(cards).cards):
            hand.cards[place] = card


@rule
def resample_as_it_lies(state, player, source):
    """Every guess puts the same cards into the same places."""
    for place in range(8):
        source.key[place] = 7
    source.block, source.spent = 0, 16
    chi_resample(state, player, source)


def test_a_view_that_shows_a_hidden_card_is_found():
    leaky = chi(conceal=conceal_all_but_a_card)
    with finds(
        r"seat \d is shown what it may not know, with recall 0: "
        r"hands\[\d\]\.cards\[0\] is \d+ in one and \d+ in the other"
    ):
        hiding.check_shown(leaky, REARRANGED, "kit", states=6)


class Chosen(Event, frozen=True):
    """A secret choice, which is told."""

    seat: int
    action: int

    def sentence(self, voice):
        return Sentence(f"{voice.names[self.seat]} chooses {self.action}.")


@pytest.mark.parametrize("told_to", [range(-1, 2), [SPECTATOR]], ids=["everybody", "spectators"])
def test_a_narration_that_tells_a_secret_choice_is_found(told_to):
    def tells(before, after, player, actions, viewer):
        told = CUT.happened(before, after, player, actions, viewer)
        return [*told, Chosen(player, actions[0])] if viewer in told_to else told

    table = table_of(replace(CUT, name=f"broken-{next(NUMBERS)}", happened=tells))
    with finds(r"'\w+.*' and '\w+.*' of seat \d look the same to -?\d, but .* chooses \d+\."):
        hiding.check_choices(table, "kit")
    assert hiding.check_choices(table_of(CUT), "kit")["compared"] > 0
    told = hiding.check_choices(table, "kit", spoken=list(CUT.actions.verbs))
    assert told["spoken"] == told["looks"] > 0, "what everybody hears is no secret"


def check_zones(hidden=HIDDEN, steps=12, **changed):
    hiding.check_zones([chi(**changed)], hidden, steps=steps)


def test_a_zone_in_which_nothing_is_hidden_is_found():
    with finds(r"hidden cards in hands\.\*\[\] that could move.*: 0"):
        check_zones(conceal=conceal_no_hand)
    with finds(r"hidden cards in stock\.\* that could move"):
        check_zones(replace(HIDDEN, zones=[*HIDDEN.zones, Zone("stock.*")]))


def test_cards_that_are_hidden_outside_all_zones_are_found():
    with finds(r"deck\[\d+\] is not shown, but is not in any of the zones"):
        check_zones(replace(HIDDEN, zones=[Zone("hands.*[]")]))


def test_guesses_that_are_always_the_same_are_found():
    with finds(r"all 1000 guesses have \S+ at (deck|hands)\[\d+\]"):
        check_zones(steps=3, resample=resample_as_it_lies)


def test_a_game_without_zones_is_refused():
    with pytest.raises(ValueError, match="nothing would be checked"):
        Hidden(zones=[])

    with refusal("say where cards lie hidden"):
        ChiTests.what_is_hidden()


def test_an_arrangement_that_is_always_the_same_is_not_enough():
    same = replace(HIDDEN, rearrange=lambda position, viewer, dice, deep: position)
    with finds("states with another arrangement of hidden cards: 0"):
        hiding.check_shown(chi(), same, "kit", states=4)
    with finds("arrangements in which deck.* held other cards: 0"):
        check_zones(same, steps=6)


def test_a_half_made_move_that_others_see_is_found():
    chip_it = fairdeal.find_game("chip-it")
    open_hands = replace(chip_it, name="open-drafts", rules=replace(chip_it.rules, conceal=do_nothing))
    with finds(r"sees action \d+ of seat \d"):
        hiding.check_half_made(table_of(open_hands), "kit", states=4)


# --- observations ---------------------------------------------------------------------------------------------------


def with_form(field, form, **changed):
    """Return a table of CHI that observes a field in another form."""
    return chi(observed=replace(CHI.observed, forms=dict(CHI.observed.forms) | {field: form}), **changed)


@pytest.mark.parametrize(
    ("field", "form", "found"),
    [
        ("row", placed(30), r"row\[\d\] of bytes"),  # the kinds from 30 on
        ("areas.cards", counted(37), r"areas\.cards is counted, and has an order"),
        ("turn_no", absent(), "turn_no is not observed"),
        ("discard", flags(1), r"discard\[\d+\] of bytes"),
    ],
)
def test_an_observation_that_loses_something_is_found(field, form, found):
    with finds(found):
        observing.check_complete(with_form(field, form), "lost", states=60)


def test_a_view_of_the_bottom_of_the_deck_is_found():
    @rule
    def shows_the_deck(state, viewer, recall):
        bottom = state.deck.cards[0]
        chi_conceal(state, viewer, recall)
        state.deck.cards[0] = bottom

    with finds(r"is shown what it may not know, with recall 0: deck\.cards\[0\]"):
        hiding.check_shown(table_of(broken(conceal=shows_the_deck)), REARRANGED, "leak")


def test_observations_of_too_few_states_fail():
    with finds("pairs of views that were compared"):
        observing.check_complete(chi(), "few", states=1)


# --- words and pictures ---------------------------------------------------------------------------------------------


def test_a_move_that_does_not_read_back_is_found():
    def deaf(state, player, text):
        raise IllegalMove(text, "what?")

    with finds("is written for a legal move of seat . and not understood: .*what?"):
        roundtrips.check_reading(chi(read_move=deaf), "kit")
    with finds(r"is \[\d+\] and reads back as \[0\]"):
        roundtrips.check_reading(chi(read_move=lambda state, player, text: [0]), "kit")


def test_a_position_that_does_not_read_back_is_found():
    def forgetful(position, state):
        CHI.read_position({**position, "turn_no": position["turn_no"] + 2}, state)

    with finds(r"the position set up again: turn_no is \d+ in one and \d+ in the other"):
        roundtrips.check_reading(chi(read_position=forgetful), "kit")


def test_verbs_that_no_game_met_are_named(monkeypatch):
    with finds("cases name none, but no random game reached it; add it to `rare`"):
        ChiTests().test_moves_and_positions_read_back()
    monkeypatch.setattr(ChiTests, "rare", ["none"])
    ChiTests().test_moves_and_positions_read_back()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda scene: {"zones": ()}, "without zones|no such card"),
        (lambda scene: {"zones": (*scene.zones, scene.zones[0])}, "of the same name"),
        (lambda scene: {"choices": ()}, r"unexpected choices: \(\)"),
        (lambda scene: {"prompt": None}, "without a prompt"),
        (lambda scene: {"zones": tuple(zone.replaced(any_order=True) for zone in scene.zones)}, "is in any order, but"),
        (lambda scene: {"stage": Fan(9, 0, ("cellar",))}, "names the zone cellar"),
        (lambda scene: {"stage": Fan(9, 0, ())}, "does not replace any zone"),
        (lambda scene: {"stage": Fan(9, 7, ("deck",))}, "names the seat 7"),
        (lambda scene: {"stage": Fan(9, 0, ("deck",), (999,))}, "names the choice 999"),
    ],
)
def test_inconsistent_scenes_are_found(change, words):
    def changed(state, voice, picks):
        scene = CHI.scene(state, voice, picks)
        return msgspec.structs.replace(scene, **change(scene))

    with finds(words):
        scenes.check_scenes(chi(scene=changed), "kit")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (cards_in("hand{}", "areas.cards", CODES), "hand[01] (count|cards) is .* in the state"),
        (size_in("deck", "turn_no"), "deck count is .* in the state"),
        (counter_of("in hand", "match.totals"), "seat [01] in hand is .* in the state"),
    ],
)
def test_a_field_that_scenes_do_not_show_is_found(wrong, words):
    with finds(words):
        scenes.check_scenes(chi(in_scene=(wrong,)), "kit")


def test_a_field_of_which_no_scene_has_a_zone_is_found():
    with finds("in_scene lists hands.cards, but no scene"):
        scenes.check_in_scene(replace(CHI, in_scene=(cards_in("hands{}", "hands.cards", CODES),)), "kit", 5)


def test_a_scene_that_shows_a_hidden_card_is_found():
    """It is drawn from the state that lies on the table instead of the view."""
    lying = []

    def peeking(state, voice, picks):
        scene = CHI.scene(state, voice, picks)
        peek = SceneZone("peek", "centre", "row", label=str(lying[-1].record.hands[0].cards.tolist()))
        return msgspec.structs.replace(scene, zones=(*scene.zones, peek))

    state, dice, _ = next(random_states(chi(scene=peeking), "kit", 3))

    class Seen:
        def __init__(self, state):
            self.state = state

        def scene(self, viewer):
            lying.append(self.state)
            return self.state.scene(viewer)

    with finds(r"drawn: zones\[\d+\]\.label"):
        hiding.check_scenes(Seen(state), Seen(REARRANGED.rearranged(state, SPECTATOR, dice)), SPECTATOR, "drawn")


@pytest.mark.skipif(screens.CHROMIUM is None, reason=screens.NO_CHROMIUM)
def test_zones_that_lie_on_others_are_found(monkeypatch):
    """A phone has no room for six piles beside the middle."""
    scene = table_of(CHI).deal(1).scene(0)
    deck = next(zone for zone in scene.zones if zone.id == "deck")
    more = tuple(deck.replaced(id=f"deck {number}") for number in range(4))
    many = scene.replaced(zones=scene.zones + more)
    monkeypatch.setattr(screens, "scenes_of", lambda *_: iter([(many, "made up")]))
    with finds("made up, on a screen of 390 x 844: .* leaves the middle"):
        screens.check_boxes([table_of(CHI)], "kit", 1)


def test_a_check_of_screens_that_saw_nothing_fails(monkeypatch):
    async def nothing(drawn):
        return Counter(), []

    monkeypatch.setattr(screens, "look_at", nothing)
    with finds("checked too little: kit: parts in the middle of a screen, phone"):
        screens.check_boxes([table_of(CHI)], "kit")


# --- noise ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def states():
    return fuzz.states_of(broken())[:40]


def with_game(states, **changed):
    """Return the states in a game whose parsers are broken."""
    table = table_of(replace(CHI, **changed))
    return [fairdeal.State(table, state.record) for state in states if state.table.options == table.options]


def test_a_parser_that_chokes_is_found(states):
    def choking(state, player, text):
        return CHI.read_move(state, player, text) if text.isascii() else [int(text)]

    with pytest.raises(ValueError, match="invalid literal"):
        fuzz.check_nearly_legal_moves(with_game(states, read_move=choking), 100)


def test_a_parser_that_accepts_anything_is_found(states):
    with finds("is not read as"):
        fuzz.check_nearly_legal_moves(with_game(states, read_move=lambda state, player, text: [0]), 20)


def test_positions_that_are_never_refused_are_found(states):
    def generous(position, state):
        CHI.read_position(states[0].position(), state)

    with finds("set up again|over is|were refused"):
        fuzz.check_nearly_right_positions(with_game(states, read_position=generous), 20)


# --- counting -------------------------------------------------------------------------------------------------------


def test_counts_that_differ_are_found(monkeypatch):
    state = engines.near_the_end(CHI)
    right = engines.by_hand(state, 2)
    monkeypatch.setattr(engines, "perft", lambda state, depth: engines.by_hand(state, depth) + 1)
    with finds(r"2 compiled, 1 by playing every move"):
        engines.check_perft(state)
    with finds("stored counts"):
        agreement.check_kept(CHI, {}, [right, right])


# --- cases ----------------------------------------------------------------------------------------------------------


def test_a_case_file_that_tests_nothing_is_found(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text("game: chi\ncases: []\n")
    with finds("cases: 0, but at least 1"):
        cases.check_cases(path, compiled=False)
    path.write_text("game: chi\ncases: [{id: a, clauses: [], deal: 1, steps: [{over: true}]}]\n")
    with finds("a: step 1: over is False|a: over is False|a: .*over is False"):
        cases.check_cases(path, compiled=False)


def test_clauses_that_nothing_checks_are_named(monkeypatch):
    monkeypatch.setattr("fairdeal.lab.coverage.named_by_cases", lambda game: iter([]))
    with finds(r"neither a case nor a test checks CHI-01"):
        cases.check_coverage(CHI, None, 10)
    with finds("clauses CHI on the page chi: [0-9]+, but at least 500"):
        cases.check_coverage(CHI, None, 500)


# --- the class ------------------------------------------------------------------------------------------------------


def test_one_class_has_a_test_of_every_kind_for_every_preset_and_the_options_listed(pytester):
    pytester.makeini("[pytest]\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(
        """
        from fairdeal.testing import GameTests, Hidden, Zone

        class TestChi(GameTests):
            game = "chi"
            options = ({"hand_limit": 3}, {})
            hidden = Hidden(zones=[Zone("deck.*"), Zone("hands.*[]")], knowledge=["seen"])
        """
    )
    listed = pytester.runpytest("--collect-only", "-q", "-p", "no:cacheprovider").outlines
    kinds = Counter(line.split("::")[-1].split("[")[0] for line in listed if "::TestChi::" in line)
    assert len(kinds) == len([name for name in vars(GameTests) if name.startswith("test_")])
    assert kinds["test_invariants"] == kinds["test_scenes"] == len(CHI.presets)
    assert kinds["test_compiled_and_plain_rules_agree"] == len(CHI.presets) + 1
