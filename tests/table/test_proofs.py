"""What a log proves: numbers that bind, bots that can be asked again, a running hash, signatures, a player's record."""

import itertools
import re
import textwrap
from dataclasses import replace

import pytest

import fairdeal
from fairdeal.bots.levels import level_of
from fairdeal.bots.registry import bots_of
from fairdeal.cli.logs import NO_RECORD
from fairdeal.table import fairness, signatures, verification
from fairdeal.table.log import Branch, Dealt, Move, Player, read_log
from fairdeal.table.receipts import Number, Record, Visit
from fairdeal.table.sitting import Sitting, replay
from fairdeal.table.verdict import CHECKS, code_of, of_deal
from fairdeal.table.verification import Recomputed, verdict, verify
from tests.conftest import ROOT, SHORT, at_most_two, refusal
from tests.table.test_log_and_verification import marked_anew

KEY = bytes(range(32))
WITHOUT_RECORD = ["failed", "waits", "bound", "seed", "log", "signed", "moves", "bots", "undone"]


def signed(log):
    """A log as a room would sign it."""
    log = replace(log, room=log.room or Dealt(signatures.public_key(KEY), "abc"), signed_header="", signed_end="")
    log.signed_header = signatures.sign(KEY, signatures.HEADER, log.header_chain())
    log.running = None
    log.signed_end = signatures.sign(KEY, signatures.END, log.end_chain())
    return log


def in_room(sitting, table="abc"):
    """The game as a table of a room, before the first move."""
    header = replace(sitting.log, room=Dealt(signatures.public_key(KEY), table))
    header.signed_header = signatures.sign(KEY, signatures.HEADER, header.header_chain())
    return Sitting(sitting.table, header, sitting.seed)


def played(game="chi", plays=("person", "greedy"), room=True, takes_back=False, **options):
    """A whole game of a person, who plays the first legal move, and bots."""
    table = fairdeal.load(game, players=len(plays), **options)
    sitting = Sitting.open(table, [Player(f"P{seat}", kind) for seat, kind in enumerate(plays)], seed="5")
    if room:
        sitting = in_room(sitting)
    while not sitting.over:
        seat = sitting.state.to_act[0]
        if seat in sitting.bots:
            sitting.play_bot(seat)
        else:
            sitting.play(seat, next(sitting.state.moves(seat)))
            if takes_back and sitting.may_take_back():
                sitting.take_back()
                takes_back = False
    return signed(sitting.log) if room else sitting.log


@pytest.fixture(scope="module")
def log():
    return played(stacks_to_end=4)


def rewritten(log, **changes):
    """The log with other facts, honest marks, and the room's signature."""
    return signed(replace(log, lines={}, **changes)).text()


def play_out(sitting, choose=lambda sitting, seat: sitting.hint(seat).actions):
    """Play to the end, by hints or what `choose` returns, and return the log, as a room would sign it."""
    while not sitting.over:
        seat = sitting.state.to_act[0]
        sitting.play(seat, choose(sitting, seat))
    return signed(sitting.log) if sitting.log.room else sitting.log


def played_again(log, by=None):
    """Replay the deal of a log with the moves of hints to its end. `by` names the bot that plays for a seat."""
    sitting = replay(log, log.seed, upto=0)
    while not sitting.over:
        seat = sitting.state.to_act[0]
        sitting.play(seat, sitting.hint(seat).actions, by=(by or {}).get(seat, ""))
        yield sitting, seat


def refused(text, words, record=None):
    with pytest.raises(fairdeal.BadLog, match=words) as found:
        verify(text, record)
    return found.value.check


def unknown(log, record=None):
    """Return the checks of a log that neither hold nor are broken, with their sentences."""
    return {one.check: one.text for one in verify(log.text(), record)[1] if one.ok is None}


def test_each_check_of_a_signed_log_holds(log):
    _, found = verify(log.text())
    assert [(one.check, one.ok) for one in found] == [(check, True) for check in WITHOUT_RECORD]


@pytest.mark.parametrize("nonce", ["", "1", "7" * 31, "7" * 33, "7" * 2000, "G" * 32])
def test_a_number_of_any_other_length_than_sixteen_bytes_is_refused(log, nonce):
    players = (replace(log.players[0], nonce=nonce), log.players[1])
    with pytest.raises(fairdeal.BadLog, match=r"nonce|expected: seat 0|changed"):
        read_log(replace(log, players=players, room=None, signed_header="", signed_end="").text())


