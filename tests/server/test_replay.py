"""The page's program that plays a finished game again with the rules in WebAssembly, in Node.js: it finds what the
terminal finds."""

import hashlib
import re
from dataclasses import replace

import msgspec
import pytest
from msgspec.structs import replace as replace_in

import fairdeal
from fairdeal.bots import custom
from fairdeal.bots.levels import seated
from fairdeal.bots.registry import BOTS, bots_of, find_bot
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.errors import BadLog
from fairdeal.engine.observe.interface import description_of
from fairdeal.engine.observe.layout import layout_of_scenes, numbers_of
from fairdeal.engine.options import option_fields
from fairdeal.engine.records import HOUSE
from fairdeal.engine.registry import version_of
from fairdeal.engine.scene.shown import singular
from fairdeal.engine.state import table_for
from fairdeal.table.log import Branch, Move, Player
from fairdeal.table.receipts import Drawn, Record, Visit
from fairdeal.table.sitting import Sitting, replay, table_of
from fairdeal.table.verdict import CHECKS
from fairdeal.table.verification import verify
from tests.conftest import ROOT, SHORT, at_most_two
from tests.server.in_node import copy_rules, needs_node, run_in_node
from tests.table.sittings import finished
from tests.table.test_log_and_verification import marked_anew

pytestmark = needs_node

PROGRAM = """
import { readFileSync } from 'node:fs';
import { replay } from './web/fair/replay.js';
import { Rules } from './web/fair/rules.js';

const description = JSON.parse(readFileSync('description.json'));
const rules = () => Rules.load(readFileSync('module.wasm'), description, 64);
const last = (all) => [...all].at(-1);
const found = [];
for (const { start, log, stops, shown } of JSON.parse(readFileSync('games.json'))) {
  const one = await rules();
  if (!stops) {
    found.push(last(replay(one, start, log, shown)));
    continue;
  }
  one.apply = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  try {
    last(replay(one, start, log));
  } catch (problem) {
    found.push([{ check: 'moves', ok: null, text: problem.message }]);
  }
}
console.log(JSON.stringify(found));
"""

PARTS = """
import { readFileSync } from 'node:fs';
import { replay } from './web/fair/replay.js';
import { Rules } from './web/fair/rules.js';

const description = JSON.parse(readFileSync('description.json'));
const { start, log } = JSON.parse(readFileSync('game.json'));
const found = [];
for (let time = 0; time < 2; time += 1) {
  const rules = await Rules.load(readFileSync('module.wasm'), description, 64);
  const { list_moves: list, ...calls } = rules.calls;
  const seats = [];
  const listed = (at, seat, ...more) => {
    seats.push(seat);
    return list(at, seat, ...more);
  };
  rules.calls = { ...calls, list_moves: listed };
  const parts = [];
  for (const one of replay(rules, start, log)) {
    parts.push({ texts: one.map(({ text }) => text), searches: seats.length });
  }
  found.push({ parts, seats });
}
console.log(JSON.stringify(found));
"""
"""What a replay finds on its way, and for which seats it searches one after the other."""

HABITS = """
import { readFileSync } from 'node:fs';
import { habitsOf } from './web/fair/bots.js';

const { names, recall } = JSON.parse(readFileSync('names.json'));
console.log(JSON.stringify(names.map((name) => habitsOf(name, recall))));
"""

SHOWN = """
import { readFileSync } from 'node:fs';
import { shownIn } from './web/fair/shown.js';

const { all, layout } = JSON.parse(readFileSync('scenes.json'));
const drawn = (scenes) => scenes.map((scene) => ({ scene, layout }));
const record = (scenes) => ({ visits: new Map([['visit', { key: '', scenes: drawn(scenes) }]]) });
console.log(JSON.stringify(all.map((scenes) => shownIn(record(scenes), ''))));
"""

