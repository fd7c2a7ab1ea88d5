"""The page's program that plays a finished game again with the rules in WebAssembly, in Node.js: it finds what the
terminal finds."""

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import fairdeal
from fairdeal.bots.registry import find_bot
from fairdeal.engine.compile.compiled import wasm_of
from fairdeal.engine.observe.interface import description_of
from fairdeal.engine.records import HOUSE
from fairdeal.server.static_files import WEB
from fairdeal.table.log import Branch, Move, Player
from fairdeal.table.sitting import Sitting, replay, table_of
from fairdeal.table.verification import verify
from tests.conftest import SHORT, at_most_two
from tests.table.sittings import finished

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="without Node.js (apt-get install nodejs)")

PROGRAM = """
import { readFileSync } from 'node:fs';
import { replay } from './web/fair/replay.js';
import { Rules } from './web/fair/rules.js';

const description = JSON.parse(readFileSync('description.json'));
const rules = () => Rules.load(readFileSync('module.wasm'), description, 64);
const found = [];
for (const { start, log } of JSON.parse(readFileSync('games.json'))) {
  found.push(replay(await rules(), start, log));
}
console.log(JSON.stringify(found));
"""

EXAMPLE = Path(__file__).parents[2] / "examples" / "my-war-catalogue.toml"


@pytest.fixture(scope="module")
def replayed(tmp_path_factory):
    """Return what the program says of logs of one game, as pairs of a mark and a text. `starts` are the states before
    the deals, if they are not those of the logs."""
    folder = tmp_path_factory.mktemp("replayed")
    shutil.copytree(WEB, folder / "web", ignore=lambda at, names: [n for n in names if n.endswith(".woff2")])
    (folder / "package.json").write_text('{"type": "module"}', "utf-8")
    (folder / "play.js").write_text(PROGRAM, "utf-8")

    def ask(*logs, starts=()):
        game = fairdeal.find_game(logs[0].game)
        module = wasm_of(game)
        starts = starts or [table_of(log).blank().record.tobytes() for log in logs]
        games = [{"start": start.hex(), "log": log.text()} for start, log in zip(starts, logs, strict=True)]
        (folder / "module.wasm").write_bytes(module.code)
        (folder / "description.json").write_bytes(msgspec.json.encode(description_of(game, module)))
        (folder / "games.json").write_text(json.dumps(games), "utf-8")
        ran = subprocess.run(["node", "play.js"], cwd=folder, capture_output=True, text=True, timeout=120)
        assert ran.returncode == 0, ran.stderr
        return [[(one["ok"], one["text"]) for one in found] for found in json.loads(ran.stdout)]

    return ask


def replays(found, moves):
    """Whether the program has played so many moves again."""
    return found[0] == (True, f"{moves} moves replayed by your browser: every card follows from the seal.")


def bots_of(found):
    """The number of moves of bots that were made again."""
    return sum(int(text.split()[0]) for ok, text in found if ok and "made again" in text)


def test_whole_games_of_every_game_are_played_again(name, replayed):
    players = {"players": at_most_two(name)} | SHORT.get(name, {})
    pairs = ("greedy", "random"), ("juno:50-40-0", "bram:100-10-0"), ("pip:0-100-0", "greedy")
    games = [finished(name, bots, **players) for bots in pairs]
    for game, found in zip(games, replayed(*(game.log for game in games)), strict=True):
        assert replays(found, game.moves_made)
        assert bots_of(found) == game.moves_made
        assert len(found) == 2


def test_bots_by_the_greedy_rule_are_asked_again_whatever_they_remember(replayed):
    for name in ("chimax-match-2", "chi"):
        bots = ("greedy", "forgetful", "greedy-30", "otto:100-0-0", "otto:55-0-0")
        games = [finished(name, (first,), players=2, **SHORT[name]) for first in bots]
        for game, found in zip(games, replayed(*(game.log for game in games)), strict=True):
            assert [ok for ok, _ in found] == [True, True], game.log.players
            assert bots_of(found) == game.moves_made
            verify(game.log.text())


