"""Matches as traces for a collector of OpenTelemetry: OTLP over HTTP, as JSON.

A match is a trace, and each record of it a span from its first event to its last, with the events in it.
"""

from __future__ import annotations

import threading
from hashlib import blake2b
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.error import HTTPError

from limecep.errors import RunFailure
from limecep.intake.times import time_reader
from limecep_observers.collector import Collector, attributes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limecep.contracts.context import Context
    from limecep.output.record import Record
    from limecep_observers.config import OtlpTracesOptions

#: How many spans a request has at most.
_SPANS = 500
#: The first wait before another try, and how often it is looked whether the run is to end, in seconds.
_FIRST_WAIT_SECONDS = 0.5
_GLANCE_SECONDS = 0.1
#: Refusals that waiting may change.
_LATER = {408, 425, 429}
_INTERNAL = 1
#: A trace has an id of 16 bytes, and a match one of 12.
_TRACE_DIGITS = 32


class OtlpTraces:
    """Sends a span for each record (`limecep.contracts.sink`). A collector that is away is waited for."""

    counts_only: ClassVar[bool] = False

    def __init__(self, channel: str, settings: Any, options: OtlpTracesOptions, context: Context) -> None:
        self._collector = Collector(options, "traces", "rejectedSpans", "spans")
        self._service = options.service
        self._retry_max = options.retry_max / 1e6
        self._counters = context.counters
        self._logger = context.logger
        self._raise_if_stopped = context.raise_if_stopped
        self._spans: list[dict[str, Any]] = []
        # Nothing sets it: waiting for it is a nap.
        self._never = threading.Event()

    def open(self) -> None:
        """Nothing: it connects with each request."""

    def send(self, records: Sequence[Record]) -> None:
        """Takes records. Sends those that are many enough.

        Raises:
            RunFailure: The collector refuses them.
        """
        self._spans += map(span, records)
        while len(self._spans) >= _SPANS:
            self._send()

    def flush(self) -> None:
        """Returns when the collector has everything.

        Raises:
            RunFailure: It refuses.
        """
        while self._spans:
            self._send()

    def close(self) -> None:
        """Flushes.

        Raises:
            RunFailure: Not everything was taken.
        """
        self.flush()

    def _send(self) -> None:
        spans, wait, away = self._spans[:_SPANS], _FIRST_WAIT_SECONDS, False
        while True:
            try:
                rejected = self._collector.take(export(spans, self._service))
                break
            except HTTPError as error:
                if error.code < 500 and error.code not in _LATER:
                    said = f"the collector {self._collector.url} refuses traces: {error.code} {error.reason}"
                    raise RunFailure(said) from None
                reason = f"{error.code} {error.reason}"
            except (OSError, HTTPException) as error:
                reason = str(error) or type(error).__name__
            if not away:
                away = True
                said = "traces cannot be sent: it is tried again, and logged when it succeeds"
                self._logger.warning(said, url=self._collector.url, reason=reason)
            self._nap(wait)
            wait = min(2 * wait, self._retry_max)
        if away:
            self._logger.info("traces are sent again", url=self._collector.url)
        if rejected:
            self._counters["rejected"] += 1
            self._logger.warning("traces were not taken", url=self._collector.url, reason=rejected)
        del self._spans[: len(spans)]

    def _nap(self, seconds: float) -> None:
        for _ in range(max(1, round(seconds / _GLANCE_SECONDS))):
            left = f"the collector {self._collector.url} did not take the last {len(self._spans)} records"
            self._raise_if_stopped(left)
            self._never.wait(_GLANCE_SECONDS)


def export(spans: Sequence[dict[str, Any]], service: str) -> dict[str, Any]:
    """A request to take spans."""
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes({"service.name": service})},
                "scopeSpans": [{"scope": {"name": "limecep"}, "spans": [*spans]}],
            }
        ]
    }


def span(record: Record) -> dict[str, Any]:
    """The span of a record. The same record gives the same span, so that one that comes twice is one."""
    about = {name: str(record[name]) for name in ("op", "match", "revision", "pattern")}
    about |= {f"key.{name}": str(value) for name, value in (record.get("key") or {}).items()}
    if "repeat" in record:
        about["repeat"] = str(record["repeat"])
    told = f"{record['match']} {record['revision']} {record['op']} {record.get('repeat', '')}"
    return {
        "traceId": record["match"].ljust(_TRACE_DIGITS, "0"),
        "spanId": blake2b(told.encode(), digest_size=8).hexdigest(),
        "name": record["pattern"],
        "kind": _INTERNAL,
        "startTimeUnixNano": _nanoseconds(record["start"]),
        "endTimeUnixNano": _nanoseconds(record["end"]),
        "attributes": attributes({f"limecep.{name}": value for name, value in about.items()}),
        "events": list(_events(record.get("events"))),
    }


def _events(groups: Any) -> Iterator[dict[str, Any]]:
    for variable, group in (groups or {}).items():
        for event in group:
            # Where the sink has ids alone, no event has a time.
            if isinstance(event, dict):
                about = {"variable": variable, "id": event["id"], "source": event["source"]}
                yield {
                    "timeUnixNano": _nanoseconds(event["time"]),
                    "name": event["type"],
                    "attributes": attributes({f"limecep.{name}": value for name, value in about.items()}),
                }


_microseconds = time_reader("iso8601", None)


def _nanoseconds(instant: str) -> str:
    # 64 bits are text in JSON.
    return str(_microseconds(instant) * 1000)
