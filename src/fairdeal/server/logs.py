"""The log of a room: lines of text or of JSON on standard error, without names, texts, cookies or links of guests."""

import logging
import logging.config
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec

Kind = Literal["text", "json"]

OF_EVERY_RECORD = {*vars(logging.makeLogRecord({})), "message", "asctime", "color_message", "taskName"}
"""Attributes of records that are not fields."""


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the fields that a call gave with `extra`."""
    return {name: value for name, value in vars(record).items() if name not in OF_EVERY_RECORD}


BY_CLIENTS = {
    "ASGI callable returned without completing handshake.",
    "Invalid HTTP request received.",
    "Invalid UTF-8 sequence received from client.",
    "Unsupported upgrade request.",
}
"""Messages of uvicorn about requests that it or the room has rejected. Clients could fill the disk with them."""


def is_kept(record: logging.LogRecord) -> bool:
    """Return whether a record is useful to the keeper of the room. This is a filter. uvicorn also logs what was raised
    by a request, but an error with a note has been logged with the id of its request (`server.app.Door`)."""
    if record.name != "uvicorn.error":
        return True
    is_logged = record.exc_info is not None and hasattr(record.exc_info[1], "__notes__")
    return record.msg not in BY_CLIENTS and not is_logged


class WithoutAddresses(logging.Filter):
    """Removes the addresses of clients."""

    def filter(self, record: logging.LogRecord) -> bool:
        vars(record).pop("address", None)
        return True


class Lines(logging.Formatter):
    """Formats a record as a line of text, with its fields at the end. An exception follows in lines of its own."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def formatMessage(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {record.getMessage()}{fields}"
        return "".join(sign if sign.isprintable() else ascii(sign)[1:-1] for sign in line)


class JsonLines(Lines):
    """Formats a record as a JSON object in one line."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": self.formatTime(record),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "fields": fields_of(record),
        }
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(told, enc_hook=str).decode()


def log_to_stderr(kind: Kind, addresses: bool = False) -> None:
    """Write the log to standard error. The addresses of clients are omitted unless `addresses` is true. Libraries log
    only warnings, because they name the addresses of requests otherwise."""
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {"text": {"()": Lines}, "json": {"()": JsonLines}},
            "filters": {"addresses": {"()": WithoutAddresses}, "kept": {"()": lambda: is_kept}},
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": kind,
                    "filters": ["kept"] if addresses else ["kept", "addresses"],
                }
            },
            "root": {"level": "WARNING", "handlers": ["stderr"]},
            "loggers": {"fairdeal": {"level": "INFO"}},
        }
    )
