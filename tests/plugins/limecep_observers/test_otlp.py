"""What a collector of OpenTelemetry gets."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest

from limecep.clock import ManualClock, Stopwatch, pause
from limecep.contracts.context import Context
from limecep.contracts.observer import Figures
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import figures
from limecep_observers.config import OtlpOptions
from limecep_observers.metrics import metrics
from limecep_observers.otlp import Otlp, export

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WAIT = 10.0


class Sending:
    def __init__(self, endpoint: str, **options: Any) -> None:
        self.logger = SilentLogger()
        self.counters: Counter[str] = Counter()
        context = Context(
            label="observers.o", clock=ManualClock(), counters=self.counters, logger=self.logger
        )
        self.observer = Otlp(OtlpOptions(**{"endpoint": endpoint, "every": 20_000, **options}), context)

    def said(self) -> list[tuple[str, str]]:
        return [(level, text.split(":")[0]) for level, text, _ in self.logger.entries]


@contextmanager
def sending(endpoint: str, **options: Any) -> Iterator[Sending]:
    made = Sending(endpoint, **options)
    made.observer.open()
    try:
        yield made
    finally:
        made.observer.close()


def until(holds: Callable[[], bool]) -> None:
    watch = Stopwatch()
    while not holds():
        assert watch.seconds < WAIT, "it never happened"
        pause(0.005)


def points(request: Any, name: str) -> list[dict[str, Any]]:
    found = [m for m in request["resourceMetrics"][0]["scopeMetrics"][0]["metrics"] if m["name"] == name]
    return [
        p
        for m in found
        for kind in ("sum", "gauge", "summary")
        for p in m.get(kind, {}).get("dataPoints", ())
    ]


def test_the_protocol_knows_all_of_it() -> None:
    request = Parse(
        json.dumps(export(figures(), "limecep", 1_767_607_200_000_000)), ExportMetricsServiceRequest()
    )
    [resource] = request.resource_metrics
    assert {a.key: a.value.string_value for a in resource.resource.attributes}["service.name"] == "limecep"
    made = {m.name: m for m in resource.scope_metrics[0].metrics}
    assert made.keys() == {f"limecep_{m.name}" for m in metrics(figures()) if m.rows}
    read = made["limecep_events_read"].sum
    assert (read.is_monotonic, read.aggregation_temporality) == (True, 2)
    point = read.data_points[0]
    assert (point.as_int, point.time_unix_nano, point.start_time_unix_nano) == (42, 1_767_607_200 * 10**9, 0)
    assert {a.key: a.value.string_value for a in point.attributes} == {"pipeline": "kitchen", "source": "gas"}
    delay = made["limecep_match_delay_seconds"].summary.data_points[0]
    assert (delay.count, delay.sum) == (4, 2.0)
    assert made["limecep_run_seconds"].gauge.data_points[0].as_double == 61.5


def test_nothing_is_sent_before_there_is_something_to_tell(collector: Any) -> None:
    with sending(collector.endpoint):
        pause(0.1)
    assert collector.requests == []


def test_the_latest_figures_are_sent_now_and_then_and_at_the_end(collector: Any) -> None:
    with sending(f"{collector.endpoint}/", headers={"X-Token": "t"}) as made:
        made.observer.observe(figures())
        until(lambda: len(collector.requests) >= 2)
        made.observer.observe(figures(phase="ended", held=7))
    path, headers, last = collector.requests[-1]
    assert (path, headers["Content-Type"], headers["X-Token"]) == ("/v1/metrics", "application/json", "t")
    assert [p["asDouble"] for p in points(last, "limecep_buffered_events")] == [7.0]
    assert made.counters == {"sent": len(collector.requests)}
    assert made.logger.entries == []


def test_what_grows_with_time_does_so_between_figures(collector: Any) -> None:
    with sending(collector.endpoint) as made:
        made.observer.observe(figures(since_commit=0.0))
        pause(0.3)
    ages = [points(r, "limecep_commit_age_seconds")[0]["asDouble"] for _, _, r in collector.requests]
    assert ages == sorted(ages)
    assert ages[-1] >= 0.2


def test_a_collector_that_is_away_is_told_of_once_and_so_is_its_return(collector: Any) -> None:
    collector.answer = (503, b"")
    with sending(collector.endpoint) as made:
        made.observer.observe(figures())
        until(lambda: made.counters["failed"] >= 2)
        collector.answer = (200, b"")
        until(lambda: made.counters["sent"] >= 2)
    assert made.said() == [("warning", "metrics cannot be sent"), ("info", "metrics are sent again")]
    assert "503" in str(made.logger.entries[0][2]["reason"])


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        (
            b'{"partialSuccess": {"rejectedDataPoints": "3", "errorMessage": "too old"}}',
            "3 values were rejected: too old",
        ),
        (b'{"partialSuccess": {}}', ""),
        (b"[]", ""),
        (b"thank you", ""),
    ],
)
def test_what_a_collector_does_not_take_is_told(answer: bytes, failed: str, collector: Any) -> None:
    collector.answer = (200, answer)
    with sending(collector.endpoint) as made:
        made.observer.observe(figures())
        until(lambda: made.counters.total() >= 1)
    assert [values["reason"] for _, _, values in made.logger.entries] == ([failed] if failed else [])


def test_a_collector_that_does_not_answer_keeps_no_run_from_its_end() -> None:
    # It takes connections and never reads.
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        with sending(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=2_000_000) as made:
            made.observer.observe(figures())
            pause(0.1)
            watch = Stopwatch()
        assert watch.seconds < 1.5


def test_one_that_was_never_opened_is_closed_at_once() -> None:
    made = Sending("http://127.0.0.1:1")
    made.observer.observe(Figures(pipeline="p", version="1", phase="starting"))
    made.observer.close()
    assert made.counters == {}
