"""Text files of other systems: those that begin with a byte order mark, and whose lines end as on Windows."""

import ast
import codecs
import json
import shutil

import msgspec
import pytest
import typer

import fairdeal
from fairdeal import cli
from fairdeal.cli import logs
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import decoded, read_file, read_json, read_text
from fairdeal.protocol.daily import DayRecord
from fairdeal.protocol.record import VERSION, Begun, Made, line_of
from fairdeal.server import serving
from fairdeal.table.lessons import read_script
from fairdeal.terminal.pictures.speed import Tempo
from tests.conftest import ROOT, refusal
from tests.table.sittings import finished

SOURCES = sorted((ROOT / "src" / "fairdeal").rglob("*.py"))

WAYS = {
    "lines of Windows": lambda text: text.replace("\n", "\r\n").encode(),
    "UTF-8 with a mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "Notepad": lambda text: codecs.BOM_UTF8 + text.replace("\n", "\r\n").encode(),
    "PowerShell": lambda text: codecs.BOM_UTF16_LE + text.replace("\n", "\r\n").encode("utf-16-le"),
    "UTF-16 of other processors": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}
"""Ways in which other systems write a text."""

# --- the code -----------------------------------------------------------------------------------------------

BYTES = {
    "engine/compile/modules.py": "WebAssembly modules, and descriptions, whose hashes are those of the bytes",
    "engine/compile/sources.py": "sources of Python, whose encoding Python finds out",
    "server/static_files.py": "the files of the page, which are sent as they are",
    "engine/compile/wasm.py": "compiled modules",
}
"""The modules that read files as bytes, and why."""

OF_TEXT = {"read_text", "write_text"}


def called(node):
    return getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""


def opens_text(call):
    """Return whether a call opens a file as text."""
    if called(call) != "open" or (isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "os"):
        return False
    if "os.devnull" in map(ast.unparse, call.args):
        return False
    words = [
        one.value for one in [*call.args, *(word.value for word in call.keywords)] if isinstance(one, ast.Constant)
    ]
    modes = [word for word in words if isinstance(word, str) and word and set(word) <= set("rwxabt+")]
    return (bool(modes) and "b" not in modes[0]) or (isinstance(call.func, ast.Name) and not modes)


def found_in(tree):
    """Yield what reads or writes a file without engine.files in a module, and reads of bytes as `bytes`."""
    decoding = {id(one) for call in ast.walk(tree) if called(call) == "decoded" for one in call.args}
    for node in ast.walk(tree):
        name = called(node)
        if name in OF_TEXT and isinstance(node.func, ast.Attribute):
            yield node.lineno, name
        elif name == "read_bytes" and isinstance(node.func, ast.Attribute) and id(node) not in decoding:
            yield node.lineno, "bytes"
        elif opens_text(node):
            yield node.lineno, "open"


def test_text_is_read_and_written_only_by_the_functions_of_one_module():
    assert len(SOURCES) > 500
    found = {
        str(path.relative_to(ROOT / "src" / "fairdeal")): [*found_in(ast.parse(read_text(path)))] for path in SOURCES
    }
    assert found.pop("engine/files.py")
    bytes_of = {name for name, places in found.items() if any(kind == "bytes" for _, kind in places)}
    assert bytes_of == {*BYTES}
    assert {name: places for name, places in found.items() if any(kind != "bytes" for _, kind in places)} == {}


# --- the commands -------------------------------------------------------------------------------------------

SETTINGS = 'database = "x.db"\ncontact = "https://example.org/é"\npause = 2.0\n'
RECIPE = 'game = "chi"\nbots = ["greedy"]\ngames = 2\nplayers = 99\n'
CASES = (ROOT / "src/fairdeal/games/chi/cases/turns.yaml").read_text("utf-8")

READS = {
    "serve config": ("serve --port 0 --config", SETTINGS),
    "room config": ("room tables --config", SETTINGS),
    "play catalogue": ("play war-xtreme --catalogue", "examples/my-war-catalogue.toml"),
    "play resume": ("play --resume", "log"),
    "simulate catalogue": ("simulate war-xtreme --bots a,b,c --catalogue", "examples/my-war-catalogue.toml"),
    "study catalogue": ("study war-xtreme --players 99 --catalogue", "examples/my-war-catalogue.toml"),
    "study game": ("study", RECIPE),
    "study compare": ("study --compare studies/chi-first-player.toml", RECIPE),
    "tune recipe": ("tune", RECIPE),
    "replay log": ("replay", "log"),
    "verify log": ("verify", "log"),
    "verify kept": ("verify game.log --kept", "kept"),
    "verify daily": ("verify game.log --daily", "record"),
    "analyse log": ("analyse", "log"),
    "check files": ("check", CASES),
    "position file": ("position chi --file", "position"),
    "perft file": ("perft chi --depth 1 --position", "position"),
}
"""The parameters of commands that name a text file to read, with a command to whose end the file's name is added, and
the content of the file. Commands that take long are refused for another reason after they have read it."""

