"""A room of two workers with one PostgreSQL database, behind HAProxy."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from fairdeal.server.workers import configuration
from tests.ports import free_port, wait_for
from tests.server.conftest import ForkedRoom
from tests.server.in_process import rows_in
from tests.server.postgresql import WITH_US

HAPROXY = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
needs_haproxy = pytest.mark.skipif(not HAPROXY, reason="without HAProxy (apt-get install haproxy)")


class SharedRoom:
    """The workers, which are forks, and the proxy. Worker 1 logs in to the database as `worker1`, and so on."""

    def __init__(self, database, folder, chance=""):
        self.database, self.folder, self.errors = database, folder, folder / "errors"
        self.workers = [
            ForkedRoom(
                database.replace("fairdeal@", f"worker{number}@"),
                errors=folder / f"errors{number}",
                chance=chance and f"{chance} {number}",
            )
            for number in (1, 2)
        ]
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        ports = [f"127.0.0.1:{worker.port}" for worker in self.workers]
        (folder / "haproxy.cfg").write_text(configuration(f"127.0.0.1:{self.port}", ports))
        self.start_proxy()

    def start_proxy(self):
        with open(self.folder / "haproxy.log", "a") as log:
            command = [*WITH_US, HAPROXY, "-db", "-f", self.folder / "haproxy.cfg"]
            self.proxy = subprocess.Popen(command, stdout=log, stderr=log)
        wait_for(self.port)

    def kill_proxy(self):
        self.proxy.kill()
        self.proxy.wait()

    def owner(self, table):
        """Return the number of the worker that owns a table, from 0, or None."""
        query = 'select address from workers where id = (select worker from leases where "table" = ?)'
        found = rows_in(self.database, query, table)
        return next((n for n, one in enumerate(self.workers) if found == [(one.address,)]), None)

    def kill(self):
        self.kill_proxy()
        for worker in self.workers:
            worker.kill()

    def stop(self):
        self.kill_proxy()
        for worker in self.workers:
            worker.stop()
