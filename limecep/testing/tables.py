"""Tables for random conditions, and conditions that look values up in them.

They are a plugin, too: with `Host.load().with_plugins(limecep.testing.tables)`, and `BLOCK` as its `tables`,
a pipeline reads queries that look into them.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from limecep.local import component
from limecep.model.expression import Binary, Call, Constant, Expression, Unary
from limecep.model.keys import canonical
from limecep.model.table import Column, Rows, Table, TableRow
from limecep.testing.functions import changed
from limecep.testing.oracle.conditions import asks_for_the_end
from limecep.testing.streams import SECOND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hypothesis import strategies as st

    from limecep.contracts.context import Context
    from limecep.spec import NoOptions


def table(name: str, key: tuple[str, ...], rows: Iterable[Mapping[str, Any]], begins: str = "") -> Table:
    """A table of rows, no two of one key and time.

    Args:
        name: Its name.
        key: The columns of its key.
        rows: The rows.
        begins: The column of the time from which on a row holds, in seconds; "" where there is none.
    """
    listed = [
        TableRow(tuple(canonical(r[c]) for c in key), r[begins] * SECOND if begins else None, r) for r in rows
    ]
    listed.sort(key=lambda row: row.begins or 0)
    return Table(name, key, bool(begins), Rows(listed, repr(listed)))


def _rows(*keys: Any, values: Iterable[Any] = (1, 3, 2, 0, "x", None, True)) -> list[dict[str, Any]]:
    return [{"v": key, "x": value, "n": {"x": value}} for key, value in zip(keys, values, strict=False)]


#: All of them by their names: `limecep.language.parser.parse` takes `TABLES`. The key is `v` or `v` and `w`;
#: rows of `turns` and `phases` hold from the time `since` on, in seconds.
TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        table("levels", ("v",), _rows(0, 1, 2, 3, "x", True, 1.5)),
        table("few", ("v",), _rows(2, 3)),
        table("none", ("v",), ()),
        table("pairs", ("v", "w"), [{"v": v, "w": w, "x": (v + w) % 5} for v in range(4) for w in range(4)]),
        table(
            "turns",
            ("v",),
            [
                {"v": v, "since": since, "x": x}
                for v in (0, 1, 2, 3, "x")
                for since, x in zip((0, 3, 5, 9), (1, 3, None, 0), strict=True)
            ],
            "since",
        ),
        table("phases", ("v",), [{"v": 1, "since": s, "x": n} for s, n in zip((2, 4, 8), count())], "since"),
    )
}


#: The block `tables` of a pipeline that has all of them.
BLOCK: dict[str, Any] = {
    t.name: {
        "from": "kit",
        "channel": t.name,
        "key": list(t.key),
        **({"from_time": {"field": "since", "format": "epoch_s"}} if t.timed else {}),
    }
    for t in TABLES.values()
}


@component("table", name="kit", capabilities=frozenset({"channel", "checked"}))
class KitTable:
    """One of the tables of the testing kit."""

    def __init__(self, channel: str, options: NoOptions, context: Context) -> None:
        self._table = TABLES[channel]

    def rows(self) -> list[Mapping[str, Any]]:
        """Its rows."""
        return [row.values for row in self._table.rows.listed or ()]


def _look(name: str, *keys: Expression, column: tuple[str, ...] = ("x",)) -> Call:
    return Call(Column(TABLES[name], column), keys)


_ONE = Constant(1)
#: What may be made of a value.
_WRAPPINGS: list[Callable[[Expression], Expression]] = [
    lambda x: _look("levels", x),
    lambda x: _look("levels", x, column=("n", "x")),
    lambda x: _look("pairs", x, _ONE),
    lambda x: _look("turns", x),
    lambda x: _look("phases", _ONE),
    lambda x: Binary("+", x, _look("phases", _ONE)),
    lambda x: _look("levels", _look("turns", x)),
    lambda x: Binary("-", _look("levels", x), x),
    lambda x: _look("none", x),
]
#: What may be made of the two sides of a comparison.
_TESTS: list[Callable[[Binary], Expression]] = [
    lambda x: _look("few", x.left, column=()),
    lambda x: Unary("not", _look("few", x.left, column=())),
    lambda x: _look("turns", x.right, column=()),
    lambda x: replace(x, right=_look("pairs", x.left, x.right)),
    lambda x: replace(x, right=_look("turns", Binary("-", x.left, x.right))),
    lambda x: Binary("==", _look("levels", x.left), Constant(None)),
]


def looking_up(comparisons: st.SearchStrategy[Expression], *, ended: bool) -> st.SearchStrategy[Expression]:
    """Conditions that look something up, made of comparisons.

    Args:
        comparisons: The comparisons.
        ended: Whether the last step takes an event, so that it has the end event.
    """
    return changed(comparisons, _TESTS, _WRAPPINGS).filter(
        lambda condition: ended or not asks_for_the_end(condition)
    )