WRITES = {
    *("play save", "simulate moves", "simulate parquet", "study out", "study json", "study parquet", "analyse html"),
    *("wasm out", "new folder", "tune out", "tune json", "tune progress"),
}
ENDINGS = {
    "check files": ".yaml",
    **dict.fromkeys(("study game", "study compare", "tune recipe"), ".toml"),
}


def parameters(group=None, path=()):
    """Yield the name of every command with a parameter that names a file."""
    for name, one in (group or typer.main.get_command(cli.app)).commands.items():
        if hasattr(one, "commands"):
            yield from parameters(one, (*path, name))
        else:
            for parameter in one.params:
                if "Path" in repr(parameter.type) or (parameter.name in ("compare", "game") and name == "study"):
                    yield f"{(*path, name)[0]} {parameter.name}"


def test_every_parameter_that_names_a_file_is_tested():
    assert {*parameters()} == READS.keys() | WRITES


@pytest.fixture(scope="module")
def contents():
    """Texts that are made by programs."""
    sitting = finished("chi", ["random"], "5", ("Zoë", "Ben"))
    state = fairdeal.load("chi", first_player=0).deal(seed=7)
    begun = Begun(version=VERSION, address="http://127.0.0.1:8017", table="abc")
    kept = line_of(begun).decode() + line_of(Made(nonce="12" * 16, promise=sitting.log.commitment)).decode()
    position = msgspec.json.format(msgspec.json.encode(state.position())).decode()
    signed = {"end": "0" * 64, "next_end": "1" * 64, "signed_list": "0" * 128}
    record = msgspec.json.encode(DayRecord(room="0" * 64, deal=1, numbers={}, **signed)).decode()
    return {"log": sitting.log.text(), "kept": kept, "position": position, "record": record}


@pytest.mark.parametrize("parameter", READS)
def test_a_file_of_another_system_is_read_as_if_it_were_made_here(run, contents, tmp_path, monkeypatch, parameter):
    monkeypatch.setattr(serving, "run", lambda settings: print(settings.contact))
    monkeypatch.setattr(logs, "replayed", lambda read, *_: (_ for _ in ()).throw(FairdealError(read.chain())))
    command, given = READS[parameter]
    text = contents.get(given) or ((ROOT / given).read_text("utf-8") if "/" in given[:9] else given)
    shutil.copytree(ROOT / "studies", tmp_path / "studies")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.log").write_text(contents["log"], "utf-8")
    file = tmp_path / f"given{ENDINGS.get(parameter, '')}"
    file.write_bytes(text.encode())
    expected = run(command, file)
    file.write_bytes(text[::-1].encode())
    assert run(command, file) != expected, "the file is not read"
    for way, encoded in WAYS.items():
        file.write_bytes(encoded(text))
        assert run(command, file) == expected, way


# --- packages, and what programs keep -----------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_the_files_of_a_game_may_come_from_another_system(tmp_path, monkeypatch, way):
    package = tmp_path / "made_there"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "words.toml").write_bytes(WAYS[way]('name = """Zoë\n"""\n'))
    monkeypatch.syspath_prepend(tmp_path)
    assert read_file("made_there:words.toml", dict[str, str]) == {"name": "Zoë\n"}
    lesson = ROOT / "src/fairdeal/games/chi/lessons/lesson.toml"
    lesson = lesson if lesson.is_file() else next(lesson.parent.glob("*.toml"))
    (tmp_path / lesson.name).write_bytes(WAYS[way](lesson.read_text("utf-8")))
    assert read_script(tmp_path / lesson.name, "chi").steps == read_script(lesson, "chi").steps
    (tmp_path / "speed").write_bytes(WAYS[way]("slow\n"))
    assert Tempo(path=tmp_path / "speed").speed == "slow"
    (tmp_path / "known.json").write_bytes(WAYS[way]('{"chi":\n"Zoë"}'))
    assert read_json(tmp_path / "known.json", dict[str, str]) == {"chi": "Zoë"}


def test_what_is_not_text_is_refused_with_the_name_of_the_file(tmp_path):
    (tmp_path / "photo").write_bytes(b"\xff\xd8\xff\xe0")
    with refusal(f"^{tmp_path / 'photo'}: not a text file: "):
        read_text(tmp_path / "photo")
    with pytest.raises(msgspec.DecodeError, match="not UTF-8"):
        read_json(tmp_path / "photo", dict)


def test_a_broken_speed_is_ignored(tmp_path):
    (tmp_path / "speed").write_bytes(b"\xff\xd8")
    assert Tempo(path=tmp_path / "speed").speed == Tempo(path=tmp_path / "none").speed == "normal"


@pytest.mark.parametrize("way", WAYS)
def test_a_text_is_the_same_in_all_ways(way):
    text = json.dumps({"name": "Zoë’s 部屋 🂡"}, ensure_ascii=False) + "\n\n"
    assert decoded(WAYS[way](text)) == text