def test_a_number_that_its_hash_does_not_bind_to_is_refused(log):
    other = replace(log.players[0], nonce="ab" * 16)
    refused(rewritten(log, players=(other, log.players[1])), "number of seat 0 is not the one to which it was bound")


def test_a_number_that_should_follow_from_the_seed_does(log):
    silent = replace(log.players[0], withheld=True)
    goes_on = replace(log.room, waits=False)
    altered = rewritten(log, players=(silent, log.players[1]), room=goes_on)
    refused(altered, "number of seat 0 does not follow from the seed")
    refused(rewritten(log, players=(silent, log.players[1])), "A number is missing at a table that waits")
    bot = replace(log.players[1], nonce="ab" * 16)
    refused(rewritten(log, players=(log.players[0], bot)), "number of seat 1 does not follow from the seed")


def test_a_bots_move_that_the_bot_would_not_make_is_refused_though_it_is_legal(log):
    """The game up to there, a legal move that greedy does not choose, and the end as any bots would play it."""
    sitting = replay(log, log.seed, upto=0)
    while True:
        seat = sitting.state.to_act[0]
        moves = list(sitting.state.moves(seat))
        if seat in sitting.bots and len(moves) > 1:
            best = sitting.table.game.write_move(sitting.state.record, seat, sitting.hint(seat).actions)
            sitting.play(seat, next(move for move in moves if move != best))
            break
        sitting.play(seat, moves[0])
    wrong, text = sitting.moves_made, play_out(sitting).text()
    with pytest.raises(fairdeal.BadLog, match=r"The bot greedy plays .* here, not ") as problem:
        verify(text)
    assert text.splitlines()[problem.value.line - 1].startswith(f"{wrong} seat 1 [")


def test_a_stand_ins_move_is_marked_and_made_again(log):
    *_, (sitting, _) = played_again(log, {0: "greedy"})
    text = signed(sitting.log).text()
    assert len(re.findall(r"^\d+ seat 0 by greedy \[", text, re.MULTILINE)) >= 3
    assert ("bots", True) in {(one.check, one.ok) for one in verify(text)[1]}
    assert read_log(text).text() == text


def test_a_move_taken_back_stays_in_the_log_and_the_hash_runs_on():
    log = played(stacks_to_end=4, takes_back=True)
    assert [entry.text for entry in log.entries].count("undo") == 1
    assert len(log.entries) == len(log.moves) + 2
    assert verify(log.text())[0].result == log.result
    stolen = [replace(one, seat=1 - one.seat) if one.text == "undo" else one for one in log.entries]
    refused(rewritten(log, entries=stolen), "cannot take back a move of seat")
    refused(rewritten(log, entries=[Move(0, "undo"), *log.entries]), "no move to take back")


def test_a_move_that_told_something_or_is_a_bots_is_not_taken_back(log):
    def is_refused(sitting, seat, words):
        refused(rewritten(log, entries=[*sitting.log.entries, Move(seat, "undo")]), words)

    moves = itertools.islice(played_again(log, {0: "greedy"}), 3)
    for sitting, seat in moves:
        is_refused(sitting, seat, "A bot’s move cannot be taken back")
    telling = next(
        sitting for sitting, seat in played_again(log) if seat == 0 and not sitting.over and not sitting.may_take_back()
    )
    is_refused(telling, 0, "revealed something")


def test_nobody_plays_in_a_bots_place_but_in_a_branch(log):
    seat = next(entry for entry in log.entries if entry.seat == 1)
    by_person = [replace(entry, by="person") if entry is seat else entry for entry in log.entries]
    refused(rewritten(log, entries=by_person), "Only the bot greedy can play at seat 1")
    branch = Branch("def", 0, "00" * 32)
    assert verify(rewritten(log, entries=by_person, branch=branch))
    odd = [replace(entry, by="random") if entry.seat == 0 else entry for entry in log.entries]
    refused(rewritten(log, entries=odd), "Only greedy can stand in for a player")
    left = [replace(entry, by="another") if entry.seat == 0 else entry for entry in log.entries]
    assert verify(rewritten(log, entries=left))
    never_left = [replace(entry, by="another") if entry is seat else entry for entry in log.entries]
    refused(rewritten(log, entries=never_left, branch=branch), "Nobody has left seat 1")


