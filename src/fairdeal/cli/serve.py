"""Commands that open the room: `fairdeal` alone, and `fairdeal serve`."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from msgspec.structs import replace

from fairdeal.cli.shared import app, check_folder, finite
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import user_file
from fairdeal.server.settings import Settings, checked, facts_of, read_settings

DEFAULTS = Settings()
FACTS = facts_of(Settings)


def option(name: str, metavar: str | None = None, **more: Any) -> Any:
    """Return the option of a setting, with its limits. Its default is shown but not given, so that it does not replace
    the setting of a file."""
    default, facts = getattr(DEFAULTS, name), FACTS[name]
    shown = False if default is None or default in ("", ()) or isinstance(default, bool) else str(default)
    limits = {"min": facts.ge, "max": facts.le}
    return typer.Option(metavar=metavar, help=facts.description, show_default=shown, **limits | more)


@app.command()
def serve(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of settings; `fairdeal room config` prints one."),
    ] = None,
    host: Annotated[str | None, option("host", "ADDRESS")] = None,
    lan: Annotated[bool | None, option("lan")] = None,
    port: Annotated[int | None, option("port", "PORT")] = None,
    database: Annotated[str | None, option("database", "FILE|URL")] = None,
    base: Annotated[str | None, option("base", "URL")] = None,
    proxies: Annotated[str | None, option("proxies", "ADDRESS[,ADDRESS]")] = None,
    contact: Annotated[str | None, option("contact", "EMAIL|URL")] = None,
    browser: Annotated[bool | None, option("browser")] = None,
    workers: Annotated[int | None, option("workers", "NUMBER")] = None,
    pause: Annotated[float | None, option("pause", "SECONDS", callback=finite)] = None,
    compile: Annotated[bool | None, option("compile")] = None,
    webhooks: Annotated[str | None, option("webhooks", "HOST[,HOST]")] = None,
    push: Annotated[str | None, option("push", "HOST[,HOST]")] = None,
    metrics: Annotated[int | None, option("metrics", "PORT", min=1, max=65535)] = None,
    daily: Annotated[str | None, option("daily", "TIME|off")] = None,
    keep_finished_days: Annotated[int | None, option("keep_finished_days", "DAYS")] = None,
    keep_unfinished_days: Annotated[int | None, option("keep_unfinished_days", "DAYS")] = None,
    backup: Annotated[str | None, option("backup", "FOLDER")] = None,
    every: Annotated[str | None, option("every", "TIME")] = None,
    keep: Annotated[int | None, option("keep", "NUMBER")] = None,
    log: Annotated[Literal["text", "json"] | None, option("log", "text|json")] = None,
    log_addresses: Annotated[bool | None, option("log_addresses")] = None,
) -> None:
    """Open the card room, to play in the browser alone or with friends."""
    given = {name: value for name, value in locals().items() if name != "config" and value is not None}
    from fairdeal.server.serving import run

    given |= {name: (given[name],) for name in ("proxies", "webhooks", "push") if name in given}
    settings = checked(replace(read_settings(config) if config else DEFAULTS, **given))
    settings = replace(settings, database=located(settings.database, creates=True))
    if settings.backup:
        settings = replace(settings, backup=str(folder_for_backups(settings.backup)))
    elif unused := given.keys() & {"every", "keep"}:
        raise FairdealError(f"--{min(unused)} has no effect without --backup FOLDER")
    if settings.metrics is not None:
        import_module("fairdeal.server.metrics")  # raises FairdealError without prometheus-client
    if settings.workers == 1:
        run(settings)
        return
    from fairdeal.server.storage.database import address_of
    from fairdeal.server.workers import run_workers

    if address_of(settings.database).get_backend_name() != "postgresql":
        raise FairdealError(
            f"--workers {settings.workers}: several workers share a PostgreSQL database; name one: --database"
        )
    run_workers(settings)


def folder_for_backups(name: str) -> Path:
    """Return the absolute path of a folder, which is created if necessary. Raises FairdealError if no file can be
    written there."""
    folder = Path(name).absolute()
    try:
        check_folder(folder)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise FairdealError(f"--backup {name}: the room cannot write there: {reason}; name another folder") from None
    return folder


def located(database: str | Path, creates: bool = False) -> str:
    """Return a database given as a URL, or as a file whose absolute path is returned. Without one, return the path of
    the default database. If `creates` is true, create the folder of the file. Raises FairdealError if that fails."""
    from fairdeal.server.storage.database import file_named, is_url

    if isinstance(database, str) and is_url(database):
        return database
    path = file_named(database or user_file("room.db"))
    try:
        if creates:
            path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FairdealError(
            f"cannot make the folder {path.parent} for the database: {problem.strerror}; name another database"
        ) from None
    return str(path)
