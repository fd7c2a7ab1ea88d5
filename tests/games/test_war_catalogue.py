"""The catalogue of WAR X-TREME: mistakes in a file are refused with their place, and another file is another game."""

from collections import Counter

import msgspec
import pytest

import fairdeal
from fairdeal.engine.options import LONGEST_PART, changed, read_file, schema_of
from fairdeal.engine.registry import find_game
from fairdeal.table.log import read_log
from fairdeal.table.sitting import replay
from tests.conftest import ROOT
from tests.table.sittings import finished

pytestmark = pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")

EXAMPLE = ROOT / "examples" / "my-war-catalogue.toml"
PLAIN = {"ask_extreme": False, "equipment": False, "dispute": False, "trust": False}


def built_in():
    from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN

    return msgspec.json.decode(msgspec.json.encode(BUILT_IN))


def test_every_suit_has_twenty_cards_and_all_eight_the_kinds_of_the_page():
    """WAR-04, section 3."""
    data = built_in()
    assert sum(one["copies"] for one in data["regular"]) + 3 == 20
    kinds = [one["kind"] for one in data["unique"]]
    assert Counter(kinds) == {"tax": 2, "win": 2, "speed": 8, "war": 5, "joker": 2, "wild": 3, "lose": 2}
    assert len(data["equipment"]) == 15


WRONG = {
    "seven suits": ("suit", 7, None, "suit: there are 7 entries, but a catalogue must have 8"),
    "three suits in a set": ("suit", 2, {"set": 1}, "every set needs two suits"),
    "a suit twice": ("suit", 1, {"id": "princess"}, "princess is repeated"),
    "one card too many": ("regular", 3, {"copies": 2}, "the copies add up to 18"),
    "one rank for two ends": ("regular", 0, {"ranks": [15]}, r"regular, entry 1 \(A:2\)"),
    "a face that is another one upside down": ("regular", 3, {"face": "6:9", "ranks": [6, 9]}, "6:9"),
    "a rank of nobody": ("regular", 3, {"ranks": [16]}, r"regular, entry 4 \(P\), ranks"),
    "two unique cards": ("unique", 4, None, "ninja has 2; every suit needs 3"),
    "a rank that does not fit": ("unique", 4, {"rank": 18}, r"entry 5 \(ninja/joker\).*rank 17"),
    "a war on nobody": ("unique", 3, {"target": None}, "a war card needs `target`"),
    "a tax that shouts": ("unique", 12, {"action": "roar"}, "`action` is only for speed cards"),
    "a suit that is not there": ("unique", 0, {"suit": "elf"}, "there is no suit elf"),
    "a word of another kind": ("unique", 0, {"kind": "winner"}, r"entry 1 \(princess/win\), kind"),
    "a gap in the numbers": ("equipment", 7, {"no": 20}, "they must count from 1"),
    "a number that is a word": ("equipment", 11, {"no": "12"}, r"ball-and-chain\), no: Expected"),
    "an id twice": ("equipment", 1, {"id": "magnet"}, "magnet is repeated"),
    "a curse on nobody": ("equipment", 11, {"target": "none"}, "target is none; it must be rival"),
    "a spyglass without a slot": ("equipment", 3, {"target": "seat"}, "it must be slot"),
    "a drum that is used up": ("equipment", 9, {"kind": "once"}, "continuous or curse"),
    "boots before the race": ("equipment", 0, {"windows": ["PREP"]}, "REACT, CLASH or both"),
    "an effect of its own": ("equipment", 5, {"effect": {"op": "vanish"}}, "vanish"),
    "an effect of no cards": ("equipment", 3, {"effect": {"op": "peek", "n": 0}}, "n: Expected `int` >= 1"),
    "a field too many": ("equipment", 3, {"colour": "red"}, "colour"),
}
"""Mistakes: a table of the catalogue, the number of an entry, the changed fields (None: no entry), and the message."""


@pytest.mark.parametrize(("table", "number", "changed", "words"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_refused_with_its_place(table, number, changed, words):
    data = built_in()
    if changed is None:
        del data[table][number]
    else:
        data[table][number].update(changed)
    with pytest.raises(fairdeal.BadOption, match=words) as problem:
        fairdeal.load("war-xtreme", catalogue=data)
    assert problem.value.option == "catalogue"
    assert len(str(problem.value)) < 400


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    kind = find_game("war-xtreme").options
    file = tmp_path / "cards.toml"
    for content, words in ((None, "cannot be read"), (b"suit = [", "not TOML"), (b"\xff\xd8", "not a text file")):
        if content:
            file.write_bytes(content)
        with pytest.raises(fairdeal.BadOption, match=rf"cards\.toml.*{words}"):
            read_file(kind, "catalogue", file)


def test_the_network_may_send_no_more_than_a_catalogue_needs():
    with pytest.raises(fairdeal.BadOption, match=f"at most {LONGEST_PART}"):
        fairdeal.load("war-xtreme", catalogue="#" * (LONGEST_PART + 1))
    assert len(EXAMPLE.read_text()) < LONGEST_PART / 2


@pytest.mark.parametrize("value", [7, None, [], {}, "suit = 3", {"suit": [[]]}, {"unique": [3]}])
def test_nonsense_is_refused_in_words(value):
    with pytest.raises(fairdeal.BadOption):
        fairdeal.load("war-xtreme", catalogue=value)


def test_the_form_of_a_table_asks_for_a_file_and_holds_no_cards():
    schema = schema_of(find_game("war-xtreme").options)
    assert schema["$defs"]["WarOptions"]["properties"]["catalogue"]["format"] == "file"
    assert "Rocket" not in msgspec.json.encode(schema).decode()


def test_the_built_in_catalogue_is_no_change():
    table = fairdeal.load("war-xtreme", players=3, catalogue=built_in())
    assert changed(table.options) == {"players": 3}


def camps_after_a_round(catalogue):
    """Return the sizes of both camps after a 3 was turned against a 7."""
    seats = [{"army": ["ninja/3", "ninja/4"]}, {"army": ["princess/7", "princess/5"]}]
    state = fairdeal.load("war-xtreme", **PLAIN, catalogue=catalogue).setup({"round": 2, "seats": seats})
    for seat in (0, 1):
        state.play(seat, "flip")
    return [len(seat["camp"]) for seat in state.position()["seats"]]


def test_a_changed_rank_changes_who_wins_and_no_rule_is_touched():
    data = built_in()
    assert camps_after_a_round(data) == [0, 2]
    next(card for card in data["regular"] if card["face"] == "3")["ranks"] = [15]
    assert camps_after_a_round(data) == [2, 0]


def test_a_log_carries_the_cards_it_was_played_with():
    options = {"players": 2, "ask_extreme": False, "max_rounds": 5, "catalogue": EXAMPLE.read_text()}
    sitting = finished("war-xtreme", ["random"], "a log of own cards", ("Bo", "Cleo"), **options)
    log = read_log(sitting.log.text())
    assert "treasure-map" in msgspec.json.encode(log.options).decode()
    assert replay(log, log.seed).state.record.tobytes() == sitting.state.record.tobytes()


def test_a_table_of_own_cards_shows_them():
    table = fairdeal.load("war-xtreme", players=8, ask_extreme=False, catalogue=EXAMPLE.read_text())
    faces = table.game.faces(table.options)
    assert faces["pirate/joker"].title == "The Parrot"
    assert faces["kit/bribe"].text == "Take two cards from the tax pile"
    scene = table.deal(seed="pirates").scene(0)
    assert "your own cards" in scene.facts
    shown = {card.face for zone in scene.zones for card in zone.cards if card.face}
    assert shown <= set(faces)
