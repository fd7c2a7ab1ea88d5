"""The room starts only with a uvicorn whose methods it can override to protect itself."""

import inspect
import subprocess
import sys

import pytest

from fairdeal.server.network.connections import HOOKS, check_hooks
from tests.conftest import refusal

EVERY = [(protocol, name) for protocol, names in HOOKS.items() for name in names]

BROKEN = """
import sys
from uvicorn.protocols.http import h11_impl
from uvicorn.protocols.websockets import websockets_sansio_impl
{change}
from fairdeal.cli import main
sys.argv = ["fairdeal", "serve", "--port", "0", "--no-browser", "--database", "room.db"]
main()
"""


def started(change, folder):
    """Start the room after a change of uvicorn: exit status, standard output and the lines on standard error."""
    command = [sys.executable, "-c", BROKEN.format(change=change)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=folder)
    return ended.returncode, ended.stdout, ended.stderr.splitlines()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("del h11_impl.H11Protocol.send_400_response", "its H11Protocol does not have send_400_response"),
        (
            "websockets_sansio_impl.WebSocketsSansIOProtocol.keepalive_timeout = lambda self, reason: None",
            "WebSocketsSansIOProtocol.keepalive_timeout takes (self, reason), not (self)",
        ),
        ("sys.modules['uvicorn.protocols.http.h11_impl'] = None", "import of uvicorn.protocols.http.h11_impl halted"),
    ],
)
def test_the_room_does_not_start_with_a_uvicorn_that_would_not_call_it(change, told, tmp_path):
    import uvicorn

    status, out, err = started(change, tmp_path)
    assert (status, out, len(err)) == (1, "", 1)
    assert f"the room cannot start with uvicorn {uvicorn.__version__}: {told}" in err[0]
    assert "install uvicorn" in err[0]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("protocol", "hook"), EVERY, ids=lambda it: getattr(it, "__name__", it))
def test_each_method_that_is_overridden_is_checked(protocol, hook):
    own = {name: vars(protocol)[name] for name in HOOKS[protocol]}

    def check(theirs):
        check_hooks(type("Ours", (type("Theirs", (), theirs),), own), HOOKS[protocol])

    check(own)
    with refusal(f"its Theirs does not have {hook},"):
        check({name: method for name, method in own.items() if name != hook})
    with refusal(rf"Theirs\.{hook} takes \(self, another, more\), not \(self"):
        check(own | {hook: lambda self, another, more: None})


@pytest.mark.parametrize("protocol", HOOKS)
def test_all_methods_that_override_one_of_uvicorn_are_declared(protocol):
    methods = [name for name, it in vars(protocol).items() if inspect.isfunction(it)]
    assert tuple(name for name in methods if hasattr(protocol.__base__, name)) == HOOKS[protocol]
