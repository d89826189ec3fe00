"""The side output says of an event who does not see it, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.contracts.lateness import Verdict
from limecep.detection.side_output import SideOutput
from limecep.model.event import Event

if TYPE_CHECKING:
    from limecep.patterns.detector import Refusal

EVENT = Event("A", "a1", 1)


def test_each_reason_names_the_patterns_it_concerns() -> None:
    refused: list[Refusal] = []
    side = SideOutput(refused.append)
    verdict = Verdict(extremely_late=True, reason="too late")
    side.future(EVENT)
    side.extremely_late(EVENT, ["p", "q"], verdict)
    side.not_whole(EVENT, ["q"], "memory is short")
    assert all(r.event is EVENT for r in refused)
    assert [(r.reason, r.patterns, r.verdict, r.error) for r in refused] == [
        ("future", (), None, ""),
        ("extremely_late", ("p", "q"), verdict, ""),
        ("evicted", ("q",), None, "memory is short"),
    ]


def test_what_could_not_be_used_wholly_is_counted_by_pattern_and_survives() -> None:
    side, again = SideOutput(None), SideOutput(None)
    for patterns in ["p", "q"], ["q"]:
        side.not_whole(EVENT, patterns, "memory is short")
    again.restore(side.snapshot())
    assert again.unrepaired == {"p": 1, "q": 2}
