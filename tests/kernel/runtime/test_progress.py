"""How far a run has come."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.runtime.pipeline import Pipeline
from limecep.runtime.progress import progress
from limecep.statistics import Statistics


def feed(*amounts: tuple[int, int] | None) -> Any:
    parts = [SimpleNamespace(source=SimpleNamespace(progress=a)) for a in amounts]
    return SimpleNamespace(parts=parts, live=False)


def detection(**read: int) -> Any:
    statistics = Statistics()
    for name, n in read.items():
        figures = statistics.source(name)
        figures.outcomes["in_order"] += n
        figures.latest = n * 1_000_000 if n else None
    return SimpleNamespace(statistics=statistics)


@pytest.mark.parametrize(
    ("feeds", "fraction"),
    [
        ([feed((10, 100)), feed((0, 50), (50, 50))], 0.3),
        ([feed((10, 100)), feed(None)], None),
        ([feed((0, 0))], None),
        ([SimpleNamespace(parts=[SimpleNamespace(source=object())], live=False)], None),
    ],
)
def test_it_is_the_share_of_the_bytes_where_all_sources_tell(
    feeds: list[Any], fraction: float | None
) -> None:
    found = progress(feeds, detection())
    assert found is not None
    assert found.fraction == fraction


def test_events_and_their_time_are_those_of_all_sources() -> None:
    found, none = (progress([feed()], detection(**read)) for read in ({"a": 3, "b": 7, "c": 0}, {"a": 0}))
    assert found is not None
    assert none is not None
    assert (found.events, found.event_time) == (10, 7_000_000)
    assert none.event_time is None


def test_a_pipeline_that_does_not_run_has_none() -> None:
    document = {"version": 1, "patterns": {"p": {"query": "PATTERN A a WITHIN 1 s"}}}
    assert Pipeline.from_dict(document).progress() is None
    assert progress([], detection()) is None
    assert progress([SimpleNamespace(live=True)], detection()) is None  # type: ignore[list-item]
