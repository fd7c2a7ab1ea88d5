"""The files of docs/hosting: the versions, the systemd unit, and a proxy through which a game is played."""

import contextlib
import functools
import json
import os
import re
import shutil
import ssl
import subprocess
import time
import tomllib
from importlib.metadata import requires
from types import SimpleNamespace

import httpx2
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from fairdeal.server import restarting
from fairdeal.server.settings import read_settings
from tests.conftest import ROOT
from tests.ports import free_port, wait_for
from tests.server import conftest
from tests.server.conftest import PORT, ForkedRoom, Guest, RoomProcess
from tests.server.in_node import needs_node, run_in_node
from tests.server.shared import HAPROXY, check_restarting, needs_haproxy
from tests.server.test_network import wait_until

FILES = ROOT / "docs/hosting"
PINNED = re.compile(r"^(\S+==\S+)(?: ; (.*?))?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)$", re.MULTILINE)


# --- versions ---------------------------------------------------------------------------------------------------


def pins(text):
    """The pinned versions, by name. Every line must have a hash, and none an address."""
    found = PINNED.findall(text)
    assert (
        "\n".join(f"{what}{f' ; {marker}' if marker else ''}{hashes}" for what, marker, hashes in found) + "\n" == text
    )
    versions = {}
    for what, _, _ in found:
        name, _, version = what.partition("==")
        versions.setdefault(canonicalize_name(name), []).append(version)
    return versions


def needed(lines, extras=("",)):
    """The requirements that apply on Debian."""
    for line in lines:
        one = Requirement(line)
        on = {"sys_platform": "linux", "platform_system": "Linux", "python_full_version": "3.13.0"}
        if one.marker is None or any(one.marker.evaluate(on | {"extra": extra}) for extra in extras):
            yield one


