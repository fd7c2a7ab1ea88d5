"""Metrics of a room for Prometheus, served at a port of their own. `docs/hosting/grafana.json` shows them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fairdeal.engine.errors import FairdealError, missing
from fairdeal.server.meter import Meter
from fairdeal.server.room import Room

if TYPE_CHECKING:
    from prometheus_client.core import Metric

try:
    from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.gc_collector import GCCollector
    from prometheus_client.platform_collector import PlatformCollector
    from prometheus_client.process_collector import ProcessCollector
    from prometheus_client.registry import Collector
except ImportError:
    raise missing("--metrics needs prometheus-client", "metrics") from None

OWN = "127.0.0.1"
"""The address at which metrics are served."""

SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
"""Upper bounds of the buckets of histograms."""


class Prometheus(Meter):
    """A meter whose counts are in `registry`."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)
        self.moves = Counter("fairdeal_moves", "Moves", ["game", "by"], registry=registry)
        self.latency = Histogram(
            "fairdeal_move_seconds", "Request to acknowledgement", ["game"], buckets=SECONDS, registry=registry
        )
        self.commits = Histogram("fairdeal_commit_seconds", "Commits", buckets=SECONDS, registry=registry)
        self.refusals = Counter("fairdeal_refusals", "Refused requests at tables", ["kind"], registry=registry)
        self.responses = Counter("fairdeal_http_responses", "HTTP responses", ["status"], registry=registry)

    def moved(self, game: str, by: str) -> None:
        self.moves.labels(game, by).inc()

    def acknowledged(self, game: str, seconds: float) -> None:
        self.latency.labels(game).observe(seconds)

    def committed(self, seconds: float) -> None:
        self.commits.observe(seconds)

    def refused(self, kind: str) -> None:
        self.refusals.labels(kind).inc()

    def responded(self, status: int) -> None:
        self.responses.labels(str(status)).inc()


class Gauges(Collector):
    """The sizes of a room, which are looked up at each request for metrics, in the thread that serves them."""

    def __init__(self, room: Room) -> None:
        self.room = room

    def collect(self) -> Iterable[Metric]:
        room = self.room
        seats = [one for live in list(room.live.values()) for one in list(live.audience.connections)]
        yield GaugeMetricFamily("fairdeal_tables", "Tables in memory", len(room.held))
        yield GaugeMetricFamily("fairdeal_connections", "Connections to tables", len(seats))
        making = sum(not one.is_over for one in list(room.analyses.making.values()))
        yield GaugeMetricFamily("fairdeal_analyses", "Analyses in progress", making)
        yield GaugeMetricFamily("fairdeal_saves", "Whether the room can save", room.store.saves)
        backups = GaugeMetricFamily("fairdeal_backup_timestamp_seconds", "Time of the last backup", labels=["result"])
        for result, at in list(room.backups.last.items()) if room.backups else ():
            backups.add_metric([result], at)
        yield backups
        queues = GaugeMetricFamily("fairdeal_waiting", "Tasks and messages in queues", labels=["queue"])
        lines = {"bots": room.thinking.bots, "hints": room.thinking.hints, "work": room.work, "offers": room.offers}
        for name, line in lines.items():
            queues.add_metric([name], len(line.waiting))
        queues.add_metric(["store"], room.store.unfinished)
        queues.add_metric(["sending"], sum(len(one.unsent) for one in seats))
        yield queues


@contextlib.contextmanager
def served(room: Room, port: int) -> Iterator[int]:
    """Count a room's events, and serve its metrics at a port, or at any free port if it is 0. Return the port. Raises
    FairdealError if the port cannot be used."""
    meter = Prometheus()
    meter.registry.register(Gauges(room))
    try:
        server, thread = start_http_server(port, OWN, meter.registry)
    except OSError as problem:
        raise FairdealError(
            f"cannot serve metrics at {OWN}:{port}: {problem.strerror}; try another --metrics"
        ) from None
    room.store.meter = meter
    try:
        yield server.server_port
    finally:
        room.store.meter = Meter()
        server.shutdown()
        server.server_close()
        thread.join()
