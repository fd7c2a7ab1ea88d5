"""A room of two workers with one PostgreSQL database, behind HAProxy."""

from __future__ import annotations

import os
import re
import shutil
import subprocess

import pytest

from fairdeal.server import restarting
from fairdeal.server.workers import configuration
from tests.ports import free_port, wait_for
from tests.server.conftest import ForkedRoom
from tests.server.in_process import rows_in
from tests.server.postgresql import WITH_US
from tests.server.test_network import wait_until

HAPROXY = shutil.which("haproxy", path=f"{os.environ['PATH']}:/usr/sbin")
needs_haproxy = pytest.mark.skipif(not HAPROXY, reason="without HAProxy (apt-get install haproxy)")


class SharedRoom:
    """Two workers, which are forks, and the proxy in front of them."""

    def __init__(self, database, folder):
        self.database, self.port = database, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.workers = [ForkedRoom(database, errors=folder / f"errors{number}") for number in (1, 2)]
        ports = [f"127.0.0.1:{worker.port}" for worker in self.workers]
        file, page = folder / "haproxy.cfg", folder / "restarting.html"
        page.write_text(restarting.page())
        file.write_text(configuration(f"127.0.0.1:{self.port}", ports, str(page)))
        with open(folder / "haproxy.log", "a") as log:
            self.proxy = subprocess.Popen([*WITH_US, HAPROXY, "-db", "-f", file], stdout=log, stderr=log)
        wait_for(self.port)

    def owner(self, table):
        """Return the number of the worker that owns a table, from 0, or None."""
        query = 'select address from workers where id = (select worker from leases where "table" = ?)'
        found = rows_in(self.database, query, table)
        return next((n for n, one in enumerate(self.workers) if found == [(one.address,)]), None)

    def stop(self):
        self.proxy.kill()
        self.proxy.wait()
        for worker in self.workers:
            worker.stop()


def check_restarting(client, paths, log):
    """Check what a proxy answers at paths while the room restarts: JSON to programs and the room's page to people. Each
    is logged with the backend that `paths` names."""
    for path, backend in paths.items():
        answer = client.get(path)
        assert answer.status_code == 503
        assert (answer.headers["retry-after"], answer.headers["cache-control"]) == ("1", "no-store")
        if path.startswith("/api/"):
            assert answer.headers["content-type"] == "application/json"
            assert answer.json() == {"reason": restarting.AGAIN}
        else:
            assert answer.headers["content-type"] == "text/html"
            assert answer.text == restarting.page()
        line = re.compile(rf' {backend}/\S+ .* 503 .*"GET {path} HTTP')
        wait_until(lambda line=line: line.search(log.read_text()))
