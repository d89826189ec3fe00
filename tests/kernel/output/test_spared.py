"""A sink that others go on without is sent nothing more once it has failed, and what it missed is counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.errors import Stopped
from limecep.output.outlets import Outlet
from limecep.output.spared import Spared


class Frail:
    counts_only = False

    def __init__(self, weak: str = "", error: BaseException | None = None) -> None:
        self.weak, self.error = weak, error or ConnectionError("nobody there")
        self.calls: list[Any] = []

    def _do(self, name: str, *given: Any) -> None:
        self.calls.append((name, *given))
        if name == self.weak:
            raise self.error

    def open(self) -> None:
        self._do("open")

    def send(self, records: Any) -> None:
        self._do("send", len(records))

    def flush(self) -> None:
        self._do("flush")

    def close(self) -> None:
        self._do("close")


def batches(sink: Frail) -> tuple[list[Exception], Counter[str], list[str]]:
    """Two batches of two and of three records."""
    told: list[Exception] = []
    counters: Counter[str] = Counter()
    outlet = Outlet("out", Spared(sink, told.append, counters))
    outlet.open()
    for records in ([{}, {}], [{}, {}, {}]):
        assert outlet.begin("b")
        outlet.pass_on(records)
        outlet.flush()
    outlet.close()
    assert outlet.sent == 5
    return told, counters, [name for name, *_ in sink.calls]


@pytest.mark.parametrize(
    ("weak", "missed", "calls"),
    [
        ("", 0, ["open", "send", "flush", "send", "flush", "close"]),
        ("open", 5, ["open", "close"]),
        ("send", 5, ["open", "send", "close"]),
        ("flush", 5, ["open", "send", "flush", "close"]),
        ("close", 0, ["open", "send", "flush", "send", "flush", "close"]),
    ],
)
def test_its_first_error_is_told_and_what_may_not_have_reached_it_is_counted(
    weak: str, missed: int, calls: list[str]
) -> None:
    sink = Frail(weak)
    told, counters, called = batches(sink)
    assert told == ([sink.error] if weak else [])
    assert counters["missed"] == missed
    assert called == calls


def test_what_was_durable_before_is_not_missed() -> None:
    class Later(Frail):
        def flush(self) -> None:
            super().flush()
            self.weak = "flush"

    assert batches(Later())[1] == {"missed": 3}


def test_the_end_of_a_run_is_no_error_of_its_own() -> None:
    with pytest.raises(Stopped):
        batches(Frail("send", Stopped("3 records")))
