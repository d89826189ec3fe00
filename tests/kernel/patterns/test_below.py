"""What a pattern waits for that reads what others derive."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.model.derivation import Derivation
from limecep.model.time import FOREVER
from limecep.patterns.below import Below

pytestmark = pytest.mark.interpreted


def below(upcoming: int = FOREVER, time: Any = "end", **known: Any) -> Below:
    """On one pattern with a window of 10, of which this is known."""
    told = {"progress": 100, "awaited_from": FOREVER, "horizon": 50} | known
    progress = told.pop("progress")
    manager: Any = SimpleNamespace(progress=lambda: progress, **told)
    return Below([(manager, Derivation("V", time, 10))], lambda: upcoming)


@pytest.mark.parametrize(
    ("known", "time", "expected"),
    [
        ({}, "end", 100),
        ({"awaited_from": 80}, "end", 80),
        # The first event of a match that ends now is a window earlier at most.
        ({}, "start", 90),
        ({"awaited_from": 80}, "deadline", 80),
        ({"upcoming": 70}, "end", 70),
        ({"progress": 300}, "end", 200),
        ({"progress": FOREVER}, "start", 200),
    ],
)
def test_time_has_come_as_far_as_all_is_derived(known: dict[str, Any], time: str, expected: int) -> None:
    assert below(time=time, **known).progress(lambda: 200)() == expected


@pytest.mark.parametrize(
    ("known", "expected"),
    [({}, 30), ({"awaited_from": 40}, 20), ({"horizon": None}, None), ({"upcoming": 10}, 10)],
)
def test_what_is_derived_may_change_as_long_as_its_pattern_accepts_events(
    known: dict[str, Any], expected: int | None
) -> None:
    assert below(**known).accepted_from == expected
