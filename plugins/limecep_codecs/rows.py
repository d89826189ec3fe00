"""Records in rows, as `limecep.contracts.codec.Table` has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.source import Bulk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.contracts.codec import Record
    from limecep.contracts.source import Message


def values_of(messages: Sequence[Message]) -> Sequence[bytes] | None:
    """The values of messages; None where the transport could not bring one of them whole."""
    if isinstance(messages, Bulk):
        return messages.values
    return None if any(m.error for m in messages) else [m.value for m in messages]


class Rows:
    """Records that are dictionaries already."""

    def __init__(self, messages: Sequence[Message], records: Sequence[Record]) -> None:
        self.messages = messages
        self._records = records

    def column(self, name: str) -> list[Any]:
        return [record[name] for record in self._records]

    def record(self, number: int) -> Record:
        return self._records[number]


class CellRows:
    """Records of cells in the order of the columns.

    Args:
        messages: Those that they came from.
        cells: The cells of all, one after the other, with one between two records that is none of either.
        names: The names of the columns.
        missing: Cells that stand for no value.
        make: Makes a record of names and cells.
    """

    def __init__(
        self,
        messages: Sequence[Message],
        cells: list[str],
        names: list[str],
        missing: frozenset[str],
        make: Callable[[list[str], list[str]], Record],
    ) -> None:
        self.messages = messages
        self._cells = cells
        self._names = names
        self._missing = missing
        self._make = make

    def column(self, name: str) -> list[Any]:
        if name not in self._names:
            raise LookupError(name)
        cells = self._cells[self._names.index(name) :: len(self._names) + 1]
        if not self._missing.isdisjoint(cells):
            raise LookupError(name)
        return cells

    def record(self, number: int) -> Record:
        begin = number * (len(self._names) + 1)
        return self._make(self._names, self._cells[begin : begin + len(self._names)])
