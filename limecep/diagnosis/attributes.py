"""Conditions against what events have: attributes that are missing, and values that do not compare."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, Any

from limecep.diagnosis.operands import OF_FUNCTIONS, ORDERED, compared, may_be_missing, operands
from limecep.diagnosis.reason import reason
from limecep.intake.payload import CONVERTERS
from limecep.model.alternatives import sequences, written
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Binary,
    Call,
    Constant,
    Expression,
    Logical,
    Unary,
)
from limecep.model.instants import Instant
from limecep.model.walk import walk
from limecep.model.words import find, path_text
from limecep.plan.partition import compile_partition
from limecep.plan.values import COMPARISONS, NUMBERS, OWN_ATTRIBUTES, attribute, dig
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from limecep.diagnosis.evidence import Evidence
    from limecep.language.problems import QueryProblem
    from limecep.model.expression import Span
    from limecep.model.pattern import Pattern

#: How many names, or values, are shown.
_SHOWN = 10
_FEW = 3
_LONG = 30
_KINDS: dict[type, str] = {
    bool: "a boolean", str: "text", list: "a list", dict: "an object", Instant: "a time",
}  # fmt: skip
_SEVERAL = {
    "a number": "numbers",
    "text": "texts",
    "a boolean": "booleans",
    "a list": "lists",
    "an object": "objects",
}
#: What to do where a key is none.
_KEYS = "a key is text, a number or a boolean: name an attribute inside of it"
_COMPARED = ORDERED | {"a boolean"}


def kind(value: Any) -> str:
    """What a value is, in words."""
    return "a number" if type(value) in NUMBERS else _KINDS.get(type(value), f"a {type(value).__name__}")


def shown(value: Any) -> str:
    """A value as a query would have it, shortened."""
    text = f"'{value}'" if isinstance(value, str) else str(value)
    if isinstance(value, bool):
        text = text.lower()
    return text if len(text) <= _LONG else f"{text[: _LONG - 1]}…"


def listed(names: Iterable[str]) -> str:
    """Names in quotes, the first ten."""
    names = list(names)
    return ", ".join(f"'{n}'" for n in names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")


def place_of_key(pattern: Pattern, path: tuple[str, ...]) -> Span:
    """Where an attribute of PARTITION BY stands in the query, which may also be `[room]` in WHERE."""
    text = pattern.text
    return find(path[0], text, (max(text.upper().rfind("PARTITION"), 0), len(text)))


class Attributes:
    """Looks at the conditions of one pattern.

    Args:
        pattern: The pattern, parameters bound.
        evidence: What came.
        variables: Only conditions on some of these are looked at; None: all, and the values of RETURN.

    Attributes:
        expressions: What is looked at.
    """

    def __init__(
        self, pattern: Pattern, evidence: Evidence, variables: Collection[str] | None = None
    ) -> None:
        self.pattern = pattern
        self.evidence = evidence
        self._variables = variables
        self.expressions = [] if pattern.where is None else [pattern.where]
        if variables is None:
            self.expressions = [*pattern.expressions]
        self._known: dict[tuple[str, tuple[str, ...]], list[Any]] = {}

    def absent(self) -> Iterator[QueryProblem]:
        """Attributes that conditions name and no event has."""
        tested = {part for node in self._nodes() for part in may_be_missing(node)}
        done = set()
        for node in self._nodes():
            if not isinstance(node, Attribute | Aggregate) or not node.path or node in tested:
                continue
            types = self.types_of(node.variable)
            if (node.variable, node.path) in done or not self.evidence.of(types).events:
                continue
            if self._values(node.variable, node.path):
                continue
            done.add((node.variable, node.path))
            start, end = find(node.path[0], self.pattern.text, node.span)
            what = f"{node.variable}.{path_text(node.path)}"
            yield self._absent(what, node.path, types, (start, end))

    def without_key(self, *, some: bool = True) -> Iterator[QueryProblem]:
        """Attributes of PARTITION BY that all events of a type lack, or `some`."""
        for path in self.pattern.partition:
            span, what = place_of_key(self.pattern, path), f"{path_text(path)}, of PARTITION BY,"
            types = sorted({t for s in self._steps() for t in s.types})
            yield from self._keyless(what, path, types, span, some=some)
            lacking = {
                t: sum(attribute(e, path) is None for e in self.evidence.of([t]).events) for t in types
            }
            without = [t for t in types if lacking[t] and lacking[t] == len(self.evidence.of([t]).events)]
            if without:
                yield self._absent(what, path, without, span)
            for event_type in types:
                if some and lacking[event_type] and event_type not in without:
                    amount = self.evidence.amount([event_type], every=False)
                    yield reason(
                        "absent-attribute",
                        f"{what} was missing in {lacking[event_type]:,} of {amount}",
                        "events without it take no part",
                        span,
                    )

    def _keyless(
        self, what: str, path: tuple[str, ...], types: list[str], span: Span, *, some: bool
    ) -> Iterator[QueryProblem]:
        """Values that nothing equals, so that they are no keys."""
        key = compile_partition((path,))
        for event_type in types:
            events = self.evidence.of([event_type]).events
            values = [v for e in events if (v := attribute(e, path)) is not None and key(e) is None]
            every = len(values) == len(events)
            if values and (every or some):
                count = "" if every else f"{len(values):,} of "
                amount = self.evidence.amount([event_type], every=every)
                kinds = _either(set(map(kind, values)))
                yield reason("no-key", f"{what} is {kinds} in {count}{amount}: no key", _KEYS, span)

    def _absent(
        self, what: str, path: tuple[str, ...], types: list[str], span: tuple[int, int]
    ) -> QueryProblem:
        names: Counter[str] = Counter()
        for event in self.evidence.of(types).events:
            inside = dig(event.payload, path[:-1])
            names.update(inside.keys() if isinstance(inside, dict) else event.payload.keys())
        has = f"they have {listed(sorted(names))}" if names else "they have no attributes"
        near = suggestion(path[-1], names)
        return reason(
            "absent-attribute",
            f"{what} was missing in {self.evidence.amount(types)}: {has}",
            near if near.startswith("did") else "",
            span,
        )

    def uncomparable(self, *, differing: bool = False) -> Iterator[QueryProblem]:
        """Comparisons whose two sides were never of kinds that compare.

        Args:
            differing: Whether `!=` is looked at, too: between values of different kinds it is always true.
        """
        for node in self._nodes():
            for operator, left, right in compared(node):
                if operator == "!=" and not differing:
                    continue
                one, other = self._kinds(left), {k for r in right for k in self._kinds(r)}
                comparable = _COMPARED if operator in ("==", "!=") else ORDERED
                if not one or not other or any(x == y and x in comparable for x, y in product(one, other)):
                    continue
                said = f"compared {_either(one)} with {_either(other)} in {self._amount(node)}"
                hint = self._mend(left, right[0])
                yield reason("kinds-differ", f"{self._text(node)} {said}", hint, node.span)
                break

    def unusable(self) -> Iterator[QueryProblem]:
        """Operands that were never of a kind with which anything can be done: text in arithmetic, a number
        where a condition stands."""
        conditions = {id(n) for n in truths(self.pattern.where)}
        for node in self._nodes():
            kinds = self._kinds(node) if id(node) in conditions and _variables(node) else set()
            if kinds and "a boolean" not in kinds:
                text = self._text(node)
                hint = f"compare it with something, as in {text} > 0"
                yield self._unusable(text, node, kinds, hint, node)
            for operand, wanted in operands(node):
                kinds = self._kinds(operand)
                if kinds and not kinds & wanted:
                    hint = self._number(operand) if "a number" in wanted else ""
                    yield self._unusable(self._text(node), operand, kinds, hint, node)

    def _unusable(
        self, text: str, operand: Expression, kinds: set[str], hint: str, node: Expression
    ) -> QueryProblem:
        name = path_text(operand.path) if isinstance(operand, Attribute) else self._text(operand)
        amount = self._amount(operand)
        said = f"{text}: {name} is {_either(kinds)}" + (f" in {amount}" if amount else "")
        return reason("kinds-differ", said, hint, node.span)

    def mixed(self, told: Collection[str] = ()) -> Iterator[QueryProblem]:
        """Attributes that conditions name and that hold values of several kinds, but for those `told`. What a
        function makes one kind of is mended."""
        done = set()
        mended = set[int]()
        for expression in self.expressions:
            if any(isinstance(node, Call) for node in walk(expression)):
                # Most conditions call none.
                from limecep.model.conversions import converted

                mended.update(id(node) for node in converted(expression))
        for node in self._nodes():
            if not isinstance(node, Attribute | Aggregate) or (node.variable, node.path) in done:
                continue
            if id(node) in mended:
                continue
            done.add((node.variable, node.path))
            if path_text(node.path) in told:
                continue
            values = self._values(node.variable, node.path) if node.path else []
            kinds = Counter(map(kind, values))
            if len(kinds) < 2:
                continue
            most = kinds.most_common(1)[0][0]
            examples = dict.fromkeys(shown(v) for v in values if kind(v) != most)
            counts = " and ".join(
                f"{n:,} {_SEVERAL.get(k, k) if n > 1 else k.removeprefix('a ')}"
                for k, n in kinds.most_common()
            )
            yield reason(
                "mixed-kinds",
                f"{node.variable}.{path_text(node.path)} holds {counts} ({', '.join(list(examples)[:_FEW])})",
                "values of different kinds have no order, and are never equal",
                node.span,
            )

    # -- what there is -------------------------------------------------------------------------------------

    def _nodes(self) -> Iterator[Expression]:
        """The parts of the expressions."""
        for node in (part for expression in self.expressions for part in walk(expression)):
            if self._variables is None or any(v in self._variables for v in _variables(node)):
                yield node

    def _steps(self) -> Iterator[Any]:
        return (s for sequence in sequences(self.pattern.structure) for s in written(sequence.parts))

    def types_of(self, variable: str) -> list[str]:
        """The types of a variable of which events came."""
        types = dict.fromkeys(t for s in self._steps() if s.variable == variable for t in s.types)
        return [t for t in types if t in self.evidence.seen and self.evidence.seen[t].total]

    def _values(self, variable: str, path: tuple[str, ...]) -> list[Any]:
        """The values that the events of a variable have, missing ones aside."""
        known = self._known.get((variable, path))
        if known is None:
            events = self.evidence.of(self.types_of(variable)).events
            known = [v for e in events if (v := attribute(e, path)) is not None]
            self._known[variable, path] = known
        return known

    def _kinds(self, node: Expression) -> set[str]:
        """The kinds of value that an expression had, missing ones aside."""
        match node:
            case Constant():
                return set() if node.value is None else {kind(node.value)}
            case Attribute():
                return set(map(kind, self._values(node.variable, node.path)))
            case Aggregate(function="count"):
                return {"a number"}
            case Aggregate(function="collect" | "column"):
                return {"a list"}
            case Aggregate():
                of = set(map(kind, self._values(node.variable, node.path)))
                return of & (ORDERED if node.function in ("min", "max") else {"a number"})
            case Unary(operator="not"):
                return {"a boolean"}
            case Unary():
                return self._kinds(node.operand) & {"a number"}
            case Call():
                return set(OF_FUNCTIONS.get(node.function.signature.result, ()))
            case Binary() if node.operator not in COMPARISONS:
                left, right = self._kinds(node.left), self._kinds(node.right)
                if "a time" in left | right:
                    return {"a number"} if {"a time"} == left == right else {"a time"}
                return left & right & {"a number"}
        return {"a boolean"}

    def _text(self, node: Expression) -> str:
        return " ".join(self.pattern.text[slice(*node.span)].split()) or str(node)

    def _amount(self, node: Expression) -> str:
        return " and ".join(self.evidence.amount(self.types_of(v)) for v in _variables(node))

    def _mend(self, *sides: Expression) -> str:
        """What to do where an attribute is compared with a value of another kind."""
        for one, other in (sides, sides[::-1]):
            if not isinstance(one, Attribute):
                continue
            numbers = self._kinds(other) == {"a number"}
            if numbers and (hint := self._number(one)):
                return hint
            if values := self._values(one.variable, one.path):
                return f"{path_text(one.path)} was {_few(values)}"
        return ""

    def _number(self, node: Expression) -> str:
        """How an attribute becomes a number that is text."""
        if not isinstance(node, Attribute):
            return ""
        values, name = self._values(node.variable, node.path), path_text(node.path)
        if not values or not all(isinstance(v, str) for v in values):
            return ""
        if own := self._own(node):
            return own
        if any(CONVERTERS["float"](v) is None for v in values):
            return ""
        return f"{name} is text such as {_few(values)}: {name}: float in 'payload' makes numbers of it"

    def _own(self, node: Attribute) -> str:
        """What to do where an attribute is what the event has itself, which is always text; "" where it is
        one of the payload."""
        name = path_text(node.path)
        events = self.evidence.of(self.types_of(node.variable)).events
        if name not in OWN_ATTRIBUTES or any(name in e.payload for e in events):
            return ""
        few = _few(self._values(node.variable, node.path))
        came = {e.source for e in events}
        fields = {s.own[name] for s in self.evidence.sources if s.name in came and name in s.own}
        field = fields.pop() if len(fields) == 1 else ""
        if field and all(dig(e.payload, tuple(field.split("."))) is not None for e in events):
            return (
                f"the {name} of an event is text, such as {few}; the field itself is {node.variable}.{field}"
            )
        return f"the {name} of an event is text, such as {few}"


def _few(values: Iterable[Any]) -> str:
    return ", ".join(list(dict.fromkeys(map(shown, values)))[:_FEW])


def _variables(node: Expression) -> list[str]:
    return list(dict.fromkeys(n.variable for n in walk(node) if isinstance(n, Attribute | Aggregate)))


def _either(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds))


def truths(where: Expression | None) -> Iterator[Expression]:
    """The parts of a WHERE that are true or false by themselves."""
    match where:
        case Logical():
            for operand in where.operands:
                yield from truths(operand)
        case Unary(operator="not"):
            yield from truths(where.operand)
        case None:
            return
        case _:
            yield where
