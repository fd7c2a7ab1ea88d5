"""A room that lies in any field of any message, to the page and to the terminal: if anything that a player's program
draws is not true, its verdict is not that everything holds. And what changes nothing that is recorded changes no
verdict.

`FAIRDEAL_LIES=20000 uv run pytest tests/server/test_liar.py` tries as many changes of three games in each program.
"""

import inspect
import json
import os
import random
import re
import textwrap
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

import msgspec
import pytest

from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.engine.registry import find_game
from fairdeal.engine.state import table_for
from fairdeal.protocol import messages as m
from fairdeal.protocol import record
from fairdeal.protocol.bodies import Join, Number
from fairdeal.server.storage.promises import Keys
from fairdeal.table import fairness, redrawing, verdict
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay
from fairdeal.table.verification import verify
from fairdeal.terminal.online import keeper
from fairdeal.terminal.online.client import Visit
from fairdeal.terminal.online.connection import Connection
from tests.server.in_node import answer_of, copy_rules, copy_scripts, needs_node
from tests.server.in_process import KEYS, store_of
from tests.server.lies import sample
from tests.server.transcripts import OWN, played

MOST = int(os.environ.get("FAIRDEAL_LIES", "1000"))

GAMES = {
    "chi": {"players": 2, "stacks_to_end": 4},
    "chimax-cut": {"players": 3},
    "chip-it": {"players": 2},
}
"""Games that are not long, in which every scene can be compared."""

SEAT = 1
"""The seat of the player that the room lies to."""

OTHER_KEYS = Keys(seeds=bytes(32), signing=bytes(range(1, 33)))


@dataclass
class Said:
    """What a program says of a room, the lies that it drew, and whether its record is the honest one."""

    findings: list
    lies: list = field(default_factory=list)
    same: bool = False
    claims: int = 0
    problems: list = field(default_factory=list)

    @property
    def trusts(self):
        return all(ok for _, ok, _ in self.findings)


@pytest.fixture(params=GAMES if "FAIRDEAL_LIES" in os.environ else ["chi"])
def game(request):
    return request.param


async def games(tmp_path, game):
    """Return the transcript of a player, and those of another seat, another table and another room."""
    store, options = store_of(tmp_path / "room.db"), GAMES[game]
    truth, seat = await played(store, KEYS, game, **options)
    table, _ = await played(store, KEYS, game, **options)
    room, _ = await played(store, OTHER_KEYS, game, **options)
    store.close()
    return truth, {"seat": seat, "table": table, "room": room}


def listed_in(game):
    """Return the zones and counters that the page's verdict covers."""
    parts = find_game(game).in_scene
    seats = range(GAMES[game]["players"])
    return {
        "zones": [one.zone.format(seat) for one in parts if one.zone for seat in seats],
        "counters": [form for one in parts if one.counter for form in (one.counter, f"{one.counter}s")],
    }


def without_room(part, path=""):
    """Return a part of a scene without what only the room knows."""
    if isinstance(part, dict):
        inside = ((name, without_room(one, f"{path}.{name}" if path else name)) for name, one in part.items())
        return {name: one for name, one in inside if f"{path}.{name}" not in redrawing.ROOM_KNOWS}
    return [without_room(one, path) for one in part] if isinstance(part, list) else part


def claims_of(message):
    """Yield what a message claims that the terminal's verdict covers: of a scene all but what only the room knows."""
    told = msgspec.to_builtins(message)
    facts, scene = told.get("facts"), told.get("scene")
    counted = {"welcome": facts, "scene": scene, "done": told}.get(told["type"]) or {}
    entries = counted.get("seq", 0 if counted is facts else -1)
    if len(told.get("chain", "")) >= 32 and entries >= 0:
        yield json.dumps(["chain", entries, told["chain"][:32]])
    if isinstance(message, m.Welcome | m.Table):
        deal = facts["deal"]
        claims = {name: deal.get(name) for name in ("commitment", "key", "header", "seed")} | {"table": facts["id"]}
        if deal.get("stage", "dealt") == "dealt" and facts.get("seat", -1) >= 0:
            claims["seat"] = facts["seat"]
        yield from (json.dumps([name, value]) for name, value in claims.items() if value not in (None, ""))
    if scene and isinstance(message, m.Welcome | m.Shown | m.Refused):
        yield json.dumps(without_room(scene), sort_keys=True)