def test_a_bot_gives_no_number(log):
    bot = replace(log.players[1], hash=fairness.nonce_hash(log.players[1].nonce))
    refused(rewritten(log, players=(log.players[0], bot)), "Seat 1 is a bot’s, which has no number of its own")


def test_deals_that_failed_are_counted(log):
    assert "failed" not in unknown(log)
    again = signed(replace(log, lines={}, room=replace(log.room, attempt=3)))
    (failed,) = [one for one in of_deal(read_log(again.text()), None) if one.check == "failed"]
    assert (failed.ok, failed.text.split(" failed")[0]) == (None, "2 deals before this one")


def test_a_signature_that_is_missing_or_by_another_key_is_refused(log):
    for part in ("header", "end"):
        other = signatures.sign(bytes(32), part, log.header_chain() if part == "header" else log.end_chain())
        for signature, words in (
            (other, f"The room’s signature of the {part} is wrong"),
            ("00" * 64, f"The room’s signature of the {part} is wrong"),
        ):
            altered = replace(log, lines={}, **{f"signed_{part}": signature})
            if part == "header":  # the end is signed properly over it
                altered.signed_end = signatures.sign(KEY, signatures.END, altered.end_chain())
            assert refused(altered.text(), words) == "signed"
        unsigned = replace(log, lines={}, **{f"signed_{part}": ""})
        if part == "header":
            unsigned.signed_end = signatures.sign(KEY, signatures.END, unsigned.end_chain())
        assert unknown(unsigned) == {"signed": f"The room’s signature of the {part} is missing."}


def test_without_a_room_nobody_is_said_to_vouch():
    assert unknown(played(room=False, stacks_to_end=4)) == {"signed": "No room has signed this log."}


def test_bots_alone_prove_nothing_about_who_chose_the_cards():
    log = played(plays=("greedy", "random"), stacks_to_end=4)
    assert unknown(log) == {"bound": "No player gave a number: all numbers follow from the room’s seed."}


def test_a_branch_is_named_and_its_name_is_signed(log):
    branch = signed(replace(log, branch=Branch("def", 3, "00" * 32), lines={}))
    assert read_log(branch.text()).branch == Branch("def", 3, "00" * 32)
    assert branch.header() == log.header()
    assert unknown(branch) == {"log": "This game continues another game, whose cards were known."}
    hidden = replace(branch, branch=None)
    refused(hidden.text(), "signature of the header is wrong")


def test_lines_in_another_order_or_written_otherwise_are_refused(log):
    lines = log.text().splitlines()
    looked = 0
    for number in range(1, 9):
        altered = [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]
        with pytest.raises(fairdeal.BadLog):
            verify(marked_anew(altered))
        looked += 1
    spaced = [line.replace('{"players"', '{ "players"') for line in lines]
    assert spaced != lines
    refused(marked_anew(spaced), "not in fairdeal's format")
    assert looked == 8


# --- what a player's program recorded -------------------------------------------------------------------------------


def recorded(log, **changes):
    """Return the record of the player at seat 0, who was there from the start to the end."""
    number = Number(log.players[0].nonce, log.commitment, 1, log.outline(), "visit")
    acknowledged = {(0, entries): chain for entries, chain in enumerate(log.chains())}
    visit = Visit(log.commitment, log.room.key, 0, 1, log.header().decode(), True, acknowledged)
    number, visit = (replace(one, **changes.get(name, {})) for name, one in (("number", number), ("visit", visit)))
    visit.acknowledged = {at: chain[:32] for at, chain in visit.acknowledged.items()}
    return Record(
        changes.get("table", "abc"), {number.hash: number}, {"visit": visit}, missed=changes.get("missed", "")
    )


def test_all_checks_hold_but_for_scenes_that_were_not_recorded(log):
    found = verify(log.text(), recorded(log))[1]
    assert [one.check for one in found] == [*CHECKS]
    assert {one.check: one.text for one in found if not one.ok} == {
        "shown": "This program did not record what you were shown."
    }
    acknowledged = next(one.text for one in found if one.check == "acknowledged")
    assert acknowledged == f"All {len(log.entries)} entries were acknowledged to you when they were made."


