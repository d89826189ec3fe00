"""What is asked over HTTP."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from http.client import HTTPConnection
from socket import create_connection
from typing import TYPE_CHECKING, Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from limecep.clock import ManualClock, Stopwatch, pause
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import figures
from limecep_observers.config import PrometheusOptions
from limecep_observers.metrics import metrics
from limecep_observers.prometheus import Prometheus

if TYPE_CHECKING:
    from collections.abc import Iterator


def made(**options: Any) -> Prometheus:
    context = Context(label="observers.o", clock=ManualClock(), counters=Counter(), logger=SilentLogger())
    return Prometheus(PrometheusOptions(**{"port": 0, **options}), context)


@contextmanager
def serving(**options: Any) -> Iterator[Prometheus]:
    observer = made(**options)
    observer.open()
    try:
        yield observer
    finally:
        observer.close()


def ask(observer: Prometheus, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    connection = HTTPConnection(host, observer.port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def test_prometheus_reads_all_metrics_with_their_labels() -> None:
    with serving() as observer:
        observer.observe(figures())
        status, text = ask(observer, "/metrics")
    assert status == 200
    families = {f.name: f for f in text_string_to_metric_families(text)}
    assert {m.name for m in metrics(figures())} | {"build_info", "alive", "ready"} == {
        n.removeprefix("limecep_") for n in families
    }
    values = {
        (s.name, tuple(sorted(s.labels.items()))): s.value for f in families.values() for s in f.samples
    }
    kitchen = ("pipeline", "kitchen")
    assert values["limecep_events_read_total", (kitchen, ("source", "gas"))] == 42
    assert values["limecep_ready", (kitchen,)] == 1
    assert values["limecep_match_delay_seconds_sum", (("pattern", "fire"), kitchen)] == 2.0
    assert values["limecep_match_delay_seconds_count", (("pattern", "fire"), kitchen)] == 4
    assert families["limecep_matches"].type == "counter"


def test_before_the_run_begins_there_is_nothing_to_tell() -> None:
    with serving() as observer:
        assert ask(observer, "/metrics") == (200, "")
        status, text = ask(observer, "/ready")
        assert (status, json.loads(text)["ready"]) == (503, False)
        assert ask(observer, "/health")[0] == 200


@pytest.mark.parametrize("path", ["/ready", "/readyz", "/ready/"])
def test_readiness_is_a_status_with_its_reasons(path: str) -> None:
    with serving() as observer:
        observer.observe(figures())
        status, text = ask(observer, path)
        assert (status, json.loads(text)["reasons"]) == (200, [])
        observer.observe(figures(since_commit=99.0))
        status, text = ask(observer, path)
        assert (status, json.loads(text)["reasons"]) == (503, ["the last commit is 99 s old"])
        assert b'limecep_ready{pipeline="kitchen"} 0.0' in ask(observer, "/metrics")[1].encode()


@pytest.mark.parametrize("path", ["/health", "/livez"])
def test_a_pipeline_that_hangs_is_not_alive(path: str) -> None:
    with serving(stuck_after=50_000) as observer:
        observer.observe(figures())
        pause(0.1)
        status, text = ask(observer, path)
        assert (status, json.loads(text)["alive"]) == (503, False)
        observer.pulse()
        assert ask(observer, path)[0] == 200


def test_other_pages_name_those_that_there_are() -> None:
    with serving() as observer:
        status, text = ask(observer, "/")
    assert (status, text) == (404, "there are /metrics, /health and /ready\n")


def test_a_port_that_is_taken_is_named() -> None:
    with serving() as observer:
        said = rf"cannot listen at 127\.0\.0\.1, port {observer.port}: Address already in use"
        with pytest.raises(RunFailure, match=said):
            made(port=observer.port).open()


def test_it_listens_at_the_address_that_it_is_told() -> None:
    with serving(host="::1") as observer:
        assert ask(observer, "/health", "::1")[0] == 200
        with pytest.raises(OSError):
            create_connection(("127.0.0.1", observer.port), timeout=1)


def test_who_asks_for_nothing_keeps_no_run_from_its_end() -> None:
    observer = made()
    observer.open()
    with create_connection(("127.0.0.1", observer.port)):
        pause(0.05)
        watch = Stopwatch()
        observer.close()
        assert watch.seconds < 2