WORKER = """
import { readFileSync } from 'node:fs';

const { files, asked } = JSON.parse(readFileSync('asked.json'));
const found = [];
let answer;
globalThis.addEventListener = (_, does) => (answer = does);
globalThis.postMessage = (said) => found.push(said);
globalThis.fetch = async (path) => {
  const file = files[new URL(path, 'http://room').pathname];
  return file ? new Response(readFileSync(file)) : new Response('', { status: 404 });
};
await import('./web/fair/worker.js');
found.shift(); // it is ready
for (const one of asked) await answer({ data: one });
console.log(JSON.stringify(found));
"""
"""The worker of a page, with files of a room by their addresses."""

REQUESTS = """
import { replayed } from './web/fair/replayed.js';

const WAYS = [
  ['rules'],
  ['refused', 'rules'],
  ['waits', 'waits', 'refused', 'rules'],
  Array(10).fill('waits'),
  ['rules', 'more'],
  ['rules', 'more', 'fails'],
  ['rules', 'stuck'],
];
const found = [];
for (const answers of WAYS) {
  const told = [];
  let end;
  globalThis.setTimeout = (does, time) => {
    if ([1000, 10000].includes(time)) told.push(`wait ${time}`);
    if (time <= 1000) queueMicrotask(does);
    if (time === 10000) end = does;
    return time;
  };
  globalThis.clearTimeout = (time) => time === 10000 && told.push(`end ${time}`);
  globalThis.fetch = async () => {
    const answer = answers.shift() ?? 'too many';
    told.push(answer);
    if (answer === 'refused') return new Response('{}', { status: 500 });
    const rules = { module: answer === 'rules' ? 'm' : '', waits: answer !== 'rules', missing: 'soon' };
    return new Response(JSON.stringify(rules));
  };
  globalThis.Worker = class {
    constructor() {
      queueMicrotask(() => this.onmessage({ data: { ready: true } }));
    }
    postMessage() {
      told.push('play');
      const done = (found, more) => this.onmessage({ data: { found, module: 'ab', description: 'cd', more } });
      queueMicrotask(() => {
        const [way, ...others] = answers;
        if (!way) done([]);
        for (const text of way === 'more' ? ['first', 'second'] : []) done([{ check: 'moves', ok: true, text }], true);
        if (others.length) this.onmessage({ data: { reason: 'the rules stopped' } });
        if (way) end();
      });
    }
    terminate() {
      told.push('stop');
    }
  };
  const log = `fairdeal log 3\\n${found.length}`;
  const { findings, done, module, description } = await replayed('x', log, { visits: new Map(), missed: '' }, () => 0);
  await new Promise((resolve) => setImmediate(resolve));
  found.push({ told, text: findings[0]?.text ?? '', done, hashes: module + description });
}
console.log(JSON.stringify(found));
"""
"""The requests and the clocks of a replay, at rooms that answer in different ways."""

OWN = "tests.bots.test_own:First"
"""A bot of a user."""

EXAMPLE = ROOT / "examples" / "my-war-catalogue.toml"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """Run a program beside the page's files, with the rules of a game and files of its own, and return what it
    prints."""
    folder = tmp_path_factory.mktemp("replayed")

    def ran(text, rules=None, **files):
        if rules:
            copy_rules(folder, rules)
        return run_in_node(folder, text, **files)

    return ran


@pytest.fixture(scope="module")
def replayed(program):
    """Return what the program says of logs of one game, as pairs of a mark and a text. `starts` are the states before
    the deals, and `texts` the texts of the logs, if they are not those of the logs. `stops` replaces the rules by some
    that cannot carry out any move."""

    def ask(*logs, starts=(), texts=(), stops=False, shown=()):
        starts = starts or [table_of(log).blank().record.tobytes() for log in logs]
        texts = texts or [log.text() for log in logs]
        games = [
            {"start": start.hex(), "log": text, "stops": stops, "shown": one}
            for start, text, one in zip(starts, texts, shown or [[]] * len(logs), strict=True)
        ]
        found = program(PROGRAM, fairdeal.find_game(logs[0].game), games=games)
        return [findings_in(said, bool(shown)) for said in found]

    return ask


