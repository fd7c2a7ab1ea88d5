"""The catalogue of WAR X-TREME: a file that does not hold together is told where, and a changed one changes the game
without a line of code."""

from pathlib import Path

import msgspec
import pytest

import fairdeal
from fairdeal.engine.options import LONGEST_PART, changed, read_file, schema_of
from fairdeal.engine.registry import find_game
from fairdeal.table.log import Player, read_log
from fairdeal.table.sitting import Sitting, replay

pytestmark = pytest.mark.skipif("war-xtreme" not in fairdeal.game_names(), reason="the game is not installed")

EXAMPLE = Path(__file__).parents[2] / "examples" / "my-war-catalogue.toml"
PLAIN = {"ask_extreme": False, "equipment": False, "dispute": False, "trust": False}


def built_in():
    from fairdeal.games.war_xtreme.catalogue.reading import BUILT_IN

    return msgspec.json.decode(msgspec.json.encode(BUILT_IN))


def entry(data, table, **wanted):
    return next(one for one in data[table] if all(one.get(name) == value for name, value in wanted.items()))


def test_every_suit_has_twenty_cards_and_all_eight_the_kinds_of_the_page():
    """WAR-04, section 3."""
    data = built_in()
    assert sum(one["copies"] for one in data["regular"]) + 3 == 20
    kinds = [one["kind"] for one in data["unique"]]
    told = {"tax": 2, "win": 2, "speed": 8, "war": 5, "joker": 2, "wild": 3, "lose": 2}
    assert {kind: kinds.count(kind) for kind in kinds} == told
    assert len(data["equipment"]) == 15


WRONG = {
    "seven suits": (lambda data: data["suit"].pop(), "suit: there are 7 entries, but a catalogue must have 8"),
    "three suits in a set": (lambda data: data["suit"][2].update(set=1), "every set needs two suits"),
    "a suit twice": (lambda data: data["suit"][1].update(id="princess"), "princess is repeated"),
    "one card too many": (lambda data: data["regular"][3].update(copies=2), "the copies add up to 18"),
    "one rank for two ends": (lambda data: data["regular"][0].update(ranks=[15]), r"regular, entry 1 \(A:2\)"),
    "a face that is another one upside down": (lambda data: data["regular"][3].update(face="6:9", ranks=[6, 9]), "6:9"),
    "a rank of nobody": (lambda data: data["regular"][3].update(ranks=[16]), r"regular, entry 4 \(P\), ranks"),
    "two unique cards": (lambda data: data["unique"].pop(4), "ninja has 2; every suit needs 3"),
    "a rank that does not fit": (lambda data: data["unique"][4].update(rank=18), r"entry 5 \(ninja/joker\).*rank 17"),
    "a war on nobody": (lambda data: data["unique"][3].update(target=None), "a war card needs `target`"),
    "a tax that shouts": (lambda data: data["unique"][12].update(action="roar"), "`action` is only for speed cards"),
    "a suit that is not there": (lambda data: data["unique"][0].update(suit="elf"), "there is no suit elf"),
    "a word of another kind": (lambda data: data["unique"][0].update(kind="winner"), r"entry 1 \(princess/win\), kind"),
    "a gap in the numbers": (lambda data: data["equipment"][7].update(no=20), "they must count from 1"),
    "a number that is a word": (lambda data: data["equipment"][11].update(no="12"), r"ball-and-chain\), no: Expected"),
    "an id twice": (lambda data: data["equipment"][1].update(id="magnet"), "magnet is repeated"),
    "a curse on nobody": (lambda data: data["equipment"][11].update(target="none"), "target is none; it must be rival"),
    "a spyglass without a slot": (lambda data: data["equipment"][3].update(target="seat"), "it must be slot"),
    "a drum that is used up": (lambda data: data["equipment"][9].update(kind="once"), "continuous or curse"),
    "boots before the race": (lambda data: data["equipment"][0].update(windows=["PREP"]), "REACT, CLASH or both"),
    "an effect of its own": (lambda data: data["equipment"][5].update(effect={"op": "vanish"}), "vanish"),
    "an effect of no cards": (lambda data: data["equipment"][3]["effect"].update(n=0), "n: Expected `int` >= 1"),
    "a field too many": (lambda data: data["equipment"][3].update(colour="red"), "colour"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_hold_together_is_told_with_its_place(wrong):
    data = built_in()
    spoil, words = WRONG[wrong]
    spoil(data)
    with pytest.raises(fairdeal.BadOption, match=words) as problem:
        fairdeal.load("war-xtreme", catalogue=data)
    assert problem.value.option == "catalogue"
    assert len(str(problem.value)) < 400


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    kind = find_game("war-xtreme").options
    file = tmp_path / "cards.toml"
    with pytest.raises(fairdeal.BadOption, match=r"cards\.toml.*cannot be read"):
        read_file(kind, "catalogue", file)
    file.write_text("suit = [\n")
    with pytest.raises(fairdeal.BadOption, match=r"cards\.toml.*not TOML.*"):
        read_file(kind, "catalogue", file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(fairdeal.BadOption, match=r"cards\.toml.*not a text file"):
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


def highest_wins(catalogue):
    """Who takes a 3 against a 7, by the catalogue's ranks."""
    table = fairdeal.load("war-xtreme", players=2, **PLAIN, **({"catalogue": catalogue} if catalogue else {}))
    empty = {"alive": True, "camp": [], "hand": [], "hidden": [], "in_play": [], "table": []}
    position = {
        "round": 2,
        "phase": "PREP",
        "acting": [0, 1],
        "seats": [empty | {"army": ["ninja/3", "ninja/4"]}, empty | {"army": ["princess/7", "princess/5"]}],
        "slots": ["ninja/K"] * 8,
        "tax": ["ninja/5", "ninja/5"],
    }
    state = table.setup(position)
    for seat in (0, 1):
        state.play(seat, "flip")
    return [int(state.record.decks[seat].camp) for seat in (0, 1)]


def test_a_changed_rank_changes_who_wins_and_no_rule_is_touched():
    assert highest_wins(None) == [0, 2]
    data = built_in()
    entry(data, "regular", face="3")["ranks"] = [15]
    assert highest_wins(data) == [2, 0]


def test_a_log_carries_the_cards_it_was_played_with():
    table = fairdeal.load("war-xtreme", players=2, ask_extreme=False, max_rounds=5, catalogue=EXAMPLE.read_text())
    sitting = Sitting.open(table, [Player("Bo", "random"), Player("Cleo", "random")], "a log of own cards")
    for _ in range(400):
        if sitting.over:
            break
        sitting.play_bot(sitting.bot_to_act())
    assert sitting.over
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
