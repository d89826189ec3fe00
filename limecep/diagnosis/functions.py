"""Functions of conditions that raised, or gave what they do not say: no function should."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.diagnosis.reason import reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limecep.language.problems import QueryProblem

#: What the figures of a pattern have, with the name of the function behind it, and what that did.
MISTAKES = {"raised_by_": "raised", "other_kind_by_": "gave another kind than it says"}


def mistaken(figures: Mapping[str, int]) -> Iterator[QueryProblem]:
    """A reason for each function that the conditions of a pattern call and that did what it should not.

    Args:
        figures: What the report has of the pattern.
    """
    for key, n in figures.items():
        for prefix, did in MISTAKES.items():
            if key.startswith(prefix):
                function = key.removeprefix(prefix)
                calls = "call of function" if n == 1 else "calls of function"
                yield reason(
                    "mistaken-function",
                    f"{n:,} {calls} '{function}' {did}, so the value was missing",
                    f"'limecep plugins test function/{function}' shows of what",
                )
