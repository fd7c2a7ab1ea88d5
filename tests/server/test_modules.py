"""The rules that a room gives out when a game is over, so that a program can play it again."""

import asyncio
import hashlib

import msgspec
import pytest

import fairdeal
from fairdeal.engine.compile import modules as package
from fairdeal.engine.compile.modules import FOLDER, built, names_of, wasm_of
from fairdeal.engine.compile.wasm import BUILT
from fairdeal.engine.observe.interface import Description, description_of
from fairdeal.engine.registry import find_game
from fairdeal.protocol.bodies import TableRules
from fairdeal.server.extras import modules
from fairdeal.server.extras.modules import AGAIN, Modules, NoModule, NotYet
from tests.conftest import SHORT

SMALL = "chimax-cut"


@pytest.fixture
def changed(monkeypatch):
    """Let the package have no module for the rules of any game, as if they were changed."""
    monkeypatch.setattr(package, "packaged", lambda game: None)


@pytest.fixture
def chi():
    return wasm_of(find_game("chi"))


async def rules_of(guest, table):
    answer = await guest.get(f"/api/tables/{table}/rules")
    assert answer.status == 200, answer.body
    return msgspec.convert(answer.json(), TableRules)


async def test_a_finished_table_gives_out_its_rules_by_their_hashes(guest, chi):
    table = (await guest.played_by_bots()).id
    rules = await rules_of(guest, table)
    found = []
    for path, kind in ((rules.module, "application/wasm"), (rules.description, "application/json")):
        answer = await guest.another().get(path)
        assert answer.status == 200
        assert answer.headers["content-type"] == kind
        assert "set-cookie" not in answer.headers
        assert f"/{hashlib.sha256(answer.body).hexdigest()}." in path
        found.append(answer.body)
    assert found[0] == chi.code
    assert msgspec.json.decode(found[1], type=Description) == description_of(find_game("chi"), chi)
    options = {"players": 2} | SHORT["chi"]
    assert bytes.fromhex(rules.start) == fairdeal.load("chi", **options).blank().record.tobytes()
    assert not rules.missing
    assert (await guest.get(f"/modules/{'0' * 64}.wasm")).status == 404


async def test_a_room_serves_the_files_of_the_package_from_its_start(guest):
    for name in fairdeal.game_names():
        for file in names_of(name):
            data = (FOLDER / file).read_bytes()
            answer = await guest.get(f"/modules/{hashlib.sha256(data).hexdigest()}.{file.rpartition('.')[2]}")
            assert answer.body == data
            assert "immutable" in answer.headers["cache-control"]


async def test_a_room_builds_no_module_that_the_package_has(name, monkeypatch):
    monkeypatch.setattr(modules, "write", None)
    monkeypatch.setattr(package, "folder_of", None)
    names = await found(Modules(compiles=True), find_game(name))
    assert names == tuple(hashlib.sha256((FOLDER / file).read_bytes()).hexdigest() for file in names_of(name))


async def test_a_running_table_does_not_give_out_its_rules(guest):
    live = await guest.open()
    assert (await guest.get(f"/api/tables/{live.id}/rules")).status == 409


async def test_a_room_that_does_not_compile_says_that_it_has_no_rules_until_they_are_in_the_cache(
    guest, chi, monkeypatch
):
    table = (await guest.played_by_bots()).id
    monkeypatch.setattr(modules, "AGAIN", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(modules, "kept_wasm", lambda game: None)
        assert await rules_of(guest, table) == TableRules(missing="the room has not compiled the rules of Chi")
    assert (await rules_of(guest, table)).module


async def found(room, game):
    """Ask a room for a module until it has been written."""
    while True:
        try:
            return await room.of(game)
        except NotYet:
            continue


async def test_no_request_waits_while_a_module_is_written(monkeypatch):
    gate = asyncio.Event()
    monkeypatch.setattr(modules, "PATIENCE", 0.01)
    monkeypatch.setattr(modules, "write", lambda game: gate.wait())
    monkeypatch.setattr(modules, "kept_wasm", lambda game: None)
    room = Modules(compiles=True)
    for _ in range(2):
        with pytest.raises(NotYet, match="is writing the rules"):
            await room.of(find_game(SMALL))
    gate.set()
    with pytest.raises(NoModule, match="has not compiled the rules"):
        await found(room, find_game(SMALL))


async def test_a_module_that_could_not_be_written_is_tried_again_after_a_minute(monkeypatch):
    tried = []

    def fails(game):
        tried.append(game.name)
        raise OSError("too many open files")

    monkeypatch.setattr(modules, "kept_wasm", fails)
    room = Modules(compiles=False)
    for _ in range(2):
        with pytest.raises(NoModule, match="too many open files"):
            await found(room, find_game(SMALL))
    assert tried == [SMALL]
    (again,) = [one for one in asyncio.get_running_loop()._scheduled if one._callback == room.made.pop]
    assert AGAIN - 10 < again.when() - asyncio.get_running_loop().time() <= AGAIN
    again._run()
    with pytest.raises(NoModule, match="too many open files"):
        await found(room, find_game(SMALL))
    assert tried == [SMALL] * 2


async def test_a_room_writes_a_module_once_in_another_process(monkeypatch, tmp_path, changed):
    monkeypatch.setenv("FAIRDEAL_CACHE", str(tmp_path))
    monkeypatch.setattr(modules, "LONGEST", 600.0)
    monkeypatch.setattr(modules, "NICENESS", 0)  # other tests have the processors
    room, game = Modules(compiles=True), find_game(SMALL)
    written = []
    write = modules.write

    async def noted(game):
        written.append(game.name)
        await write(game)

    monkeypatch.setattr(modules, "write", noted)
    names = await found(room, game)
    assert len([*tmp_path.rglob(BUILT)]) == 1
    assert await room.of(game) == names
    assert await found(Modules(compiles=True), game) == names
    assert written == [SMALL]
    assert room.files[names.module] == built(game).code


async def test_a_room_that_cannot_write_a_module_says_why_and_does_not_try_again(monkeypatch, caplog):
    tried = []

    def unwritten(game):
        tried.append(game.name)

    monkeypatch.setattr(modules, "kept_wasm", unwritten)
    monkeypatch.setattr(modules, "WRITER", "fairdeal.engine.compile.no_such_program")
    room = Modules(compiles=True)
    for _ in range(2):
        with pytest.raises(NoModule, match=r"No module named .*no_such_program"):
            await found(room, find_game(SMALL))
    assert tried == [SMALL]
    assert "cannot be written as WebAssembly" in caplog.text
    monkeypatch.undo()
    monkeypatch.setattr(package, "packaged", lambda game: None)
    monkeypatch.setenv("FAIRDEAL_LINKING", "0")
    with pytest.raises(NoModule, match="its rules are not linked"):
        await found(Modules(compiles=True), find_game(SMALL))


async def test_a_room_that_closes_stops_writing(monkeypatch):
    began = asyncio.Event()

    async def for_ever(game):
        began.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(modules, "kept_wasm", lambda game: None)
    monkeypatch.setattr(modules, "write", for_ever)
    room = Modules(compiles=True)
    asking = asyncio.create_task(room.of(find_game(SMALL)))
    await began.wait()
    await room.close()
    with pytest.raises(NoModule, match="closing"):
        await asking