def missing(versions):
    """What the project or a pinned library needs and the file does not have, or in another version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    asked = [*needed([*project["dependencies"], *extras["metrics"], *extras["postgres"]])]
    for name in versions:
        with contextlib.suppress(ModuleNotFoundError):  # needed by another version of Python
            asked += needed(requires(name) or ())
    return [
        str(one)
        for one in asked
        if not any(one.specifier.contains(version) for version in versions.get(canonicalize_name(one.name), ()))
    ]


def test_the_pinned_versions_are_complete_and_fit_the_project():
    text = (FILES / "requirements.txt").read_text()
    versions = pins(text)
    assert len(versions) > 30
    assert missing(versions) == [], "run `uv run python -m tools.hashes`"
    assert missing(versions | {"uvicorn": ["0.55"]})
    assert missing({name: version for name, version in versions.items() if name != "anyio"})


# --- systemd ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="without systemd-analyze (apt-get install systemd)")
def test_the_unit_is_valid_and_hardened(tmp_path):
    unit = tmp_path / "fairdeal.service"
    unit.write_text((FILES / "fairdeal.service").read_text().replace("/opt/fairdeal/bin/fairdeal", "/bin/true"))

    def analyse(*words):
        done = subprocess.run(["systemd-analyze", *words, unit], capture_output=True, text=True, timeout=60, check=True)
        return done.stdout + done.stderr

    assert analyse("verify") == ""
    found = re.search(r"exposure level for \S+: ([\d.]+)", analyse("security", "--offline=yes", "--no-pager"))
    assert float(found[1]) < 2


def test_the_room_can_read_its_settings():
    settings = read_settings(FILES / "room.toml")
    assert f"http://127.0.0.1:{settings.metrics}/metrics" in (ROOT / "docs/hosting.md").read_text()
    assert settings.database == "/var/lib/fairdeal/room.db"
    assert f"127.0.0.1:{settings.port} " in (FILES / "haproxy.cfg").read_text()


# --- HAProxy ----------------------------------------------------------------------------------------------------


def certificate(folder):
    """Return a context that trusts a new certificate of this machine, and the files of the certificate and its key."""
    files = folder / "cards.crt", folder / "cards.key"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=localhost"
    command += " -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -out {} -keyout {}".format(*files)
    subprocess.run(command.split(), check=True, capture_output=True)
    return ssl.create_default_context(cafile=files[0]), *files


class Proxy:
    """HAProxy with the configuration of docs/hosting, but with other ports, users and files."""

    def __init__(self, folder, room_port):
        self.folder, self.port, self.log, self.processes = folder, free_port(), folder / "haproxy.log", []
        self.trusted, *pair = certificate(folder)
        (folder / "cards.pem").write_text("".join(one.read_text() for one in pair))
        text = (FILES / "haproxy.cfg").read_text()
        for given, here in {
            "/etc/haproxy/cards.pem": str(folder / "cards.pem"),
            "bind :80\n": f"bind 127.0.0.1:{free_port()}\n",
            "bind :443": f"bind 127.0.0.1:{self.port}",
            "127.0.0.1:8017": f"127.0.0.1:{room_port}",
            "    user haproxy\n    group haproxy\n    chroot /var/lib/haproxy\n": "",
            "log /dev/log local0": "log stderr format raw local0",
            "/etc/haproxy/restarting.html": str(folder / "restarting.html"),
        }.items():
            assert given in text, given
            text = text.replace(given, here)
        (folder / "restarting.html").write_text(restarting.page())
        self.config = folder / "haproxy.cfg"
        self.config.write_text(text)

    def start(self):
        """Start HAProxy, or replace the process that runs, as `systemctl reload haproxy` does."""
        old = [str(process.pid) for process in self.processes[-1:]]
        command = [HAPROXY, "-db", "-f", self.config, *(["-sf", *old] if old else [])]
        with self.log.open("a") as log:
            self.processes.append(subprocess.Popen(command, stderr=log))
        wait_for(self.port)

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def proxied(tmp_path, deal, monkeypatch):
    """A room behind a proxy, the proxy, and a function that makes guests who come through it."""
    with contextlib.ExitStack() as opened:
        room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=deal, log="json", log_addresses=True)
        opened.callback(room.stop)
        proxy = Proxy(tmp_path, room.port)
        opened.callback(proxy.stop)
        proxy.start()
        monkeypatch.setattr(conftest, "connect", functools.partial(conftest.connect, ssl=proxy.trusted))

        def come():
            guest = Guest(SimpleNamespace(address=f"https://127.0.0.1:{proxy.port}"))
            opened.callback(guest.close)
            return guest

        yield room, proxy, come


def play(guest):
    while not guest.scene.get("choices"):
        guest.hear()
    move = guest.ask("hint")["move"]
    return guest.ask("play", seq=guest.scene["seq"], move=move)["type"]


@needs_haproxy
def test_the_configuration_is_valid(tmp_path):
    subprocess.run([HAPROXY, "-c", "-q", "-f", Proxy(tmp_path, 8017).config], check=True)


@needs_haproxy
def test_a_reload_of_the_proxy_cuts_no_table(proxied):
    _, proxy, come = proxied
    ada = come()
    table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    ada.connect(table)
    assert play(ada) == "done"
    proxy.start()
    before, now = proxy.processes
    assert come().facts(table)["status"] == "running"
    assert play(ada) == "done"
    assert before.poll() is None, "the first process keeps its connection"
    ada.stack.close()
    assert before.wait(20) == 0
    assert now.poll() is None
    ada.connect(table)
    assert play(ada) == "done"


def look_from(address, port):
    """Return the response to a request that must be refused, from an address, with an invented one."""
    headers = {"origin": "https://evil.example", "x-forwarded-for": "192.0.2.9"}
    sending = httpx2.HTTPTransport(local_address=address, verify=False)
    with httpx2.Client(transport=sending, base_url=f"https://127.0.0.1:{port}") as client:
        answer = client.post("/api/me", json={}, headers=headers)
    assert answer.status_code == 403
    return answer


@needs_haproxy
def test_the_room_sees_the_address_of_the_client_and_no_invented_one(proxied):
    room, proxy, _ = proxied
    answer = look_from("127.0.0.2", proxy.port)
    assert answer.headers["strict-transport-security"]
    assert "server" not in answer.headers
    assert '"address":"127.0.0.2"' in room.errors.read_text()
    line = r'^127\.0\.0\.2:\d+ .* api/room .* 403 .*"POST /api/me HTTP/1\.1"$'
    wait_until(lambda: re.search(line, proxy.log.read_text(), re.MULTILINE))


def test_only_proxies_of_the_settings_may_pass_on_addresses_of_guests_from_other_machines(tmp_path):
    options = ("--log", "json", "--log-addresses", "--proxies", "127.0.0.2,127.1.0.0/16")
    room = RoomProcess(tmp_path / "room.db", options=options)
    headers = {"origin": "https://evil.example", "x-forwarded-for": "192.0.2.9"}
    for address in ("127.0.0.2", "127.1.2.3", "127.0.0.3"):
        with httpx2.Client(transport=httpx2.HTTPTransport(local_address=address)) as client:
            assert client.post(f"{room.address}/api/me", json={}, headers=headers).status_code == 403
    fields = [json.loads(line)["fields"] for line in room.errors.read_text().splitlines()]
    seen = [one["address"] for one in fields if "address" in one]
    assert seen == ["192.0.2.9", "192.0.2.9", "127.0.0.3"]
    room.stop()


@needs_haproxy
def test_guests_play_on_through_the_proxy_after_the_room_was_updated(proxied):
    room, proxy, come = proxied
    ada = come()
    table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
    ada.connect(table)
    assert play(ada) == "done"
    room.process.terminate()
    room.process.join(20)
    check_restarting(ada.http, {"/": "room", "/api/me": "api"}, proxy.log)
    time.sleep(5)  # long enough for the proxy to notice
    check_restarting(ada.http, {"/": "room", "/t/none": "room", "/api/me": "api"}, proxy.log)
    room.start()
    for _ in range(200):
        with contextlib.suppress(Exception):
            ada.connect(table)
            break
        time.sleep(0.1)
    assert play(ada) == "done"


ASKS_AGAIN = """
import { post } from './web/kit/api.js';
const asked = [];
globalThis.fetch = async (path) => {
  asked.push(path);
  const headers = path.endsWith('/leave') ? {} : { 'retry-after': '1' };
  const isAway = asked.filter((one) => one === path).length === 1;
  return isAway ? new Response('{"reason":"away"}', { status: 503, headers }) : new Response('{"name":"Ada"}');
};
const found = [];
for (const path of ['/api/me', '/api/tables/x/leave', '/api/tables']) {
  found.push(await post(path).then((me) => me.name, (problem) => problem.message));
}
console.log(JSON.stringify({ found, asked }));
"""


@needs_node
def test_the_page_repeats_what_a_proxy_answered_and_not_what_the_room_refused(tmp_path):
    found = run_in_node(tmp_path, ASKS_AGAIN)
    assert found == {
        "found": ["Ada", "away", "Away. It may have done it all the same."],
        "asked": ["/api/me", "/api/me", "/api/tables/x/leave", "/api/tables"],
    }


# --- the page about a restart -----------------------------------------------------------------------------------


def test_the_page_about_a_restart_needs_nothing_else_and_fits_into_an_answer():
    page = restarting.page()
    assert len(page.encode()) < 8000  # HAProxy has 15 KiB for it
    assert re.findall(r'\b(?:src|href)=("[^"]*")|\b(url|import)\b', page) == [('""', "")]
    assert {*re.findall(r"var\((--[\w-]+)", page)} == {*re.findall(r"^ *(--[\w-]+):", page, re.MULTILINE)}


LOOK = """() => ['main', 'body', 'html'].map((one) => {
    const { color, font, backgroundColor } = getComputedStyle(document.querySelector(one));
    return [color, font, backgroundColor];
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_about_a_restart_has_the_look_of_the_room(visit, scheme):
    page = visit("/privacy", color_scheme=scheme)
    page.wait_for_selector("main")
    room = page.evaluate(LOOK)
    text = restarting.page().replace('http-equiv="refresh"', "")
    page.route("**/restarting", lambda route: route.fulfill(body=text, content_type="text/html"))
    page.goto("/restarting")
    assert page.evaluate(LOOK) == room


# --- other proxies ----------------------------------------------------------------------------------------------


def written_on_page(language):
    """Return the configuration that docs/hosting.md gives in a language."""
    page = (ROOT / "docs/hosting.md").read_text()
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    return found


def with_caddy(folder, port, room_port, files):
    text = "{\n admin off\n auto_https disable_redirects\n}\n" + written_on_page("caddy")
    text = text.replace("cards.example.org {", f"https://127.0.0.1:{port} {{\n tls {files[0]} {files[1]}")
    (folder / "Caddyfile").write_text(text.replace("127.0.0.1:8017", f"127.0.0.1:{room_port}"))
    return ["run", "--config", folder / "Caddyfile"]


def with_nginx(folder, port, room_port, files):
    text = written_on_page("nginx").replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    text = text.replace("/etc/nginx/cards.crt", str(files[0])).replace("/etc/nginx/cards.key", str(files[1]))
    text = text.replace("127.0.0.1:8017", f"127.0.0.1:{room_port}")
    kinds = "client_body", "proxy", "fastcgi", "uwsgi", "scgi"
    places = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in kinds)
    alone = f"daemon off;\nmaster_process off;\npid {folder / 'pid'};\nevents {{}}\n"
    (folder / "nginx.conf").write_text(f"{alone}http {{\naccess_log off;\n{places}{text}}}\n")
    return ["-e", folder / "nginx.log", "-c", folder / "nginx.conf"]


@pytest.mark.parametrize("kind", ["caddy", "nginx"])
def test_guests_play_through_other_proxies_as_the_page_configures_them(kind, tmp_path, deal, monkeypatch):
    program = shutil.which(kind, path=f"{os.environ['PATH']}:/usr/sbin")
    if not program:
        pytest.skip(f"without {kind} (apt-get install {kind})")
    for variable in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    with contextlib.ExitStack() as opened:
        room = ForkedRoom(tmp_path / "room.db", port=PORT, chance=deal, log="json", log_addresses=True)
        opened.callback(room.stop)
        trusted, *files = certificate(tmp_path)
        port = free_port()
        configured = {"caddy": with_caddy, "nginx": with_nginx}[kind]
        command = [program, *configured(tmp_path, port, room.port, files)]
        proxy = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        opened.callback(proxy.wait)
        opened.callback(proxy.kill)
        wait_for(port)
        monkeypatch.setattr(conftest, "connect", functools.partial(conftest.connect, ssl=trusted))
        ada = Guest(SimpleNamespace(address=f"https://127.0.0.1:{port}"))
        opened.callback(ada.close)
        table = ada.open("chi", chairs=["you", "greedy"], options={"first_player": 0})["id"]
        ada.connect(table)
        assert play(ada) == "done"
        assert look_from("127.0.0.2", port).headers["strict-transport-security"] == "max-age=31536000"
        assert '"address":"127.0.0.2"' in room.errors.read_text()
