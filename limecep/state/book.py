"""The book: which entries of tables have changed, so that a batch costs as much as it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from limecep.contracts.state import Row
from limecep.state.json_values import damaged, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limecep.contracts.tables import Form, Tables
    from limecep.model.event import Event

#: What the names of the tables of parts begin with.
PARTS = "part"

#: Where several processes write one state, the numbers that each of them has for its rows.
EACH = 1 << 52

K = TypeVar("K")
V = TypeVar("V")

_MISSING: Any = object()


class Numbers:
    """Gives rows their numbers: each greater than all before.

    Args:
        process: Which of the processes they are for that write one state, from 0: no two have one number.
    """

    def __init__(self, process: int = 0) -> None:
        self._process = process
        self._last = process * EACH

    def next(self) -> int:
        """A new one."""
        self._last += 1
        return self._last

    def seen(self, number: int) -> None:
        """This one is taken, perhaps by another process."""
        if number // EACH == self._process:
            self._last = max(self._last, number)


class Book:
    """Makes tables, and knows what is to be written of them, and of single values.

    Args:
        numbers: Gives rows their numbers.
    """

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        #: The first table of each name, which knows how to read the rows of all.
        self._tables: dict[str, Noted[Any, Any]] = {}
        self._noted: list[Noted[Any, Any]] = []
        self._cells: dict[str, tuple[int, bytes]] = {}
        self._put: list[Row] = []
        self._deleted: list[int] = []

    # -- as `limecep.contracts.tables.Tables` --------------------------------------------------------------

    def table(self, name: str, form: Form[K, V], held: dict[K, V] | None = None) -> dict[K, V]:
        """A table of which each entry is a row of that name."""
        made = Noted(self, name, form)
        self._tables.setdefault(name, made)
        for key, value in (held or {}).items():
            made[key] = value
        return made

    def drop(self, table: dict[Any, Any]) -> None:
        """The rows of a table are no more."""
        assert isinstance(table, Noted)
        table.detach()

    def of(self, name: str) -> Tables:
        """Makes the tables of a part."""
        return _Part(self, f"{PARTS}/{name}/")

    def load(self, rows: Iterable[Row], events: Mapping[int, Event]) -> None:
        """Fills the tables, of which none has anything yet.

        Args:
            rows: Their rows, in the order of the numbers, and others, which are left alone.
            events: The events in memory, by their ordinals.

        Raises:
            RunFailure: A row cannot be read.
        """
        by_name: dict[str, list[Row]] = {}
        for row in rows:
            by_name.setdefault(row.name, []).append(row)
        # What is read may ask for more tables.
        names = list(self._tables)
        for name in names:
            first = self._tables[name]
            for row in by_name.get(name, ()):
                value = decode(row.value)
                try:
                    first.read(value, events, row.number)
                except (LookupError, TypeError, ValueError) as error:
                    raise damaged(f"a row of '{name}' does not fit ({error!r})") from None
            names += [n for n in self._tables if n not in names]

    # -- cells ---------------------------------------------------------------------------------------------

    def cell(self, name: str, value: bytes) -> None:
        """A row by itself is to say this; it is written if it says something else."""
        number, known = self._cells.get(name) or (self._numbers.next(), None)
        if known != value:
            self._cells[name] = (number, value)
            self._put.append(Row(number, name, value))

    def found(self, row: Row) -> None:
        """That is what a row by itself says."""
        self._cells[row.name] = (row.number, row.value)

    def drop_cell(self, name: str) -> None:
        """A row by itself is no more."""
        known = self._cells.pop(name, None)
        if known is not None:
            self._deleted.append(known[0])

    def add(self, put: Iterable[Row], deleted: Iterable[int]) -> None:
        """That is what the book of another process wants written, and deleted."""
        self._put += put
        self._deleted += deleted

    def changes(self) -> tuple[list[Row], list[int]]:
        """What is to be written, and the numbers of rows that are to be deleted, since this was asked last.
        In this order: first delete, then put."""
        put, deleted = self._put, self._deleted
        self._put, self._deleted = [], []
        noted, self._noted = self._noted, []
        for dictionary in noted:
            dictionary.settle(self._numbers, put, deleted)
        return put, deleted

    def changed(self, dictionary: Noted[Any, Any]) -> None:
        """Something changed in a dictionary, the first time since `changes`."""
        self._noted.append(dictionary)


class _Part:
    """Makes the tables of a part: their names begin with its own."""

    def __init__(self, book: Book, prefix: str) -> None:
        self._book = book
        self._prefix = prefix

    def table(self, name: str, form: Form[K, V], held: dict[K, V] | None = None) -> dict[K, V]:
        return self._book.table(self._prefix + name, form, held)

    def drop(self, table: dict[Any, Any]) -> None:
        self._book.drop(table)

    def of(self, name: str) -> _Part:
        return _Part(self._book, f"{self._prefix}{name}/")


class Noted(dict[K, V], Generic[K, V]):
    """A dictionary whose entries are rows. An entry keeps its row until it is deleted, so that rows are in
    the order of the entries."""

    __slots__ = ("_book", "_changed", "_form", "_free", "_name", "_rows")

    def __init__(self, book: Book, name: str, form: Form[K, V]) -> None:
        super().__init__()
        self._book: Book | None = book
        self._name = name
        self._form = form
        self._rows: dict[K, int] = {}
        self._free: list[int] = []
        # In the order in which entries without a row came.
        self._changed: dict[K, None] = {}

    def read(self, value: Any, events: Mapping[int, Event], row: int) -> None:
        """There is an entry of this table, or of one that has its form, and it has a row already."""
        key, entry = self._form.read(value, events)
        table = self if self._form.table is None else self._form.table(key, entry)
        assert isinstance(table, Noted)
        table.fill(key, entry, row)

    def fill(self, key: K, value: V, row: int) -> None:
        """There is an entry, and has a row already."""
        super().__setitem__(key, value)
        self._rows[key] = row

    def settle(self, numbers: Numbers, put: list[Row], deleted: list[int]) -> None:
        """Adds the changes to what is to be written."""
        deleted += self._free
        self._free = []
        changed, self._changed = self._changed, {}
        rows, write, name = self._rows, self._form.write, self._name
        for key in changed:
            number = rows.get(key)
            if number is None:
                number = rows[key] = numbers.next()
            put.append(Row(number, name, encode(write(key, self[key]))))

    def detach(self) -> None:
        """Nothing is noted any more; the rows are no more."""
        if self._book is not None:
            if self._rows and not self._free and not self._changed:
                self._book.changed(self)
            self._free += self._rows.values()
            self._rows, self._changed = {}, {}
            self._book = None

    # -- as a dictionary -----------------------------------------------------------------------------------

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self._note(key)

    def __delitem__(self, key: K) -> None:
        super().__delitem__(key)
        self._gone(key)

    def pop(self, key: K, default: Any = _MISSING) -> Any:
        """As of any dictionary."""
        found = super().pop(key, _MISSING)
        if found is _MISSING:
            if default is _MISSING:
                raise KeyError(key)
            return default
        self._gone(key)
        return found

    def setdefault(self, key: K, default: Any = None) -> Any:
        """As of any dictionary."""
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **named: Any) -> None:
        """As of any dictionary."""
        for key, value in dict(*others, **named).items():
            self[key] = value

    def __ior__(self, other: Any) -> Noted[K, V]:  # type: ignore[override, misc]
        self.update(other)
        return self

    def clear(self) -> None:
        """As of any dictionary."""
        for key in list(self):
            del self[key]

    def popitem(self) -> tuple[K, V]:
        """As of any dictionary."""
        key, value = super().popitem()
        self._gone(key)
        return key, value

    def _note(self, key: K) -> None:
        if self._book is not None:
            if not self._changed and not self._free:
                self._book.changed(self)
            self._changed[key] = None

    def _gone(self, key: K) -> None:
        if self._book is None:
            return
        row = self._rows.pop(key, None)
        if row is not None:
            if not self._changed and not self._free:
                self._book.changed(self)
            self._free.append(row)
        self._changed.pop(key, None)