class Answered:
    """An answer over HTTP."""

    def __init__(self, text):
        self.content = text.encode()


class LiedTo(Visit):
    """A visit to a room whose answers over HTTP are given."""

    def __init__(self, table):
        super().__init__(f"http://127.0.0.1:8017/t/{table}")

    def begin(self, answers):
        self.keeper.path.unlink(missing_ok=True)
        self.keeper, self.answers = keeper.Keeper(self.address, self.table), deque(answers)
        self.keeper.visit = "07070707"

    def ask(self, method, path, body=None):
        if not self.answers:
            raise FairdealError("the room does not answer")
        return Answered(self.answers.popleft())


class Terminal:
    """The terminal's own program."""

    def __init__(self, truth):
        self.visit, self.truth, self.honest = LiedTo(truth.table), set(), ""
        self.log = truth.steps[-1][1]
        drawn, findings = self.told(truth.steps)
        self.truth, self.honest = set(drawn), self.written()
        self.first = Said(findings, claims=len(drawn))

    def written(self):
        return self.visit.keeper.path.read_bytes()

    def told(self, steps):
        """Return what is drawn, and the verdict, if the room sends these steps."""
        visit, drawn, facts, log = self.visit, [], None, ""
        visit.begin(text for kind, text in steps if kind == "answer")
        line = Connection(lambda _: True, lambda: True, lambda *message: visit.keeper.heard(*message))
        line.number = 1
        for kind, text in steps:
            try:
                if kind == "message" and not line.is_stale:
                    message = line.decoded(text)
                    drawn += claims_of(message)
                    if isinstance(message, m.Welcome | m.Table):
                        facts = message.facts
                        visit.follow(facts)
                elif kind == "sit" and facts:
                    digest = visit.keeper.sit(facts)
                    facts = visit.read(visit.ask("POST", "", Join(hash=digest)), m.Facts)
                    visit.keeper.answered(Number(hash=digest), facts)
                    visit.follow(facts)
                elif kind == "log":
                    log = text
            except (FairdealError, msgspec.DecodeError):
                continue
        try:
            _, found = verify(log, visit.keeper.record)
            return drawn, [(one.check, one.ok, one.text) for one in found]
        except BadLog as problem:
            return drawn, [("", False, problem.reason)]
        except FairdealError as problem:
            return drawn, [("", None, str(problem))]

    def say(self, steps):
        drawn, findings = self.told(steps)
        lies = [claim for claim in drawn if claim not in self.truth][:2]
        if steps[-1][1].rstrip() != self.log.rstrip():
            lies.append("log")
        return Said(findings, lies, self.written() == self.honest)


def counters_of(truth):
    """Return what is true of counters, whether a scene shows it or not, as the page's program writes claims."""
    found, log = [], read_log(truth.steps[-1][1])

    def look(sitting, _=None):
        seen = sitting.log.number_for(SEAT), SEAT
        for name, value in sitting.state.facts(SEAT).items():
            if one := re.fullmatch(r"seat (\d+) (.*)", name):
                found.append([*seen, int(one[1]), one[2], value])

    look(replay(log, log.seed, watch=look))
    return found


def told_by_page(tmp_path, truth, given, stops=False):
    """Return what the page, whose scripts are in the folder, says of lies, until it believes one if it `stops` then,
    and of the truth."""
    copy_rules(tmp_path, find_game(truth.game))
    (tmp_path / "liar.mjs").write_bytes(Path(__file__).with_name("liar.mjs").read_bytes())
    told = {
        "steps": truth.steps,
        "tries": [lie.make() for lie in given],
        "listed": listed_in(truth.game),
        "known": counters_of(truth),
        "stops": stops,
        "start": table_for(truth.game, GAMES[truth.game]).blank().record.tobytes().hex(),
    }
    (tmp_path / "given.json").write_text(json.dumps(told), "utf-8")
    honest, *said = [Said(**one) for one in answer_of(tmp_path, "liar.mjs", timeout=120 + MOST)]
    assert stops or len(said) == len(given)
    return [*zip(given, said, strict=False)], honest


