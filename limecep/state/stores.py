"""State stores that others brought, with everything looked at that they give.

What a store gives becomes detection again: what is no row, or no segment, would fail far from it, and nobody
would know whose mistake that is.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from limecep.contracts.shown import shown
from limecep.errors import ContractBreach

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limecep.contracts.state import Row, StateStore

#: Figures that a store need not have, what they may be, and that in words.
_FIGURES: tuple[tuple[str, Callable[[Any], bool], str], ...] = (
    ("path", lambda told: isinstance(told, str), "text is due"),
    ("bytes", lambda told: type(told) is int and told >= 0, "a whole number that is not negative is due"),
)


def checked(store: Any) -> StateStore:
    """A stand-in for a state store. It raises `ContractBreach` where the store gives what its contract rules
    out."""
    stand_in: Any = _Checked(store)
    checked: StateStore = stand_in
    return checked


class _Checked:
    def __init__(self, store: Any) -> None:
        self.guarded = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self.guarded, name)

    def figures(self) -> dict[str, Any]:
        told = self.guarded.figures()
        if not isinstance(told, dict) or not all(isinstance(key, str) for key in told):
            raise ContractBreach(
                self.guarded, f"gave {shown(told)} as its figures, no dictionary with text keys"
            )
        try:
            json.dumps(told, default=str, allow_nan=False)
        except (ValueError, TypeError, RecursionError):
            what = f"gave {shown(told)} as its figures, which JSON cannot say"
            raise ContractBreach(self.guarded, what) from None
        for name, sound, due in _FIGURES:
            if name in told and not sound(told[name]):
                what = f"gave {shown(told[name])} as '{name}' of its figures, where {due}"
                raise ContractBreach(self.guarded, what)
        return told

    def rows(self, name: str | None = None) -> Iterator[Row]:
        for row in self._each(self.guarded.rows(name), "rows"):
            number, named, value = (getattr(row, part, None) for part in ("number", "name", "value"))
            if type(number) is not int or not isinstance(named, str) or not isinstance(value, bytes):
                raise ContractBreach(
                    self.guarded, f"gave {shown(row)} where a row is due: a number, a name, bytes"
                )
            yield row

    def segments(self, low: int, high: int) -> Iterator[bytes]:
        for segment in self._each(self.guarded.segments(low, high), "segments"):
            if not isinstance(segment, bytes) or not segment:
                raise ContractBreach(self.guarded, f"gave {shown(segment)} where a segment is due: bytes")
            yield segment

    def _each(self, found: Any, what: str) -> Iterator[Any]:
        try:
            return iter(found)
        except TypeError:
            raise ContractBreach(self.guarded, f"gave {shown(found)} where {what} are due") from None
