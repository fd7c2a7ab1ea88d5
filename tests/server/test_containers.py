"""The image and the compose file of docs/hosting confine the room, and name what is there."""

import re
import subprocess
import tomllib

import pytest
import yaml
from typer.testing import CliRunner

from fairdeal.cli import app
from fairdeal.server import restarting, serving
from fairdeal.server.settings import read_settings
from fairdeal.server.workers import configuration
from tests.conftest import ROOT
from tests.server.shared import HAPROXY, needs_haproxy
from tools import container

FOLDER = ROOT / "docs/hosting"
IMAGE = container.FILE.read_text()
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
ROOMS = {name: one for name, one in SERVICES.items() if one["image"] == "fairdeal"}

SECRET = re.compile(r"(?i)(password|passwd|secret|token|credential|api_?key|private_?key)")
PINNED = re.compile(r"[\w./-]+:(\d[\w.-]*)(@sha256:[0-9a-f]{64})?")


def problems(text):
    """Return what is wrong with a Containerfile."""
    steps = container.instructions(text)
    words = [one.word for one in steps]
    last = {one.word: one for one in steps}
    stages = {one.words[2] for one in steps if one.word == "FROM" and len(one.words) == 3}
    found = [f"unpinned {one.text}" for one in steps if one.word == "FROM" and not is_pinned(one.words[0], stages)]
    found += [f"unknown {word}" for word in words if word == "ADD" or not word.isupper()]
    found += [f"secret {one.text}" for one in steps if one.word in ("ENV", "ARG") and SECRET.search(one.text)]
    after = words[len(words) - 1 - words[::-1].index("USER") :] if "USER" in words else ["RUN"]
    if {"RUN", "COPY", "FROM"} & {*after} or not re.fullmatch("[1-9][0-9]*", last["USER"].text):
        found.append("root")
    if "HEALTHCHECK" not in words or "/api/ready" not in last["HEALTHCHECK"].text:
        found.append("no check of health")
    if "VOLUME" not in words:
        found.append("no volume")
    for one in steps:
        if one.word == "RUN":
            found += [
                f"unlocked {step}" for step in re.findall(r"pip [^&]*install [^&]*", one.text) if not locked(step)
            ]
            if "apt-get install" in one.text and not ("--no-install-recommends" in one.text and "rm -rf" in one.text):
                found.append(f"large {one.text}")
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = [name for one in steps if one.word == "COPY" and "from" not in one.flags for name in one.words[:-1]]
    found += [f"not copied {name}" for name in copied if f"!{name}" not in ignored or not (ROOT / name).exists()]
    return found + [f"missing {name}" for name in needed() if name not in copied]


