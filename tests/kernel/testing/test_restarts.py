"""Whether a pattern tells after a restart what it would have told without one."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.language.parser import parse
from limecep.testing.policy_bench import PolicyBench, Waiting
from limecep.testing.restarts import check_restarts
from limecep.testing.streams import SECOND, written

PATTERN = parse("PATTERN SEQ(A a, B b) WITHIN 10 s")
ARRIVED = written("a1 b5 b3 a6 b9 b8 b7 a20 b22 b21 a30 b31 a40 b41 a50 b51")


class Impatient(Waiting):
    """Waits longer each time it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def wait(self, statistics: Any) -> int:
        self.asked += 1
        return self.asked * SECOND


class Remembers(Impatient):
    def remembered(self) -> Any:
        return self.asked

    def recall(self, known: Any) -> None:
        self.asked = known


def test_what_remembers_all_it_needs_goes_on_as_if_nothing_had_happened() -> None:
    check_restarts(lambda: PolicyBench(PATTERN, slack=lambda *_: Remembers(), keeps=True), ARRIVED, (3, 5, 8))


def test_what_does_not_is_told_with_where_it_was_cut() -> None:
    said = r"after a restart it goes on otherwise: .*\s+restarted after 6 events"
    with pytest.raises(AssertionError, match=said):
        check_restarts(lambda: PolicyBench(PATTERN, slack=lambda *_: Impatient(), keeps=True), ARRIVED, (6,))
