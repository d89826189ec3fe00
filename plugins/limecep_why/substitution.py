"""Conditions with values put in: `b.v > a.v` as `31 > 20`, for each choice of events that it is about."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from limecep.encoding import to_json
from limecep.model.exists import Exists
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Call,
    Constant,
    Expression,
    Logical,
    Parameter,
    Unary,
)
from limecep.model.instants import Instant
from limecep.model.walk import over_children, walk
from limecep.testing.oracle.conditions import Condition, asks_for_the_end, named
from limecep.testing.oracle.values import MISSING, evaluate, event_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from limecep.model.event import Event
    from limecep.testing.oracle.values import Scope

#: Longer texts, and lists of more values, are cut.
LONGEST_TEXT, MOST_VALUES = 60, 5
#: So many choices of events are counted, and looked at where it is not known that the condition holds.
MOST_COUNTED = 100_000


@dataclass(frozen=True, slots=True)
class Instance:
    """A condition about one choice of events.

    Attributes:
        text: The condition with values in the places of what names them.
        truth: Whether it is true; None: unknown, as a value is missing or of another kind.
        events: The events that it names, each with its variable.
    """

    text: str
    truth: bool | None
    events: tuple[tuple[str, Event], ...]


class Conjunct:
    """One of the conditions that WHERE joins by AND.

    Args:
        expression: The condition, its parameters not bound.
        text: The condition as written.
        params: The values of parameters.
        end: The variable of the last step.

    Attributes:
        text: As given.
        variables: The variables it names.
    """

    def __init__(self, expression: Expression, text: str, params: Mapping[str, Any], end: str) -> None:
        self.text = text
        self._expression = expression
        self._condition = Condition(expression, params, end)
        self.variables = frozenset(r.variable for r in named(expression))
        if asks_for_the_end(expression):
            self.variables |= {end}

    def instances(self, groups: Mapping[str, Sequence[Event]]) -> Iterator[Instance]:
        """Yield what it says of each choice of events of these groups; nothing where it is about none."""
        for scope in self._condition.instances(groups):
            value = evaluate(self._expression, scope)
            yield Instance(
                text=put(self._expression, scope),
                truth=value if isinstance(value, bool) else None,
                events=tuple(_events(self._expression, scope)),
            )

    def some(self, groups: Mapping[str, Sequence[Event]], most: int) -> tuple[list[Instance], int]:
        """Return the first instances, at most so many, and how many there are in all, counted to
        `MOST_COUNTED`."""
        shown = list(islice(self.instances(groups), most))
        if len(shown) < most:
            return shown, len(shown)
        return shown, sum(1 for _ in islice(self._condition.instances(groups), MOST_COUNTED))

    def truth(self, groups: Mapping[str, Sequence[Event]]) -> bool | None:
        """Return whether it is true of all choices of events; None if one is unknown and none false."""
        found: bool | None = True
        for scope in islice(self._condition.instances(groups), MOST_COUNTED):
            value = evaluate(self._expression, scope)
            if value is False:
                return False
            if value is not True:
                found = None
        return found


def put(expression: Expression, scope: Scope) -> str:
    """Return the text of a condition with values for attributes, aggregates, parameters and calls.

    A call that is a condition by itself stays, with values for its arguments.
    """
    return str(_truth(expression, scope))


def shown(value: Any) -> str:
    """Return a value as conditions write it, long ones cut."""
    if value is MISSING or value is None:
        return "missing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return str(Constant(_cut(value)))
    if isinstance(value, Instant):
        return str(value)
    if isinstance(value, list):
        some = [shown(v) for v in value[:MOST_VALUES]]
        more = [f"... {len(value) - MOST_VALUES:,} more"] if len(value) > MOST_VALUES else []
        return f"[{', '.join([*some, *more])}]"
    return repr(value) if isinstance(value, int | float) else _cut(to_json(value).decode())


class _Text:
    """A value that prints as a text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


def _constant(text: str) -> Constant:
    # The printer of expressions writes what is neither text nor truth value as its `repr`.
    return Constant(_Text(text))  # type: ignore[arg-type]


def _truth(node: Expression, scope: Scope) -> Expression:
    """A node whose place is that of a condition."""
    match node:
        case Logical() | Unary(operator="not"):
            return over_children(node, lambda n: _truth(n, scope))
        case Call(function=Exists() as exists, arguments=arguments):
            own, others = arguments[: exists.columns], arguments[exists.columns :]
            # Its columns are lists of what it looks through; they stay as written.
            return Call(exists, (*own, *(_value(n, scope) for n in others)), node.span)
        case Call(function, (column, Constant(operator), value)) if function.name == "any_of":
            # What `any` of one comparison comes to.
            compared = f"{_value(column, scope)} {operator} {_value(value, scope)}"
            return _constant(f"any({compared})")
        case Call(function, arguments):
            return Call(function, tuple(_value(n, scope) for n in arguments), node.span)
        case Attribute() | Aggregate() | Parameter() | Constant():
            return _value(node, scope)
        case _:
            return over_children(node, lambda n: _value(n, scope))


def _value(node: Expression, scope: Scope) -> Expression:
    """A node whose place is that of a value."""
    match node:
        case Constant():
            return node
        case Parameter(name=name) if isinstance(scope.params[name], list):
            some = [shown(v) for v in scope.params[name][:MOST_VALUES]]
            more = ["..."] if len(scope.params[name]) > MOST_VALUES else []
            return _constant(", ".join([*some, *more]))
        case Parameter(name=name) if scope.params[name] is None:
            return Constant(None)
        case Attribute() | Aggregate() | Parameter() | Call():
            return _constant(shown(evaluate(node, scope)))
        case _:
            return over_children(node, lambda n: _value(n, scope))


def _events(expression: Expression, scope: Scope) -> Iterator[tuple[str, Event]]:
    """The events that a condition names, each once."""
    found = set()
    for node in walk(expression):
        event = event_of(node.variable, node.index, scope) if isinstance(node, Attribute) else None
        if isinstance(node, Attribute) and event is not None and (node.variable, id(event)) not in found:
            found.add((node.variable, id(event)))
            yield node.variable, event


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"
