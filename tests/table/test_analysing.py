"""The analysis of finished games: what it says adds up, comes out the same again, and is told in every form."""

import re
from html import unescape
from html.parser import HTMLParser
from itertools import pairwise

import msgspec
import pytest

import fairdeal
from fairdeal.bots.evaluation import Ends, Scales
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.records import SPECTATOR
from fairdeal.table.analysis import Analysis, Share, Turn, by_cost, label_of, points, told_score, with_sign
from fairdeal.table.analysis import analyse as analysing
from fairdeal.table.analysis.analyse import analyse, analysis_file, keep, kept, turns_of
from fairdeal.table.analysis.hands import all_hands, with_all_hands
from fairdeal.table.analysis.holdings import held
from fairdeal.table.analysis.page import name_places, page_of
from fairdeal.table.analysis.view import apart, view_of
from fairdeal.table.log import Player
from fairdeal.table.sitting import Sitting
from tests.table.sittings import finished

PLAYOUTS = 12

RANDOM_FIRST = ("random", "greedy")


def analysed_game(name, bots, **options):
    return finished(name, bots, "to be analysed", ("Ada", "Bo <b>", "Cleo"), **options)


@pytest.fixture(scope="module")
def sitting():
    return analysed_game("chi", RANDOM_FIRST)


@pytest.fixture(scope="module")
def found(sitting):
    return analyse(sitting, PLAYOUTS, jobs=2)


def test_there_is_a_chance_for_every_seat_before_every_move_and_the_result_at_the_end(sitting, found):
    assert len(found.chances) == sitting.moves_made + 1 > 20
    assert all(len(row) == 2 and all(0 <= chance <= 1 for chance in row) for row in found.chances)
    places = sitting.state.ranks
    assert sorted(places) == [1, 2]
    assert found.chances[-1] == tuple(float(place == 1) for place in places)
    assert found.result == sitting.scene(SPECTATOR).result.text


def test_every_decision_is_described_and_nothing_else(sitting, found):
    choices = {
        move
        for move in range(sitting.moves_made)
        if len(list(sitting.state_at(move).action_moves(sitting.log.moves[move].seat))) > 1
    }
    assert {one.move for one in found.decisions} == choices
    assert len(choices) > 20
    for one in found.decisions:
        entry = sitting.log.moves[one.move]
        assert one.seat == entry.seat
        assert one.options[one.played].notation == entry.text
        assert 1 <= len(one.options) <= 4
        best = [option.chance for option in one.options]
        assert best == sorted(best, reverse=True)
        assert one.label == label_of(one.cost)
        assert one.cost == pytest.approx(best[0] - best[one.played], abs=2e-4) or one.cost == 0


def test_the_same_comes_out_with_any_number_of_threads(sitting, found):
    assert analyse(sitting, PLAYOUTS, jobs=1) == found
    assert analyse(sitting, PLAYOUTS + 1, jobs=1) != found


def test_shares_add_up():
    found = analyse(analysed_game("chip-it", ("random", "greedy", "random"), players=3), 40)
    assert sum(share.play for share in found.shares) < 0
    for share in found.shares:
        assert share.start + share.luck + share.play + share.gifts == pytest.approx(share.result)
        assert share.play <= 0
    assert sum(share.start for share in found.shares) == pytest.approx(1)
    assert sum(share.luck for share in found.shares) == pytest.approx(0, abs=1e-9)
    assert sum(share.play + share.gifts for share in found.shares) == pytest.approx(0, abs=1e-9)
    costs = {seat: sum(one.cost for one in found.decisions if one.seat == seat) for seat in range(3)}
    assert [share.play for share in found.shares] == pytest.approx([-costs[seat] for seat in range(3)], abs=0.01)