def test_bots_that_search_are_named(replayed):
    game = finished("chimax-cut", ("vix:100-0-8", "greedy"), players=2)
    (found,) = replayed(game.log)
    assert replays(found, game.moves_made)
    assert [text for ok, text in found if ok is None] == [
        "Not proven here: that the moves of Player 0 are the bot’s own. fairdeal verify makes them again."
    ]
    by_greedy = sum(move.seat == 1 for move in game.log.moves)
    assert bots_of(found) == by_greedy > 0


def test_a_random_move_that_the_bot_does_not_make_is_found(replayed):
    game = finished("chi", ("random",), players=2, **SHORT["chi"])
    other = Sitting(game.table, replace(game.log, seed=None, result=None, entries=[], moves=[]), game.seed)
    while not other.over:
        seat = other.state.to_act[0]
        other.play(seat, next(other.state.moves(seat)))
    (found,) = replayed(other.log)
    assert found[0][0] is False
    assert re.fullmatch(r"Number \d+ is not the move that the bot makes\.", found[0][1])


def test_a_table_with_cards_of_its_own_is_played_again(replayed):
    options = {"players": 2, "ask_extreme": False, "max_rounds": 5}
    game = finished("war-xtreme", **options, catalogue=EXAMPLE.read_text("utf-8"))
    (found,) = replayed(game.log)
    assert replays(found, game.moves_made)
    plain = fairdeal.load("war-xtreme", **options)
    (found,) = replayed(game.log, starts=[plain.blank().record.tobytes()])
    assert found[0][0] is False


def test_events_of_the_house_are_played_again(replayed):
    table = fairdeal.load("chimax-books", players=2, **SHORT["chimax-books"])
    sitting, events = Sitting.open(table, [Player("A", "greedy"), Player("B", "greedy")], seed="c"), 0
    while not sitting.over:
        if sitting.moves_made % 5 == 4 and sitting.state.legal_actions(HOUSE):
            sitting.play(HOUSE, sitting.state.legal_actions(HOUSE)[:1])
            events += 1
        else:
            sitting.play_bot(sitting.bot_to_act())
    assert events
    (found,) = replayed(sitting.log)
    assert replays(found, sitting.moves_made)


def of_people(takes_back=True):
    """A game of CHI of a person and a bot, in which a stand-in plays in part and the last two moves are taken back."""
    table = fairdeal.load("chi", players=2, stacks_to_end=4)
    sitting = Sitting.open(table, [Player("Ada"), Player("Bo", "greedy")], seed="d")
    stand_in = find_bot("greedy", table, 0, b"")
    while not sitting.over:
        seat = sitting.state.to_act[0]
        if seat == 1:
            sitting.play_bot(1)
            continue
        by_bot = sitting.moves_made > 10
        actions = stand_in.choose(sitting.state.view(0, stand_in.recall), 0).actions
        sitting.play(0, actions if by_bot else next(sitting.state.moves(0)), by="greedy" if by_bot else "")
        if takes_back and sitting.moves_made > 4:
            sitting.take_back(1)
            takes_back = False
    return sitting


def test_what_is_taken_back_is_named(replayed):
    sitting = of_people()
    undo = next(number for number, entry in enumerate(sitting.log.entries) if entry.text == "undo")
    several = [*sitting.log.entries]
    several[undo] = replace(several[undo], text="undo 2", seat=several[undo - 2].seat)
    never = [*several]
    never[undo] = replace(several[undo], text="undo 999")
    logs = [sitting.log, *(replace(sitting.log, entries=entries) for entries in (several, never))]
    found, others, wrong = replayed(*logs)
    assert found[0][0]
    assert bots_of(found) > 10
    assert [text for ok, text in found if ok is None] == [
        "Not proven here: that a move that was taken back had told nothing. fairdeal verify checks it."
    ]
    assert others[0][0] is False
    assert wrong == [(False, f"Number {undo + 1} takes back a move that is not its own.")]


