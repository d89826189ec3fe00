"""What every event has itself, its id, type and source, is text: what takes it for something else."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from limecep.language.problems import QueryProblem
from limecep.language.structurecheck import TEXTS, has_attribute
from limecep.model.expression import (
    Attribute,
    Between,
    Binary,
    Constant,
    Expression,
    Membership,
    Parameter,
    Unary,
)
from limecep.model.walk import children

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from limecep.model.pattern import Step

_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class OwnCheck:
    """Looks at what is compared, and calculated with. A payload may have something else under such a name.

    Args:
        steps: The steps of each variable.
        attributes: The attributes of those types of which all are known.
        own: The fields that the `id`, the `type` and the `source` of events are made of, by these names.
        params: The values of parameters that are known.
    """

    def __init__(
        self,
        steps: Mapping[str, Sequence[Step]],
        attributes: Mapping[str, Collection[str]],
        own: Mapping[str, Sequence[str]],
        params: Mapping[str, Any],
    ) -> None:
        self._steps = steps
        self._attributes = attributes
        self._made_of = own
        self._values = params

    def problems(self, node: Expression) -> Iterator[QueryProblem]:
        """What is wrong with a node, by what stands right below it."""
        calculates = isinstance(node, Binary) and node.operator not in _COMPARISONS
        calculates = calculates or (isinstance(node, Unary) and node.operator != "not")
        compares = isinstance(node, Binary | Membership | Between) and not calculates
        numbers = [n for n in map(self._number, children(node)) if n is not None] if compares else []
        for side in children(node) if calculates or numbers else ():
            if not isinstance(side, Attribute) or len(side.path) != 1 or side.path[0] not in TEXTS:
                continue
            name = side.path[0]
            types = {t for s in self._steps.get(side.variable, ()) for t in s.types}
            known = [t in self._attributes for t in types]
            if not types or any(name in self._attributes.get(t, ()) for t in types):
                continue
            if not (all(known) or self._made_elsewhere(name)):
                continue
            what = (
                f"it does not compare with {numbers[0]}" if numbers else "nothing can be calculated with it"
            )
            unless = "" if all(known) else f", unless the record has a field '{name}'"
            message = f"{side} is text: {what}{unless}"
            yield QueryProblem(
                code="text-attribute",
                message=message,
                hint=self._instead(side, numbers),
                severity="warning",
                start=node.span[0],
                end=node.span[1],
            )

    def _number(self, node: Expression) -> Constant | None:
        """The number, or truth value, that a node is."""
        value = self._values.get(node.name) if isinstance(node, Parameter) else None
        found = node if isinstance(node, Constant) else Constant(value)
        return found if isinstance(found.value, int | float) else None

    def _made_elsewhere(self, name: str) -> bool:
        """Whether it is known that what an event has itself under a name is of no field of that name. A
        source that declares no id may well have records with one."""
        fields = self._made_of.get(name)
        return fields is not None and name not in fields and (name != "id" or bool(fields))

    def _instead(self, side: Attribute, numbers: list[Constant]) -> str:
        """How to compare with the text, or with the field that it is made of."""
        ways = [f"write '{numbers[0]}'"] if numbers else []
        fields = self._made_of.get(side.path[0], ())
        path = tuple(fields[0].split(".")) if len(fields) == 1 else ()
        types = {t for s in self._steps[side.variable] for t in s.types} & self._attributes.keys()
        kept = all(has_attribute(self._attributes[t], path) for t in types)
        if path and path != side.path and kept and not path[0].startswith("$"):
            ways.append(f"name the field itself, {replace(side, path=path)}")
        return ", or ".join(ways)