def test_turning_points_are_the_sharpest_changes_in_order(sitting):
    chances = [(0.5, 0.5)] * (sitting.moves_made + 1)
    for move, chance in ((3, 0.62), (4, 0.62), (7, 0.1), (8, 0.4), (9, 0.41), (12, 0.9), (13, 0.5), (15, 0.3)):
        chances[move:] = [(0.5, chance)] * (sitting.moves_made + 1 - move)
    turns = turns_of(sitting, chances, 0.12)
    assert [turn.move + 1 for turn in turns] == [7, 8, 12, 13, 15]
    assert {turn.seat for turn in turns} == {1}
    assert (turns[0].before, turns[0].after) == (0.62, 0.1)
    assert turns[0].text in " ".join(event.text for event in sitting.lines(7, SPECTATOR))
    assert turns_of(sitting, [(0.5, 0.5)] * (sitting.moves_made + 1), 0.12) == ()


def test_the_words_of_costs_have_plain_thresholds():
    words = " ".join(label_of(cost) for cost in (0, 0.01, 0.011, 0.04, 0.05, 0.1, 0.11))
    assert words == "best best fine fine slip slip blunder"


def test_points_have_a_sign():
    told = [with_sign(points(change)) for change in (0.094, -0.186, 0.001, -0.001)]
    assert [points(0.094), *told] == ["9", "+9", "−19", "0", "0"]
    assert [with_sign(told_score(change)) for change in (1.26, -9, 0.04, -0.04)] == ["+1.3", "−9.0", "0.0", "0.0"]


def test_its_steps_tell_the_course_first_and_then_every_decision(sitting, found):
    steps = []
    assert analyse(sitting, PLAYOUTS, 2, steps.append) == found
    moves = sitting.moves_made
    counted = [*range(1, moves + 1), 0, *range(1, moves + 1)]
    assert [(step.done, step.of) for step in steps] == [(done, moves) for done in counted]
    assert [place for place, step in enumerate(steps) if step.begun] == [moves]
    assert steps[moves].begun == msgspec.structs.replace(found, decisions=(), shares=())
    assert [(step.done - 1, step.decision) for step in steps if step.decision] == [
        (decision.move, decision) for decision in found.decisions
    ]


@pytest.mark.parametrize("looks", ["chances_at", "weighed_at"])
def test_what_a_step_raises_ends_the_work_at_once(sitting, monkeypatch, looks):
    """Without that all other moves would be looked at before anybody is told."""

    class Enough(Exception):
        pass

    looked, look = [], getattr(analysing, looks)

    def counted(*known):
        looked.append(known[-1])
        return look(*known)

    def stop(step):
        if looked:
            raise Enough

    monkeypatch.setattr(analysing, looks, counted)
    with pytest.raises(Enough):
        analyse(sitting, 2, 1, stop)
    assert 0 < len(looked) < sitting.moves_made / 2


def test_all_that_is_played_out_has_luck_of_its_own(monkeypatch):
    """Also where several move at once: no two seats and no two moments are looked at with the same deals and draws."""
    sitting, numbers = analysed_game("war-xtreme", ("greedy", "greedy"), players=2), []
    assert any(len(sitting.state_at(number).to_act) > 1 for number in range(sitting.moves_made))

    def played_on(self, view, number):
        numbers.append(number)
        return Ends((), (self.games / 2,) * view.players, *[0.0] * 3, 0, 0)

    def weigh(self, view, played, number):
        numbers.append(number)

    monkeypatch.setattr(Scales, "played_on", played_on)
    monkeypatch.setattr(Scales, "weigh", weigh)
    analyse(sitting, 2, 1)
    assert len(numbers) > 2 * sitting.moves_made
    assert len(set(numbers)) == len(numbers)


def test_a_running_game_is_refused():
    running = Sitting.open(fairdeal.load("chi"), [Player("Ada", "greedy"), Player("Bo", "greedy")], "running")
    running.play_bot(running.bot_to_act())
    for look, arguments in ((analyse, (2,)), (held, (0, 0)), (all_hands, (0,)), (with_all_hands, (0, 0))):
        with pytest.raises(FairdealError, match="still running"):
            look(running, *arguments)


# --- one player alone -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def alone():
    return analysed_game("chimax-order", ("random",), players=1)


