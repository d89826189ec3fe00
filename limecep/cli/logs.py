"""Logs of the command: readable on a terminal, one JSON object a line otherwise."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, TextIO

import structlog

from limecep.output import terminal

if TYPE_CHECKING:
    from limecep.cli.redaction import Redaction


def configure(level: str, stream: TextIO, redaction: Redaction | None = None) -> None:
    """Sends everything logged through structlog at `level` (`debug`, `info`, ...) or above to `stream`, less
    what is kept out of it."""
    readable = stream.isatty()

    def above_the_bar(logger: Any, method: str, text: str) -> str:
        return f"{terminal.erase(stream)}{text}"

    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S" if readable else "iso", utc=not readable),
            # What a terminal shows of errors could not be looked through.
            *(() if readable and redaction is None else (structlog.processors.format_exc_info,)),
            *(() if redaction is None else (redaction,)),
            *(
                (
                    structlog.dev.ConsoleRenderer(colors=terminal.coloured(stream), pad_event_to=0),
                    above_the_bar,
                )
                if readable
                else (structlog.processors.JSONRenderer(default=str, ensure_ascii=False),)
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=False,
    )
