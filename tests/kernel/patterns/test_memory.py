"""What a pattern needs of memory, and what it still knows when memory lets go."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.model.time import FOREVER
from limecep.patterns.memory import WINDOWS_KEPT, PatternMemory
from limecep.testing.policy_bench import Accepting, Correcting, PolicyBench, Waiting
from limecep.testing.streams import SECOND, written

if TYPE_CHECKING:
    from limecep.contracts.lateness import LatenessPolicy

#: What completes a match may have been part of an earlier one: its windows look back twice.
AB = "SEQ(A+ a, B b) WITHIN 10 s"


class Learning(Accepting):
    learns = True


class Final(Correcting):
    emit: Any = "final"


class Known:
    """A pattern, and its memory."""

    def __init__(
        self,
        text: str = "",
        query: str = AB,
        lateness: LatenessPolicy | None = None,
        results: Any = None,
        wait: int = 0,
    ) -> None:
        lateness, results = lateness or Accepting(), results or Correcting()
        made = PolicyBench(
            parse(f"PATTERN {query}"),
            lateness=lambda plan, context: lateness,
            results=lambda plan, context: results,
            slack=lambda plan, context: Waiting(wait),
        )
        made.feed(written(text))
        self.updates = made.updates
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
    growing = Known(query="SEQ(A+ a, B+ b[]) WITHIN 10 s").memory
    assert growing.wanted_for(late("B", 50)) == ((reach[0] - 20) * SECOND, (reach[1] + 20) * SECOND)
    # All that can stand for a match has its first event.
    alone = Known(query="OR(SEQ(A a, B b), SEQ(!B b, A a, C+ c)) WITHIN 10 s").memory
    assert alone.needs(late("B", 50))[0] == (reach[0] - 10) * SECOND
    some = Known(query="OR(SEQ(A a, B b), SEQ(A? a, C c)) WITHIN 10 s").memory
    assert some.needs(late("B", 50))[0] == (reach[0] - 20) * SECOND


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
    assert known.memory.give_up(80 * SECOND) == []
    assert [e.id for e in known.memory.give_up(87 * SECOND)] == ["a90"]
    assert known.manager.pending == 1


def test_what_waits_for_slack_is_looked_at_before_its_events_leave() -> None:
    for let_go in ("give_up", "settle"):
        known = Known("a1 b3 x6 a2", wait=60 * SECOND)
        assert known.memory.awaits
        # An end event looks a window back, and one more for what completed that.
        getattr(known.memory, let_go)(2 * SECOND - 20 * SECOND)
        assert len(known.updates) == 1
        getattr(known.memory, let_go)(2 * SECOND - 20 * SECOND + 1)
        assert len(known.updates) == 2
        assert not known.memory.awaits


def test_it_has_the_name_of_its_pattern() -> None:
    assert Known().memory.name == "p"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("low", "high", "last"),
    # Where the range reaches what is in memory, the windows after it are whole too.
    [(0, 50, 40), (0, 99, 89), (0, 100, 110), (10, 120, 110)],
)
def test_what_was_emitted_is_learnt_again_for_end_events_whose_windows_are_whole(
    low: int, high: int, last: int
) -> None:
    known, asked = Known(), []
    known.manager.rebuild = lambda *span: asked.append(span)  # type: ignore[method-assign]
    known.memory.rebuild((low * SECOND, high * SECOND - 1), [], 100 * SECOND)
    assert asked == [
        ((low + 20) * SECOND, last * SECOND - (0 if last == 110 else 1), 100 * SECOND),
    ]


def test_what_stays_as_it_was_is_not_learnt_again() -> None:
    known, asked = Known(results=Final()), []
    known.manager.rebuild = lambda *span: asked.append(span)  # type: ignore[method-assign]
    known.memory.rebuild((0, 50 * SECOND), [], 100 * SECOND)
    assert asked == []


@pytest.mark.interpreted
def test_what_is_known_already_is_not_learnt_again() -> None:
    known, asked = Known(), []
    known.manager.rebuild = lambda low, high, _: asked.append((low, high))  # type: ignore[method-assign]
    # A window is 10 seconds: of a range of 25 nothing is known.
    parts = [(10 * SECOND, 35 * SECOND), (40 * SECOND, 90 * SECOND)]
    known.memory.rebuild((0, 99 * SECOND), parts, 200 * SECOND)
    assert asked == [(20 * SECOND, 60 * SECOND - 1), (80 * SECOND + 1, 89 * SECOND)]


def test_what_waits_or_is_late_with_it_says_which_events_are_waited_for() -> None:
    known = Known("a1 b3 x6 a2", wait=60 * SECOND)
    assert not known.memory.waits_before(2 * SECOND - 20 * SECOND)
    assert known.memory.waits_before(2 * SECOND - 20 * SECOND + 1)


def test_an_event_is_sound_where_all_it_touches_is() -> None:
    known = Known()
    known.manager.sound_from = 40 * SECOND
    assert known.memory.is_sound(late("B", 50), 0, whole=True)
    known.manager.sound_from += 1
    assert not known.memory.is_sound(late("B", 50), 0, whole=True)


def test_it_is_clear_of_a_time_that_no_late_event_makes_it_look_behind() -> None:
    known, event = Known(), late("B", 50)
    (looked_at_from, _), (touched_from, _) = known.memory.needs(event), known.manager.touches(event)
    assert known.memory.is_clear_of(event, looked_at_from)
    assert not known.memory.is_clear_of(event, looked_at_from + 1)
    known.manager.sound_from = touched_from + 1
    assert not known.memory.is_clear_of(event, 0)


@pytest.mark.interpreted
def test_what_may_come_again_is_put_aside_and_else_forgotten() -> None:
    known, said = Known("a100"), []
    results = SimpleNamespace(archive=said.append, forget=lambda t: said.append(-t), lost_until=30)
    known.memory._results = results  # type: ignore[assignment]
    known.memory.left(40, returnable=True)
    assert (said, known.manager.sound_from) == ([40], 31)
    results.lost_until = 20
    known.memory.settle(50)
    known.memory.left(60, returnable=True)
    assert (said, known.manager.sound_from) == ([40, 50, 60], 31)
    results.lost_until = 90
    known.memory.left(70, returnable=False)
    assert (said[3:], known.manager.sound_from) == ([-70], 31)
