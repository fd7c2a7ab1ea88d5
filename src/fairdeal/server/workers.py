"""Several workers on one machine, behind HAProxy, which sends all requests about a table to the same one.

Workers share only the database (`storage.leases`). HAProxy hashes the id of the table in the path, so that
adding or losing a worker moves only its share of the tables.
"""

import contextlib
import ctypes
import logging
import multiprocessing
import os
import re
import shlex
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import user_file, write_whole
from fairdeal.server import restarting
from fairdeal.server.logs import log_to_stderr
from fairdeal.server.network.listening import listen, places_of
from fairdeal.server.network.reach import Place
from fairdeal.server.serving import announce, end, note_opening, reach_for, run
from fairdeal.server.settings import Settings
from fairdeal.server.storage.keeping import reading
from fairdeal.server.storage.links import new_secret
from fairdeal.server.storage.store import Store

PROCESSES = multiprocessing.get_context("spawn")
log = logging.getLogger(__name__)

PROXY = """\
# HAProxy for the workers of a room, written by fairdeal.
global
    log stderr format raw local0

defaults
    mode http
    log global
    option httplog
    option dontlog-normal
    option forwardfor
    option redispatch 1
    retries 3
    timeout connect 500ms
    timeout client 60s
    timeout server 150s
    timeout tunnel 1h
    timeout check 700ms
    option httpchk GET /api/ready
    http-check expect status 200
    default-server inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions
    # while no worker is there
    {page}

frontend room
    bind {address}
    http-request set-var(txn.table) path,field(4,/) if {{ path_beg /api/tables/ }}
    http-request set-var(txn.table) path,field(3,/) if {{ path_beg /t/ /g/ }}
    use_backend tables if {{ path_beg /api/tables/ }} {{ var(txn.table) -m found }}
    use_backend pages if {{ var(txn.table) -m found }}
    use_backend modules if {{ path_beg /modules/ }}
    use_backend api if {{ path_beg /api/ }}
    default_backend rest

# one table, one worker: its requests and its WebSockets, and its page
backend tables
    balance hash var(txn.table)
    hash-type consistent sdbm avalanche
    {json}
{servers}

backend pages
    balance hash var(txn.table)
    hash-type consistent sdbm avalanche
{tracking}

# a module may be known only to the worker that wrote it
backend modules
    balance roundrobin
    retry-on all-retryable-errors 404
{tracking}

backend api
    balance leastconn
    {json}
{tracking}

backend rest
    balance leastconn
{tracking}
"""
"""The configuration of HAProxy 2.6."""

ADDRESS = re.compile(r"[\w.*:\[\]-]+:\d+")
"""An address with a port; `*` stands for all addresses of the machine."""

AGAIN = 1.0
"""Seconds after which a process that has ended is started again."""

SEEN = 1.0
"""Seconds after which HAProxy has seen that a worker is ready."""

LONGEST_END = 10.0
"""Seconds that a process has to end."""


def configuration(address: str, workers: Sequence[str], page: str) -> str:
    """Return the configuration of a proxy that listens at `address`, for workers at the given addresses. `page` is the
    file with the page about a restart. Raises FairdealError if one of the addresses does not have a port."""
    for one in (address, *workers):
        if not ADDRESS.fullmatch(one):
            raise FairdealError(f"{one}: give an address with a port, such as 10.0.0.2:8017")
    lines = [f"    server worker{number} {worker}" for number, worker in enumerate(workers, start=1)]
    servers = "\n".join(f"{line} check" for line in lines)
    tracking = "\n".join(f"{line} track tables/worker{number}" for number, line in enumerate(lines, start=1))
    shown, told = restarting.answers(shlex.quote(page))
    return PROXY.format(address=address, servers=servers, tracking=tracking, page=shown, json=told)


