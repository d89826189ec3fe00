"""The late output: what goes to its sinks, what is logged, and how it is summed up."""

from __future__ import annotations

from typing import Any

from structlog import get_logger
from structlog.testing import capture_logs

from limecep.output.late import MOST_SUMS, LateOutput
from limecep.output.late_records import late_record


class Sent:
    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def late(self, record: dict[str, Any]) -> None:
        self.records.append(record)


def record(reason: Any, source: str, position: str, patterns: list[str] | None = None) -> dict[str, Any]:
    return late_record(reason, source=source, position=position, error="odd", patterns=patterns)


def test_it_is_summed_up_by_reason_source_and_pattern_with_the_first_of_each() -> None:
    sent = Sent()
    late = LateOutput(sent, get_logger())  # type: ignore[arg-type]
    records = [
        record("extremely_late", "gas", "g:1", ["p", "q"]),
        record("extremely_late", "gas", "g:2", ["q"]),
        record("invalid", "gas", "g:3"),
        record("invalid", "tap", "t:1"),
        record("invalid", "gas", "g:4"),
    ]
    with capture_logs() as logs:
        for n, each in enumerate(records):
            late.take(each, ["f"] if n == 2 else ())
    assert sent.records == records
    assert [
        (s["reason"], s["source"], s["pattern"], s["count"], s["example"]["position"]) for s in late.summary()
    ] == [
        ("extremely_late", "gas", "p", 1, "g:1"),
        ("extremely_late", "gas", "q", 2, "g:1"),
        ("invalid", "gas", None, 2, "g:3"),
        ("invalid", "tap", None, 1, "t:1"),
    ]
    assert [s.get("fields") for s in late.summary()] == [None, None, ["f"], None]
    assert [(e["reason"], e["position"]) for e in logs] == [
        ("extremely_late", "g:1"), ("invalid", "g:3"), ("invalid", "t:1"),
    ]  # fmt: skip


def test_sums_take_no_room_without_end() -> None:
    late = LateOutput(Sent(), get_logger())  # type: ignore[arg-type]
    with capture_logs():
        for n in range(MOST_SUMS + 50):
            late.take(record("invalid", f"s{n}", "x:1"))
    summary = late.summary()
    assert len(summary) == MOST_SUMS + 1
    assert (summary[-1]["source"], summary[-1]["count"]) == ("", 50)
