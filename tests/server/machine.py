"""The machine on which a room runs: its disk can be full, and the network to its database can be cut."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import threading


class Disk:
    """A small file system in memory."""

    def __init__(self, folder):
        self.folder, self.filler = folder, folder / "filler"

    def fill(self):
        with open(self.filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(512))

    def empty(self):
        self.filler.unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """A new folder with a disk of its own, or None if this machine does not let us mount one."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder]
    mounted = os.geteuid() == 0 and shutil.which("mount") and subprocess.run(command, check=False).returncode == 0
    try:
        yield Disk(folder) if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", folder], check=True)
        shutil.rmtree(folder)


class Cable:
    """A Unix socket in front of another one. While it is cut, no byte passes, and neither end hears of it."""

    def __init__(self, path, behind):
        self.behind, self.whole, self.ends = behind, threading.Event(), []
        self.whole.set()
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(str(path))
        self.listening.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def cut(self):
        self.whole.clear()

    def mend(self):
        self.whole.set()

    def accept(self):
        with contextlib.suppress(OSError):  # closed
            while True:
                near, far = self.listening.accept()[0], socket.socket(socket.AF_UNIX)
                self.ends += [near, far]
                far.connect(str(self.behind))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self.carry, args=ends, daemon=True).start()

    def carry(self, source, target):
        with contextlib.suppress(OSError):
            while content := source.recv(65536):
                self.whole.wait()
                target.sendall(content)
            target.shutdown(socket.SHUT_WR)

    def close(self):
        self.mend()
        for one in (self.listening, *self.ends):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
