"""What is wrong with a query that can be read: names that nothing has, conditions that mean nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.language.conditioncheck import ConditionCheck
from limecep.language.structurecheck import StructureCheck

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from limecep.language.problems import QueryProblem
    from limecep.model.pattern import Pattern


def check(
    pattern: Pattern,
    *,
    types: Iterable[str] | None = None,
    params: Iterable[str] | None = (),
    attributes: Mapping[str, Collection[str]] | None = None,
    own: Mapping[str, Sequence[str]] | None = None,
) -> list[QueryProblem]:
    """Everything that is wrong with a pattern, in the order of its text.

    Args:
        pattern: The pattern; offsets point into `pattern.text`.
        types: The event types there are; None if there may be others.
        params: The names of the parameters that have a value, or their values by these names; None if there
            may be others.
        attributes: The attributes of those types of which all are known.
        own: The fields that the `id`, the `type` and the `source` of events are made of, by these names.
    """
    structure = StructureCheck(pattern, types=types, attributes=attributes or {})
    conditions = ConditionCheck(pattern, params=params, attributes=attributes or {}, own=own or {})
    return sorted([*structure.problems(), *conditions.problems()], key=lambda p: (p.start, p.end))
