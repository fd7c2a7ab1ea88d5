"""The settings of a room, from the options of `fairdeal serve` and from a file."""

import io
import ipaddress
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, get_type_hints
from urllib.parse import urlsplit

import msgspec

from fairdeal.engine.errors import FairdealError
from fairdeal.engine.files import any_problem, decoded
from fairdeal.server.limits import DEFAULT_LIMITS, LimitSettings, about
from fairdeal.server.logs import Kind
from fairdeal.server.mistakes import BadSetting, at, check_keys, place_of, syntax_problem, value_problem
from fairdeal.server.network.addresses import is_home

E_MAIL = re.compile(r"[\w.+-]+@[\w.-]+")

UNITS = {"m": 60, "h": 3600, "d": 86_400}
"""Seconds of the units of times."""


class Settings(msgspec.Struct, frozen=True):
    """The settings of a room. In the settings of an open room, `database` is an absolute path or a URL, and `backup` an
    absolute path."""

    host: Annotated[str, about("The address to listen on; 0.0.0.0 for all network interfaces.")] = "127.0.0.1"
    lan: Annotated[bool, about("Open the room to the networks of this computer, too.")] = False
    port: Annotated[int, about("The port to listen on; 0 for any free port.", 0, 65_535)] = 8017
    database: Annotated[
        str, about("The database of tables: a file (default: in your data folder), or postgresql://USER@HOST/NAME.")
    ] = ""
    base: Annotated[str, about("The public address, such as https://cards.example.org.")] = ""
    proxies: Annotated[
        tuple[str, ...],
        about("Proxies on other machines that pass on the addresses of guests, such as 10.0.0.1 or 10.0.0.0/24."),
    ] = ()
    contact: Annotated[
        str, about("The keeper's e-mail address, or the address of a web page, which /privacy shows to guests.")
    ] = ""
    browser: Annotated[bool, about("Open the room in a browser.")] = False
    workers: Annotated[int, about("Processes that share the tables, with PostgreSQL.", 1, 1000)] = 1
    pause: Annotated[float, about("Seconds that bots wait before a move.", 0, 3600)] = 0.7
    compile: Annotated[bool, about("Compile the rules in the background.")] = True
    webhooks: Annotated[
        tuple[str, ...],
        about("Hosts to which notifications for absent guests may be sent, such as hooks.example.org."),
    ] = ()
    push: Annotated[
        tuple[str, ...],
        about("Push services of browsers that get notices from a room with https; *. stands for any subdomain."),
    ] = ("fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com")
    metrics: Annotated[
        Annotated[int, msgspec.Meta(ge=1, le=65_535)] | None,
        about("Serve metrics for Prometheus at this port of 127.0.0.1."),
    ] = None
    daily: Annotated[str, about("Time in UTC at which the deal of the day changes, such as 06:00; off for none.")] = (
        "06:00"
    )
    keep_finished_days: Annotated[
        int, about("Days after which finished games are deleted; 0 to keep them.", 0, 36_500)
    ] = 0
    keep_unfinished_days: Annotated[
        int, about("Days after which unused tables that are not finished are deleted; 0 to keep them.", 0, 36_500)
    ] = 0
    backup: Annotated[str, about("Back up the database to files in this folder.")] = ""
    every: Annotated[str, about("Time from one backup to the next, such as 30m, 6h or 1d.")] = "6h"
    keep: Annotated[int, about("Backups to keep; older ones are deleted.", 1, 10_000)] = 14
    log: Annotated[Kind, about("The form of the log on standard error: text or json.")] = "text"
    log_addresses: Annotated[bool, about("Log the network addresses of refused requests.")] = False
    limits: LimitSettings = DEFAULT_LIMITS


