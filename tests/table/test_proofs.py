"""What a log proves: numbers that bind, bots that can be asked again, a running hash, signatures, what players kept."""

import itertools
import json
import re
import textwrap
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

import fairdeal
from fairdeal.bots.levels import level_of
from fairdeal.bots.registry import bots_of
from fairdeal.engine.errors import BadLog
from fairdeal.table import fairness, signatures
from fairdeal.table.log import Branch, Dealt, Log, Move, Player, read_log
from fairdeal.table.receipts import CHAIN_DIGITS, Given, Kept, compare, read_kept
from fairdeal.table.sitting import Sitting, replay
from fairdeal.table.verification import Recomputed, unproven, verify
from tests.conftest import SHORT, at_most_two
from tests.table.test_log_and_verification import marked_anew

KEY = bytes(range(32))
CHECKED = ["marks", "promise", "numbers", "deal", "moves", "bots", "result", "signed"]


def signed(log):
    """A log as a room would sign it."""
    log = replace(log, room=log.room or Dealt(signatures.public_key(KEY), "abc"), signed_header="", signed_end="")
    log.signed_header = signatures.sign(KEY, signatures.HEADER, log.header_chain())
    log.running = None
    log.signed_end = signatures.sign(KEY, signatures.END, log.end_chain())
    return log


def played(game="chi", plays=("person", "greedy"), room=True, takes_back=False, **options):
    """A whole game of a person, who plays the first legal move, and bots."""
    table = fairdeal.load(game, players=len(plays), **options)
    sitting = Sitting.open(table, [Player(f"P{seat}", kind) for seat, kind in enumerate(plays)], seed="5")
    header = sitting.log
    if room:
        header = replace(header, room=Dealt(signatures.public_key(KEY), "abc"))
        header.signed_header = signatures.sign(KEY, signatures.HEADER, header.header_chain())
        sitting = Sitting(table, header, sitting.seed)
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


def refused(text, words, kept=None):
    with pytest.raises(fairdeal.BadLog, match=words):
        verify(text, kept)


def test_a_signed_log_verifies_and_says_who_vouches(log):
    _, checked = verify(log.text())
    assert [line.split(":")[0] for line in checked] == CHECKED


@pytest.mark.parametrize("nonce", ["", "1", "7" * 31, "7" * 33, "7" * 2000, "G" * 32])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_number_of_any_other_length_than_sixteen_bytes_is_refused(log, nonce, version):
    players = (replace(log.players[0], nonce=nonce), log.players[1])
    with pytest.raises(fairdeal.BadLog, match=r"nonce|expected: seat 0|changed"):
        read_log(replace(log, players=players, format=version, room=None, signed_header="", signed_end="").text())


def test_a_number_that_its_hash_does_not_bind_to_is_refused(log):
    other = replace(log.players[0], nonce="ab" * 16)
    refused(rewritten(log, players=(other, log.players[1])), "seat 0 does not match its hash")


def test_a_number_that_should_follow_from_the_seed_does(log):
    silent = replace(log.players[0], withheld=True)
    goes_on = replace(log.room, waits=False)
    altered = rewritten(log, players=(silent, log.players[1]), room=goes_on)
    refused(altered, "silent seat’s number is not derived from the seed")
    refused(rewritten(log, players=(silent, log.players[1])), "withheld its number at a table that waits")
    bot = replace(log.players[1], nonce="ab" * 16)
    refused(rewritten(log, players=(log.players[0], bot)), "bot’s number is not derived from the seed")


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
    with pytest.raises(fairdeal.BadLog, match=r"the bot greedy plays .* here, not ") as problem:
        verify(text)
    assert text.splitlines()[problem.value.line - 1].startswith(f"{wrong} seat 1 [")


def test_a_stand_ins_move_is_marked_and_made_again(log):
    *_, (sitting, _) = played_again(log, {0: "greedy"})
    text = signed(sitting.log).text()
    assert len(re.findall(r"^\d+ seat 0 by greedy \[", text, re.MULTILINE)) >= 3
    _, checked = verify(text)
    assert f"bots: {sitting.moves_made} moves" in " ".join(checked)
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
        is_refused(sitting, seat, "a bot’s move cannot be taken back")
    telling = next(
        sitting for sitting, seat in played_again(log) if seat == 0 and not sitting.over and not sitting.may_take_back()
    )
    is_refused(telling, 0, "revealed something")


def test_nobody_plays_in_a_bots_place_but_in_a_branch(log):
    seat = next(entry for entry in log.entries if entry.seat == 1)
    by_person = [replace(entry, by="person") if entry is seat else entry for entry in log.entries]
    refused(rewritten(log, entries=by_person), "only the bot greedy can play at seat 1")
    branch = Branch("def", 0, "00" * 32)
    assert verify(rewritten(log, entries=by_person, branch=branch))
    odd = [replace(entry, by="random") if entry.seat == 0 else entry for entry in log.entries]
    refused(rewritten(log, entries=odd), "only greedy can stand in for a player")