@pytest.fixture(scope="module")
def scored(alone):
    return analyse(alone, PLAYOUTS, 2)


def test_the_score_of_a_lone_player_is_described(alone, scored):
    assert scored.alone
    assert scored.chances[-1] == tuple(alone.state.returns())
    (share,) = scored.shares
    assert share.start + share.luck + share.play == pytest.approx(share.result) == pytest.approx(alone.state.scores[0])
    assert (share.gifts, share.play) == (0, pytest.approx(-sum(one.cost for one in scored.decisions), abs=0.01))
    assert share.play < -10, "a random player misses more often than a good memory"
    assert scored.unit > 1
    for one in scored.decisions:
        assert one.label == label_of(one.cost / scored.unit)
    assert len({one.label for one in scored.decisions}) > 1


def test_a_score_is_described_in_every_form(scored):
    page = page_of(scored)
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))
    (share,) = scored.shares
    assert f"{scored.signed(share.luck)} {scored.signed(share.play)} {scored.points(share.result)}" in told
    one = by_cost(scored.decisions)[0]
    assert f"−{one.cost:.1f} ±{one.error:.1f} {one.label}" in told
    assert not re.search(r"%|ivals|hances", re.sub("<[^>]*>", " ", page.partition("<body>")[2]))
    levels = [float(text.replace("−", "-")) for text in re.findall(r"class='level'[^>]*>([^<]*)<", page)]
    assert levels == sorted(levels)
    assert levels[0] <= min(scored.chances)[0] <= max(scored.chances)[0] <= levels[-1]
    assert all(0 <= height <= 1 for row in view_of(scored).curves for height in row)


def test_how_many_games_are_played_out_follows_from_the_time_there_is(sitting, monkeypatch):
    states = [sitting.state_at(number).copy() for number in range(sitting.moves_made + 1)]
    assert analysing.affordable(states, 2) in analysing.FINENESS
    for seconds, number in ((1e-6, analysing.FINENESS[-1]), (1e9, analysing.FINENESS[0])):
        monkeypatch.setattr(analysing, "SECONDS", seconds)
        assert analysing.affordable(states, 1) == number


# --- what they could have held ----------------------------------------------------------------------------------


def test_what_rivals_could_have_held_follows_from_what_the_seat_knew_and_shows_what_they_had(sitting):
    looked = 0
    for move in range(0, sitting.moves_made, 6):
        seat = sitting.log.moves[move].seat
        (rival,) = held(sitting, move, seat) or (None,)
        if rival is None:
            continue
        hand = [card.face for card in zone_of(sitting.state_at(move), 1 - seat).cards]
        assert sorted(hand) == sorted(rival.true)
        likely = dict(rival.faces)
        assert list(likely.values()) == sorted(likely.values(), reverse=True)
        assert all(0 < share <= 1 for share in likely.values())
        assert sum(likely.values()) <= len(hand) + 1e-9
        looked += len(likely) > len(set(hand))
    assert looked > 2


def zone_of(state, seat):
    return next(zone for zone in state.scene(seat).zones if zone.place == "hand")


def test_a_move_or_seat_that_there_is_not_is_refused(sitting):
    for move, seat in ((-1, 0), (sitting.moves_made, 0), (0, 2), (0, SPECTATOR)):
        with pytest.raises(FairdealError, match="there is no move"):
            held(sitting, move, seat)


# --- its forms --------------------------------------------------------------------------------------------------


def test_it_is_kept_beside_the_log_for_as_long_as_it_fits(found, tmp_path):
    log = tmp_path / "a.game.log"
    assert kept(log, found.chain, None) is None
    keep(log, found)
    assert analysis_file(log).name == "a.game.analysis.json"
    assert kept(log, found.chain, None) == kept(log, found.chain, PLAYOUTS) == found
    assert kept(log, found.chain, PLAYOUTS + 1) is None
    assert kept(log, "0" * 64, None) is None
    keep(log, msgspec.structs.replace(found, version=0))
    assert kept(log, found.chain, None) is None
    analysis_file(log).write_text("{}")
    assert kept(log, found.chain, None) is None


