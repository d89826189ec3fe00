"""Metrics for a collector of OpenTelemetry: OTLP over HTTP, as JSON.

The client library of OpenTelemetry keeps figures of its own, and exports them; a pipeline has its figures. So
they are written as the protocol asks for: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.
"""

from __future__ import annotations

import threading
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

from limecep.clock import SystemClock
from limecep.contracts.observer import Durations
from limecep_observers.collector import Collector, attributes
from limecep_observers.latest import Latest
from limecep_observers.metrics import metrics

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.observer import Figures
    from limecep_observers.config import OtlpOptions
    from limecep_observers.metrics import Metric

#: How long the end of a run waits for the last figures to be sent, in seconds.
_PARTING_SECONDS = 0.5
#: Counters say how many there were since they began, and not since the last time.
_CUMULATIVE = 2


class Otlp:
    """Sends the latest figures now and then, in a thread of its own. A collector that is away is logged, and
    told when it is back: figures add up, so nothing is lost by then."""

    def __init__(self, options: OtlpOptions, context: Context) -> None:
        self._collector = Collector(options, "metrics", "rejectedDataPoints", "values")
        self._every = options.every / 1e6
        self._service = options.service
        self._counters = context.counters
        self._logger = context.logger
        self._latest = Latest()
        self._away = False
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def open(self) -> None:
        """Begins to send."""
        self._thread = threading.Thread(target=self._send_all, name="limecep-otlp", daemon=True)
        self._thread.start()

    def observe(self, figures: Figures) -> None:
        """Has them at hand for the next time."""
        self._latest.observe(figures)

    def close(self) -> None:
        """Sends the last figures, if that does not take long."""
        self._over.set()
        if self._thread is not None:
            self._thread.join(_PARTING_SECONDS)

    def _send_all(self) -> None:
        while not self._over.wait(self._every):
            self._send()
        self._send()

    def _send(self) -> None:
        figures = self._latest.figures
        if figures is None:
            return
        try:
            reason = self._collector.take(export(figures, self._service, SystemClock().now()))
        except (OSError, HTTPException) as error:
            reason = str(error) or type(error).__name__
        self._counters["failed" if reason else "sent"] += 1
        if reason and not self._away:
            said = "metrics cannot be sent: it is tried again, and logged when it succeeds"
            self._logger.warning(said, url=self._collector.url, reason=reason)
        elif self._away and not reason:
            self._logger.info("metrics are sent again", url=self._collector.url)
        self._away = bool(reason)


def export(figures: Figures, service: str, now: int) -> dict[str, Any]:
    """A request to take metrics.

    Args:
        figures: The figures.
        service: The name of the service.
        now: The time of the figures, in microseconds.
    """
    resource = {"service.name": service, "service.version": figures.version}
    return {
        "resourceMetrics": [
            {
                "resource": {"attributes": attributes(resource)},
                "scopeMetrics": [
                    {
                        "scope": {"name": "limecep", "version": figures.version},
                        "metrics": [
                            _metric(m, figures.pipeline, str(now * 1000)) for m in metrics(figures) if m.rows
                        ],
                    }
                ],
            }
        ]
    }


def _metric(metric: Metric, pipeline: str, nanoseconds: str) -> dict[str, Any]:
    points = list(_points(metric, pipeline, nanoseconds))
    data: dict[str, Any] = {"dataPoints": points}
    if metric.kind == "counter":
        # With a state they go on after a restart, so nobody knows when they began: that is left out.
        kind, data = "sum", {**data, "aggregationTemporality": _CUMULATIVE, "isMonotonic": True}
    else:
        kind = metric.kind
    return {"name": f"limecep_{metric.name}", "description": metric.about, kind: data}


def _points(metric: Metric, pipeline: str, nanoseconds: str) -> Iterator[dict[str, Any]]:
    for labels, value in metric.rows:
        given = zip(metric.labels, labels, strict=True)
        point = {
            "attributes": attributes({"pipeline": pipeline, **dict(given)}),
            "timeUnixNano": nanoseconds,
        }
        if isinstance(value, Durations):
            yield {**point, "count": str(value.count), "sum": value.total}
        elif metric.kind == "counter":
            # 64 bits are text in JSON.
            yield {**point, "asInt": str(value)}
        else:
            yield {**point, "asDouble": float(value)}