def end_with_parent() -> None:
    """Let Linux end this process in good order when the process that started it ends for any reason."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    parent = multiprocessing.parent_process()
    if parent and not parent.is_alive():  # it has ended before
        sys.exit()


def work(settings: bytes, public: bytes) -> None:
    """Serve as a worker, in a process of its own, for a proxy that guests reach at the `public` places. Both are JSON,
    because the program may be newer than the command that wrote them."""
    end_with_parent()
    run(msgspec.json.decode(settings, type=Settings), msgspec.json.decode(public, type=list[Place]))


def proxy(program: str, path: Path) -> None:
    """Become HAProxy."""
    end_with_parent()
    os.execv(program, [program, "-db", "-f", str(path)])


class Supervised:
    """A process that calls `target` with `arguments`. It is started again when it has ended."""

    def __init__(self, name: str, target: Callable[..., None], *arguments: object) -> None:
        self.name, self.target, self.arguments = name, target, arguments
        self.start()

    def start(self) -> None:
        self.process = PROCESSES.Process(target=self.target, args=self.arguments, daemon=True)
        self.process.start()
        self.since = time.monotonic()

    def restart_if_ended(self) -> None:
        if not self.process.is_alive() and time.monotonic() > self.since + AGAIN:
            code = self.process.exitcode
            log.log(logging.ERROR if code else logging.INFO, "%s has ended with %s; starting it again", self.name, code)
            self.start()

    def wait_for(self, port: int) -> None:
        """Wait until the process listens at a port. Raises FairdealError if it ends before."""
        while self.process.is_alive():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                return
            time.sleep(0.05)
        raise FairdealError(f"{self.name} has ended with {self.process.exitcode}")

    def end(self) -> None:
        self.process.terminate()
        self.process.join(LONGEST_END)
        self.process.kill()


def replace_all(workers: dict[int, Supervised]) -> None:
    """End and start the workers at their ports, one after the other. Stop if one does not start, so that the others
    remain."""
    for port, worker in workers.items():
        worker.end()
        worker.start()
        try:
            worker.wait_for(port)
        except FairdealError as problem:
            log.error("%s; the other workers are not replaced", problem)
            return
        time.sleep(SEEN)
    log.info("all workers were replaced")


def run_workers(settings: Settings) -> None:
    """Serve with several workers until interrupted, and with HAProxy at `host` and `port` if it is installed. Replace
    the workers at the signal SIGUSR1. They serve their metrics at the port `metrics` and those after it. Raises
    FairdealError if the database cannot be used or the port is in use."""
    log_to_stderr(settings.log, settings.log_addresses)
    store = Store(settings.database)
    store.close()
    with contextlib.ExitStack() as last, contextlib.ExitStack() as opened:
        with listen(settings.host, settings.port) as public:  # so that a port in use is told now
            address = f"{settings.host}:{public.getsockname()[1]}"
            reach = reach_for(settings, places_of(public))
        last.callback(log.info, "the room and its workers have closed")
        held = [opened.enter_context(listen("127.0.0.1", 0)) for _ in range(settings.workers)]  # as long as it serves
        ports = [one.getsockname()[1] for one in held]
        path = user_file("haproxy.cfg")
        page = path.with_name("restarting.html")
        write_whole(page, restarting.page())
        write_whole(path, configuration(address, [f"127.0.0.1:{own}" for own in ports], str(page)))
        signal.signal(signal.SIGTERM, end)
        asked: list[int] = []
        if sys.platform != "win32":
            signal.signal(signal.SIGUSR1, lambda number, _: asked.append(number))
        workers: dict[int, Supervised] = {}
        for place, own in enumerate(ports):
            metrics = None if settings.metrics is None else settings.metrics + place
            its = replace(settings, host="127.0.0.1", port=own, browser=False, metrics=metrics)
            workers[own] = Supervised(
                f"the worker at port {own}", work, msgspec.json.encode(its), msgspec.json.encode(reach.places)
            )
            opened.callback(workers[own].end)
        for own, worker in workers.items():
            worker.wait_for(own)
        kept = [*workers.values()]
        if program := shutil.which("haproxy", path=f"{os.environ.get('PATH', '')}:/usr/sbin"):
            kept.append(Supervised("HAProxy", proxy, program, path))
            last.callback(kept[-1].end)  # after the workers have told their guests that they end
            with reading(settings.database, writes=True) as connection:
                link = new_secret(connection)
            announce(reach, None, settings, link)
        else:
            print(f"The workers are ready. Install HAProxy, and start it with: haproxy -f {path}", flush=True)
        note_opening(settings, f"http://{address}", store)
        while True:
            time.sleep(0.2)
            if asked:
                asked.clear()
                replace_all(workers)
            for one in kept:
                one.restart_if_ended()
