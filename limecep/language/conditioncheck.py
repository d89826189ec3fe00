"""What is wrong with the conditions of a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from limecep.language.problems import QueryProblem
from limecep.language.structurecheck import OWN, has_attribute
from limecep.model.alternatives import sequences, written
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Current,
    Expression,
    Logical,
    Membership,
    Parameter,
    Unary,
)
from limecep.model.walk import children, conjuncts, walk
from limecep.model.words import find, is_plain, quoted
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import Any

    from limecep.model.pattern import Pattern, Step

_NULL = Constant(None)
_ORDERS = ("<", "<=", ">", ">=")
_OWN = {(name,) for name in OWN}


class ConditionCheck:
    """Looks at WHERE."""

    def __init__(
        self,
        pattern: Pattern,
        *,
        params: Iterable[str] | None,
        attributes: Mapping[str, Collection[str]],
        own: Mapping[str, Sequence[str]],
    ) -> None:
        self._pattern = pattern
        self._values = params if isinstance(params, Mapping) else {}
        self._params = None if params is None else frozenset(params)
        self._attributes = attributes
        self._made_of = own
        self._sequences = [written(s.parts) for s in sequences(pattern.structure)]
        #: The steps of each variable, one for each alternative of OR that has it.
        self._steps: dict[str, list[Step]] = {}
        for step in chain.from_iterable(self._sequences):
            self._steps.setdefault(step.variable, []).append(step)

    def problems(self) -> Iterator[QueryProblem]:
        """What is wrong."""
        for conjunct in conjuncts(self._pattern.where):
            nodes = list(walk(conjunct))
            yield from self.named(conjunct)
            found = [n for n in nodes if isinstance(n, Attribute | Aggregate)]
            if found and not _is_test(conjunct):
                # Most conditions are comparisons.
                from limecep.language.callcheck import no_condition

                yield from no_condition(conjunct, self._values, self._pattern.text)
            references = [n for n in found if n.variable in self._steps]
            yield from self._mixed(references)
            if any(s.negated for r in references for s in self._steps[r.variable]):
                # Few patterns have steps that are negated.
                from limecep.language.negationcheck import two_negated

                yield from two_negated(self._sequences, references)
        if self._pattern.returns:
            # Few patterns have values.
            from limecep.language.returncheck import returned

            yield from returned(self._pattern, self._steps, self.named)

    def named(self, expression: Expression) -> Iterator[QueryProblem]:
        """What is wrong with the names in an expression, and with what it calls."""
        nodes = list(walk(expression))
        if list in map(type, self._values.values()):
            # Few parameters are lists.
            from limecep.language.listcheck import misplaced

            yield from misplaced(expression, self._values)
        for node in nodes:
            yield from self._node(node)
        if _kinds_matter(nodes, self._values):
            # Most queries compare attributes with each other, and with numbers and texts.
            from limecep.language.callcheck import misfits

            yield from misfits(expression, self._values, self._pattern)

    def _node(self, node: Expression) -> Iterator[QueryProblem]:
        params = self._params
        if isinstance(node, Parameter) and params is not None and node.name not in params:
            hint = suggestion(node.name, filter(is_plain, params)) or "give it a value under 'params'"
            yield _error(node, "unknown-parameter", f"there is no parameter '{node.name}'", hint)
        if isinstance(node, Binary) and node.operator in _ORDERS and _NULL in (node.left, node.right):
            hint = "x = null is true where x is missing, x != null where it is there"
            yield _warning(node, "order-of-null", "nothing is less or greater than null", hint)
        if any(isinstance(n, Attribute) and n.path in _OWN for n in children(node)):
            # Few conditions name what events have themselves.
            from limecep.language.owncheck import OwnCheck

            yield from OwnCheck(self._steps, self._attributes, self._made_of, self._values).problems(node)
        if isinstance(node, Attribute | Aggregate):
            steps = self._steps.get(node.variable)
            if steps is None:
                message = f"there is no variable '{node.variable}'"
                yield _error(node, "unknown-variable", message, self._meant(node.variable))
                return
            yield from self._attribute(node, steps)
            if all(s.negated for s in steps):
                from limecep.language.negationcheck import misplaced

                yield from misplaced(node)
            elif (most := _most(steps)) is not None and (
                isinstance(node, Aggregate) or node.index is not None
            ):
                # Most groups are of any size.
                from limecep.language.placecheck import needless

                yield from needless(node, most, all(s.quantifier.single for s in steps))

    def _meant(self, name: str) -> str:
        of_type = [v for v, steps in self._steps.items() if any(name in s.types for s in steps)]
        if of_type:
            return f"events of type {name} are {' and '.join(map(quoted, of_type))} here"
        return suggestion(name, self._steps)

    def _attribute(self, node: Attribute | Aggregate, steps: list[Step]) -> Iterator[QueryProblem]:
        types = {t for s in steps for t in s.types}
        if not node.path or any(t not in self._attributes for t in types):
            return
        known = {name for t in types for name in self._attributes[t]}
        if not has_attribute(known, node.path):
            message = f"'{node.variable}' has no attribute '{node.path[0]}'"
            start, end = find(node.path[0], self._pattern.text, node.span)
            found = _error(node, "unknown-attribute", message, suggestion(node.path[0], known))
            yield replace(found, start=start, end=end)

    def _mixed(self, references: list[Attribute | Aggregate]) -> Iterator[QueryProblem]:
        indexed = {r.variable for r in references if _has_i(r)}
        for node in references:
            bare = isinstance(node, Attribute) and node.index is None and node.variable in indexed
            if bare and _most(self._steps[node.variable]) != 1:
                name = quoted(node.variable)
                message = f"{name} without index means each of its events, whatever i is"
                hint = f"write {name}[i], or put it into a condition of its own"
                yield _error(node, "mixed-index", message, hint)


def _is_test(node: Expression) -> bool:
    """Whether it is true or false of itself, or looked at elsewhere."""
    if isinstance(node, Unary | Binary):
        return node.operator in ("not", "==", "!=", *_ORDERS)
    return isinstance(node, Logical | Membership | Between)


def _kinds_matter(nodes: Sequence[Expression], params: Mapping[str, Any]) -> bool:
    """Whether more is done with values than comparing attributes with each other, or with something given,
    and calculating with numbers: then their kinds are looked at."""
    given = [params.get(n.name) if isinstance(n, Parameter) else getattr(n, "value", None) for n in nodes]
    told = any(isinstance(v, str | bool) for v in given)
    return any(
        isinstance(n, Call | Unary)
        or any(map(_is_test, children(n)))
        or (isinstance(n, Attribute | Aggregate) and (n.path == ("time",) or _collects(n)))
        or (told and (isinstance(n, Aggregate) or not (children(n) == () or _is_test(n))))
        for n in nodes
    )


def _collects(node: Attribute | Aggregate) -> bool:
    return isinstance(node, Aggregate) and node.function == "collect"


def _most(steps: list[Step]) -> int | None:
    """The most events that any of these steps takes; None if there is no bound."""
    most = [s.quantifier.maximum for s in steps]
    return None if None in most else max(m for m in most if m is not None)


def _has_i(node: Attribute | Aggregate) -> bool:
    return node.running if isinstance(node, Aggregate) else isinstance(node.index, Current)


def _error(node: Expression, code: str, message: str, hint: str) -> QueryProblem:
    return QueryProblem(code=code, message=message, hint=hint, start=node.span[0], end=node.span[1])


def _warning(node: Expression, code: str, message: str, hint: str) -> QueryProblem:
    start, end = node.span
    return QueryProblem(code=code, message=message, hint=hint, severity="warning", start=start, end=end)
