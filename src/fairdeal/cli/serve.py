"""Commands that open the room: `fairdeal` alone, and `fairdeal serve`."""

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer
from msgspec.structs import replace

from fairdeal.cli.shared import app, check_folder, finite
from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import user_file
from fairdeal.server.settings import Settings, checked, facts_of, read_settings

DEFAULTS = Settings()
FACTS = facts_of(Settings)

METAVARS = {
    "host": "ADDRESS",
    "port": "PORT",
    "database": "FILE|URL",
    "base": "URL",
    "proxies": "ADDRESS[,ADDRESS]",
    "contact": "EMAIL|URL",
    "workers": "NUMBER",
    "pause": "SECONDS",
    "webhooks": "HOST[,HOST]",
    "push": "HOST[,HOST]",
    "metrics": "PORT",
    "daily": "TIME|off",
    "keep_finished_days": "DAYS",
    "keep_unfinished_days": "DAYS",
    "backup": "FOLDER",
    "every": "TIME",
    "keep": "NUMBER",
    "log": "text|json",
}
"""The placeholders for values in help. Settings without one are switches."""

FURTHER: dict[str, dict[str, Any]] = {"pause": {"callback": finite}, "metrics": {"min": 1, "max": 65535}}
"""Further arguments of options, by setting."""


def option(name: str) -> Any:
    """Return the option of a setting, with its limits. Its default is shown but not given, so that it does not replace
    the setting of a file."""
    default, facts = getattr(DEFAULTS, name), FACTS[name]
    shown = False if default is None or default in ("", ()) or isinstance(default, bool) else str(default)
    more = {"min": facts.ge, "max": facts.le} | FURTHER.get(name, {})
    return typer.Option(metavar=METAVARS.get(name), help=facts.description, show_default=shown, **more)


def with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each setting, after its first parameter. Several words of a setting are one word on
    the command line, with commas."""
    first = next(iter(inspect.signature(command, eval_str=True).parameters.values()))
    options = [first]
    for name, hint in get_type_hints(Settings).items():
        if name in FACTS:
            kind = str if hint == tuple[str, ...] else hint
            options.append(first.replace(name=name, default=None, annotation=Annotated[kind | None, option(name)]))
    command.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    return command


@app.command()
@with_settings
def serve(
    config: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A file of settings; `fairdeal room config` prints one."),
    ] = None,
    **settings_given: Any,
) -> None:
    """Open the card room, to play in the browser alone or with friends."""
    given = {name: value for name, value in settings_given.items() if value is not None}
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
