"""What a pattern needs of memory, and what it still knows when memory lets go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.time import FOREVER
from limecep.patterns.memory import WINDOWS_KEPT, PatternMemory
from limecep.testing.policy_bench import Accepting, Correcting, PolicyBench
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.contracts.lateness import LatenessPolicy

AB = "SEQ(A a, B b) WITHIN 10 s"


class Learning(Accepting):
    learns = True


class Final(Correcting):
    emit: Any = "final"


class Known:
    """A pattern, and its memory."""

    def __init__(
        self, text: str = "", query: str = AB, lateness: LatenessPolicy | None = None, results: Any = None
    ) -> None:
        lateness, results = lateness or Accepting(), results or Correcting()
        made = PolicyBench(
            parse(f"PATTERN {query}"),
            lateness=lambda plan, context: lateness,
            results=lambda plan, context: results,
        )
        made.feed(written(text))
        self.manager = made.detection.managers[0]
        self.memory = PatternMemory(self.manager, lateness, results, made.detection.statistics)


def late(name: str, at: float) -> Event:
    return Event(name, f"{name}{at}", int(at * SECOND))


@pytest.mark.parametrize(
    ("lateness", "text", "from_"),
    [
        # Behind the earliest event that is accepted.
        (Accepting(20 * SECOND), "a100", 80),
        # Without a bound, how late events were that it learns from; a window at least.
        (Learning(), "a100 b95", 90),
        (Learning(), "a100 b60", 60),
    ],
)
def test_events_are_needed_some_windows_behind_the_earliest_that_may_be_accepted(
    lateness: LatenessPolicy, text: str, from_: int
) -> None:
    assert Known(text, lateness=lateness).memory.needed_from == (from_ - WINDOWS_KEPT * 10) * SECOND


def test_where_every_event_is_accepted_all_are_needed() -> None:
    assert Known("a100").memory.needed_from == -FOREVER


def test_what_waits_for_time_is_needed_although_nothing_so_late_is_accepted() -> None:
    known = Known("a97 d100", "SEQ(A a, !B b) WITHIN 10 s", Accepting(SECOND))
    assert known.memory.awaits
    assert known.memory.needed_from == (97 - WINDOWS_KEPT * 10) * SECOND
    assert not Known("a1 b2").memory.awaits


def test_an_event_may_be_accepted_from_the_horizon_on() -> None:
    known = Known("a100", lateness=Accepting(20 * SECOND)).memory
    assert [known.may_accept(late("A", at)) for at in (79.9, 80)] == [False, True]


def test_a_late_event_needs_the_windows_of_the_end_events_it_touches() -> None:
    reach = 50 - 10, 50 + 2 * 10
    assert Known().memory.wanted_for(late("B", 50)) == ((reach[0] - 20) * SECOND, reach[1] * SECOND)
    growing = Known(query="SEQ(A a, B+ b[]) WITHIN 10 s").memory
    assert growing.wanted_for(late("B", 50)) == ((reach[0] - 20) * SECOND, (reach[1] + 20) * SECOND)


def test_nothing_has_to_come_again_where_that_is_no_use() -> None:
    assert Known().memory.wanted_for(late("X", 50)) is None
    assert Known(results=Final()).memory.wanted_for(late("B", 50)) is None
    known = Known()
    known.manager.sound_from = 70 * SECOND
    assert known.memory.wanted_for(late("B", 50)) is not None
    known.manager.sound_from += 1
    assert known.memory.wanted_for(late("B", 50)) is None


def test_end_events_whose_windows_are_not_whole_are_left_alone_from_then_on() -> None:
    known = Known()
    assert known.memory.is_sound(late("B", 50), 45 * SECOND, whole=True)
    assert known.manager.sound_from < 0
    assert not known.memory.is_sound(late("B", 50), 45 * SECOND, whole=False)
    assert known.manager.sound_from == (45 + 20) * SECOND
    assert not known.memory.is_sound(late("B", 50), 45 * SECOND, whole=True)


def test_what_stays_as_it_was_is_sound_by_memory_alone() -> None:
    known = Known(results=Final())
    assert known.memory.is_sound(late("B", 50), 20 * SECOND, whole=False)
    assert not known.memory.is_sound(late("B", 50), 20 * SECOND + 1, whole=True)


def test_memory_is_cut_where_windows_of_what_comes_next_are_not_whole() -> None:
    known = Known("a100")
    assert [known.memory.is_cut(at * SECOND) for at in (80, 81)] == [False, True]
    known.memory.left(80 * SECOND, returnable=False)
    assert known.manager.sound_from < 0
    known.memory.left(81 * SECOND, returnable=False)
    assert known.manager.sound_from == 101 * SECOND


def test_events_that_leave_end_the_wait_of_what_needs_them() -> None:
    known = Known("a90 a97 d100", "SEQ(A a, !B b) WITHIN 10 s", Accepting(5 * SECOND))
    assert known.memory.give_up(70 * SECOND) == []
    assert [e.id for e in known.memory.give_up(77 * SECOND)] == ["a90"]
    assert known.manager.pending == 1
