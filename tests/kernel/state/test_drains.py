"""Drains: no sink waits for another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep.errors import RunFailure, Stopped
from limecep.output.outlets import Outlet
from limecep.state import drains
from limecep.state.drains import Drains
from limecep.state.outbox import Load

if TYPE_CHECKING:
    from conftest import Gate

WAIT = 5.0


def outlets(gates: type[Gate], *names: str, shares: Any = None) -> list[Any]:
    return [Outlet(name, gates(), shares=shares or name) for name in names]


def gate(outlet: Any) -> Gate:
    found: Gate = outlet._sink
    return found


def load(outlet: Outlet, *records: Any) -> Load:
    return Load(outlet, "n", [records])


def carried(made: Drains, count: int) -> list[str]:
    """The names of the sinks whose loads have arrived."""
    watch, found = Stopwatch(), []
    while len(found) < count:
        assert watch.seconds < WAIT
        found += [done.outlet.name for done in made.carried(wait=True)]
    return found


def test_a_sink_that_waits_keeps_no_other_from_its_load(gates: type[Gate]) -> None:
    a, b = outlets(gates, "a", "b")
    gate(a).may_send.clear()
    made = Drains([a, b])
    assert made.opening() == []
    made.hand([load(a, 1), load(b, 2)])
    made.hand([load(b, 3)])
    assert carried(made, 2) == ["b", "b"]
    assert (gate(a).sent, gate(b).sent) == ([], [2, 3])
    gate(a).may_send.set()
    assert carried(made, 1) == ["a"]
    assert made.end(WAIT) == []


def test_sinks_that_share_a_connector_are_used_one_after_the_other(gates: type[Gate]) -> None:
    a, b = outlets(gates, "a", "b", shares="mq")
    made = Drains([a, b])
    made.hand([load(a, 1), load(b, 2), load(a, 3)])
    assert carried(made, 3) == ["a", "b", "a"]
    assert gate(a).threads == gate(b).threads
    made.end(WAIT)


def test_a_sink_that_does_not_open_is_waited_for_only_a_moment(
    monkeypatch: pytest.MonkeyPatch, gates: type[Gate]
) -> None:
    monkeypatch.setattr(drains, "OPENING_SECONDS", 0.05)
    a, b = outlets(gates, "a", "b")
    gate(a).may_open.clear()
    made = Drains([a, b])
    assert made.opening() == ["a"]
    made.hand([load(a, 1), load(b, 2)])
    assert carried(made, 1) == ["b"]
    gate(a).may_open.set()
    assert carried(made, 1) == ["a"]
    made.end(WAIT)


@pytest.mark.parametrize("error", [RunFailure("the disk is full"), SystemExit(3)])
def test_what_a_sink_raises_is_raised_where_it_is_asked_for(error: BaseException, gates: type[Gate]) -> None:
    (a,) = outlets(gates, "a")
    made = Drains([a])
    made.opening()
    gate(a).raises = error
    made.hand([load(a, 1)])
    made.end(WAIT)
    with pytest.raises(type(error), match=r"the disk is full|3"):
        made.check()
    assert made.carried() == []


def test_what_cannot_be_opened_is_told_at_once(gates: type[Gate]) -> None:
    (a,) = outlets(gates, "a")
    gate(a).raises = RunFailure("no such folder")
    made = Drains([a])
    with pytest.raises(RunFailure, match="no such folder"):
        made.opening()


def test_a_sink_that_is_cut_off_is_stuck_and_has_not_taken_its_load(gates: type[Gate]) -> None:
    (a,) = outlets(gates, "a")
    made = Drains([a])
    made.opening()
    gate(a).raises = Stopped("the broker is away")
    made.hand([load(a, 1)])
    assert made.end(WAIT) == []
    assert (a.stuck, made.carried()) == (True, [])
    made.check()


@pytest.mark.interpreted
def test_who_hangs_is_known_with_what_it_is_in(gates: type[Gate]) -> None:
    (a,) = outlets(gates, "a")
    gate(a).may_send.clear()
    made = Drains([a])
    made.opening()
    made.hand([load(a, 1)])
    (hung,) = made.end(0.2)
    assert "send" in [frame.f_code.co_name for frame in hung.frames]
    gate(a).may_send.set()
