"""The values of a match (section 12)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from limecep.model.alternatives import sequences, written
from limecep.model.event import sort_key
from limecep.model.instants import Instant
from limecep.testing.oracle.values import MISSING, Scope, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.model.event import Event
    from limecep.model.pattern import Pattern


def returned(
    pattern: Pattern, groups: Mapping[str, Sequence[Event]], params: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """What RETURN gives a match, None for what is missing.

    Args:
        pattern: The pattern.
        groups: The events of each variable of the match.
        params: The values of parameters.
    """
    each: dict[str, Any] = dict.fromkeys(
        s.variable for sequence in sequences(pattern.structure) for s in written(sequence.parts)
    )
    each |= {variable: group[0] for variable, group in groups.items() if group}
    end = max((v for v in groups if groups[v]), key=lambda v: sort_key(groups[v][-1]))
    scope = Scope(groups=groups, each=each, i=0, params=params or {}, end=end)
    return {value.name: _told(evaluate(value.expression, scope)) for value in pattern.returns}


def _told(value: Any) -> Any:
    if isinstance(value, Instant):
        return str(value)
    if isinstance(value, list):
        return [_told(v) for v in value]
    if isinstance(value, dict):
        return {name: _told(v) for name, v in value.items()}
    odd = isinstance(value, float) and not math.isfinite(value)
    return None if value is MISSING or odd else value
