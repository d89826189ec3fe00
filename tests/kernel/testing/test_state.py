"""The suite for state stores notices stores that are wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.testing.state import StateConformance
from limecep_sqlite.config import SqliteOptions
from limecep_sqlite.store import SqliteStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.contracts.context import Context
    from limecep.contracts.state import Row


class Eager(SqliteStore):
    """Keeps at once what is written."""

    def put(self, rows: Iterable[Row]) -> None:
        super().put(rows)
        self.commit()


class Forgetful(SqliteStore):
    """Keeps nothing that need not be durable."""

    def commit(self, *, durable: bool = True) -> None:
        if durable:
            super().commit()


class Shared(SqliteStore):
    """Anyone may open it."""

    def _take_lock(self) -> None:
        pass


class Backwards(SqliteStore):
    """Rows come the wrong way round."""

    def rows(self, name: str | None = None) -> Iterator[Row]:
        return iter([*super().rows(name)][::-1])


class Strict(SqliteStore):
    """A range has no ends."""

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        return super().segments(low + 1, high - 1)


class Cautious(SqliteStore):
    """Trims too little."""

    def trim(self, before: int) -> None:
        super().trim(before - 1)


class Stubborn(SqliteStore):
    """Cannot be reset."""

    def reset(self) -> None:
        self._check_there()


WRONG: list[tuple[type[SqliteStore], str]] = [
    (Eager, "test_what_was_not_committed_is_dropped"),
    (Eager, "test_it_may_be_looked_at_while_it_is_open"),
    (Forgetful, "test_what_was_committed_is_there_later"),
    (Shared, "test_a_state_that_is_open_is_not_opened_again"),
    (Backwards, "test_rows_come_in_the_order_of_their_numbers"),
    (Strict, "test_segments_come_in_the_order_in_which_they_were_appended"),
    (Cautious, "test_what_ends_before_a_time_is_trimmed"),
    (Stubborn, "test_it_is_deleted_but_not_while_it_is_open"),
]


@pytest.mark.parametrize(("wrong", "case"), WRONG, ids=[f"{w.__name__} {c}" for w, c in WRONG])
def test_what_is_wrong_is_noticed(wrong: type[SqliteStore], case: str, tmp_path: Any) -> None:
    class Suite(StateConformance):
        def make_store(self, context: Context) -> SqliteStore:
            return wrong(SqliteOptions(dir="state"), context)

    suite = Suite()
    fixture: Any = StateConformance.make
    make = fixture.__wrapped__ if hasattr(fixture, "__wrapped__") else fixture._get_wrapped_function()
    makes = make(suite, tmp_path)
    maker = next(makes)
    test = getattr(suite, case)
    names = test.__code__.co_varnames[1 : test.__code__.co_argcount]
    given: dict[str, Any] = {"make": maker, "durable": False}
    if "store" in names:
        given["store"] = maker()
        given["store"].open()
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        test(**{name: given[name] for name in names})
    next(makes, None)
