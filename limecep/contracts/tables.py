"""Tables: dictionaries whose entries survive a crash where a pipeline has a state, and plain ones elsewhere.

Each object owns its state. When it is made, it asks `Tables` for its dictionaries, and says how their entries
are written and read back. `snapshot()` gives the rest of its state by the names of its attributes, as values
of JSON; `restore(known)` takes that back once the tables are filled. An object with tables only needs no
`snapshot`; its `restore` derives what follows from them. All other attributes are arguments, or stand in
`transient`, a set of names: they follow from the rest, or begin anew with each run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep.model.event import Event

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Form(Generic[K, V]):
    """How the entries of a table are written, and read back.

    Attributes:
        write: An entry, of a key and a value, as values of JSON.
        read: The entry that was written so, given the events in memory by their ordinals. Raises LookupError
            if one of them is missing.
        table: The table an entry belongs to, where several have one name.
    """

    write: Callable[[K, V], Any]
    read: Callable[[Any, Mapping[int, Event]], tuple[K, V]]
    table: Callable[[K, V], dict[K, V]] | None = None


class Tables(Protocol):
    """Makes tables."""

    def table(self, name: str, form: Form[K, V], held: dict[K, V] | None = None) -> dict[K, V]:
        """A table. Tables are read back in the order in which their names were first asked for.

        Args:
            name: Of the table, or of several that have one form.
            form: How its entries are written.
            held: What is in it from the beginning.
        """

    def drop(self, table: dict[Any, Any]) -> None:
        """A table is needed no more."""

    def of(self, name: str) -> Tables:
        """Makes the tables of a part, whose names are its own."""


class PlainTables:
    """Those of a pipeline without state: plain dictionaries."""

    def table(self, name: str, form: Form[K, V], held: dict[K, V] | None = None) -> dict[K, V]:
        return {} if held is None else held

    def drop(self, table: dict[Any, Any]) -> None: ...

    def of(self, name: str) -> PlainTables:
        return self


PLAIN = PlainTables()
