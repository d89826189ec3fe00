"""Functions of conditions that raised, or gave what they do not say: no function should."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from limecep.diagnosis.reason import reason
from limecep.registry import FILES

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
                    f"'limecep plugins test function/{_path(function)}' shows of what",
                )


def _path(function: str) -> str:
    """A function as `limecep plugins test` finds it: one of a pipeline's file by that, seen from here.

    Args:
        function: Its name, or `distribution:name`.
    """
    name = function.rpartition(":")[2]
    for module in [m for n, m in sys.modules.items() if n.startswith(FILES)]:
        from limecep.local import specs_of

        if any((spec.kind, spec.name) == ("function", name) for spec in specs_of(module)):
            file = os.path.relpath(str(module.__file__))
            return f"{file if file.startswith(os.pardir) else os.path.join(os.curdir, file)}:{name}"
    return function