@pytest.fixture
def without_chance(tmp_path, monkeypatch):
    monkeypatch.setattr(keeper, "guests_file", lambda: tmp_path / "data" / "guests.json")
    monkeypatch.setattr(fairness, "new_nonce", lambda: OWN)


def judged(tried, honest):
    """Check what a program said of lies, and return how many there were and how many were drawn."""
    assert honest.trusts, [one for one in honest.findings if not one[1]]
    assert not honest.problems
    assert honest.claims > 20
    believed = [(lie, said.lies) for lie, said in tried if said.lies and said.trusts]
    accused = [(lie, said.findings) for lie, said in tried if said.same and not said.lies and not said.trusts]
    assert not believed, "\n".join(
        [f"{len(believed)} lies believed", *(" ".join([*lie.kind, str(lies[0])]) for lie, lies in believed[:30])]
    )
    assert not accused, (len(accused), accused[0])
    drawn = sum(bool(said.lies) for _, said in tried)
    assert drawn > len(tried) / 20, "hardly any lie was drawn"
    return len(tried), drawn


async def test_the_terminal_does_not_trust_a_room_that_lies(tmp_path, game, without_chance):
    truth, others = await games(tmp_path, game)
    terminal = Terminal(truth)
    given = sample(truth, others, MOST, random.Random(game))
    tried = [(lie, terminal.say(lie.told(truth.steps))) for lie in given]
    count, drawn = judged(tried, terminal.first)
    print(f"the terminal was told {count} lies, and {drawn} were drawn")


@needs_node
async def test_the_page_does_not_trust_a_room_that_lies(tmp_path, game):
    truth, others = await games(tmp_path, game)
    copy_scripts(tmp_path)
    given = sample(truth, others, MOST, random.Random(game))
    count, drawn = judged(*told_by_page(tmp_path, truth, given))
    print(f"the page was told {count} lies, and {drawn} were drawn")


IN_PAGE = {
    "the promise changes": ("record/record.js", "if (commitment !== visit.promise)", "if (false)", "commitment"),
    "the key changes": ("record/record.js", "else if (key !== visit.key) breaks", "else if (false) breaks", "deal.key"),
    "the header changes": ("record/record.js", "header !== visit.header) breaks", "false) breaks", "deal.header"),
    "the seed is another": ("record/record.js", "seed && !isPromised(seed, commitment)", "false", "deal.seed"),
    "another seat is shown": ("record/record.js", "scene.viewer !== -1 &&", "false &&", "that of another seat"),
    "refusals are not recorded": ("record/record.js", "'done', 'refused']", "'done']", "refused"),
    "two games are acknowledged": (
        "fair/check.js",
        "if (!log.after[known[entry]].startsWith(chain))",
        "if (false)",
        "chain",
    ),
    "another table is heard": ("record/keeper.js", "if (id !== this.table)", "if (false)", "facts.id"),
    "the header is not that of the log": ("fair/verdict.js", "visit.header !== header.text", "false", "deal.header"),
    "faces are not compared": ("fair/shown.js", ", [`${name} cards`]: sorted(shown) };", " };", "face"),
    "zones are left out": (
        "fair/replay.js",
        "!(name in facts) &&",
        "false &&",
        r"zones(\.\*)? (left out|another type)",
    ),
    "places are not compared": ("fair/shown.js", "return scores ?", "return false ?", "places"),
    "digests are not compared": (
        "fair/shown.js",
        "const facts = { state: digest(view.bytes) }",
        "const facts = {}",
        "state",
    ),
    "nothing is signed": ("fair/check.js", "if (!hex) return false;", "return true;", "log signed"),
    "marks are not compared": ("fair/log.js", "mark !== this.chain.slice(0, 8)", "false", "log"),
}
"""Mistakes in the page: a part of a module, what stands there in its place, and a pattern of the lies that find it."""