def findings_in(said, with_shown):
    """Return what is broken or, if nothing is, all findings, as pairs of a mark and a text."""
    found = [(one["ok"], one["text"]) for one in said if with_shown or one["check"] != "shown"]
    return [one for one in found if one[0] is False] or found


def replays(found):
    """Whether the program has played the game again."""
    return found[0] == (True, CHECKS["moves"].holds)


def made_again(texts):
    """Return how many moves were recomputed and how many there are, by the name of the bot."""
    each = [re.findall(r"(\d+) of (\d+) by (.+?)(?=, \d| and \d|\.$)", text) for text in texts]
    return {name: (int(made), int(all)) for one in each for made, all, name in one}


PAIRS = ("greedy", "random"), ("juno:50-40-0", "bram:100-10-0"), ("pip:0-100-0", "greedy"), ("nox:70-20-9",)

FORGETTING = [[one] for one in ("forgetful", "greedy-30", "otto:100-0-0", "otto:55-0-0")]
"""Bots by the greedy rule, whatever they remember."""


def test_every_bot_is_asked_again_in_whole_games_of_every_game(name, replayed):
    seats = at_most_two(name)
    opponents = bots_of(fairdeal.find_game(name))
    rosters = [*PAIRS, *(opponents[first : first + seats] for first in range(0, len(opponents), seats))]
    rosters += FORGETTING * (name in ("chimax-match-2", "chi"))
    games = [finished(name, bots, **{"players": seats} | SHORT.get(name, {})) for bots in rosters]
    for game, found in zip(games, replayed(*(game.log for game in games)), strict=True):
        made = [sum(move.seat == seat for move in game.log.moves) for seat in range(seats)]
        texts = [text for _, text in found]
        assert replays(found)
        assert made_again(texts) == {f"Player {seat}": (count, count) for seat, count in enumerate(made) if count}
        assert [ok for ok, _ in found] == [True] * 3, game.log.players


def short_game(*bots, name="chi", **wishes):
    return finished(name, bots or ("greedy",), **{"players": 2} | SHORT[name] | wishes)


def entry_changed(log, number, **facts):
    """Return the log with facts of one entry changed."""
    entries = [*log.entries]
    entries[number] = replace(entries[number], **facts)
    return replace(log, entries=entries)


def unproven(found):
    """The findings that are neither right nor wrong."""
    return [text for ok, text in found if ok is None]


def test_the_page_knows_the_habits_of_every_bot(name, program):
    """Those of the bots that it can ask are the same as in Python."""
    table = fairdeal.load(name)
    asked = [*BOTS, "greedy-0", "greedy-30", "greedy-100", "vix:60-20-9", "pip:0-100-999999"]
    asked += [seated(opponent, table.game) for opponent in bots_of(table.game)]
    asked.remove("learned")
    others = ["person", "learned", "house", "vix", OWN, "greedy-101", "greedy-030"]
    others += ["vix:101-0-8", "vix:0-101-8", "vix:0-0-1000000", "vix:0-0", "vix:0-0-0 "]
    names = {"names": [*asked, *others], "recall": table.game.recall}
    found = program(HABITS, names=names)
    for word, habits in zip(asked, found[: len(asked)], strict=True):
        bot = find_bot(word, table, 0, bytes(32))
        blunders = 100 if word == "random" else getattr(bot, "blunders", 0)
        playouts = getattr(getattr(bot, "sound", None), "games", 0)
        assert habits == {"memory": bot.recall, "blunders": blunders, "playouts": playouts}, word
    assert found[len(asked) :] == [None] * len(others)


def test_bots_that_cannot_be_asked_are_named(replayed, monkeypatch):
    monkeypatch.setattr(custom, "_admitted", {})
    custom.admit([OWN])
    game = finished("chimax-cut", (OWN, "greedy"), players=2)
    (found,) = replayed(game.log)
    assert replays(found)
    assert unproven(found) == [CHECKS["bots"].unknown["unknown"].format(names="Player 0")]


