"""When the event of a match happens."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.model.derivation import Derivation
from limecep.model.event import Event
from limecep.model.match import Match

MATCH = Match(None, ((Event("A", "1", 3),), (), (Event("B", "2", 4), Event("B", "3", 7))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("time", "expected", "behind"), [("start", 3, 10), ("end", 7, 0), ("deadline", 13, 0)]
)
def test_it_is_the_time_of_the_first_or_the_last_event_or_the_end_of_the_window(
    time: Any, expected: int, behind: int
) -> None:
    derivation = Derivation("V", time, 10)
    assert derivation.t_gen(MATCH) == expected
    assert derivation.behind == behind
