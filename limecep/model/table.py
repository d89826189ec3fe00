"""Tables in which expressions look values up (SEMANTICS 12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.model.expression import ATOM, COMPARISON, SUM, Aggregate, Attribute, Call, joined
from limecep.model.walk import walk
from limecep.model.words import path_text, quoted
from limecep.signature import Argument, Signature

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from limecep.model.expression import Expression


class TableRow(NamedTuple):
    """A row of a table.

    Attributes:
        key: The values of the key columns, each in one spelling (`limecep.model.keys.canonical`).
        begins: The `t_gen` from which on it holds, in microseconds; None where rows always hold.
        values: Its columns.
    """

    key: tuple[Any, ...]
    begins: int | None
    values: Mapping[str, Any]


class Rows:
    """The rows of a table, no two of one key that hold from the same time on. They are filled in once, before
    the first event.

    Attributes:
        listed: The rows, sorted by the time from which on they hold; None as long as they were not read.
        digest: Tells them from others.
        indices: What was made of them to look values up in, by column. It does not go along where they are
            pickled.
    """

    __slots__ = ("_columns", "digest", "indices", "listed")

    def __init__(self, listed: Sequence[TableRow] | None = None, digest: str = "") -> None:
        self.listed = listed
        self.digest = digest
        self.indices: dict[tuple[str, ...], Any] = {}
        self._columns: dict[str, set[type]] | None = None

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return Rows, (self.listed, self.digest)

    def fill(self, listed: Sequence[TableRow], digest: str) -> None:
        """Fills them in, once they are read."""
        self.listed, self.digest = listed, digest
        self.indices.clear()
        self._columns = None

    @property
    def columns(self) -> Mapping[str, set[type]]:
        """The columns that rows have, each with the types of its values. None of a table without rows, or
        that was not read."""
        if self._columns is None:
            self._columns = {}
            for row in self.listed or ():
                for name, value in row.values.items():
                    kinds = self._columns.setdefault(name, set())
                    if value is not None:
                        kinds.add(type(value))
        return self._columns


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Two of one name and form are equal.

    Attributes:
        name: As queries call it.
        key: The columns of its key; none where they are not known, because the configuration is wrong.
        timed: Whether its rows have a time from which on they hold.
        rows: Its rows.
    """

    name: str
    key: tuple[str, ...]
    timed: bool = False
    rows: Rows = field(default_factory=Rows, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, called like a function: with the values of the key, and, once a plan says so, with
    the `TimeOf` at which the row has to hold. Without a path it is whether there is a row, `x IN t`.

    Attributes:
        table: The table.
        path: The column, as a path.
        timed: Whether its value depends on when an event was.
    """

    table: Table
    path: tuple[str, ...]

    @property
    def name(self) -> str:
        """What messages and filters call it."""
        return f"{self.table.name}[].{path_text(self.path)}"

    @property
    def signature(self) -> Signature:
        """What it takes and gives, as far as the rows say."""
        given = tuple(Argument(name, "object", missing=False) for name in self.table.key)
        more = Argument("key", "object", missing=False)
        kinds = self.table.rows.columns.get(".".join(self.path), ())
        return Signature(given, len(given), more, kind_of(kinds) if self.path else "bool")

    @property
    def timed(self) -> bool:
        return self.table.timed

    def shown(self, arguments: Sequence[Expression]) -> tuple[str, int]:
        """The text of a look-up, and how tightly it binds."""
        if not self.path:
            return f"{joined(arguments[0], SUM)} IN {quoted(self.table.name)}", COMPARISON
        keys = ", ".join(str(a) for a in arguments if not isinstance(a, TimeOf))
        return f"{quoted(self.table.name)}[{keys}].{path_text(self.path)}", ATOM


@dataclass(frozen=True, slots=True)
class TimeOf(Attribute):
    """The `t_gen` of an event. No query names it: plans do, for tables whose rows hold from a time on. It has
    no path."""


def kind_of(types: Collection[type]) -> str:
    """The kind of values of these types, as signatures have it."""
    names = {kind.__name__ for kind in types}
    if names and names <= {"int", "float"}:
        return "int" if names == {"int"} else "float"
    return names.pop() if len(names) == 1 and names <= {"str", "bool"} else "object"


def columns_in(node: Expression) -> list[tuple[Call, Column]]:
    """The look-ups in an expression, each with its column."""
    return [(n, n.function) for n in walk(node) if isinstance(n, Call) and isinstance(n.function, Column)]


def of_one_event(lookup: Call) -> Attribute | None:
    """What names the event whose attributes alone make the key of a look-up; None where they are of none, or
    of several."""
    named = [n for key in lookup.arguments for n in walk(key) if isinstance(n, Attribute | Aggregate)]
    found = [n for n in named if isinstance(n, Attribute)]
    alone = len({(n.variable, n.index) for n in found}) == 1 and len(found) == len(named)
    return found[0] if alone else None
