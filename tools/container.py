"""Build the image of docs/hosting/Containerfile from the last commit, and open a room in it.

    python -m tools.container            with podman or docker
    python -m tools.container --fresh    its steps, in a fresh Debian that debootstrap makes (as root, on Linux)

Both open the room as its user, with a read-only root, until its check of health succeeds. The second needs no image,
waits until the room has made a backup in its volume, and takes some minutes.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs/hosting/Containerfile"

TRUSTED = Path("/etc/ssl/certs/ca-certificates.crt")

LONGEST = 120
"""Seconds in which the room must be healthy."""


class Instruction(NamedTuple):
    """An instruction of a Containerfile: its first word, the words that begin with `--`, and the rest."""

    word: str
    flags: dict[str, str]
    text: str

    @property
    def words(self) -> list[str]:
        """The rest as words, of JSON or of the shell."""
        return json.loads(self.text) if self.text.startswith("[") else shlex.split(self.text)


def instructions(text: str) -> list[Instruction]:
    """Return the instructions of a Containerfile.

    >>> instructions("FROM a AS b\\n# no\\nCOPY --from=b x \\\\\\n    y")[1]
    Instruction(word='COPY', flags={'from': 'b'}, text='x y')
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found = []
    for line in re.sub(r"\s*\\\n\s*", " ", "\n".join(lines)).splitlines():
        word, _, rest = line.partition(" ")
        flags = re.match(r"(?:--\S+\s+)*", rest)
        assert flags
        pairs = [flag.removeprefix("--").partition("=") for flag in flags[0].split()]
        found.append(Instruction(word, {name: value for name, _, value in pairs}, rest[flags.end() :]))
    return found


def base_image() -> str:
    """Return the name of the image from which others are built."""
    return next(one.words[0] for one in instructions(FILE.read_text()) if one.word == "FROM")


def health_check() -> list[str]:
    """Return the command that checks whether the room is healthy."""
    (check,) = (one.text for one in instructions(FILE.read_text()) if one.word == "HEALTHCHECK")
    found: list[str] = json.loads(check.removeprefix("CMD "))
    return found


def run(*command: object) -> str:
    """Run a command, which must succeed, and return its output."""
    return subprocess.run([*map(str, command)], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def committed(folder: Path) -> Path:
    """Write the last commit to a folder, and return it."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    return folder


# --- with podman or docker --------------------------------------------------------------------------------------


def engine_with_base() -> str:
    """Return the name of a program that has the base image, or "" if there is none."""
    for name in ("podman", "docker"):
        look = [name, "image", "inspect", base_image()]
        if shutil.which(name) and subprocess.run(look, capture_output=True).returncode == 0:
            return name
    return ""


def try_image(engine: str) -> None:
    """Build the image, and wait until a room in it is healthy."""
    with tempfile.TemporaryDirectory() as folder:
        context = committed(Path(folder, "context"))
        more = ["--format", "docker"] if engine == "podman" else []  # or it has no check of health
        run(engine, "build", *more, "--file", context / FILE.relative_to(ROOT), "--tag", "fairdeal-trial", context)
    confined = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    name = run(engine, "run", "--detach", *confined, "fairdeal-trial")
    try:
        wait_for([engine, "exec", name, *health_check()])
    finally:
        run(engine, "rm", "--force", "--volumes", name)
        run(engine, "image", "rm", "fairdeal-trial")


def wait_for(check: list[str]) -> None:
    """Repeat a command until it succeeds. Raises SystemExit after LONGEST seconds."""
    began = time.monotonic()
    while subprocess.run(check, capture_output=True).returncode:
        if time.monotonic() > began + LONGEST:
            raise SystemExit(f"the room is not healthy after {LONGEST} s")
        time.sleep(0.5)
    print(f"healthy after {time.monotonic() - began:.1f} s", flush=True)


# --- by hand ----------------------------------------------------------------------------------------------------

CONFINED = r"""
set -e
ip link set lo up
mount --bind $ROOT $ROOT
mount -t tmpfs -o noexec,nosuid,nodev tmpfs $ROOT/tmp
mount --bind $VOLUME $ROOT$INSIDE
mount -t proc proc $ROOT/proc
mount --bind /dev $ROOT/dev
mount -o remount,bind,ro $ROOT
touch $ROOT/opt/x 2>/dev/null && exit 9
exec chroot $ROOT setpriv --reuid $OWNER --regid $GROUP --clear-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all env -i $SETTINGS "$@"
"""
"""Script that confines a program as the options of a container do."""


@dataclass
class Stage:
    """A stage of the image, in a folder."""

    root: Path
    settings: dict[str, str] = field(default_factory=lambda: {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    folder: str = "/"

    def run(self, text: str) -> None:
        """Run a shell command in the stage, which trusts the certificates that this machine trusts."""
        given = [f"{name}={value}" for name, value in self.settings.items()]
        given += [f"{name}=/tmp/{TRUSTED.name}" for name in ("SSL_CERT_FILE", "PIP_CERT")]
        shutil.copy(TRUSTED, self.root / "tmp")
        run("chroot", self.root, "env", "-i", *given, "sh", "-ec", f"cd {shlex.quote(self.folder)}; {text}")

    def copy(self, sources: list[str], target: str, source: Path) -> None:
        """Copy files from another stage, or from the clone. Of a folder, its content is copied."""
        to = self.root / Path(self.folder, target).relative_to("/")
        for name in sources:
            path = source / name.lstrip("/")
            if path.is_dir():
                shutil.copytree(path, to, symlinks=True, dirs_exist_ok=True)
            else:
                shutil.copy2(path, to)


def try_fresh() -> None:
    """Carry out the Containerfile in a fresh Debian, and wait until a room in it is healthy and has a backup."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-container-") as name:
        serve(build(Path(name)), Path(name, "volume"))