def facts_of(of: type[msgspec.Struct]) -> dict[str, msgspec.Meta]:
    """Return the description of each setting, with its limits."""
    hints = get_type_hints(of, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


def read_settings(file: Path) -> Settings:
    """Return the settings in a file. Raises FairdealError, with the file, the place and the key, if they are not
    valid."""
    from fairdeal.server.storage.database import check_names_file  # imports much, which other commands do not need

    check_names_file(file)
    try:
        with any_problem():
            text = decoded(file.read_bytes())
        return settings_in(text)
    except (FairdealError, msgspec.DecodeError) as problem:
        raise FairdealError(f"{file}: {problem}") from None


def settings_in(text: str) -> Settings:
    """Return the settings in the text of a file. Raises FairdealError, with the place and the key, if they are not
    valid, or msgspec.DecodeError if the text is nested too deeply."""
    try:
        with any_problem():
            given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise FairdealError(syntax_problem(text, str(problem))) from None
    check_keys(given, Settings, text)
    try:
        return checked(msgspec.convert(given, Settings))
    except msgspec.ValidationError as problem:
        raise FairdealError(value_problem(text, given, Settings, str(problem))) from None
    except BadSetting as problem:
        raise FairdealError(f"{at(text, place_of(text, [problem.name]))}: {problem.in_file}") from None


def file_text(settings: Settings) -> str:
    """Return the text of a file with all settings, each with a comment."""
    out = io.StringIO()
    out.write("# Settings of a room, for fairdeal serve --config FILE. Options on the command line take precedence.\n")
    write_fields(out, settings)
    out.write("\n[limits]\n")
    write_fields(out, settings.limits)
    out.write(
        "\n# Rate limits of one guest, and of one address with all its guests: [requests per second, burst size]\n"
    )
    told = facts_of(LimitSettings)
    for name, value in msgspec.structs.asdict(settings.limits).items():
        if isinstance(value, msgspec.Struct):
            out.write(f"\n# {told[name].description}\n[limits.{name}]\n")
            for whose, rate in msgspec.structs.asdict(value).items():
                out.write(f"{whose} = {list(rate)}\n")
    return out.getvalue()


def write_fields(out: io.StringIO, settings: msgspec.Struct) -> None:
    """Write the fields of a struct that are not tables. A field without a value is written as a comment."""
    told = facts_of(type(settings))
    for name, value in msgspec.structs.asdict(settings).items():
        if not isinstance(value, msgspec.Struct):
            line = f"# {name} =" if value is None else f"{name} = {msgspec.json.encode(value).decode()}"
            out.write(f"\n# {told[name].description}\n{line}\n")


def checked(settings: Settings) -> Settings:
    """Return the settings with lists of addresses in their usual form. Raises BadSetting if these are malformed, if
    guests could not open the public address or use the contact, if metrics would take the port of the room, or if the
    time between backups is malformed."""
    from fairdeal.server.extras.notices import BELOW, read_hosts  # imports much, which other commands do not need

    base, contact, metrics = settings.base, settings.contact, settings.metrics
    if metrics is not None and settings.port in range(metrics, metrics + settings.workers):
        raise BadSetting("metrics", metrics, f"the room needs port {settings.port}; try another")
    if settings.lan and not is_home(settings.host):
        raise BadSetting("lan", "", f"the room listens on {settings.host} already; leave out --host or --lan")
    if settings.lan and settings.workers > 1:
        raise BadSetting("lan", "", "several workers listen at --host; give --host 0.0.0.0 instead")
    if base and (not is_web_address(base) or set("/?#") & set(base.rstrip("/").partition("://")[2])):
        raise BadSetting("base", base, "give a full address without a path, such as https://cards.example.org")
    if contact and not is_web_address(contact) and not E_MAIL.fullmatch(contact):
        advice = "such as keeper@example.org or https://example.org/keeper"
        raise BadSetting("contact", contact, f"give an e-mail address or a full web address, {advice}")
    seconds_in(settings.every)
    change_in(settings.daily)
    proxies, webhooks, push = (separated(given) for given in (settings.proxies, settings.webhooks, settings.push))
    check_networks(proxies)
    return msgspec.structs.replace(
        settings, proxies=proxies, webhooks=read_hosts("webhooks", webhooks), push=read_hosts("push", push, BELOW)
    )


def seconds_in(every: str) -> int:
    """Return the time between backups in seconds. Raises BadSetting if it is malformed, or too short or long.

    >>> seconds_in("6h")
    21600
    """
    named = re.fullmatch(r"([0-9]{1,5})([mhd])", every)
    seconds = int(named[1]) * UNITS[named[2]] if named else 0
    if not UNITS["m"] <= seconds <= 366 * UNITS["d"]:
        raise BadSetting("every", every, "give minutes, hours or days up to a year, such as 30m, 6h or 1d")
    return seconds


def change_in(daily: str) -> float | None:
    """Return the time at which the deal of the day changes, in seconds from midnight UTC, or None if there is none.
    Raises BadSetting if it is malformed.

    >>> change_in("06:00"), change_in("off")
    (21600.0, None)
    """
    named = re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", daily)
    if not named and daily != "off":
        raise BadSetting("daily", daily, "give hours and minutes in UTC, such as 06:00, or off")
    return float(3600 * int(named[1]) + 60 * int(named[2])) if named else None


def separated(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the parts of comma-separated texts."""
    return tuple(part.strip() for part in ",".join(texts).split(",") if part.strip())


def check_networks(proxies: Iterable[str]) -> None:
    """Raise BadSetting if one of the proxies is neither an address nor a network."""
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            advice = "give addresses or networks, separated by commas, such as 10.0.0.1 or 10.0.0.0/24"
            raise BadSetting("proxies", proxy, advice) from None


def is_web_address(text: str) -> bool:
    """Return whether a text is the full address of a page or a server."""
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return bool(fits) and text.isprintable() and " " not in text
