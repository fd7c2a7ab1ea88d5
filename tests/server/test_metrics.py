"""Metrics for Prometheus, and the dashboard that shows them."""

import json
import re
import socket
import sys

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families

from fairdeal.cli.serve import serve
from fairdeal.server import metrics
from fairdeal.server.meter import Meter
from tests.conftest import ROOT, refusal
from tests.server.conftest import serve_in_vain
from tests.server.in_process import done, refused, seat_two
from tests.server.inside import opened

DASHBOARD = ROOT / "docs/hosting/grafana.json"
KINDS = re.compile(r"(?:fairdeal|process|python)_\w+")
PARTS = re.compile(r"_(total|bucket|created)$")


@pytest.fixture
def scrape():
    """Return a function that fetches the samples at a port, by name and the values of their labels."""

    def scrape(port):
        with httpx2.Client(verify=False) as client:
            text = client.get(f"http://127.0.0.1:{port}/metrics").text
        families = text_string_to_metric_families(text)
        return {(one.name, *one.labels.values()): one.value for family in families for one in family.samples}

    return scrape


async def test_moves_commits_refusals_and_sizes_are_counted(inside, scrape):
    with metrics.served(inside, 0) as port:
        live, ada, _ = await seat_two(inside, options={"first_player": 0})
        await done(ada.play())
        await refused(ada.play("nonsense", seq=live.number))
        found = scrape(port)
    assert found["fairdeal_moves_total", "person", "chi"] == 1
    assert found["fairdeal_move_seconds_count", "chi"] == 1
    assert 0 < found["fairdeal_move_seconds_sum", "chi"] < 10
    assert found["fairdeal_commit_seconds_count",] >= 2
    assert found["fairdeal_refusals_total", "IllegalMove"] == 1
    assert found["fairdeal_tables",] == found["fairdeal_saves",] == 1
    assert found["fairdeal_connections",] == 2
    assert found["fairdeal_waiting", "store"] == found["fairdeal_waiting", "sending"] == 0
    assert type(inside.store.meter) is Meter


async def test_responses_and_the_moves_of_bots_are_counted(tmp_path, scrape):
    async with opened(tmp_path) as guest:
        with metrics.served(guest.room, 0) as port:
            live = await guest.played_by_bots()
            await guest.get("/api/tables/nothing")
            found = scrape(port)
    assert found["fairdeal_moves_total", "bot", "chi"] == live.number
    assert found["fairdeal_http_responses_total", "404"] == 1
    assert not any(live.id in str(one) for one in found)


async def test_the_dashboard_shows_every_metric_and_no_other(inside):
    with metrics.served(inside, 0):
        families = {family.name for family in inside.store.meter.registry.collect()}
    panels = json.loads(DASHBOARD.read_text())["panels"]
    shown = {name for panel in panels for target in panel["targets"] for name in KINDS.findall(target["expr"])}
    assert {PARTS.sub("", name) for name in shown} == families


def test_a_port_that_is_taken_is_said_before_the_room_opens(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, complaint = serve_in_vain("--metrics", port, "--database", tmp_path / "room.db")
    assert code == 1
    assert re.fullmatch(f".*cannot serve metrics at 127.0.0.1:{port}: .*; try another --metrics\n", complaint)


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.delitem(sys.modules, "fairdeal.server.metrics")
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with refusal(r"--metrics needs prometheus-client: .* --extra metrics"):
        serve(metrics=9464)