OTHER = "00" * 32

DIFFERENT = {
    "another promise": ({"visit": {"promise": OTHER}}, "promise", False),
    "a number for another promise": ({"number": {"promise": OTHER}}, "promise", False),
    "another number": ({"number": {"nonce": "ab" * 16}}, "number", False),
    "another number that did not arrive": ({"number": {"nonce": "ab" * 16, "visit": ""}}, "number", None),
    "a number that was not sent": ({"number": {"outline": "", "visit": ""}}, "number", False),
    "another seat": ({"visit": {"seat": 1}}, "number", None),
    "another key": ({"visit": {"key": OTHER}}, "room", False),
    "another table": ({"table": "xyz"}, "room", False),
    "another outline": ({"number": {"outline": "game chi\nrules 7"}}, "outline", False),
    "a number that was sent for a later attempt": ({"number": {"attempt": 2}}, "failed", False),
    "another header": ({"visit": {"header": "game chi"}}, "header", False),
    "no header": ({"visit": {"header": ""}}, "header", None),
    "another running hash": ({"visit": {"acknowledged": {(0, 3): OTHER}}}, "acknowledged", False),
    "one running hash": ({"visit": {"acknowledged": {(0, 0): ""}}}, "acknowledged", None),
    "more entries": ({"visit": {"acknowledged": {(0, 9999): OTHER}}}, "acknowledged", False),
    "two games": ({"visit": {"broken": [("acknowledged", "two")]}}, "acknowledged", False),
    "a gap in the record": ({"missed": "the disk is full"}, "shown", None),
}
"""Differences between a log and a record, with a check that does not hold and its outcome."""


@pytest.mark.parametrize("what", DIFFERENT)
def test_what_differs_from_a_record_is_found(log, what):
    changes, check, ok = DIFFERENT[what]
    if what == "one running hash":
        changes = {"visit": {"acknowledged": {(0, 0): log.chains()[0]}}}
    read = read_log(log.text())
    found = {one.check: one for one in verdict(read, recorded(log, **changes))}
    assert found[check].ok is ok, found[check]
    assert ok is False or not [one for one in found.values() if one.ok is False]
    if ok is False:
        assert refused(log.text(), re.escape(found[check].text), recorded(log, **changes)) == check


def test_each_entry_that_was_not_acknowledged_is_named(log):
    chains = log.chains()
    missing = {1, 3, 4, len(chains) - 1}
    heard = {(0, number): chain for number, chain in enumerate(chains) if number not in missing}
    found = unknown(log, recorded(log, visit={"acknowledged": heard}))
    assert found["acknowledged"].startswith(f"Entries 1, 3 to 4 and {len(chains) - 1} of {len(chains) - 1} were made")


def test_what_another_room_said_accuses_nobody(log):
    record = recorded(log)
    record.visits["other"] = Visit(OTHER, OTHER, 1, 3, "game chi", acknowledged={(1, 1): OTHER[:32]})
    record.visits["other"].breaks("outline", "changed")
    assert unknown(log, record).keys() == {"room", "shown"}


def test_a_guest_who_copies_a_commitment_frames_nobody(log):
    """The commitment is public. The other guest sits at seat 1, and withholds the number, or shows it, too."""
    mine = log.players[0]
    silent = replace(mine, name="Eve", withheld=True, nonce=fairness.seed_nonce(log.seed, 1))
    for copied in (silent, replace(mine, name="Eve")):
        other = replace(log, lines={}, players=(mine, copied), room=replace(log.room, waits=False))
        number = Number(mine.nonce, log.commitment, 1, other.outline(), "visit")
        visit = Visit(log.commitment, log.room.key, 0, 1, other.header().decode(), True)
        assert other.players[0].nonce == number.nonce
        found = of_deal(read_log(signed(other).text()), Record("abc", {number.hash: number}, {"visit": visit}))
        assert {one.check: one.ok for one in found if not one.ok}.keys() <= {"waits"}
        failed = replace(number, outline=other.outline())
        assert failed.seats == {0, 1}
        assert failed.is_reported({(1, 0)})


