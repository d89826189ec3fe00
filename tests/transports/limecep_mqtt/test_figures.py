"""Figures as they are published, and what is done where no broker takes them."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep.testing.observer import figures
from limecep_mqtt.config import MqttObserverOptions
from limecep_mqtt.figures import MqttObserver, told


def made(**options: Any) -> tuple[MqttObserver, list[Any], Counter[str]]:
    counters: Counter[str] = Counter()
    context = Context(label="observers.f", clock=ManualClock(), counters=counters, logger=SilentLogger())
    observer = MqttObserver(MqttObserverOptions(url="mqtt://h", topic="t", **options), context)
    published: list[Any] = []
    observer._link.client.publish = lambda *given, **more: published.append((*given, more))  # type: ignore[method-assign]
    return observer, published, counters


def test_parts_are_told_by_their_names_and_times_as_text() -> None:
    known = figures(now=2_000_000, event_time=None)
    data = told(known)
    assert (data["now"], data["event_time"]) == ("1970-01-01T00:00:02Z", None)
    assert list(data["sources"]) == [s.name for s in known.sources]
    assert data["patterns"][known.patterns[0].name]["emitted"] == known.patterns[0].emitted


def test_they_are_published_now_and_then_and_at_the_end() -> None:
    observer, published, counters = made(retain=False)
    observer._link.up = True
    for phase in ("starting", "running", "running", "ended"):
        observer.observe(figures(phase=phase))
    assert [topic for topic, *_ in published] == ["t", "t"]
    assert published[0][-1] == {"retain": False}
    assert counters == {"published": 2}


def test_after_a_connection_they_are_published_with_the_next_look() -> None:
    observer, published, counters = made()
    observer.observe(figures())
    assert (published, counters) == ([], {"missed": 1})
    observer._link.up = True
    observer.observe(figures())
    observer.lost()
    observer.connected(False, None)
    observer.read()
    observer.observe(figures())
    assert len(published) == 2


def test_a_broker_that_refuses_is_told() -> None:
    observer, _, _ = made()
    observer._link.fail("the broker h:1883 refused the connection")
    with pytest.raises(RunFailure, match="refused the connection"):
        observer.observe(figures())


@pytest.mark.parametrize(
    ("options", "said"), [({"topic": "a/#"}, "'topic'"), ({"topic": "a", "every": 999_999}, "'every'")]
)
def test_there_is_a_topic_and_a_time(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        MqttObserverOptions(url="mqtt://h", **options)