def test_searches_come_last_and_in_an_order_that_nobody_can_foresee(program):
    game = short_game("vix:100-0-4", "nox:100-10-6")
    log = {"start": game.table.blank().record.tobytes().hex(), "log": game.log.text()}
    both = program(PARTS, game.table.game, game=log)
    for parts in (one["parts"] for one in both):
        made = [sum(made for made, _ in made_again(one["texts"]).values()) for one in parts]
        assert made == [*range(game.moves_made + 1)]
        assert parts[0]["searches"] == 0
        assert parts[-1]["searches"] == len(both[0]["seats"]) > 20
        late = CHECKS["bots"].unknown["late"].partition("{")[0]
        assert [any(text.startswith(late) for text in one["texts"]) for one in parts] == [True] * (len(parts) - 1) + [
            False
        ]
    assert both[0]["seats"] != both[1]["seats"]


@pytest.mark.parametrize(
    ("game", "bot"), [("chi", "vix"), ("chip-it", "vix"), ("chaos-ninjas", "vix"), ("chi", "random"), ("chi", "greedy")]
)
def test_another_move_of_a_bot_is_found(game, bot, replayed):
    """A single one in the game, which is legal."""
    table = fairdeal.load(game, players=2, **SHORT[game])
    sitting = Sitting.open(table, [Player("A", bot), Player("B", "greedy")], seed="another")
    false = 0
    while not sitting.over:
        seat = sitting.state.to_act[0]
        right = sitting.bot_move(seat).actions
        others = [actions for actions in sitting.state.action_moves(seat) if actions != right]
        if seat == 0 and others and not false and sitting.moves_made > 4:
            false = sitting.moves_made + 1
        sitting.play(seat, others[-1] if false == sitting.moves_made + 1 else right)
    (found,) = replayed(sitting.log)
    assert found == [(False, f"Move {false} differs from the bot’s choice.")]
    with pytest.raises(BadLog, match=f"The bot {bot}[ :]"):
        verify(sitting.log.text())


def test_a_table_with_cards_of_its_own_is_played_again(replayed):
    options = {"players": 2, "ask_extreme": False, "max_rounds": 5}
    game = finished("war-xtreme", **options, catalogue=EXAMPLE.read_text("utf-8"))
    plain = fairdeal.load("war-xtreme", **options)
    found, wrong = replayed(game.log, game.log, starts=[one.blank().record.tobytes() for one in (game.table, plain)])
    assert unproven(found) == [CHECKS["moves"].unknown["files"]]
    assert wrong[0][0] is False


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
    assert replays(found)


