"""The published hashes of the games' modules and of their descriptions are those that the rules give.

After a change of rules, or with a newer compiler, write them anew: `python -m tests.engine.test_published`. Hashes for
other compilers are kept as long as no hash for this one changes.
"""

import hashlib
import re
from importlib.resources import files

import pytest

import fairdeal
from fairdeal.engine.compile import published as file
from fairdeal.engine.compile.modules import wasm_of
from fairdeal.engine.compile.published import FILE, Published, compare, compiler, published
from fairdeal.engine.observe.interface import description_of
from fairdeal.engine.registry import find_game

HEAD = """\
# The SHA-256 of the WebAssembly module of each game and of its description, by compiler (docs/wasm.md), made by
# `python -m tests.engine.test_published`.
"""

AGAIN = "published hashes are out of date: run `python -m tests.engine.test_published`"


def hashes_of(name):
    """Return the hashes of a game's module and of its description."""
    module = wasm_of(find_game(name))
    files = module.code, description_of(find_game(name), module).written()
    return tuple(hashlib.sha256(data).hexdigest() for data in files)


def written(known):
    """Return what the file has to say, if it said this before."""
    built = {name: hashes_of(name) for name in fairdeal.game_names()}
    now = {name: (one.sha256.get(compiler()), one.description.get(compiler())) for name, one in known.items()}
    others_hold = all(now.get(name) in ((None, None), digests) for name, digests in built.items())
    text = HEAD
    for name, digests in built.items():
        game = find_game(name)
        before = known[name] if others_hold and name in known else Published(game.rules_version, {}, {})
        text += f"\n[{name}]\nrules_version = {game.rules_version}\n"
        for kind, digest in zip(("sha256", "description"), digests, strict=True):
            hashes = getattr(before, kind) if before.rules_version == game.rules_version else {}
            lines = [f'"{words}" = "{one}"' for words, one in sorted((hashes | {compiler(): digest}).items())]
            text += "\n".join([f"[{name}.{kind}]", *lines, ""])
    return text


def test_every_game_has_a_published_hash():
    assert list(published()) == fairdeal.game_names()
    for name, one in published().items():
        assert one.rules_version == find_game(name).rules_version, AGAIN
        assert one.sha256
        assert one.description.keys() == one.sha256.keys()
        for words, digest in (*one.sha256.items(), *one.description.items()):
            assert re.fullmatch(r"numba [\d.]+, llvmlite [\d.]+, Python 3\.\d+, \w+", words)
            assert re.fullmatch(r"[0-9a-f]{64}", digest)
    assert len({tuple(one.sha256) for one in published().values()}) == 1, "each compiler has built all games"


def test_the_published_hash_is_that_of_the_module(name):
    """With another compiler than the published ones, that is what the comparison says, and nothing more."""
    expected = "as published" if compiler() in published()[name].sha256 else f"no hash is published for {compiler()}"
    module, description = hashes_of(name)
    assert compare(find_game(name), module) == expected, AGAIN
    assert compare(find_game(name), description, "description") == expected, AGAIN


def test_what_was_not_published_is_told_apart(monkeypatch):
    chi = find_game("chi")
    table = {"chi": Published(chi.rules_version, {compiler(): "ab" * 32}, {compiler(): "cd" * 32})}
    monkeypatch.setattr(file, "published", lambda: table)
    assert compare(chi, "ab" * 32) == "as published"
    assert compare(chi, "cd" * 32) == compare(chi, "ab" * 32, "description") == "not the published hash"
    assert compare(chi, "cd" * 32, "description") == "as published"
    assert compare(find_game("chip-it"), "ab" * 32) == "no hash is published for this game"
    table["chi"] = Published(chi.rules_version, {"another compiler": "ab" * 32}, {})
    assert compare(chi, "ab" * 32) == f"no hash is published for {compiler()}"
    table["chi"] = Published(chi.rules_version + 1, {}, {})
    assert compare(chi, "ab" * 32) == f"the published hash is for version {chi.rules_version + 1} of the rules"


def test_the_command_compares_the_files_that_it_writes(run, tmp_path):
    code, printed, _ = run("wasm chi --out", tmp_path / "chi.wasm")
    files = tmp_path / "chi.wasm", tmp_path / "chi.wasm.json"
    module, description = (hashlib.sha256(file.read_bytes()).hexdigest() for file in files)
    chi = find_game("chi")
    assert code == 0
    assert printed.splitlines()[1:] == [
        f"SHA-256 {module}: {compare(chi, module)}",
        f"SHA-256 of the description {description}: {compare(chi, description, 'description')}",
    ]


@pytest.mark.parametrize("changed", [("chi", 0), ("chi", 1), None])
def test_hashes_for_other_compilers_are_kept_until_a_hash_changes(monkeypatch, changed):
    monkeypatch.setattr(fairdeal, "game_names", lambda: ["chi", "chip-it"])
    known = {}
    for name in ("chi", "chip-it"):
        digests = ["cd" * 32 if (name, kind) == changed else digest for kind, digest in enumerate(hashes_of(name))]
        both = ({compiler(): digest, "another": "ab" * 32} for digest in digests)
        known[name] = Published(find_game(name).rules_version, *both)
    assert written(known).count("another") == (0 if changed else 4)


if __name__ == "__main__":
    place = files("fairdeal.engine.compile") / FILE
    place.write_text(written(published() if place.is_file() else {}), "utf-8")