def test_several_moves_taken_back_at_once_are_played_again(replayed):
    sitting = of_people(takes_back=False)
    half = replay(sitting.log, sitting.seed, upto=8)
    first = half.log.moves[-2].seat
    if first != 0:
        half.take_back(1)
    half.take_back(2)
    assert half.log.entries[-1] == Move(0, "undo 2")
    while not half.over:
        seat = half.state.to_act[0]
        half.play(seat, half.hint(seat).actions) if seat == 0 else half.play_bot(seat)
    (found,) = replayed(half.log)
    assert found[0][0], found


def wrongly(sitting):
    """Yield logs with one fact that is not true, and the words that say so. All marks fit."""
    log = sitting.log
    first = log.entries[0]
    yield replace(log, seed=bytes(32)), "is not a legal move with the cards of the seal|is not the move that the bot"
    other = replace(log.players[0], nonce="00" * 16)
    yield replace(log, players=(other, log.players[1])), "is not a legal move|is not the move that the bot makes"
    yield replace(log, options=log.options | {"stacks_to_end": 5}), "another option than the log: stacks_to_end"
    yield replace(log, rules_version=2), "another game, or with other seats"
    yield replace(log, players=(*log.players, Player("Cy"))), "another game, or with other seats"
    yield replace(log, result=(99, 1)), r"The result is \[\d+,\d+\], and not \[99,1\]"
    yield replace(log, entries=log.entries[:-1]), "not over after the last move"
    yield replace(log, entries=[*log.entries, first]), f"Number {len(log.entries) + 1} is not a legal move"
    yield replace(log, entries=[replace(first, seat=1 - first.seat), *log.entries[1:]]), "Number 1 is not a legal move"
    yield replace(log, entries=[replace(first, actions=first.actions * 2), *log.entries[1:]]), "Number 1 is not a legal"
    yield replace(log, entries=[replace(first, actions=(60000,)), *log.entries[1:]]), "Number 1 is not a legal move"
    bot = next(number for number, entry in enumerate(log.entries) if entry.seat == 1)
    by = [replace(one, by="person") if number == bot else one for number, one in enumerate(log.entries)]
    yield replace(log, entries=by), "by somebody who does not play at this seat"
    state = replay(log, log.seed, upto=bot).state
    others = [actions for actions in state.action_moves(1) if actions != log.entries[bot].actions]
    made = [replace(one, actions=others[0]) if number == bot else one for number, one in enumerate(log.entries)]
    yield replace(log, entries=made), f"Number {bot + 1} is not the move that the bot makes"
    back = [*log.entries[: bot + 1], Move(1, "undo"), *log.entries[bot + 1 :]]
    yield replace(log, entries=back), f"Number {bot + 2} takes back a move that is not its own"


def test_a_log_that_is_not_true_is_found(replayed):
    sitting = of_people(takes_back=False)
    right = sitting.table.blank().record.tobytes()
    logs, words = zip(*wrongly(sitting), strict=True)
    found = replayed(sitting.log, *logs, starts=[right] * (len(logs) + 1))
    assert found[0][0][0]
    for one, said in zip(found[1:], words, strict=True):
        assert len(one) == 1
        assert one[0][0] is False
        assert re.search(said, one[0][1])
    branch = replace(logs[11], branch=Branch("other", 0, "00" * 32))
    assert replayed(branch, starts=[right])[0][0][0], "in a branch a person may play for a bot"


def test_a_table_that_is_not_empty_before_the_deal_is_found(replayed):
    sitting = of_people(takes_back=False)
    right = sitting.table.blank().record.tobytes()
    known, looked = sitting.table.game.state.fields, 0
    for name in ("to_act", "over", "chance", "match"):
        at = known[name][1]
        wrong = bytearray(right)
        wrong[at] ^= 1
        (found,) = replayed(sitting.log, starts=[bytes(wrong)])
        assert found == [(False, "The room begins with cards on the table.")], name
        looked += 1
    (found,) = replayed(sitting.log, starts=[right[:-1]])
    assert found == [(False, "The room begins with something else than a table.")]
    assert looked == 4
