"""The verdicts of the page and of `fairdeal verify`: the same checks, with the same sentences, say the same of the same
records and logs.
"""

import json

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.scene import Scene
from fairdeal.protocol.messages import Chair, Deal, Done, Facts, Shown, Table, Welcome
from fairdeal.protocol.record import Begun, Heard, Made, Reader, Sent, decoder, line_of
from fairdeal.table.log import read_log
from fairdeal.table.verdict import before_the_end, contradictions, in_order, of_deal, of_end
from tests.server.in_node import needs_node, run_in_node
from tests.server.lies import LEFT_OUT, changed, nodes
from tests.table.test_proofs import played

PROGRAM = """
import { readFileSync } from 'node:fs';
import { check } from './web/fair/check.js';
import { beforeTheEnd } from './web/fair/verdict.js';
import { Reader } from './web/record/record.js';

const { logs, records } = JSON.parse(readFileSync('given.json'));
const found = [];
for (const lines of records) {
  const reader = new Reader('abc');
  lines.forEach((line) => reader.add(JSON.parse(line)));
  const all = [beforeTheEnd(reader.record)];
  for (const log of logs) all.push((await check(reader.record, log)).findings);
  found.push(all.map((one) => one.map(({ check: name, ok, text }) => [name, ok, text])));
}
console.log(JSON.stringify(found));
"""
"""What the page says of records, before the end and with each log."""


def facts(log, stage, hash="", **deal):
    chairs = [Chair(seat=seat, name=one.name, hash=hash if seat == 0 else "") for seat, one in enumerate(log.players)]
    return Facts(
        id="abc",
        game=log.game,
        title="Chi",
        name="A",
        status="open",
        options={},
        chairs=tuple(chairs),
        seat=0,
        deal=Deal(commitment=log.commitment, key=log.room.key, stage=stage, failed=(), **deal),
    )


def entries(log):
    """Return the record of a player who was there from the first number to the last entry."""
    own, hash = log.players[0], log.players[0].hash
    outline, header = log.outline(), log.header().decode()
    dealt = Table(facts=facts(log, "dealt", hash, header=header))
    return [
        Begun(version=1, address="http://room", table="abc"),
        Made(nonce=own.nonce, promise=log.commitment),
        Sent(visit="one", hash=hash),
        Heard(visit="one", message=Table(facts=facts(log, "seats", hash)), hash=hash),
        Heard(visit="one", message=Table(facts=facts(log, "numbers", hash, outline=outline)), line=1),
        Sent(visit="one", hash=hash, outline=outline),
        Heard(visit="one", message=dealt, nonce=hash),
        *[
            Heard(visit="one" if number % 3 else "two", message=Done(id="1", seq=number, chain=chain), line=1)
            for number, chain in enumerate(log.chains())
        ],
        Heard(visit="two", message=dealt, line=2),
    ]


OTHER = {str: ("", "00" * 32, "abc"), int: (-1, 0, 1, 99), bool: (False, True), type(None): ([],)}


def altered(value):
    """Yield a JSON value with one part of it replaced by another value of the same type, or left out."""
    for path, part in nodes(value):
        if path and isinstance(path[-1], str):
            yield changed(value, path, LEFT_OUT)
        yield from (changed(value, path, other) for other in OTHER.get(type(part), ()) if other != part)


def records(whole):
    """Yield records with one entry altered, left out, repeated, moved to the end or said in another visit."""
    lines = [line_of(entry).decode().rstrip() for entry in whole]
    yield lines
    for place, line in enumerate(lines):
        rest = [*lines[:place], *lines[place + 1 :]]
        yield from (rest, [*lines[: place + 1], *lines[place:]], [*rest, line])
        entry = json.loads(line)
        others = [*altered(entry)] if place < 9 else []
        others += [entry | {"visit": visit} for visit in ("two", "three") if "visit" in entry]
        yield from ([*lines[:place], json.dumps(one), *lines[place + 1 :]] for one in others)


def said(lines, log):
    """Return what `fairdeal verify` says of a record without a replay, or before the end if there is no log. Return
    None if an entry cannot be read."""
    reader = Reader("abc")
    try:
        for line in lines:
            reader.add(decoder.decode(line))
    except (msgspec.DecodeError, FairdealError):
        return None
    record = reader.record
    if log is None:
        found = before_the_end(record)
    else:
        found = in_order([*contradictions(record, log.room.key), *of_deal(log, record), *of_end(log, record)])
    return [[one.check, one.ok, one.text] for one in found]


@needs_node
def test_both_programs_say_the_same_of_the_same_records(tmp_path):
    """Every alteration of a record of one game, with its log and that of another game."""
    log, other = (read_log(played(stacks_to_end=stacks).text()) for stacks in (4, 5))
    given = [lines for lines in records(entries(log)) if said(lines, None) is not None]
    logs = [None, log, other]
    found = run_in_node(tmp_path, PROGRAM, given={"logs": [one.text() for one in logs[1:]], "records": given})
    assert len(found) == len(given) > 300
    differences = [
        (lines, [pair for pair in zip(theirs, ours, strict=False) if pair[0] != pair[1]] or [theirs, ours])
        for lines, page in zip(given, found, strict=True)
        for theirs, ours in zip(page, (said(lines, one) for one in logs), strict=True)
        if theirs != ours
    ]
    assert not differences, (len(differences), differences[0])
    assert [ok for _, ok, _ in said(given[0], log)] == [True] * 12
    kinds = {ok for lines in given for _, ok, _ in said(lines, log)}
    assert kinds == {True, None, False}


DRAWN = """
import { readFileSync } from 'node:fs';
import { shownIn } from './web/fair/shown.js';
import { Reader } from './web/record/record.js';

const reader = new Reader('abc');
JSON.parse(readFileSync('lines.json')).forEach((line) => reader.add(JSON.parse(line)));
const { record } = reader;
const drawn = shownIn(record, record.visits.get('one').key);
console.log(JSON.stringify(drawn.map(({ seq, layout }) => [seq, layout])));
"""


@needs_node
def test_a_scene_belongs_to_the_version_of_the_room_that_drew_it(tmp_path):
    """A room may be restarted with another one while a program is there."""
    log, scene = read_log(played(stacks_to_end=4).text()), Scene(skin="chi", title="Chi", viewer=0)
    welcome = Welcome(facts=facts(log, "dealt"), layout="a", version="1")
    later = welcome.replaced(layout="b", version="2", scene=scene.replaced(seq=3))
    messages = [welcome, Shown(scene=scene.replaced(seq=2)), later, Shown(scene=scene.replaced(seq=4))]
    lines = [line_of(Heard(visit="one", message=one, line=1)).decode() for one in messages]
    reader = Reader("abc")
    for line in lines:
        reader.add(decoder.decode(line))
    drawn = [(one.scene.seq, one.layout, one.version) for one in reader.record.visits["one"].scenes]
    assert drawn == [(2, "a", "1"), (3, "b", "2"), (4, "b", "2")]
    assert run_in_node(tmp_path, DRAWN, lines=lines) == [[seq, layout] for seq, layout, _ in drawn]