def needed():
    """Return what the package is built from."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = build["tool"]["hatch"]["build"]["targets"]["wheel"]
    project = build["project"]
    return [project["readme"], *project["license-files"], "src", *wheel["force-include"]]


def is_pinned(image, stages):
    return image in stages or PINNED.fullmatch(image) is not None


def locked(step):
    return "--require-hashes" in step or "--no-deps" in step


def test_the_image_is_pinned_small_and_not_for_root():
    assert problems(IMAGE) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("debian:13.2-slim", "debian", "unpinned"),
        ("debian:13.2-slim", "debian:latest", "unpinned"),
        ("USER 10001", "USER root", "root"),
        ("USER 10001", "USER 0", "root"),
        ("EXPOSE 8017", "USER 10001\nRUN true", "root"),
        ("/api/ready", "/api/live", "no check"),
        ("VOLUME /var/lib/fairdeal", "", "no volume"),
        ("LANG=C.UTF-8", "DATABASE_PASSWORD=x", "secret"),
        ("--require-hashes", "", "unlocked"),
        ("COPY src src", "ADD src src", "unknown"),
        ("COPY src src", "COPY src tests src", "not copied"),
        ("COPY docs/rules docs/rules", "", "missing"),
        ("--no-install-recommends", "", "large"),
    ],
)
def test_a_mistake_in_the_image_is_found(old, new, problem):
    assert old in IMAGE
    assert any(one.startswith(problem) for one in problems(IMAGE.replace(old, new)))


@pytest.fixture
def settings_of(monkeypatch):
    """Return a function that returns the settings with which a command of a container opens a room."""
    found = []
    monkeypatch.setattr(serving, "run", found.append)
    monkeypatch.setattr("fairdeal.cli.serve.located", lambda database, creates: database)
    monkeypatch.setattr("fairdeal.cli.serve.folder_for_backups", lambda name: name)

    def settings(words):
        words = [str(FOLDER / "room.toml") if word == "/etc/fairdeal/room.toml" else word for word in words]
        done = CliRunner().invoke(app, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return found.pop()

    return settings


def test_the_image_and_each_service_open_a_room_that_writes_only_to_its_volume(settings_of):
    last = {one.word: one for one in container.instructions(IMAGE)}
    volume = last["VOLUME"].text
    assert dict(word.split("=") for word in last["ENV"].words)["XDG_CACHE_HOME"].startswith(f"{volume}/")
    commands = [last["CMD"].words, *(one["command"].split() for one in ROOMS.values())]
    for settings in map(settings_of, commands):
        assert (settings.host, settings.port) == ("0.0.0.0", int(last["EXPOSE"].text))
        assert settings.backup.startswith(f"{volume}/")
        assert settings.database.startswith((f"{volume}/", "postgresql://fairdeal@database/room"))
    assert read_settings(FOLDER / "room.toml").database.startswith(f"{volume}/")
    assert all(f"data:{volume}" in one["volumes"] for one in ROOMS.values())


def test_every_service_is_confined_and_only_the_machine_itself_reaches_it():
    assert {name for one in SERVICES.values() for name in one["profiles"]} == {"one", "several"}
    for name, one in SERVICES.items():
        assert one["read_only"] is True, name
        assert (one["cap_drop"], one["security_opt"]) == (["ALL"], ["no-new-privileges:true"]), name
        assert not {"privileged", "cap_add", "network_mode", "pid", "ipc", "devices"} & one.keys(), name
        assert one["image"] == "fairdeal" or PINNED.fullmatch(one["image"]), name
        assert all(port.startswith("127.0.0.1:") for port in one.get("ports", ())), name
        assert {*one["networks"]} <= {*COMPOSE["networks"]}, name
        for mount in one.get("volumes", ()):
            source, _, rights = mount.split(":") if mount.count(":") == 2 else (*mount.split(":"), "rw")
            assert source in COMPOSE["volumes"] or (source.startswith("./") and rights == "ro"), mount
        for given in one.get("environment", {}).items():
            assert not SECRET.search(given[0]) or given[1] == "${DATABASE_PASSWORD-}", name
        for other, condition in one.get("depends_on", {}).items():
            assert condition == {"condition": "service_healthy"}, name
            assert other in ROOMS or "healthcheck" in SERVICES[other], name
    assert "ports" not in SERVICES["database"]


@needs_haproxy
def test_the_workers_have_the_addresses_that_their_proxy_and_the_room_know(settings_of, tmp_path):
    (network,) = COMPOSE["networks"].values()
    (subnet,) = (one["subnet"] for one in network["ipam"]["config"])
    workers = [f"{one['networks']['inner']['ipv4_address']}:8017" for name, one in ROOMS.items() if name != "room"]
    page = (ROOT / "docs/hosting.md").read_text()
    assert f"room proxy '*:8017' {' '.join(workers)} > docs/hosting/workers.cfg" in page
    assert all(settings_of(one["command"].split()).proxies == (subnet,) for one in ROOMS.values())
    (tmp_path / "page.html").write_text(restarting.page())
    (tmp_path / "workers.cfg").write_text(configuration("*:8017", workers, str(tmp_path / "page.html")))
    subprocess.run([HAPROXY, "-c", "-q", "-f", tmp_path / "workers.cfg"], check=True)


ENGINE = container.engine_with_base()


@pytest.mark.skipif(not ENGINE, reason=f"without podman or docker with the image {container.base_image()}")
def test_a_room_in_the_image_is_healthy():
    container.try_image(ENGINE)
