"""The deal of the day: its record proves where the cards come from, and every change to the record is found."""

import json
from dataclasses import replace
from types import SimpleNamespace

import msgspec
import pytest
import typer

import fairdeal
from fairdeal.cli import logs
from fairdeal.engine.errors import BadLog, FairdealError
from fairdeal.protocol import daily as d
from fairdeal.table import fairness, signatures
from fairdeal.table.log import Dealt, Log, Player, marked, read_log
from fairdeal.table.sitting import Sitting
from fairdeal.table.verification import verify
from fairdeal.terminal.online.client import Declined
from fairdeal.terminal.online.today import Bound, became
from tests.conftest import SHORT
from tests.table.test_proofs import KEY, signed

LAST = bytes(range(32))
NONCES = [f"{number:032x}" for number in (1, 2, 3)]
NUMBERS = dict(zip(map(fairness.nonce_hash, NONCES), [*NONCES[:2], ""], strict=True))
"""Two numbers that were shown, and one that is missing."""
PUBLIC = signatures.public_key(KEY)
DEAL = 400


def record_of(number=DEAL, **facts):
    """The record of a closed deal, as the room writes it."""
    end, link = d.hashed(LAST, d.LINKS).hex(), d.link_of(LAST, number).hex()
    made = d.DayRecord(
        **{"room": PUBLIC, "deal": number, "end": end, "next_end": "0" * 64, "numbers": NUMBERS, "link": link} | facts,
        signed_list="",
    )
    return msgspec.structs.replace(
        made,
        signed_list=signatures.sign(KEY, d.LIST, made.list_digest),
        signed=signatures.sign(KEY, d.RECORD, made.digest),
    )


def played(record, names=("Ada", "Otto"), table="abc", bot="greedy"):
    """The log of a game of bots at the deal of a record."""
    seed = d.seed_of(bytes.fromhex(record.link), record.day)
    at = fairdeal.load("chi", **SHORT["chi"])
    players = tuple(Player(name, bot, fairness.seed_nonce(seed, seat)) for seat, name in enumerate(names))
    options = msgspec.to_builtins(SHORT["chi"])
    log = Log("chi", at.game.rules_version, options, players, fairness.commitment(seed), day=record.day)
    sitting = Sitting(at, replace(log, room=Dealt(PUBLIC, table)), seed)
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    return signed(sitting.log)


@pytest.fixture(scope="module")
def log():
    return played(record_of())


def test_the_record_proves_the_cards_and_names_missing_numbers(log):
    text = log.text()
    assert text.startswith("fairdeal log 4\n")
    read, found = verify(text)
    assert {one.check: one.ok for one in found}["bound"] is True
    told = d.check_record(record_of(), read)
    missing = next(hash for hash, number in NUMBERS.items() if not number)
    assert told == (
        f"The cards follow from link 35 of the room’s chain and the list of deal No. 400: 2 numbers shown, missing "
        f"{missing[:8]}."
    )


@pytest.mark.parametrize("numbers", [{}, dict.fromkeys(NUMBERS, "")], ids=["no numbers", "all missing"])
def test_a_deal_without_a_number_of_a_guest_is_the_rooms_own_choice(numbers):
    record = record_of(numbers=numbers)
    assert "no number shown, so the room alone chose the deal" in d.check_record(record, played(record))


@pytest.mark.parametrize(
    ("nonce", "taken", "kind", "reason"),
    [
        ("f" * 32, True, FairdealError, "not in the closed list"),
        ("f" * 32, False, Declined, "the room has not taken it"),
        (NONCES[2], True, Declined, "it is missing"),
    ],
)
def test_a_room_is_accused_only_of_what_it_has_confirmed(nonce, taken, kind, reason):
    visit = SimpleNamespace(fetch=lambda *_: record_of())
    with pytest.raises(FairdealError, match=reason) as raised:
        became(visit, DEAL, Bound(nonce, taken), DEAL)
    assert raised.type is kind


HASH = fairness.nonce_hash("f" * 32)