def test_another_move_that_the_room_signs_is_found_by_a_record(log):
    def last(sitting, seat):
        return sitting.hint(seat).actions if seat in sitting.bots else list(sitting.state.moves(seat))[-1]

    other = play_out(replay(log, log.seed, upto=2), last)
    assert verify(other.text())  # on its own it is a fine game
    assert refused(other.text(), "is not what the room acknowledged", recorded(log)) == "acknowledged"


def test_a_visit_notices_two_different_games():
    visit = Visit(seat=0)
    for entries, chain in ((1, "a" * 64), (2, "b" * 64), (2, "b" * 32), (3, "c" * 31), (3, ""), (-1, "d" * 64)):
        visit.acknowledges(entries, chain)
    assert visit.acknowledged == {(0, 1): "a" * 32, (0, 2): "b" * 32}
    assert not visit.broken
    visit.acknowledges(1, "c" * 64)
    assert visit.broken == [("acknowledged", "two")]


def test_the_actions_of_a_move_are_those_of_its_words(log):
    """Both moves are legal, and nothing else is altered."""
    sitting, looked = replay(log, log.seed, upto=0), 0
    for number, entry in enumerate(log.entries):
        others = {sitting.state.read_move(entry.seat, text): text for text in sitting.state.moves(entry.seat)}
        del others[entry.actions]
        if others and entry.seat == 0:
            actions, text = others.popitem()
            for altered in (replace(entry, actions=actions), replace(entry, text=text)):
                entries = [*log.entries[:number], altered, *log.entries[number + 1 :]]
                words = rewritten(log, entries=entries)
                refused(words, rf"'{re.escape(altered.text)}' is not legal: its actions \[\d+\] are the move '")
                looked += 1
        sitting.repeat(entry)
    assert looked > 10


def test_an_entry_has_actions_unless_it_is_an_undo(log):
    first, number = log.entries[0], read_log(log.text()).lines["signed header"] + 1
    for altered, words in (
        (f"1 seat {first.seat}: {first.text}", "the actions of the move .* are missing"),
        ("1 seat 0 [3]: undo", "an undo has no actions"),
        ("1 seat 0: undo", "no move to take back"),
        ("1 seat 0: undo 2", "no move to take back"),
        (f"1 seat {first.seat} []: {first.text}", "expected move 1"),
        (f"1 seat {first.seat} [1, 2]: {first.text}", "expected move 1"),
        (f"1 seat {first.seat} [-1]: {first.text}", "expected move 1"),
    ):
        lines = log.text().splitlines()
        lines[number - 1] = altered
        with pytest.raises(fairdeal.BadLog, match=words) as problem:
            verify(marked_anew(lines))
        assert problem.value.line == number


def played_till_several_can_be_taken_back():
    """A game of two people up to where both last moves told nothing, and who made the first of them."""
    table = fairdeal.load("chi", players=2, stacks_to_end=4)
    for seed in "abcdefgh":
        sitting = Sitting.open(table, [Player("P0"), Player("P1")], seed=seed)
        while not sitting.over:
            sitting.play(sitting.state.to_act[0], sitting.hint(sitting.state.to_act[0]).actions)
            if sitting.moves_made > 20 and sitting.may_take_back(2):
                return sitting
    raise AssertionError("no two moves in a row told nothing")


def test_several_moves_are_taken_back_at_once():
    sitting = played_till_several_can_be_taken_back()
    number = sitting.moves_made - 2
    seat, before = sitting.log.moves[number].seat, sitting.state_at(number).record.tobytes()
    kept = [sitting.state_at(earlier).record.tobytes() for earlier in range(number)]
    sitting.take_back(2)
    assert sitting.log.entries[-1] == Move(seat, "undo 2")
    assert sitting.moves_made == number
    assert sitting.state.record.tobytes() == before
    assert [sitting.state_at(earlier).record.tobytes() for earlier in range(number)] == kept
    log = play_out(sitting, lambda sitting, seat: next(sitting.state.moves(seat)))
    assert len(verify(log.text())[0].moves) == len(log.entries) - 3
    undo = log.entries.index(Move(seat, "undo 2"))

    def with_undo(**changes):
        entries = [*log.entries]
        entries[undo] = replace(entries[undo], **changes)
        return replace(log, entries=entries).text()

    refused(with_undo(seat=1 - seat), "cannot take back a move of seat")
    refused(with_undo(text="undo 9999"), "no move to take back")
    telling = next(count for count in range(3, undo) if not replay(log, log.seed, upto=number).may_take_back(count - 2))
    mover = replay(log, log.seed, upto=number).log.moves[2 - telling].seat
    refused(with_undo(text=f"undo {telling}", seat=mover), f"One of the {telling} moves before it revealed something")
    with refusal("no move to take back"):
        replay(log, log.seed, upto=4).take_back(5)


