"""What a collector of OpenTelemetry gets of matches."""

from __future__ import annotations

import json
from collections import Counter
from threading import Thread
from typing import Any

import pytest
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from limecep.clock import ManualClock, Stopwatch, pause
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep_observers.config import OtlpTracesOptions
from limecep_observers.traces import OtlpTraces, export, span

RECORD: dict[str, Any] = {
    "op": "emit",
    "match": "ab" * 12,
    "revision": 1,
    "pattern": "fire",
    "key": {"room": "hall"},
    "start": "2026-01-05T10:00:00Z",
    "end": "2026-01-05T10:00:02.5Z",
    "events": {
        "a": [{"type": "Gas", "id": "g1", "source": "gas", "time": "2026-01-05T10:00:00Z", "payload": {}}],
        "b": [{"type": "Heat", "id": "h1", "source": "t", "time": "2026-01-05T10:00:02.5Z", "payload": {}}],
    },
}
BEGIN = 1_767_607_200_000_000_000
END = BEGIN + 2_500_000_000


class Sending:
    def __init__(self, endpoint: str) -> None:
        self.logger, self.counters, self.stopped = SilentLogger(), Counter[str](), False
        context = Context(label="sinks.o", clock=ManualClock(), counters=self.counters, logger=self.logger)
        context.raise_if_stopped = self._raise_if_stopped
        self.sink = OtlpTraces("", None, OtlpTracesOptions(endpoint=endpoint, retry_max=500_000), context)
        self.sink.open()

    def _raise_if_stopped(self, left: str = "") -> None:
        if self.stopped:
            raise Stopped(left)


def spans(collector: Any) -> list[Any]:
    return [s for _, _, r in collector.requests for s in r["resourceSpans"][0]["scopeSpans"][0]["spans"]]


def test_the_protocol_knows_all_of_it() -> None:
    request = Parse(json.dumps(export([span(RECORD)], "plant")), ExportTraceServiceRequest())
    [resource] = request.resource_spans
    assert resource.resource.attributes[0].value.string_value == "plant"
    [made] = resource.scope_spans[0].spans
    assert (made.name, made.start_time_unix_nano, made.end_time_unix_nano) == (
        "fire",
        BEGIN,
        BEGIN + 2_500_000_000,
    )
    assert (len(made.trace_id), len(made.span_id)) == (16 * 3 // 2, 8 * 3 // 2)
    about = {a.key: a.value.string_value for a in made.attributes}
    assert (about["limecep.op"], about["limecep.key.room"]) == ("emit", "hall")
    assert [(e.name, e.time_unix_nano) for e in made.events] == [
        ("Gas", BEGIN),
        ("Heat", BEGIN + 2_500_000_000),
    ]


def test_records_of_a_match_are_one_trace_and_the_same_record_one_span() -> None:
    first, again, next_ = span(RECORD), span(dict(RECORD)), span({**RECORD, "op": "retract", "revision": 2})
    assert first == again
    assert first["traceId"] == next_["traceId"]
    assert first["spanId"] != next_["spanId"]
    assert span({**RECORD, "repeat": 1})["spanId"] != first["spanId"]


@pytest.mark.parametrize("events", [None, {"a": ["g1"]}])
def test_where_events_are_left_out_a_span_has_none(events: Any) -> None:
    assert span({**RECORD, "events": events, "key": None})["events"] == []


def test_all_records_are_sent_when_it_is_flushed_or_closed(collector: Any) -> None:
    sending = Sending(collector.endpoint)
    sending.sink.send([RECORD] * 501)
    assert len(spans(collector)) == 500
    sending.sink.flush()
    assert len(spans(collector)) == 501
    sending.sink.send([RECORD])
    sending.sink.close()
    sending.sink.close()
    assert len(spans(collector)) == 502
    assert {path for path, *_ in collector.requests} == {"/v1/traces"}


def test_a_collector_that_is_away_is_waited_for(collector: Any) -> None:
    collector.answer = (503, b"")
    sending = Sending(collector.endpoint)
    sending.sink.send([RECORD])
    flushing = Thread(target=sending.sink.flush)
    flushing.start()
    watch = Stopwatch()
    while not sending.logger.entries:
        assert watch.seconds < 10
        pause(0.01)
    collector.answer = (200, b"{}")
    flushing.join(10)
    assert not flushing.is_alive()
    assert [text.split(":")[0] for _, text, _ in sending.logger.entries] == [
        "traces cannot be sent",
        "traces are sent again",
    ]


def test_a_run_that_ends_does_not_wait_for_it() -> None:
    sending = Sending("http://127.0.0.1:9")
    sending.sink.send([RECORD])
    sending.stopped = True
    with pytest.raises(Stopped, match="did not take the last 1 records"):
        sending.sink.flush()


def test_a_collector_that_refuses_ends_the_run_and_what_it_leaves_out_is_told(collector: Any) -> None:
    sending = Sending(collector.endpoint)
    collector.answer = (200, b'{"partialSuccess": {"rejectedSpans": 1, "errorMessage": "too old"}}')
    sending.sink.send([RECORD])
    sending.sink.flush()
    assert sending.counters == {"rejected": 1}
    assert sending.logger.entries[0][2]["reason"] == "1 spans were rejected: too old"
    collector.answer = (401, b"")
    sending.sink.send([RECORD])
    with pytest.raises(RunFailure, match="refuses traces: 401"):
        sending.sink.flush()
