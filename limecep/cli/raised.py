"""Functions of conditions that raised, which no function should, as a run tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.cli.accounting import RAISED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def raised(counts: Mapping[str, Any]) -> Iterator[str]:
    """A line for each function that the conditions of a pattern call and that raised.

    Args:
        counts: What the report has of the pattern.
    """
    for key, n in counts.items():
        if key.startswith(RAISED):
            function = key.removeprefix(RAISED)
            calls = "call of function" if n == 1 else "calls of function"
            yield (
                f"{n:,} {calls} '{function}' raised, so the value was missing: "
                f"'limecep plugins test function/{function}' shows of what"
            )