def test_every_bot_of_every_game_can_be_asked_again(name, monkeypatch):
    """Also those that blunder or play games out: they answer by what they see, their key and the entry's number."""
    game, asked, ask = fairdeal.find_game(name), [], verification.ask
    monkeypatch.setattr(verification, "ask", lambda *given: asked.append(1) or ask(*given))
    for bot in bots_of(game):
        table = fairdeal.load(name, players=at_most_two(name), **SHORT.get(name, {}))
        sitting = Sitting.open(table, [Player(f"P{seat}", bot) for seat in range(table.players)])
        while sitting.moves_made < (10 if level_of(bot, game).playouts else 60) and not sitting.over:
            sitting.play_bot(sitting.bot_to_act())
        again = Recomputed(sitting.log, sitting.seed)
        replay(sitting.log, sitting.seed, watch=again.watch)
        assert len(asked) == sum(entry.seat >= 0 for entry in sitting.log.entries) > 0
        asked.clear()


def test_the_signature_is_ed25519_of_rfc_8032():
    """The first test vector of section 7.1."""
    key = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    assert signatures.public_key(key) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    chain = "00" * 32
    assert signatures.is_signed(signatures.public_key(key), "end", chain, signatures.sign(key, "end", chain))
    assert not signatures.is_signed(signatures.public_key(key), "header", chain, signatures.sign(key, "end", chain))
    assert not signatures.is_signed("zz", "end", chain, "00")


def test_a_hash_binds_to_one_number_only():
    nonce = fairness.new_nonce()
    assert fairness.is_bound(nonce, fairness.nonce_hash(nonce))
    assert not fairness.is_bound(fairness.new_nonce(), fairness.nonce_hash(nonce))
    assert not fairness.is_bound("", fairness.nonce_hash(nonce))


PAGE = ROOT / "docs" / "log-format.md"


def page_with_log():
    """Return the page on logs with the log of this version's rules, and with what `fairdeal verify` says of it."""
    table = fairdeal.load("chi", players=2, stacks_to_end=4)
    players = [Player("Ada", "person"), Player("Bo", "greedy")]
    log = play_out(in_room(Sitting.open(table, players, seed="12"), "k3v9tq2mhx"))
    lines = [f"  ✓ {one.check}: {one.text}" for one in verify(log.text())[1] if one.ok]
    lines += [f"  ? record: not proven. {NO_RECORD}", f"code to compare: {code_of(log)}", "verified"]
    page = PAGE.read_text("utf-8")
    for begin, end, text in [
        ("    fairdeal log ", "\n## ", log.text()),
        ("      ✓ failed", "\n### ", "\n".join(lines)),
    ]:
        before, _, rest = page.partition(begin)
        page = f"{before}{textwrap.indent(text.rstrip(), '    ')}\n{end}{rest.partition(end)[2]}"
    return re.sub(r"state\.scores == \(.*\)", f"state.scores == {log.result}", page)


def test_the_page_shows_a_log_of_these_rules():
    assert PAGE.read_text("utf-8") == page_with_log(), "run `python -m tools.renew log`"


def test_the_log_of_the_page_verifies_by_hand(tmp_path, monkeypatch):
    page = PAGE.read_text("utf-8")
    (example,) = re.findall(r"(?:^    .*\n)+", page[page.index("    fairdeal log 3") :], re.MULTILINE)[:1]
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "game.log").write_text(textwrap.dedent(example), "utf-8")
    monkeypatch.chdir(tmp_path)
    assert "assert state.over" in script
    exec(script, {})