def test_a_bot_gives_no_number(log):
    bot = replace(log.players[1], hash=fairness.nonce_hash(log.players[1].nonce))
    refused(rewritten(log, players=(log.players[0], bot)), "a bot has no number of its own")


def test_deals_that_fell_through_are_counted(log):
    assert not any("fail on purpose" in line for line in unproven(log))
    assert any("2 deals before" in line for line in unproven(replace(log, room=replace(log.room, attempt=3))))


def test_a_signature_that_is_missing_or_by_another_key_is_refused(log):
    for part in ("header", "end"):
        other = signatures.sign(bytes(32), part, log.header_chain() if part == "header" else log.end_chain())
        for signature, words in (
            ("", "is missing"),
            (other, "signature of the"),
            ("00" * 64, "signature of the"),
        ):
            altered = replace(log, lines={}, **{f"signed_{part}": signature})
            if part == "header":  # the end is signed properly over it
                altered.signed_end = signatures.sign(KEY, signatures.END, altered.end_chain())
            refused(altered.text(), f"{part}.* {words}|{words} {part}")


def test_without_a_room_nobody_is_said_to_vouch():
    log = played(room=False, stacks_to_end=4)
    _, checked = verify(log.text())
    assert [line.split(":")[0] for line in checked] == CHECKED[:-1]
    assert any("no room has signed" in line for line in unproven(log))


def test_bots_alone_prove_nothing_about_who_chose_the_cards():
    log = played(plays=("greedy", "random"), stacks_to_end=4)
    assert verify(log.text())
    assert any("nobody chose the cards" in line for line in unproven(log))


def test_a_branch_is_named_and_its_name_is_signed(log):
    branch = signed(replace(log, branch=Branch("def", 3, "00" * 32), lines={}))
    assert read_log(branch.text()).branch == Branch("def", 3, "00" * 32)
    assert branch.header() == log.header()
    assert verify(branch.text())
    assert any("a first game" in line for line in unproven(branch))
    hidden = replace(branch, branch=None)
    refused(hidden.text(), "signature of the header was not made with the room’s key")


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


# --- what players kept ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(log):
    chains = {number: chain[:CHAIN_DIGITS] for number, chain in enumerate(log.chains())}
    return Kept(
        promise=log.commitment,
        seat=0,
        nonce=log.players[0].nonce,
        outline=log.outline(),
        header=log.header().decode(),
        key=log.room.key,
        chains=chains,
    )


def change(kept, **changes):
    return Kept(**{name: getattr(kept, name) for name in kept.__struct_fields__} | changes)


def test_a_log_is_held_against_what_a_player_kept(log, kept, tmp_path):
    path = tmp_path / "kept.json"
    path.write_bytes(msgspec.json.encode(kept))
    assert read_kept(path) == kept
    _, checked = verify(log.text(), read_kept(path))
    assert checked[1].startswith("kept: the promise, your number, ")
    assert f"all {len(log.entries)} entries" in checked[1]
    path.write_text("{}")
    with pytest.raises(fairdeal.FairdealError, match="was not saved by a player"):
        read_kept(path)


@pytest.mark.parametrize(
    ("fact", "value", "words"),
    [
        ("promise", "00" * 32, "come from another seed"),
        ("nonce", "ab" * 16, "is not in the deal"),
        ("seat", 1, "is not in the deal"),
        ("seat", 7, "no such seat"),
        ("outline", "game chi\nrules 7", "changed after you showed your number"),
        ("changed", True, "twice, for two different deals"),
        ("header", "game chi", "not the one you were shown"),
        ("key", "00" * 32, "not the key of the room"),
        ("chains", {3: "00" * 16}, "not what the room acknowledged"),
        ("chains", {3: ""}, "not what the room acknowledged"),
        ("chains", {9999: "00" * 16}, "acknowledged 9999 entries"),
        ("denied", True, "acknowledged two different games"),
    ],
)
def test_what_differs_from_what_was_kept_is_said_first(log, kept, fact, value, words):
    assert compare(read_log(log.text()), kept)
    refused(log.text(), words, change(kept, **{fact: value}))


def test_another_move_that_the_room_signs_is_found_by_what_a_player_kept(log, kept):
    def last(sitting, seat):
        return sitting.hint(seat).actions if seat in sitting.bots else list(sitting.state.moves(seat))[-1]

    other = play_out(replay(log, log.seed, upto=2), last)
    assert verify(other.text())  # on its own it is a fine game
    refused(other.text(), "not what the room acknowledged", kept)