CHANGES = {
    "room": signatures.public_key(bytes(32)),
    "deal": DEAL + 1,
    "end": "1" * 64,
    "next_end": "1" * 64,
    "numbers: one more": NUMBERS | {HASH: "f" * 32},
    "numbers: one more, missing": NUMBERS | {HASH: ""},
    "numbers: one less": dict([*NUMBERS.items()][1:]),
    "numbers: one shown": {hash: nonce for (hash, _), nonce in zip(NUMBERS.items(), NONCES, strict=True)},
    "numbers: one missing": NUMBERS | {next(iter(NUMBERS)): ""},
    "numbers: another": NUMBERS | {next(iter(NUMBERS)): "f" * 32},
    "signed_list": "0" * 128,
    "signed": "0" * 128,
    "link": d.link_of(LAST, DEAL + 1).hex(),
    "link: closed": "",
}
"""Another value of each field of a record, after its name."""


def test_every_field_of_a_record_is_changed():
    assert {change.partition(":")[0] for change in CHANGES} == {*d.DayRecord.__struct_fields__}


@pytest.mark.parametrize("signs_again", [False, True], ids=["as signed", "signed again"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_change_to_a_record_is_found(log, change, signs_again):
    """Even if the room signs what it has changed, unless the cards do not depend on it: the signatures themselves, and
    the end of the next chain."""
    field = change.partition(":")[0]
    if signs_again and field in ("room", "next_end", "signed_list", "signed"):
        return
    record = msgspec.structs.replace(record_of(), **{field: CHANGES[change]})
    if signs_again:
        record = record_of(**{name: getattr(record, name) for name in ("end", "numbers", "link")}, number=record.deal)
    with pytest.raises(FairdealError, match=r"^\w+: "):
        d.check_record(record, log)


def test_a_log_that_is_dealt_from_another_seed_does_not_fit():
    honest = record_of()
    liar = msgspec.structs.replace(honest, link=d.link_of(bytes(32), DEAL).hex())
    with pytest.raises(FairdealError, match=r"^link: the seed of the log does not follow"):
        d.check_record(honest, played(liar))


def test_names_tables_and_times_do_not_enter_the_deal(log):
    """But the number of the deal, its link and each number of its list do."""
    moves = [move.text for move in log.moves]
    other = played(record_of(), names=("Zoe", "Ada"), table="xyz")
    assert [move.text for move in other.moves] == moves
    changed = [record_of(number=DEAL + 1), record_of(numbers={}), record_of(numbers=dict.fromkeys(NUMBERS, ""))]
    for record in changed:
        assert [move.text for move in played(record).moves] != moves


def test_a_day_stands_in_logs_of_its_own_format_only(log):
    text = log.text()
    for wrong in (text.replace("log 4", "log 3"), signed(replace(log, day=None)).text().replace("log 3", "log 4")):
        lines = [line.rpartition(" #")[0] for line in wrong.splitlines()[1:]]
        with pytest.raises(BadLog, match=r"begins with 'fairdeal log 4'"):
            read_log("\n".join(marked(wrong.partition("\n")[0], lines)) + "\n")


def test_the_command_checks_the_record(log, tmp_path, capsys):
    game, day = tmp_path / "game.log", tmp_path / "day.json"
    game.write_text(log.text())
    day.write_bytes(msgspec.json.encode(record_of()))
    for daily, told in ((day, "checked"), (None, "unproven")):
        with pytest.raises(typer.Exit):
            logs.verify(game, None, daily, None, json=True)
        assert "daily" in json.loads(capsys.readouterr().out)[told]
    day.write_bytes(msgspec.json.encode(msgspec.structs.replace(record_of(), link="0" * 64)))
    with pytest.raises(FairdealError, match=r"^link: hashed 35 times, it is not the end of the chain$"):
        logs.verify(game, None, day, None)


def test_chains_follow_one_another():
    places = [d.chain_of(number) for number in (1, 365, 366, 730, 731)]
    assert places == [(0, 1), (0, 365), (1, 1), (1, 365), (2, 1)]
    assert d.hashed(d.link_of(LAST, 366), 1) == d.hashed(LAST, d.LINKS)
    assert d.link_of(LAST, 730) == LAST
