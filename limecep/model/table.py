"""Tables in which expressions look values up (SEMANTICS 12)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


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
