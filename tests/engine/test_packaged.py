"""The modules in the package belong to the rules of the built-in games, and are what the pinned compiler builds."""

import hashlib
import importlib
import platform
import subprocess
from importlib.metadata import version

import msgspec
import pytest

import fairdeal
from fairdeal.engine.compile import modules, sources
from fairdeal.engine.compile.modules import FOLDER, built, kept_wasm, names_of, packaged, wasm_of
from fairdeal.engine.compile.sources import described_source, hash_of_rules
from fairdeal.engine.compile.wasm import Module
from fairdeal.engine.observe.interface import Description, description_of
from fairdeal.engine.registry import find_game
from fairdeal.games.chi import state as chi_state
from tests.test_wheel import UV
from tools.modules import files_of, installed, pinned, write_all

AGAIN = "the modules in the package are out of date: run `uv run python -m tools.renew modules`"


def test_every_built_in_game_has_files_that_belong_to_its_rules():
    files = [name for game in fairdeal.game_names() for name in names_of(game)]
    assert sorted(file.name for file in FOLDER.iterdir()) == sorted([*files, "compiler.txt"])
    for name in fairdeal.game_names():
        game = find_game(name)
        module, description = ((FOLDER / file).read_bytes() for file in names_of(name))
        known = msgspec.json.decode(description, type=Description)
        assert packaged(game) == kept_wasm(game) == wasm_of(game) == Module(module, known.free, known.numba), AGAIN
        assert description_of(game, packaged(game)).as_json() == description, AGAIN
        assert known.numba == pinned()["numba"], AGAIN
        assert known.sha256 == hashlib.sha256(module).hexdigest()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="on another processor, of unknown bytes")
def test_the_files_are_what_the_pinned_compiler_builds(tmp_path):
    if installed() != pinned() and subprocess.run([UV, "python", "find", pinned()["python"]]).returncode:
        pytest.skip(f"without Python {pinned()['python']} (uv python install {pinned()['python']})")
    write_all(tmp_path)
    assert len([*tmp_path.iterdir()]) == 2 * len(fairdeal.game_names())
    different = [file.name for file in tmp_path.iterdir() if file.read_bytes() != (FOLDER / file.name).read_bytes()]
    assert not different, AGAIN


def test_the_pinned_compiler_is_one_that_the_package_allows():
    """Otherwise nobody could build the modules with an installation of this package."""
    from packaging.requirements import Requirement

    allowed = {one.name: one.specifier for one in map(Requirement, importlib.metadata.requires("fairdeal"))}
    assert [name for name in pinned() if name != "python" and pinned()[name] not in allowed[name]] == []


CHANGES = {
    "a constant": (lambda patch: patch.setattr(chi_state, "START_HAND", chi_state.START_HAND + 1), False),
    "a source that changed after its import": (
        lambda patch: patch.setattr(sources, "definitions_in", lambda path: {}),
        False,
    ),
    "a source that is missing": (lambda patch: patch.setattr(sources, "definitions_in", missing), False),
    "nothing": (lambda patch: None, True),
}


def missing(path):
    raise FileNotFoundError(path)


@pytest.mark.parametrize("change", CHANGES)
def test_changed_rules_have_no_module_in_the_package(change, monkeypatch):
    do, belongs = CHANGES[change]
    do(monkeypatch)
    assert (packaged(find_game("chi")) is not None) == belongs


def test_files_that_are_missing_or_damaged_are_not_used(monkeypatch, tmp_path):
    game = find_game("chi")
    monkeypatch.setattr(modules, "FOLDER", tmp_path)
    assert packaged(game) is None
    for name, data in files_of("chi").items():
        (tmp_path / name).write_bytes(data)
    assert packaged(game) == built(game)
    (tmp_path / names_of("chi")[1]).write_bytes(b"{}")
    assert packaged(game) is None


RULE = """
from fairdeal.engine.records import rule

@rule
def most(cards, least: int = 0) -> int:
    {}
    for card in cards:
        least = max(least, card)
    return least
"""


@pytest.fixture
def source_of(tmp_path, monkeypatch):
    """Import a rule from a file with this text, and return the file, and the rule."""
    monkeypatch.syspath_prepend(tmp_path)

    def imported(text, name):
        (tmp_path / f"{name}.py").write_text(text)
        return tmp_path / f"{name}.py", importlib.import_module(name).most

    return imported


def test_a_source_is_known_by_what_it_does_and_not_by_its_form(source_of):
    described = [
        described_source(source_of(text, f"written_{number}")[1])
        for number, text in enumerate(
            (
                RULE.format("pass"),
                "# a comment\n" + RULE.format('"""Return the highest card."""\n    pass').replace("max(", "max( "),
                RULE.format("pass").replace("@rule\n", ""),
                RULE.format("pass").replace("max", "min"),
                RULE.format("pass").replace("= 0", "= 1"),
                RULE.format("return 0"),
            )
        )
    ]
    assert described[0] == described[1] == described[2]
    assert len(set(described)) == 4


def test_a_source_that_was_changed_after_its_import_is_unknown(source_of):
    file, rule = source_of(RULE.format("pass"), "changed_later")
    file.write_text(RULE.format("return 0"))
    with pytest.raises(LookupError, match="most is not what"):
        described_source(rule)
    sources.definitions_in.cache_clear()
    file.write_text(RULE.format("pass"))
    assert described_source(rule)


def test_every_rule_of_a_game_counts(name, monkeypatch):
    """Change the description of one rule after another."""
    game, described = find_game(name), described_source
    known, seen = hash_of_rules(game), []

    def noted(function):
        seen.append(function)
        return described(function)

    monkeypatch.setattr(sources, "described_source", noted)
    assert hash_of_rules(game) == known
    rules = [*seen]
    assert len(rules) > 20
    for changed in rules[:: len(rules) // 5]:
        monkeypatch.setattr(sources, "described_source", lambda one, to=changed: (one is to, described(one)))
        assert hash_of_rules(game) != known


def test_the_command_writes_the_files_of_the_package_or_builds_them(run, tmp_path):
    files = tmp_path / "chi.wasm", tmp_path / "chi.wasm.json"
    code, printed, _ = run("wasm chi --out", files[0])
    assert code == 0
    hashes = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    assert [file.read_bytes() for file in files] == [(FOLDER / file.name).read_bytes() for file in files]
    assert printed.splitlines()[1:] == [
        f"SHA-256 {hashes[0]}: the module in the package",
        f"SHA-256 of the description {hashes[1]}",
    ]
    code, printed, _ = run("wasm chi --build --out", files[0])
    same = files[0].read_bytes() == (FOLDER / files[0].name).read_bytes()
    assert same or installed() != pinned()
    assert ("the module in the package" if same else f"(this is {version('numba')})") in printed


def test_the_command_tells_other_modules_apart(run, tmp_path, monkeypatch):
    known = packaged(find_game("chi"))
    monkeypatch.setattr(modules, "packaged", lambda game: msgspec.structs.replace(known, code=b"", numba="0.1"))
    assert "not the module in the package, which Numba 0.1 built" in run("wasm chi --build --out", tmp_path / "a")[1]
    monkeypatch.setattr(modules, "packaged", lambda game: None)
    assert "the package has no module of these rules" in run("wasm chi --out", tmp_path / "a")[1]
