"""What a state store answers when a run begins, if it is what its contract says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.errors import ContractBreach

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limecep.contracts.state import Row, StateStore


def figures_of(store: StateStore) -> dict[str, Any]:
    """What there is to say of how a state is kept.

    Raises:
        ContractBreach: It is no dictionary.
    """
    told: Any = store.figures()
    if not isinstance(told, dict):
        raise ContractBreach(store, f"gave {told!r} as its figures, no dictionary")
    return told


def rows_of(store: StateStore, name: str) -> Iterable[Row]:
    """The rows of a name.

    Raises:
        ContractBreach: They are none.
    """
    found: Any = store.rows(name)
    try:
        rows = list(found)
    except TypeError:
        raise ContractBreach(store, f"gave {found!r} where rows are due") from None
    for row in rows:
        if not isinstance(getattr(row, "value", None), bytes):
            raise ContractBreach(store, f"gave {row!r} where a row with bytes is due")
    return rows
