"""What a skip strategy may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.contracts.results import Skip
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection

#: What `Skip.to` may be, and whether it names a variable.
STRATEGIES = {"next": False, "past-last": False, "first": True, "last": True}


def skip_problem(told: Any, variables: Collection[str] | None = None) -> str:
    """What is wrong with a skip strategy, in words that follow "which is"; "" if nothing is.

    Args:
        told: What a policy has as its `skip`; None for none.
        variables: Those of the pattern that take events; None where they are not known.
    """
    if told is None:
        return ""
    if not isinstance(told, Skip):
        return "neither None nor a Skip"
    # Nothing has looked at what the two were made with.
    to: Any = told.to
    variable: Any = told.variable
    if not isinstance(to, str) or to not in STRATEGIES:
        near = suggestion(to, STRATEGIES) if isinstance(to, str) else ""
        return f"none of the strategies {', '.join(STRATEGIES)}" + (f": {near}" if near[:3] == "did" else "")
    if not isinstance(variable, str):
        return "a Skip whose variable is no text"
    if not STRATEGIES[to]:
        return f"a Skip with a variable, and '{to}' has none" if variable else ""
    if not variable:
        return f"a Skip without a variable, and '{to}' needs one"
    if variables is not None and variable not in variables:
        near = suggestion(variable, variables)
        return f"a Skip to '{variable}', no variable of the pattern that takes events: {near}"
    return ""
