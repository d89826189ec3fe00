"""Logs of the command."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import structlog

from limecep.cli import logs

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_than_on_a_terminal_an_entry_is_one_line_of_json() -> None:
    stream = io.StringIO()
    logs.configure("info", stream)
    structlog.get_logger().warning("late", source="gas", behind=1.5)
    (line,) = stream.getvalue().splitlines()
    entry = json.loads(line)
    assert entry.pop("timestamp").endswith("Z")
    assert entry == {"event": "late", "level": "warning", "source": "gas", "behind": 1.5}


def test_an_exception_stays_on_that_line() -> None:
    stream = io.StringIO()
    logs.configure("info", stream)
    try:
        1 / 0  # noqa: B018
    except ZeroDivisionError:
        structlog.get_logger().exception("bad")
    (line,) = stream.getvalue().splitlines()
    assert "ZeroDivisionError" in json.loads(line)["exception"]


def test_on_a_terminal_it_is_readable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    stream = Terminal()
    logs.configure("info", stream)
    structlog.get_logger().warning("late", source="gas")
    assert stream.getvalue().split()[1:] == ["[warning", "]", "late", "source=gas"]


def test_on_a_terminal_it_takes_the_place_of_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    logs.configure("info", stream)
    structlog.get_logger().warning("late")
    assert stream.getvalue().startswith("\r\x1b[K")


def test_what_is_below_the_level_is_not_logged() -> None:
    stream = io.StringIO()
    logs.configure("error", stream)
    structlog.get_logger().warning("late")
    assert stream.getvalue() == ""
