"""Analyses that a program computes by itself from the log of a finished game. The room only puts them into words."""

import re

import msgspec
import pytest

import fairdeal
from fairdeal.bots.evaluation import Scales
from fairdeal.bots.search import MEMORY
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.records import SPECTATOR
from fairdeal.server.extras import analyses
from fairdeal.table.analysis import DecisionSums, Sums
from fairdeal.table.analysis.analyse import KEY, WEIGHED, analyse, in_words, number_of
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay
from tests.conftest import refusal
from tests.server.test_analysis import guest_on, sit_through, told_so_far
from tests.server.visiting import STILL
from tests.table.sittings import finished

GAMES = 20


@pytest.fixture(scope="module")
def played():
    """A short finished game."""
    return finished("chi", bots=("greedy", "random"), stacks_to_end=4)


@pytest.fixture(scope="module")
def sums(played):
    """The figures that a program computes for it."""
    scales, moves = Scales(KEY, GAMES), range(played.moves_made)

    def known(move, viewer):
        return played.state_at(move).view(viewer, MEMORY)

    def chances(move):
        rows = [scales.played_on(known(move, seat), number_of(move, seat)).shares for seat in range(2)]
        return tuple(row[seat] for seat, row in enumerate(rows))

    decisions = []
    for move in moves:
        made = played.log.moves[move]
        found = scales.weigh(known(move, made.seat), made.actions, number_of(move, WEIGHED + made.seat))
        if found:
            decisions.append(DecisionSums(move, found.played, found.moves))
    start = scales.played_on(known(0, SPECTATOR), 0)
    return Sums(GAMES, start, tuple(map(chances, moves)), tuple(decisions), whole=True)


def test_the_figures_of_a_program_are_put_into_the_words_of_an_analysis(played, sums):
    whole = analyse(played, GAMES)
    assert in_words(played, sums) == whole
    assert in_words(played, sums.replaced(decisions=(), whole=False)) == whole.replaced(decisions=(), shares=())
    some = in_words(played, sums.replaced(decisions=sums.decisions[2:5], whole=False))
    assert some.decisions == whole.decisions[2:5]
    assert len(some.decisions) == 3


def changed(sums, number=0, **fields):
    """Return figures in which a decision is different."""
    decisions = list(sums.decisions)
    decisions[number] = decisions[number].replaced(**fields)
    return sums.replaced(decisions=tuple(decisions))


def test_figures_that_do_not_fit_the_game_are_refused(played, sums):
    first = sums.decisions[0]
    illegal = first.moves[1 - first.played].replaced(actions=(9999,))
    moves = (first.moves[0], illegal) if first.played == 0 else (illegal, first.moves[1])
    bad = {
        "does not fit": [
            sums.replaced(chances=sums.chances[1:]),
            sums.replaced(chances=(*sums.chances[1:], (1.0,))),
            sums.replaced(start=sums.start.replaced(shares=(1.0,))),
            sums.replaced(decisions=sums.decisions[:1] * 2),
            sums.replaced(decisions=sums.decisions[::-1]),
            changed(sums, -1, move=played.moves_made),
            changed(sums, played=len(first.moves)),
            changed(sums, played=1 - first.played),
        ],
        "illegal move": [changed(sums, moves=moves)],
    }
    for reason, some in bad.items():
        for one in some:
            with refusal(f"your analysis .*{reason}|your analysis has an {reason}"):
                in_words(played, one)


async def test_a_room_starts_no_analysis_for_a_program_that_computes_one(guest, monkeypatch):
    begun = []
    monkeypatch.setattr(analyses.Analyses, "begin", lambda *_: begun.append(1))
    live = await guest.played_by_bots()
    address = f"/api/tables/{live.id}/analysis"
    assert (await guest.get(f"{address}?computes=true")).json() == told_so_far(0, 0)
    assert begun == []


async def test_a_room_puts_only_the_analysis_of_a_finished_game_into_words(guest, sums):
    body = msgspec.to_builtins(sums)
    live = await guest.open("chi", "you", "person")
    assert (await guest.post(f"/api/tables/{live.id}/analysis", **body)).status == 409
    over = await guest.played_by_bots()
    answer = await guest.post(f"/api/tables/{over.id}/analysis", **body)
    assert (answer.status, "your analysis does not fit" in answer.json()["reason"]) == (400, True)


def in_the_page(page, table):
    """Wait for the analysis of a page. Return the figures that it has kept."""
    page.goto(f"/g/{table}/analysis")
    page.wait_for_selector(".luck")
    return page.evaluate("(id) => sessionStorage.getItem(`fairdeal analysis ${id}`)", table)


def with_few_games(route):
    """Let a page play few games out, however slow its machine is."""
    body = route.fetch().text()
    for name, value in {"FINENESS": f"[{GAMES}]", "LEAST": "0"}.items():
        body, changed = re.subn(rf"const {name} = [^;]+;", f"const {name} = {value};", body)
        assert changed == 1, name
    route.fulfill(body=body, content_type="text/javascript")


def test_a_page_computes_the_analysis_that_the_room_would(visit, guests):
    wasm_of(fairdeal.find_game("chi"))
    ada = guests()
    table = sit_through(ada)
    page = visit(**STILL)
    guest_on(page, ada)
    page.route("**/fair/analysed.js", with_few_games)
    text = in_the_page(page, table)
    log = read_log(ada.log(table))
    played = replay(log, log.seed)
    sums = msgspec.json.decode(text, type=Sums)
    assert in_words(played, sums) == analyse(played, sums.games)
    assert ada.get(f"/api/tables/{table}/analysis?computes=true")["analysis"] is None, "the room has none"
    page.route("**/fair/worker.js", lambda route: route.abort())
    assert in_the_page(page, table) == text, "it is kept"


def test_a_page_that_cannot_compute_an_analysis_asks_the_room(visit, guests):
    ada = guests()
    table = sit_through(ada)
    page = visit(**STILL)
    guest_on(page, ada)
    page.route("**/rules", lambda route: route.fulfill(json={"module": "", "missing": "none", "waits": False}))
    assert in_the_page(page, table) is None
    assert ada.get(f"/api/tables/{table}/analysis?computes=true")["analysis"]