def test_a_hidden_entry_must_be_able_to_be_a_pass_and_every_salt_follows_from_the_seed(replayed):
    game = finished("war-xtreme", seed="2", players=4, ask_extreme=False)
    hidden = next(number for number, entry in enumerate(game.log.entries) if entry.hidden)
    other, salt = game.log.entries[hidden].actions[0] + 1, f"The salt of move {hidden} does not follow from the secret."
    changes = [
        (hidden - 1, {"hidden": True}, f"Move {hidden} has no number, but is not a pass in a window."),
        (hidden - 1, {"salt": "0" * 32}, salt),
        (hidden - 1, {"salt": ""}, salt),
        (hidden, {"actions": (other,)}, f"Move {hidden + 1} is not legal with these cards."),
    ]
    logs = [entry_changed(game.log, number, **facts) for number, facts, _ in changes]
    found, *wrong = replayed(game.log, *logs)
    assert replays(found)
    assert wrong == [[(False, words)] for _, _, words in changes]


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
    several = entry_changed(sitting.log, undo, text="undo 2", seat=sitting.log.entries[undo - 2].seat)
    found, others, wrong = replayed(sitting.log, several, entry_changed(several, undo, text="undo 999"))
    assert found[0][0]
    made = made_again([text for _, text in found])
    assert {*made} == {"the stand-in of Ada", "Bo"}
    assert all(again == all_of_them > 5 for again, all_of_them in made.values())
    assert unproven(found) == [CHECKS["undone"].unknown["unchecked"]]
    assert others[0][0] is False
    assert wrong[0][1].endswith(" of the log: there is no move to take back.")


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
    log, entries = sitting.log, sitting.log.entries
    first, other = entries[0], replace(log.players[0], nonce="00" * 16)
    bot = next(number for number, entry in enumerate(entries) if entry.seat == 1)
    state = replay(log, log.seed, upto=bot).state
    choice = next(actions for actions in state.action_moves(1) if actions != entries[bot].actions)
    for facts, words in (
        ({"seed": bytes(32)}, "is not legal with these cards|differs from the bot’s choice"),
        ({"players": (other, log.players[1])}, "is not legal with these cards|differs from the bot’s choice"),
        ({"options": {"stacks_to_end": 4, "players": 3}}, "The option players differs from the log"),
        ({"rules_version": 2}, "a different game or different seats than the log"),
        ({"players": (*log.players, replace(other, name="Cy"))}, "a different game or different seats than the log"),
        ({"result": (99, 1)}, r"The result is \[\d+,\d+\], not \[99,1\]"),
        ({"entries": entries[:-1]}, "not over after the last move"),
        ({"entries": [*entries, first]}, f"Move {len(entries) + 1} is not legal with these cards"),
        (
            {"entries": [*entries[: bot + 1], Move(1, "undo"), *entries[bot + 1 :]]},
            f"Move {bot + 2} takes back a move of another seat or of a bot",
        ),
    ):
        yield replace(log, **facts), words
    wrong = {"stacks_to_end": [5], "yang_layout": ["mixed", 0.5, "constructor", "halve", None], "hand_limit": [[5, 0]]}
    for option, values in wrong.items():
        for value in values:
            yield replace(log, options=log.options | {option: value}), f"The option {option} differs from the log"
    for facts in ({"seat": 1 - first.seat}, {"actions": first.actions * 2}, {"actions": (60000,)}):
        yield entry_changed(log, 0, **facts), "Move 1 is not legal"
    yield entry_changed(log, bot, by="person"), f"The player named in move {bot + 1} does not play at this seat"
    yield entry_changed(log, bot, actions=choice), f"Move {bot + 1} differs from the bot’s choice"


def test_a_log_that_is_not_true_is_found(replayed):
    sitting = of_people(takes_back=False)
    right = sitting.table.blank().record.tobytes()
    logs, words = zip(*wrongly(sitting), strict=True)
    by_a_person = next(log for log, said in zip(logs, words, strict=True) if said.startswith("The player named"))
    branch = replace(by_a_person, branch=Branch("other", 0, "00" * 32))
    found, *others, free = replayed(sitting.log, *logs, branch, starts=[right] * (len(logs) + 2))
    assert found[0][0]
    assert free[0][0], "in a branch a person may play for a bot"
    for one, said in zip(others, words, strict=True):
        assert len(one) == 1
        assert one[0][0] is False
        assert re.search(said, one[0][1])


def test_a_table_that_is_not_empty_before_the_deal_is_found(replayed):
    sitting = of_people(takes_back=False)
    right, starts = sitting.table.blank().record.tobytes(), []
    for name in ("to_act", "over", "chance", "match"):
        at = sitting.table.game.state.fields[name][1]
        starts.append(right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :])
    found = replayed(*[sitting.log] * 5, starts=[*starts, right[:-1]])
    assert found == [[(False, "The room’s first position is not empty.")]] * 4 + [
        [(False, "The room’s first position does not fit the rules.")]
    ]


NOT_OVER = (False, "The game is not over after the last move.")
"""What is found in a log without moves whose first position is right."""


def without_moves(table):
    """Return the log of a game that has not begun."""
    players = [Player(f"P{seat}", "greedy") for seat in range(table.players)]
    sitting = Sitting.open(table, players, seed="e")
    return replace(sitting.log, seed=sitting.seed)


def test_the_options_of_every_table_are_those_of_its_log(name, replayed):
    game = fairdeal.find_game(name)
    tables = [table_for(name, {}, preset) for preset in game.presets]
    tables += [table_for(name, {"players": players}) for players in range(game.players[0], game.players[1] + 1)]
    found = replayed(*map(without_moves, tables))
    assert found == [[NOT_OVER]] * len(tables)


