"""Commands that open the room: `fairdeal` alone, and `fairdeal serve`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import typer

from fairdeal.cli.shared import app
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import user_file


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 for all network interfaces.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", help="The port to listen on; 0 for any free port.", min=0, max=65535)
    ] = 8017,
    database: Annotated[
        str,
        typer.Option(
            metavar="FILE|URL",
            help="The database of tables: a file (default: in your data folder), or postgresql://USER@HOST/NAME.",
        ),
    ] = "",
    base: Annotated[
        str, typer.Option(metavar="URL", help="The public address, such as https://cards.example.org.")
    ] = "",
    browser: Annotated[bool, typer.Option(help="Open the room in a browser.")] = False,
    workers: Annotated[
        int,
        typer.Option(metavar="NUMBER", help="Processes that share the tables, with PostgreSQL.", min=1),
    ] = 1,
    pause: Annotated[float, typer.Option(metavar="SECONDS", help="Seconds that bots wait before a move.", min=0)] = 0.7,
    compile: Annotated[bool, typer.Option(help="Compile the rules in the background.")] = True,
    webhooks: Annotated[
        str,
        typer.Option(
            metavar="HOST[,HOST]",
            help="Hosts to which notifications for absent guests may be sent, such as hooks.example.org.",
        ),
    ] = "",
    metrics: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="Serve metrics for Prometheus at this port of 127.0.0.1.", min=1, max=65535),
    ] = None,
    log: Annotated[
        Literal["text", "json"], typer.Option(metavar="text|json", help="The form of the log on standard error.")
    ] = "text",
    log_addresses: Annotated[bool, typer.Option(help="Log the network addresses of refused requests.")] = False,
) -> None:
    """Open the card room, to play in the browser alone or with friends."""
    from fairdeal.server.extras.webhooks import read_hosts
    from fairdeal.server.serving import run

    check_base(base)
    hosts, url = read_hosts(webhooks), database_url(database)
    if metrics is not None:
        import_module("fairdeal.server.metrics")  # raises FairdealError without prometheus-client
    if workers == 1:
        run(host, port, url, base, browser, pause, compile, hosts, metrics, log, log_addresses)
        return
    from fairdeal.server.storage.database import address_of
    from fairdeal.server.workers import run_workers

    if address_of(url).get_backend_name() != "postgresql":
        raise FairdealError(f"--workers {workers}: several workers share a PostgreSQL database; name one: --database")
    wishes = {"pause": pause, "compiles": compile, "webhooks": hosts, "logs": log, "addresses": log_addresses}
    run_workers(workers, host, port, url, base, metrics, **wishes)


def check_base(base: str) -> None:
    """Check a public address, and raise FairdealError if guests could not open it."""
    try:
        parts = urlsplit(base)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if base and not (fits and not parts.query and not parts.fragment):
        raise FairdealError(f"--base {base}: give a full address, such as https://cards.example.org")


def database_url(database: str | Path) -> str:
    """Return the URL of a database, given as a file or a URL."""
    if isinstance(database, str) and "://" in database:
        return database
    path = Path(database) if database else user_file("room.db")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FairdealError(
            f"cannot make the folder {path.parent} for the database: {problem.strerror}; give another --database"
        ) from None
    return f"sqlite:///{path.resolve()}"
