"""What was read again is counted, and so is what could not be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.detection.past import Unavailable
from limecep.runtime.retrieval import Retrieval
from limecep.testing.streams import written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.model.event import Event


class Journal:
    """Has two events."""

    begins = 0

    def events(self, t_from: int, t_to: int) -> Sequence[Event]:
        return written("a1 a2")


def test_what_a_journal_has_is_counted() -> None:
    past = Retrieval([], Journal())
    assert past.possible
    past.fetch((0, 9), [], 100, [], 0)
    assert past.told() == {"times": 1, "events": 2, "seconds": pytest.approx(past.seconds, abs=1e-6)}
    assert past.seconds > 0


def test_without_journal_and_sources_there_is_nothing() -> None:
    past = Retrieval([])
    assert not past.possible
    with pytest.raises(Unavailable, match=r"^there is no source to read again$"):
        past.fetch((1, 2), [], 100, [], 0)
    assert (past.times, past.events) == (1, 0)