def build(folder: Path) -> Stage:
    """Carry out the steps of the Containerfile, and return the last stage."""
    context, stages, stage = committed(folder / "context"), {}, Stage(folder)
    for number, one in enumerate(instructions(FILE.read_text())):
        print(one.word, one.text[:90], flush=True)
        if one.word == "FROM":
            name, *alias = (word for word in one.words if word != "AS")
            root = folder / f"stage{number}"
            if name in stages:
                run("cp", "-a", stages[name].root, root)
                stage = Stage(root, dict(stages[name].settings))
            else:
                run("debootstrap", "--variant=minbase", suite_of(name), root)
                shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
                stage = Stage(root)
            stages |= dict.fromkeys(alias, stage)
        elif one.word == "RUN":
            stage.run(one.text)
        elif one.word == "ENV":
            stage.settings |= dict(word.split("=", 1) for word in one.words)
        elif one.word == "WORKDIR":
            stage.run(f"mkdir -p {shlex.quote(one.text)}")
            stage.folder = one.text
        elif one.word == "COPY":
            source = stages[one.flags["from"]].root if "from" in one.flags else context
            stage.copy(one.words[:-1], one.words[-1], source)
    size, debian = (run("du", "-sm", one.root).split()[0] for one in (stage, stages["base"]))
    print(f"the image has {size} MB, {debian} MB of which are Debian with Python")
    return stage


def suite_of(image: str) -> str:
    """Return the name by which debootstrap knows the version of an image of Debian."""
    return {"12": "bookworm", "13": "trixie"}[re.split(r"[:.-]", image.rpartition("/")[2])[1]]


def serve(stage: Stage, volume: Path) -> None:
    """Open a room in a stage, confined as in a container, until it is healthy and has a backup."""
    last = {one.word: one for one in instructions(FILE.read_text())}
    inside, owner = last["VOLUME"].text, last["USER"].text
    group = run("chroot", stage.root, "id", "-g", owner)
    shutil.copytree(stage.root / inside.lstrip("/"), volume)
    run("chown", f"{owner}:{group}", volume)
    names = {"ROOT": stage.root, "VOLUME": volume, "INSIDE": inside, "OWNER": owner, "GROUP": group}
    names["SETTINGS"] = " ".join(f"{name}={value}" for name, value in stage.settings.items())
    given = [f"{name}={value}" for name, value in names.items()]
    command = [*last["ENTRYPOINT"].words, *last["CMD"].words]
    room = subprocess.Popen(
        ["unshare", "--mount", "--net", "env", *given, "sh", "-c", CONFINED, "sh", *command], stdout=sys.stderr
    )
    try:
        enter = f"nsenter --target {room.pid} --net --mount chroot --userspec {owner} {stage.root}".split()
        wait_for([*enter, *health_check()])
        wait_for(["sh", "-c", f"ls {volume}/backups/room-*.db"])
    finally:
        room.terminate()
        assert room.wait(20) in (0, -signal.SIGTERM), "the room did not end in good order"
    print(*sorted(str(path.relative_to(volume)) for path in volume.glob("**/*.db")))


def main(*words: str) -> None:
    if words == ("--fresh",):
        try_fresh()
    elif engine := engine_with_base():
        try_image(engine)
    else:
        raise SystemExit(f"there is no podman or docker with the image {base_image()}; pull it, or use --fresh")


if __name__ == "__main__":
    main(*sys.argv[1:])