def test_every_number_of_the_options_is_compared(name, replayed):
    """Nothing is named in the log but the players: all other options have their defaults."""
    table = table_for(name, {})
    right, starts, names = table.blank().record.tobytes(), [], []
    for field in numbers_of(table.game.state):
        if field.name.startswith("options."):
            last = sum((length - 1) * stride for length, stride in field.dims)
            for at in {field.offset, field.offset + last}:
                starts.append(right[:at] + bytes([right[at] ^ 1]) + right[at + 1 :])
                names.append(field.name.split(".")[1].rstrip("_"))
    log = without_moves(table)
    found = replayed(*[log] * len(starts), starts=starts)
    assert found == [[(False, f"The option {one} differs from the log.")] for one in names]
    assert set(names) == {*option_fields(table.game.options)} - {"players"}


def test_entries_are_numbered_from_one_without_gaps(replayed):
    log = short_game().log
    lines = [re.sub(" #[0-9a-f]{8}$", "", line) for line in log.text().splitlines()]
    wrong = [marked_anew(re.sub(f"^{number} seat", f"{other} seat", line) for line in lines) for number, other in
             ((1, 2), (1, 0), (3, 4), (3, 2), (3, "03"), (len(log.entries), 1000))]  # fmt: skip
    for one in replayed(*[log] * len(wrong), texts=wrong):
        assert len(one) == 1
        assert one[0][0] is False
        assert re.search(r": (the entries of the log are not numbered|it cannot be read)", one[0][1])


def test_rules_that_stop_prove_nothing(replayed):
    assert replayed(short_game().log, stops=True) == [[(None, "the rules stopped")]]


def test_the_worker_runs_only_the_files_that_are_named(program):
    log = short_game().log
    module = wasm_of(fairdeal.find_game("chi"))
    description = description_of(fairdeal.find_game("chi"), module)
    files = {
        "right__wasm": module.code,
        "other__wasm": module.code + b"\0\1\0",
        "right__json": description.as_json(),
        "other__json": msgspec.structs.replace(description, sha256="ab" * 32).as_json(),
    }
    hashes = {name.replace("__", "."): hashlib.sha256(data).hexdigest() for name, data in files.items()}
    paths = {file: f"/modules/{digest}.{file[-4:]}" for file, digest in hashes.items()}
    right, other, beside, others = paths.values()
    named, changed = f"/modules/{'ab' * 32}.wasm", f"/modules/{'cd' * 32}.json"
    served = {path: file for file, path in paths.items()} | {named: "right.wasm", changed: "right.json"}
    elsewhere = right.replace(".wasm", "") + "/../" + other.rpartition("/")[2]
    another, unlike = "the room sends other rules than it names", "the description belongs to other rules"
    asked = [
        (right, beside, ""),
        *((code, beside, another) for code in (elsewhere, f"/x{right}", f"{right}?x", named)),
        *((right, shape, another) for shape in (changed, f"{beside[:-5]}/../{others.rpartition('/')[2]}")),
        (right, others, unlike),
        (other, beside, unlike),
        (f"/modules/{'00' * 32}.wasm", beside, "the room does not send its rules"),
    ]
    start = table_of(log).blank().record.tobytes().hex()
    rules = [{"module": code, "description": shape, "start": start} for code, shape, _ in asked]
    message = {"files": served, "asked": [{"rules": one, "text": log.text(), "shown": []} for one in rules]}
    part, found, *refused = program(WORKER, asked=message, **files)
    assert [one["ok"] for one in found["found"]] == [True, True, True, None]
    assert part == found | {"more": True}
    assert (found["module"], found["description"]) == (hashes["right.wasm"], hashes["right.json"])
    assert refused == [{"reason": words} for _, _, words in asked[1:]]