def test_the_page_has_all_numbers_and_needs_nothing_from_elsewhere(found):
    page = page_of(found)
    assert not re.search(r"https?:|<script|<link|url\(|src=", page)
    assert "Bo &lt;b&gt;" in page
    assert "<b>" not in page.partition("<section>")[0]
    told = re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))
    for one in found.decisions:
        played = one.options[one.played]
        assert f"{played.text} {points(played.chance)} ±{points(played.error)} %" in told
        assert f" {one.move + 1} " in told
    assert max(one.cost for one in found.decisions) > 0.1
    for one in (one for one in found.decisions if one.cost):
        assert f"−{points(one.cost)} ±{points(one.error)} {one.label}" in told
    for share in found.shares:
        parts = " ".join(map(found.signed, (share.luck, share.play, share.gifts)))
        assert f"{parts} {points(share.result)}" in told
    for turn in found.turns:
        assert f"{points(turn.before)} → {points(turn.after)}" in told
    assert page.count("<polyline") == 2
    assert page.count("role='img'") == 1


def hostile(value):
    """Return an analysis in which every word is HTML."""
    if isinstance(value, dict):
        return {key: one if key in ("game", "chain") else hostile(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [hostile(one) for one in value]
    return "<img src=x onerror=a>\"'><script>a</script>" if isinstance(value, str) else value


def test_html_in_a_kept_analysis_stays_text_and_a_policy_forbids_what_it_would_load(found, tmp_path):
    log = tmp_path / "game.log"
    keep(log, msgspec.convert(hostile(msgspec.to_builtins(found)), Analysis))
    page = page_of(kept(log, found.chain, None))
    assert page.count("&lt;script&gt;") > 3 * len(found.decisions)
    seen = Elements()
    seen.feed(page)
    assert not {"script", "img", "link", "iframe", "object", "form", "a"} & seen.tags
    assert not {name for name in seen.names if name.startswith("on") or name in ("src", "href")}
    assert seen.policy == "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


class Elements(HTMLParser):
    """The elements and attributes of a page, and its content security policy."""

    def __init__(self):
        super().__init__()
        self.tags, self.names, self.policy = set(), set(), ""

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}
        if ("http-equiv", "Content-Security-Policy") in attrs:
            assert "style" not in self.tags, "a policy begins where it is read"
            self.policy = dict(attrs)["content"]


GAME = Analysis(
    "chi",
    ("Ada", "Bo"),
    1200,
    ((0.5, 0.5), (0.604, 0.41), (0.2, 0.72), (0.0, 1.0)),
    (),
    (Turn(1, 1, "Bo scores.", 0.41, 0.72),),
    (Share(0, 0.52, -0.3, -0.221, 0.001, 0.0), Share(1, 0.48, 0.3, -0.001, 0.221, 1.0)),
)


def test_a_view_says_who_you_are_and_where_results_came_from():
    shown = view_of(GAME, 0)
    assert (shown.names, shown.whose) == (("You", "Bo"), ("your", "Bo’s"))
    assert shown.rows == (("50", "50"), ("60", "41"), ("20", "72"), ("0", "100"))
    assert (shown.curves, shown.levels) == (GAME.chances, ("0", "25", "50", "75", "100"))
    assert shown.swings == ("41 → 72",)
    games = "Every move was compared with the others in 1,200 games, using only what its player could know."
    rest = "The chances do not add up to 100 %, because each is estimated from what its player could know."
    assert shown.rests == ("", "", "neither 8 %", "")
    assert shown.ahead == (
        f"You were ahead before 1 of 3 moves. {games} {rest}",
        f"Bo was ahead before 1 of 3 moves. {games} {rest}",
    )
    begins, ends = "chance of winning over 3 moves: 50 % at the deal,", "at the end. The best chance of all before"
    assert shown.courses == (
        f"Your {begins} 0 % {ends} 1 of them. 1 turning point.",
        f"Bo’s {begins} 100 % {ends} 1 of them. 1 turning point.",
    )
    ada, bo = shown.shares
    assert (ada.cells, ada.sums) == (("52", "−30", "−22", "0", "0"), "cards −30 · play −22 · others 0")
    assert ada.bars == pytest.approx((-1, -0.221 / 0.3, 0.001 / 0.3))
    assert ada.sentence == (
        "You began with a chance of 52 %: the cards took 30, your own decisions took 22, those of others changed "
        "nothing. The end is 0 %."
    )
    assert bo.sentence == (
        "Bo began with a chance of 48 %: the cards gave 30, their own decisions changed nothing, those of others "
        "gave 22. The end is 100 %."
    )
    assert view_of(GAME).names == ("Ada", "Bo")
    namesake = view_of(msgspec.structs.replace(GAME, seats=("You", "Bo"))).shares[0]
    assert namesake.sentence.startswith("You began with a chance of 52 %: the cards took 30, their own decisions")
    assert view_of(GAME).shares[0].sentence.startswith("Ada began with a chance of 52 %: the cards took 30, their")


def test_a_remainder_is_shown_and_rounding_is_not():
    three = msgspec.structs.replace(GAME, seats=("Ada", "Bo", "Cy"), chances=((0.3, 0.3, 0.3), (1 / 3,) * 3))
    assert view_of(three).rests == ("nobody 10 %", "")
    certain = msgspec.structs.replace(GAME, chances=((0.55, 0.52), (0.5, 0.5)))
    assert view_of(certain).rests == ("", "")
    assert "do not add up" not in view_of(certain).ahead[0]


def test_a_view_of_one_player_alone_tells_scores():
    course, share = ((-9.0,), (-8.52,), (-12.0,)), Share(0, -9.0, -0.04, -2.96, 0.0, -12.0)
    shown = view_of(msgspec.structs.replace(GAME, seats=("Ada",), chances=course, turns=(), shares=(share,)), 0)
    assert shown.rows == (("−9.0",), ("−8.5",), ("−12.0",))
    assert (shown.levels[0], shown.levels[-1]) == ("−12.0", "−8.0")
    assert shown.courses == ("The expected score over 2 moves: −9.0 at the deal, −12.0 at the end.",)
    assert shown.ahead[0].startswith("The numbers are the expected score. Every move")
    (share,) = shown.shares
    assert (share.cells, share.sums) == (("−9.0", "0.0", "−3.0", "−12.0"), "cards 0 · play −3.0")
    assert share.sentence == (
        "At the deal, the expected score was −9.0: the cards changed nothing, and your own decisions took 3.0. "
        "The result is −12.0."
    )


def test_a_view_tells_every_decision(found):
    shown = view_of(found)
    assert [one.move for one in shown.decisions] == [one.move for one in found.decisions]
    assert {one.change == "0" for one in shown.decisions} == {True, False}
    for one in shown.decisions:
        assert one.lost == (f"−{points(one.cost)}" if one.cost else "")
        assert one.change == with_sign(points(-one.cost))
        for option in one.options:
            assert (option.shown, option.margin) == (points(option.chance), points(option.error))
            assert option.height == option.chance


def test_places_apart_keep_their_order_and_end_in_time():
    assert apart([0, 100], 11, 100) == [0, 100]
    assert apart([100, 0, 100], 11, 100) == [89, 0, 100]
    assert apart([50, 50, 45], 11, 100) == [56, 67, 45]
    assert apart([100] * 3 + [0], 11, 100) == [78, 89, 100, 0]


def test_names_at_the_ends_of_lines_do_not_lie_on_one_another():
    for last in ((1.0, 0.0, 0.0, 0.0), (0.25, 0.25, 0.25, 0.25), (0.0, 0.0, 1.0), (0.5, 0.5)):
        places = sorted(name_places(last))
        assert all(below - above >= 16.9 for above, below in pairwise(places))
        assert places[0] >= -1
        assert places[-1] <= 250