IN_TERMINAL = {
    "the promise changes": (record, "add_facts", "deal.commitment != visit.promise", "False", "commitment"),
    "the key changes": (record, "add_facts", "deal.key != visit.key", "False", "deal.key"),
    "the header changes": (record, "add_facts", 'visit.header not in ("", deal.header)', "False", "deal.header"),
    "the seed is another": (record, "add_facts", "deal.seed and not", "False and not", "deal.seed"),
    "another seat is shown": (record, "Reader.hear", "if visit.header and", "if False and", "that of another seat"),
    "two games are acknowledged": (
        verdict,
        "of_acknowledgements",
        "not chains[known[entries]].startswith(chain)",
        "False",
        "chain",
    ),
    "another table is heard": (keeper, "Keeper.heard", "message.facts.id != self.table", "False", "facts.id"),
    "the header is not that of the log": (verdict, "of_record", "visit.header != header", "False", "deal.header"),
    "the room names another seat": (verdict, "of_own_number", "and not others", "", "facts.seat"),
    "refusals are not recorded": (
        keeper,
        "Keeper.heard",
        "isinstance(message, Recorded)",
        'isinstance(message, Recorded) and type(message).__name__ != "Refused"',
        "refused",
    ),
    "zones are not compared": (
        redrawing,
        "differing",
        "is_skipped = ",
        'is_skipped = part.startswith("zones") or ',
        "zones",
    ),
    "nothing is signed": (verdict, "of_signatures", "if not is_signed", "if False and not is_signed", "log signed"),
}
"""Mistakes in the terminal: a module, a function, a part of it, what stands there in its place, and a pattern."""

ENOUGH = 300
"""Maximum number of lies that must find a mistake."""


def fitting(truth, others, pattern):
    """Return lies whose kind fits a pattern."""
    fit = [
        lie for lie in sample(truth, others, 10**6, random.Random(pattern)) if re.search(pattern, " ".join(lie.kind))
    ]
    return fit[:ENOUGH]


@needs_node
@pytest.mark.parts(8)
@pytest.mark.parametrize("mistake", IN_PAGE)
async def test_a_mistake_in_the_page_is_found(tmp_path, game, mistake):
    name, part, other, pattern = IN_PAGE[mistake]
    truth, others = await games(tmp_path, game)
    copy_scripts(tmp_path)
    file = tmp_path / "web" / name
    source = file.read_text("utf-8")
    assert source.count(part) == 1
    file.write_text(source.replace(part, other), "utf-8")
    tried, honest = told_by_page(tmp_path, truth, fitting(truth, others, pattern), stops=True)
    lie, said = tried[-1]
    print(mistake, len(tried), lie.kind)
    assert honest.trusts
    assert said.lies
    assert said.trusts


@pytest.mark.parts(8)
@pytest.mark.parametrize("mistake", IN_TERMINAL)
async def test_a_mistake_in_the_terminal_is_found(tmp_path, game, mistake, without_chance, monkeypatch):
    module, name, part, other, pattern = IN_TERMINAL[mistake]
    truth, others = await games(tmp_path, game)
    owner, _, last = name.rpartition(".")
    holder = getattr(module, owner) if owner else module
    source = textwrap.dedent(inspect.getsource(getattr(holder, last)))
    assert source.count(part) == 1
    made = {}
    exec(source.replace(part, other), module.__dict__, made)
    monkeypatch.setattr(holder, last, made[last])
    terminal = Terminal(truth)
    tried = ((lie, terminal.say(lie.told(truth.steps))) for lie in fitting(truth, others, pattern))
    assert terminal.first.trusts
    assert any(said.lies and said.trusts for lie, said in tried)
