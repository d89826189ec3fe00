"""Spreads of figures as values of JSON, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.statistics import Spread


def spread_out(spread: Spread) -> list[Any]:
    """All there is to it."""
    return [spread.count, spread.total, spread.minimum, spread.maximum]


def spread_in(spread: Spread, value: Sequence[Any]) -> None:
    """It is that one."""
    spread.count, spread.total, spread.minimum, spread.maximum = value