def test_a_number_that_was_not_shown_is_not_in_the_deal(log, kept):
    log = read_log(log.text())
    sent = Given(nonce=kept.nonce, attempt=log.room.attempt, outline=kept.outline)
    assert "your number" in compare(log, change(kept, numbers=(sent,)))
    unsent = change(kept, numbers=(msgspec.structs.replace(sent, outline=""),), outline="")
    with pytest.raises(BadLog, match="which you have not shown") as found:
        compare(log, unsent)
    assert (found.value.check, found.value.line) == ("number", log.lines["seat 0"])


def test_a_program_notices_two_different_games():
    kept = Kept(promise="00" * 32)
    kept = kept.acknowledged(1, "a" * 64).acknowledged(2, "b" * 64).acknowledged(2, "b" * 64)
    assert kept.chains == {1: "a" * 32, 2: "b" * 32}
    assert not kept.denied
    assert not kept.acknowledged(1, "a" * 64).denied  # as another window hears it, a little later
    assert kept.acknowledged(1, "c" * 64).denied
    assert kept.acknowledged(2, "c" * 64).denied


def test_an_old_log_is_read_and_what_it_leaves_open_is_said():
    log = played(room=False, plays=("greedy", "greedy"), stacks_to_end=4)
    old = Log(log.game, log.rules_version, log.options, log.players, log.commitment, format=1)
    sitting = Sitting(fairdeal.load("chi", players=2, stacks_to_end=4), old, log.seed)
    while not sitting.over:
        sitting.play_bot(sitting.bot_to_act())
    text = old.text()
    assert text.startswith("fairdeal log 1\n")
    assert read_log(text).text() == text
    found, checked = verify(text)
    assert not any(line.startswith("bots") for line in checked)
    assert sum("older fairdeal" in line for line in unproven(found)) == 2


def test_a_log_without_actions_is_verified_in_part(log):
    old = signed(replace(log, format=2, lines={}))
    assert old.text().startswith("fairdeal log 2\n")
    assert read_log(old.text()).text() == old.text()
    found, checked = verify(old.text())
    assert not any(entry.actions for entry in found.entries)
    assert [line.split(":")[0] for line in checked] == CHECKED
    assert [line for line in unproven(found) if "no actions beside" in line]
    assert not [line for line in unproven(log) if "no actions beside" in line]


def test_the_command_says_which_logs_it_verifies_in_part(log, run, tmp_path):
    for version, said in ((3, "verified"), (2, "verified in part")):
        path = tmp_path / f"{version}.log"
        path.write_text(signed(replace(log, format=version, lines={})).text(), "utf-8")
        assert run(f"verify {path}")[1].splitlines()[-1] == said
        assert json.loads(run(f"verify {path} --json")[1])["in_part"] == (version == 2)


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
        (f"1 seat {first.seat} [60000]: {first.text}", "the rules do not allow it"),
    ):
        lines = log.text().splitlines()
        lines[number - 1] = altered
        with pytest.raises(fairdeal.BadLog, match=words) as problem:
            verify(marked_anew(lines))
        assert problem.value.line == number
    old = signed(replace(log, format=2, lines={})).text().splitlines()
    refused(marked_anew([*old[:12], "3 seat 0: undo 2"]), "an undo takes back a single move")


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
    refused(with_undo(text=f"undo {telling}", seat=mover), f"one of the {telling} moves before it revealed something")
    old = replay(replace(log, format=2), log.seed, upto=4)
    with pytest.raises(fairdeal.FairdealError, match="in a log of format 2, moves are taken back one by one"):
        old.take_back(2)
    with pytest.raises(fairdeal.FairdealError, match="no move to take back"):
        old.take_back(5)


def test_every_bot_of_every_game_can_be_asked_again(name):
    """Also those that blunder or play games out: they answer by what they see, their key and the entry's number."""
    game = fairdeal.find_game(name)
    for bot in bots_of(game):
        table = fairdeal.load(name, players=at_most_two(name), **SHORT.get(name, {}))
        sitting = Sitting.open(table, [Player(f"P{seat}", bot) for seat in range(table.players)])
        while sitting.moves_made < (10 if level_of(bot, game).playouts else 60) and not sitting.over:
            sitting.play_bot(sitting.bot_to_act())
        again = Recomputed(sitting.log, sitting.seed)
        replay(sitting.log, sitting.seed, watch=again.watch)
        assert again.checked == sum(entry.seat >= 0 for entry in sitting.log.entries) > 0


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


def test_the_example_of_the_page_verifies_as_it_says_and_by_hand(tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "log-format.md").read_text("utf-8")
    (example,) = re.findall(r"(?:^    .*\n)+", page[page.index("    fairdeal log 3") :], re.MULTILINE)[:1]
    text = textwrap.dedent(example)
    found, checked = verify(text)
    assert len(checked) == 8
    for line in checked:
        assert f"✓ {line}\n" in page
    assert f"? not proven: {unproven(found)[0]}\n" in page
    (script,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "game.log").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    assert "assert state.over" in script
    exec(script, {})
