"""Changes in words."""

from __future__ import annotations

import pytest

from limecep.model.event import Event
from limecep.testing.streams import SECOND
from limecep_why_not.changes import Added, Admitted, Lifted, Removed, Valued, Widened
from limecep_why_not.words import clock, told, value

#: 2026-01-05 10:00:00.
TEN = 1_767_607_200 * SECOND
EVENT = Event("Smoke", "s1", TEN, payload={"room": "hall", "density": 0.05, "of": {"unit": "x"}})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            Added(event=EVENT, variable="c", types=(), after=TEN - SECOND - 1, before=TEN + 2 * SECOND),
            "one more Smoke c between 2026-01-05 09:59:59Z and 10:00:02Z, with density 0.05 and of.unit 'x'",
        ),
        (
            Removed(event=EVENT, negated="x"),
            "without Smoke s1 at 2026-01-05 10:00:00Z, which the negated step x forbids",
        ),
        (
            Removed(event=EVENT),
            "without Smoke s1 at 2026-01-05 10:00:00Z, which is taken instead or in the way",
        ),
        (
            Valued(
                event=EVENT, variable="c", path=("density",), old=0.05, new=0.11, broken="c.density > 0.1"
            ),
            "Smoke s1 at 2026-01-05 10:00:00Z with density 0.11 in the place of 0.05: 0.06 more, for "
            "c.density > 0.1",
        ),
        (
            Valued(event=EVENT, variable="c", path=("state",), old=None, new="on"),
            "Smoke s1 at 2026-01-05 10:00:00Z with state 'on' in the place of no value",
        ),
        (
            Widened(old=30 * SECOND, new=34_500_000),
            "WITHIN 34500 ms in the place of 30 seconds: 4500 ms wider",
        ),
        (
            Admitted(event=EVENT, old=60.0, new=72.4),
            "lateness: {type: bound, within: 72.4s} in the place of 1m, which refused Smoke s1 at "
            "2026-01-05 10:00:00Z",
        ),
        (
            Lifted(rule="select", old="sc"),
            "select: stam in the place of sc: strict-contiguity took other events",
        ),
    ],
)
def test_a_change_is_told(change: object, words: str) -> None:
    assert told(change, {"room": "hall"}, "bound") == words  # type: ignore[arg-type]


def test_other_policies_are_told_by_their_threshold() -> None:
    admitted = Admitted(event=EVENT, old=1.0, new=1.5, reason="too late")
    assert told(admitted, None, "score").startswith(
        "a threshold of 1.5 in the place of 1 of the lateness policy"
    )
    for lifted in (Lifted(rule="results", old="cooldown"), Lifted(rule="pick", old="last")):
        assert lifted.old in told(lifted, None, "bound")


def test_a_day_is_told_once() -> None:
    assert clock(TEN, TEN + SECOND) == "10:00:00Z"
    assert clock(TEN, TEN + 86_400 * SECOND) == "2026-01-05 10:00:00Z"


def test_values_are_written_as_they_are_in_queries() -> None:
    assert [value(v) for v in (True, "on", 1200, 1.5, None)] == ["true", "'on'", "1,200", "1.5", "no value"]