def test_waiting_for_the_rules_has_a_clock_of_its_own(program):
    play = ["play", "wait 10000", "end 10000", "stop"]
    found = program(REQUESTS)
    assert [one["told"] for one in found] == [
        ["rules", *play],
        ["refused", "rules", *play],
        ["waits", "wait 1000", "waits", "wait 1000", "refused", "rules", *play],
        ["waits", "wait 1000"] * 10,
        *[["rules", *play]] * 3,
    ]
    assert [one["done"] for one in found] == [True, True, True, False, True, False, False]
    assert [one["hashes"] for one in found] == ["abcd"] * 3 + ["", "abcd", "", ""]
    late = "the room has no rules yet; reload this page to ask again"
    long = "the replay took more than ten seconds"
    reasons = [CHECKS["moves"].unknown["unplayed"].format(why=reason) for reason in (late, "the rules stopped", long)]
    assert [one["text"] for one in found] == ["", "", "", reasons[0], "second", *reasons[1:]]


def looks_at(sitting, seat):
    """The scenes of a seat in a finished game, as a room sends them."""
    scenes = []

    def watch(running, entry=None):
        if running.table.game.in_window(running.state.record) and seat not in running.state.to_act:
            return  # a room shows the state before
        scenes.append(running.sent(seat))

    watch(replay(sitting.log, sitting.seed, watch=watch))
    return scenes


def what_was_shown(program, sitting, *all_scenes):
    """Return what the page compares of lists of scenes."""
    given = {"all": all_scenes, "layout": layout_of_scenes(sitting.table.game)}
    return program(SHOWN, scenes=given)


def visited(sitting, scenes, version=None, layout=None):
    """Return the visits of a program that was shown scenes, by a room of this version and layout or of others."""
    game = sitting.table.game
    room = layout or layout_of_scenes(game), version_of(game.name) if version is None else version
    return {"visit": Visit(scenes=[Drawn(scene, *room) for scene in scenes])}


def shown(sitting, scenes, **room):
    """Return the finding of the terminal's program about scenes."""
    found = verify(sitting.log.text(), Record(visits=visited(sitting, scenes, **room)))[1]
    return next((one.ok, one.text) for one in found if one.check == "shown")


def compared(found):
    """The number of scenes that were compared with the game."""
    said = (re.match(r"You were shown this game: (\d+) scenes? compared\.$", text) for _, text in found)
    return sum(int(one[1]) for one in said if one)


def falsely(scene, names):
    """Yield the scene with one of the facts changed that a state has, and the fact's name."""

    def put(kind, number, **facts):
        parts = [*getattr(scene, kind)]
        parts[number] = replace_in(parts[number], **facts)
        return replace_in(scene, **{kind: tuple(parts)})

    for number, zone in enumerate(scene.zones):
        if f"{zone.id} count" in names:
            yield f"{zone.id} count", put("zones", number, count=zone.count + 1)
        if f"{zone.id} cards" in names and zone.cards and zone.cards[0].back != "gap":
            other = replace_in(zone.cards[0], face="other", down=False)
            yield f"{zone.id} cards", put("zones", number, cards=(other, *zone.cards[1:]))
    for number, seat in enumerate(scene.seats):
        for place, counter in enumerate(seat.counters):
            name = f"seat {seat.seat} {singular(counter.label)}"
            if name in names:
                counters = *seat.counters[:place], replace_in(counter, value=99), *seat.counters[place + 1 :]
                yield name, put("seats", number, counters=counters)
    if scene.result:
        places = tuple(place + 1 for place in scene.result.places)
        yield "places", replace_in(scene, result=replace_in(scene.result, places=places))
    yield "state", replace_in(scene, state=scene.state[::-1])


