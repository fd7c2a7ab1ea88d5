"""Ports of this machine for the servers of tests."""

import contextlib
import socket
import time


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as opened:
        return opened.getsockname()[1]


def wait_for(port):
    """Wait until something answers at a port."""
    for _ in range(2000):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 60):
            return
        time.sleep(0.01)
    raise AssertionError(f"nothing answers at port {port}")
