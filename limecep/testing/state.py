"""The suite for state stores: subclass it in a test module, and pytest runs it.

from limecep.testing.state import StateConformance

class TestMyStore(StateConformance):
    def make_store(self, context): ...
"""

from __future__ import annotations

import os
import signal
import warnings
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from limecep.clock import SystemClock
from limecep.contracts.context import Context
from limecep.contracts.state import Row, StateStore
from limecep.errors import RunFailure
from limecep.model.time import FOREVER
from limecep.testing.bench import SilentLogger
from limecep.testing.bounded import Bounded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: How long a process may take to get where it is killed, in seconds.
_KILLED_SECONDS = 30


class StateConformance(Bounded):
    """What every state store must do."""

    def make_store(self, context: Context) -> StateStore:
        """A store, not open yet: with equal contexts of the same state, below `context.root`."""
        raise NotImplementedError

    @pytest.fixture
    def make(self, tmp_path: Path) -> Iterator[Callable[[], StateStore]]:
        """Makes stores of one state; all are closed in the end."""
        made: list[StateStore] = []

        def make() -> StateStore:
            context = Context(
                label="state",
                clock=SystemClock(),
                counters=Counter(),
                logger=SilentLogger(),
                root=tmp_path,
                pipeline="conformance",
            )
            made.append(self.make_store(context))
            return made[-1]

        yield make
        for store in made:
            store.close()

    @pytest.fixture
    def store(self, make: Callable[[], StateStore]) -> StateStore:
        """A store that is open, of a new state."""
        store = make()
        store.open()
        return store

    # -- rows ----------------------------------------------------------------------------------------------

    def test_a_new_state_is_empty(self, store: StateStore) -> None:
        """Nothing is there before it is written."""
        assert [*store.rows()] == []
        assert [*store.segments(-FOREVER, FOREVER)] == []

    def test_rows_come_in_the_order_of_their_numbers(self, store: StateStore) -> None:
        """However they were written, all of them or those of a name."""
        rows = [Row(n, "ab"[n % 2], b"%d" % n) for n in (5, 1, 1 << 62, 70_000, 2)]
        store.put(rows[:2])
        store.put(rows[2:])
        assert [*store.rows()] == sorted(rows)
        assert [*store.rows("a")] == sorted(r for r in rows if r.name == "a")
        assert [*store.rows("c")] == []

    def test_a_row_takes_the_place_of_one_with_its_number(self, store: StateStore) -> None:
        """With another name, too."""
        store.put([Row(1, "a", b"old"), Row(2, "a", b"other")])
        store.put([Row(1, "b", b"new"), Row(3, "b", b"1"), Row(3, "b", b"2")])
        assert [*store.rows()] == [Row(1, "b", b"new"), Row(2, "a", b"other"), Row(3, "b", b"2")]

    def test_rows_are_deleted_by_number(self, store: StateStore) -> None:
        """Also where there is none, and in the batch that wrote them."""
        store.put([Row(n, "a", b"") for n in (1, 2, 3)])
        store.commit()
        store.delete([2, 99])
        store.put([Row(4, "a", b"")])
        store.delete([4])
        assert [r.number for r in store.rows()] == [1, 3]
        store.delete([])
        store.commit()
        assert [r.number for r in store.rows()] == [1, 3]

    def test_any_bytes_and_names_come_back_as_they_are(self, store: StateStore) -> None:
        """They mean nothing to a store."""
        rows = [
            Row(1, "outbox/a.b-c_d", bytes(range(256))),
            Row(2, "ä€𝄞'\"%_", b""),
            Row(3, "x" * 300, b"\n" * 3_000_000),
        ]
        store.put(rows)
        store.commit()
        assert [*store.rows()] == rows
        assert [*store.rows("ä€𝄞'\"%_")] == [rows[1]]

    def test_rows_may_be_written_while_others_are_read(self, store: StateStore) -> None:
        """Those that were there come all the same."""
        store.put([Row(n, "a", b"%d" % n) for n in range(1, 5001)])
        store.commit()
        came = []
        for row in store.rows("a"):
            came.append(row.number)
            store.put([Row(10_000 + row.number, "b", b"")])
            store.delete([row.number])
            store.commit(durable=False)
        assert came == [*range(1, 5001)]

    # -- the journal ---------------------------------------------------------------------------------------

    def test_segments_come_in_the_order_in_which_they_were_appended(self, store: StateStore) -> None:
        """Those that have anything of the range, both ends included."""
        for first, last, value in ((10, 20, b"a"), (15, 15, b"b"), (-5, 12, b"c"), (21, 30, b"d")):
            store.append(first, last, value)
        assert [*store.segments(12, 15)] == [b"a", b"b", b"c"]
        assert [*store.segments(20, 21)] == [b"a", b"d"]
        assert [*store.segments(16, 19)] == [b"a"]
        assert [*store.segments(31, 40)] == [*store.segments(-20, -6)] == []
        store.commit()
        assert [*store.segments(-FOREVER, FOREVER)] == [b"a", b"b", b"c", b"d"]

    def test_what_ends_before_a_time_is_trimmed(self, store: StateStore) -> None:
        """What reaches into it stays, whole; what is appended later comes last."""
        for first, last, value in ((10, 20, b"a"), (5, 25, b"b"), (1, 19, b"c")):
            store.append(first, last, value)
        store.commit()
        store.trim(20)
        store.append(2, 3, b"d")
        assert [*store.segments(0, 100)] == [b"a", b"b", b"d"]
        store.commit()
        store.trim(100)
        store.append(200, 200, b"e")
        store.commit()
        assert [*store.segments(0, 300)] == [b"e"]

    # -- transactions --------------------------------------------------------------------------------------

    @pytest.mark.parametrize("durable", [True, False])
    def test_what_was_committed_is_there_later(self, durable: bool, make: Callable[[], StateStore]) -> None:
        """In order, too."""
        first, second = make(), make()
        first.open()
        _write(first, durable=durable)
        first.close()
        second.open()
        _check(second)

    def test_what_was_not_committed_is_dropped(self, make: Callable[[], StateStore]) -> None:
        """All of it, since the last commit."""
        first, second = make(), make()
        first.open()
        _write(first, durable=True)
        _scribble(first)
        first.close()
        second.open()
        _check(second)

    @pytest.mark.parametrize("durable", [True, False])
    def test_a_process_that_is_killed_leaves_what_it_committed(
        self, durable: bool, make: Callable[[], StateStore]
    ) -> None:
        """And nothing of what it wrote since; another one may go on at once."""
        first, second = make(), make()

        def die() -> None:
            first.open()
            _write(first, durable=durable)
            _scribble(first)

        _killed_after(die)
        second.open()
        _check(second)

    def test_a_kill_in_the_midst_of_commits_leaves_one_of_them(self, make: Callable[[], StateStore]) -> None:
        """The last one that was done with, or the one under way; never half of one."""
        first, second = make(), make()

        def die() -> None:
            first.open()
            for n in range(1, 200):
                first.put([Row(1, "a", b"%d" % n), Row(2, "a", b"%d" % n), Row(n + 10, "b", b"x" * 5000)])
                first.append(n, n, b"%d" % n)
                first.commit(durable=n % 3 == 0)
                if n == 100:
                    os.kill(os.getpid(), signal.SIGKILL)

        _killed_after(die)
        second.open()
        one, two, *more = second.rows()
        assert one.value == two.value == b"100"
        assert [r.number for r in more] == [*range(11, 111)]
        assert [*second.segments(0, 1000)] == [b"%d" % n for n in range(1, 101)]

    # -- opening and closing -------------------------------------------------------------------------------

    def test_a_state_that_is_open_is_not_opened_again(self, make: Callable[[], StateStore]) -> None:
        """One pipeline is one process. When it is closed, another may."""
        first, second = make(), make()
        first.open()
        with pytest.raises(RunFailure):
            second.open()
        _write(first, durable=True)
        with pytest.raises(RunFailure):
            second.open()
        first.close()
        second.open()
        _check(second)

    def test_it_may_be_closed_twice_and_without_having_been_open(
        self, make: Callable[[], StateStore]
    ) -> None:
        """Whoever cleans up need not know how far it came."""
        store = make()
        store.close()
        store.close()
        store.open()
        store.close()
        store.close()
        store.open()

    def test_it_may_be_looked_at_while_it_is_open(self, make: Callable[[], StateStore]) -> None:
        """What is seen is what was committed. Of what is not there that is said."""
        first, second = make(), make()
        with pytest.raises(RunFailure):
            second.peek()
        first.open()
        _write(first, durable=True)
        _scribble(first)
        second.peek()
        _check(second)
        second.close()
        assert Row(9, "c", b"never" * 100_000) in [*first.rows()]

    def test_it_is_deleted_but_not_while_it_is_open(self, make: Callable[[], StateStore]) -> None:
        """Then everything begins anew."""
        first, second = make(), make()
        first.open()
        _write(first, durable=True)
        with pytest.raises(RunFailure):
            second.reset()
        first.close()
        second.reset()
        with pytest.raises(RunFailure):
            second.reset()
        second.open()
        assert [*second.rows()] == []
        assert [*second.segments(-FOREVER, FOREVER)] == []

    def test_it_says_how_it_is_kept(self, store: StateStore) -> None:
        """Text and numbers, for people."""
        _write(store, durable=True)
        assert all(isinstance(v, (str, int, float)) for v in store.figures().values())


def _write(store: StateStore, *, durable: bool) -> None:
    store.put([Row(2, "a", b"two"), Row(1, "b", b"one"), Row(3, "a", b"gone")])
    store.append(5, 9, b"first")
    store.append(1, 4, b"second")
    store.commit(durable=True)
    store.delete([3])
    store.put([Row(4, "a", b"four")])
    store.append(6, 6, b"third")
    store.trim(5)
    store.commit(durable=durable)


def _check(store: StateStore) -> None:
    assert [*store.rows()] == [Row(1, "b", b"one"), Row(2, "a", b"two"), Row(4, "a", b"four")]
    assert [*store.segments(0, 100)] == [b"first", b"third"]


def _scribble(store: StateStore) -> None:
    store.put([Row(1, "b", b"never"), Row(9, "c", b"never" * 100_000)])
    store.delete([2, 4])
    store.append(7, 7, b"never")
    store.trim(1000)


def _killed_after(act: Callable[[], None]) -> None:
    """Does something in a process that is then killed."""
    with warnings.catch_warnings():
        # The child does nothing but that.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(_KILLED_SECONDS)
            act()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code != -signal.SIGALRM, f"a call of the store does not return within {_KILLED_SECONDS} s"
    assert code == -signal.SIGKILL