def test_what_was_shown_is_compared_in_every_game(name, replayed, program):
    """The page finds each fact of a scene that the game does not have, and the terminal's program another digest."""
    game = finished(name, ("greedy",), players=at_most_two(name), **SHORT.get(name, {}))
    scenes = looks_at(game, 0)
    (found,) = replayed(game.log, shown=what_was_shown(program, game, scenes))
    if game.table.game.has_windows:
        assert "as in windows" in found[-1][1]
    else:
        assert compared(found) == len(scenes) == game.moves_made + 1
    assert shown(game, scenes) == (True, f"You were shown this game: {len(scenes)} scenes compared.")
    changed = []
    for number in (1, len(scenes) // 2, len(scenes) - 1):
        names = replay(game.log, game.seed, upto=number).state.facts(0)
        for fact, other in falsely(scenes[number], names):
            changed.append((fact, number, [*scenes[:number], other, *scenes[number + 1 :]]))
    kept = what_was_shown(program, game, *(false for _, _, false in changed))
    told = replayed(*[game.log] * len(changed), shown=kept)
    for (fact, number, false), found in zip(changed, told, strict=True):
        text = f"After entry {number}, you were shown a table that differs from the game."
        assert found[-1] == (False, text), fact
        if fact == "state":
            with pytest.raises(BadLog, match=f"After entry {number}, you were shown a table that differs") as problem:
                shown(game, false)
            assert problem.value.check == "shown"
    assert {fact for fact, _, _ in changed} >= {"state", "places"}
    assert len({fact for fact, _, _ in changed}) > 2


def test_scenes_that_cannot_be_compared_are_not_proven(replayed, program):
    """Those of another layout. A scene without a state is false unless the game has windows."""
    game = short_game()
    scenes = looks_at(game, 0)
    silent = [*scenes[:4], replace_in(scenes[3], state=""), *scenes[4:]]
    one, whole = what_was_shown(program, game, silent, scenes)
    older = [scene | {"layout": "0"} for scene in whole]
    false, *found = replayed(*[game.log] * 3, shown=[one, [], older])
    assert false[-1] == (False, "After entry 3, you were shown a table that differs from the game.")
    sentences = CHECKS["shown"].unknown
    said = [sentences["none"], sentences["version"].format(version="unknown")]
    assert [each[-1] for each in found] == [(None, text) for text in said]
    assert shown(game, []) == (None, said[0])
    assert shown(game, scenes, layout="0") == (None, said[1])
    with pytest.raises(BadLog, match="After entry 3, you were shown a table that differs"):
        shown(game, silent)


def test_words_and_faces_of_another_version_are_not_called_false():
    """Its states are compared, though."""
    game = short_game()
    scenes = looks_at(game, 0)
    words = [replace_in(scenes[0], sub="other words"), *scenes[1:]]
    with pytest.raises(BadLog, match=r"After entry 0, .* differs from the game \(sub\)"):
        shown(game, words)
    said = CHECKS["shown"].unknown["version"]
    assert shown(game, words, version="9.9") == (None, said.format(version="9.9"))
    assert shown(game, words, version="") == (None, said.format(version="unknown"))
    with pytest.raises(BadLog, match=r"After entry 2, .* differs from the game \(state\)"):
        shown(game, [*scenes[:2], replace_in(scenes[2], state="0" * 32)], version="9.9")
    faces = game.table.game.faces(game.table.options)
    one, other = [*faces][:2]
    visits = visited(game, scenes)
    with pytest.raises(BadLog, match="other faces of the cards"):
        verify(game.log.text(), Record(visits=visits, faces=faces | {one: faces[other]}))
    verify(game.log.text(), Record(visits=visits, faces=faces))
    older = Record(visits=visited(game, scenes, version=""), faces=faces | {one: faces[other]})
    verify(game.log.text(), older)


def test_a_scene_that_shows_a_zone_twice_or_a_face_in_a_gap_is_found(replayed, program):
    game = short_game()
    scenes = looks_at(game, 0)
    row = next(zone for zone in scenes[2].zones if zone.id == "row")
    covered = replace_in(row, cards=(replace_in(row.cards[0], face="chi", back="gap"), *row.cards[1:]))
    gap = tuple(covered if zone is row else zone for zone in scenes[2].zones)
    lies = [[*scenes[:2], replace_in(scenes[2], zones=zones)] for zones in ((*scenes[2].zones, row), gap)]
    for found in replayed(*[game.log] * 2, shown=what_was_shown(program, game, *lies)):
        assert found[-1] == (False, "After entry 2, you were shown a table that differs from the game.")
