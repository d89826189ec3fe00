"""The progress bar."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from limecep.cli import bar
from limecep.cli.bar import Bar
from limecep.contracts.runner import Progress
from limecep.errors import RunFailure


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _xterm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")


def test_it_is_drawn_over_itself_and_gone_at_the_end() -> None:
    stream = Terminal()
    with Bar(stream) as shown:
        for n in (1, 2):
            shown.show(Progress(fraction=n / 4, events=n * 1000, event_time=1_500_000))
    first, second, rest = stream.getvalue().split("\r\x1b[K")[1:]
    assert first.startswith("[######..................]  25%  1,000 events  ")
    assert first.endswith("/s  up to 1970-01-01 00:00:01Z")
    assert second.startswith("[############............]  50%  2,000 events  ")
    assert rest == ""


def test_what_is_no_progress_is_told_as_the_runner_s() -> None:
    odd: Any = 5
    with Bar(Terminal()) as shown, pytest.raises(RunFailure, match="the runner gives 5 as its progress"):
        shown.show(odd)


def test_where_nobody_knows_how_much_there_is_it_counts() -> None:
    stream = Terminal()
    with Bar(stream) as shown:
        shown.show(Progress(fraction=None, events=3, event_time=None))
    assert stream.getvalue().startswith("\r\x1b[K3 events  ")


@pytest.mark.parametrize(
    ("columns", "shape"),
    [
        (100, r"\[#{12}\.{12}\]  50%  3,000,000 events  [\d,]+/s  up to 2026-01-05 10:10:21Z"),
        (80, r"\[#+\.+\]  50%  3,000,000 events  [\d,]+/s  up to 2026-01-05 10:10:21Z"),
        (55, r" 50%  3,000,000 events  up to 2026-01-05 10:10:21Z"),
        (40, r"\[#{7}\.{7}\]  50%  3,000,000 events"),
        (24, r" 50%  3,000,000 events"),
        (10, r" 50%  3,0"),
    ],
)
def test_it_fits_the_terminal(columns: int, shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    stream = Terminal()
    with Bar(stream) as shown:
        shown.show(Progress(fraction=0.5, events=3_000_000, event_time=1_767_607_821_000_000))
    text = stream.getvalue().split("\r\x1b[K")[1]
    assert re.fullmatch(shape, text)
    assert len(text) < columns


def test_it_is_drawn_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bar, "PERIOD_SECONDS", 3600)
    with Bar(Terminal()) as shown:
        assert shown.due
        shown.show(None)
        assert shown.due
        shown.show(Progress(fraction=0.5, events=3, event_time=0))
        assert not shown.due


def test_elsewhere_than_on_a_terminal_it_is_never_due(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    with Bar(stream) as shown:
        assert not shown.due
    with Bar(Terminal(), quiet=True) as shown:
        assert not shown.due
    monkeypatch.setenv("TERM", "dumb")
    with Bar(Terminal()) as shown:
        assert not shown.due
    assert stream.getvalue() == ""
