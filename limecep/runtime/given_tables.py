"""Rows of a program as tables of its pipeline, without a plugin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from limecep.config.document import from_object
from limecep.config.nodes import Block
from limecep.intake.given import rows
from limecep.spec import ComponentSpec

if TYPE_CHECKING:
    from collections.abc import Callable

    from limecep.config.findings import Findings
    from limecep.config.nodes import Entry
    from limecep.contracts.context import Context
    from limecep.registry import Registry

#: What the file says of a table that holds for the rows of a program, too.
_KEPT = ("key", "from_time")
_NAME = "rows_of_the_program"


class GivenTables:
    """The rows of a program, by the names of tables.

    Raises:
        TypeError: Some are no rows: an iterable of mappings, or a table of pandas, polars or pyarrow.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        self._rows: dict[str, list[Any]] = {}
        for name, data in given.items():
            found = [] if isinstance(data, Mapping) else list(rows(data))
            if isinstance(data, Mapping) or not all(isinstance(row, Mapping) for row in found):
                raise TypeError(
                    f"table '{name}' is {data!r:.100}: give a list of dictionaries, a row each, or a table "
                    "of pandas, polars or pyarrow"
                )
            self._rows[name] = found

    def registry(self, registry: Registry) -> Registry:
        """The components there are, and one that gives the rows."""
        spec = ComponentSpec(
            kind="table",
            name=_NAME,
            factory=self._made,
            summary="What a program gives",
            capabilities=frozenset({"checked"}),
        )
        return registry.with_specs([spec])

    def _made(self, channel: str, options: Any, context: Context) -> _Given:
        return _Given(self._rows[context.label.partition(".")[2]])

    def placed(self, before: Callable[[Block, Findings], Block] | None) -> Callable[[Block, Findings], Block]:
        """What puts the rows into a document, in the places of the tables of their names; after what `before`
        puts there."""

        def place(root: Block, findings: Findings) -> Block:
            root = root if before is None else before(root, findings)
            entries = dict(root.entries)
            there = entries["tables"].value if "tables" in entries else None
            blocks: dict[str, Entry] = dict(there.entries) if isinstance(there, Block) else {}
            for name in self._rows:
                old = blocks[name].value if name in blocks else None
                kept = old.entries if isinstance(old, Block) else {}
                made = _block({name: {"from": _NAME}}, findings).entries[name]
                assert isinstance(made.value, Block)
                own = {**made.value.entries, **{k: v for k, v in kept.items() if k in _KEPT}}
                key = blocks[name].key if name in blocks else made.key
                blocks[name] = type(made)(key=key, value=Block(entries=own, origin=key.origin))
            room = _block({"tables": {}}, findings).entries["tables"]
            entries["tables"] = type(room)(key=room.key, value=Block(entries=blocks, origin=room.key.origin))
            return Block(entries=entries, origin=root.origin)

        return place


def _block(value: dict[str, Any], findings: Findings) -> Block:
    node = from_object(value, findings)
    assert isinstance(node, Block)
    return node


class _Given:
    """A table of rows that are there (`limecep.contracts.table`)."""

    def __init__(self, given: list[Any]) -> None:
        self._given = given

    def rows(self) -> list[Any]:
        """The rows."""
        return self._given
