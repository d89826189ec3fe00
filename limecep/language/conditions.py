"""From the tree of the grammar to conditions. It loads the parser generator, so import it late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark.visitors import v_args

from limecep.language.terms import All, Built, Extent, Path, Reference, TermBuilder, flat, parts, span
from limecep.model.expression import (
    Aggregate,
    Attribute,
    Between,
    Binary,
    Call,
    Constant,
    Expression,
    Logical,
    Membership,
    Position,
    Unary,
)
from limecep.model.words import quoted
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lark.tree import Meta

    #: Makes a condition of what is tested, and of all that is written.
    Test = Callable[[Expression, Meta], Expression]

_AGGREGATES = ("count", "sum", "avg", "min", "max", "collect")
_ENDS = {"first": Position(1), "last": Position(-1)}
_FUNCTIONS = (*_AGGREGATES, *_ENDS, "abs", "any", "duration")


@v_args(meta=True)
class ConditionBuilder(TermBuilder):
    """Builds conditions."""

    def any_of(self, meta: Meta, children: list[Built]) -> Expression:
        return Logical("or", flat("or", map(self._value, children)), span(meta))

    def all_of(self, meta: Meta, children: list[Built]) -> Built:
        return All(tuple(parts(children)), span(meta))

    def inverse(self, meta: Meta, children: list[Built]) -> Expression:
        return Unary("not", self._value(children[0]), span(meta))

    def compare(self, meta: Meta, children: list[Any]) -> Expression:
        left, written, right = children
        operator: Any = {"=": "==", "<>": "!="}.get(written, str(written))
        return Binary(operator, self._value(left), self._value(right), span(meta))

    def tested(self, meta: Meta, children: list[Any]) -> Expression:
        operand, test = children
        found: Expression = test(self._value(operand), meta)
        return found

    def not_tested(self, meta: Meta, children: list[Any]) -> Expression:
        return Unary("not", self.tested(meta, children), span(meta))

    def between(self, meta: Meta, children: list[Built]) -> Test:
        low, high = map(self._value, children)
        return lambda operand, whole: Between(operand, low, high, span(whole))

    def member(self, meta: Meta, children: list[Any]) -> Test:
        choices = tuple(map(self._value, children[0]))
        return lambda operand, whole: Membership(operand, choices, span(whole))

    def listed(self, meta: Meta, children: list[Any]) -> Test:
        return self.member(meta, [[self.literal(meta, children)]])

    def among(self, meta: Meta, children: list[Any]) -> Test:
        return lambda operand, whole: self._found(
            *self._lookups().lookup(children[0], [operand], (), span(whole))
        )

    def included(self, meta: Meta, children: list[Any]) -> Test:
        variable, *path = children
        values = Aggregate("collect", variable, tuple(path), span=span(meta))
        return lambda operand, whole: self._called("includes", [values, operand], whole)

    def textual(self, meta: Meta, children: list[Any]) -> Test:
        operator, right = children[0].lower(), self._value(children[1])
        return lambda operand, whole: self._called(operator, [operand, right], whole)

    def when(self, meta: Meta, children: list[Built]) -> list[Expression]:
        return list(map(self._value, children))

    def case(self, meta: Meta, children: list[Any]) -> Expression:
        whens = [c for c in children if isinstance(c, list)]
        found = [self._value(c) for c in children if not isinstance(c, list)]
        for condition, value in reversed(whens):
            found = [self._called("choose", [condition, value, *found], meta)]
        return found[0]

    def is_null(self, meta: Meta, children: list[Any]) -> Expression:
        return Binary("==", self._value(children[0]), Constant(None), span(meta))

    def is_not_null(self, meta: Meta, children: list[Any]) -> Expression:
        return Binary("!=", self._value(children[0]), Constant(None), span(meta))

    def arithmetic(self, meta: Meta, children: list[Any]) -> Expression:
        left, operator, right = children
        return Binary(operator.value, self._value(left), self._value(right), span(meta))

    def minus(self, meta: Meta, children: list[Any]) -> Expression:
        return Unary("-", self._value(children[1]), span(meta))

    def arguments(self, meta: Meta, children: list[Built]) -> list[Built]:
        return children

    def call(self, meta: Meta, children: list[Any]) -> Expression:
        name, arguments, *path = children
        function = name.lower()
        if function not in _FUNCTIONS:
            return self._called(name, arguments, meta, path)
        if len(arguments) != 1:
            return self._wrong(
                "bad-argument", f"{function} takes one argument, not {len(arguments)}", "", meta
            )
        if function not in _ENDS and path:
            return self._wrong(
                "bad-argument",
                f"{function}(...) has no attributes",
                f"write {function}(b.{quoted(path[0])})",
                meta,
            )
        argument = arguments[0]
        if function == "abs":
            return Unary("abs", self._value(argument), span(meta))
        if function == "any":
            return self._any(argument, meta)
        if not isinstance(argument, Reference):
            return self._wrong(
                "bad-argument",
                f"{function} is about a group",
                f"write {function}(b.value), b being a variable",
                meta,
            )
        if function == "duration" and argument.index in (None, Extent.WHOLE) and not argument.path:
            last, first = (Attribute(argument.variable, ("time",), p, span(meta)) for p in _ENDS.values())
            return Binary("-", first, last, span(meta))
        if function == "duration":
            hint = "write duration(b): the time from the first event of b to its last"
            return self._wrong("bad-argument", "duration is about a whole group", hint, meta)
        if function in _ENDS:
            return self._end(function, argument, tuple(path), meta)
        return self._aggregate(function, argument, meta)

    def _called(self, name: str, given: list[Any], meta: Meta, path: Sequence[str] = ()) -> Expression:
        """A call of a function that a plugin brings. So are the operators that read as words."""
        # Most queries call none.
        from limecep.language.calls import called

        found = called(name, len(given), path, self._functions)
        if isinstance(found, Problem):
            return self._found(found, span(meta))
        taken = (
            self._collected(g) if found.signature.collects(n) else self._value(g) for n, g in enumerate(given)
        )
        return Call(found, tuple(taken), span(meta))

    def _any(self, argument: Built, meta: Meta) -> Expression:
        from limecep.language.calls import any_of

        found = any_of(self._value(argument), self.variables, span(meta))
        if isinstance(found, list):
            return self._called("any_of", found, meta)
        return self._found(found, span(meta))

    def _collected(self, built: Built) -> Expression:
        """An argument that is a list: all values of a group, or of an event the one that it has."""
        if isinstance(built, Reference) and built.path and built.index in (None, *Extent):
            running = built.index is Extent.BEFORE
            return Aggregate("collect", built.variable, built.path, running, built.span)
        return self._value(built)

    def _end(self, function: str, argument: Reference, path: Path, meta: Meta) -> Expression:
        whole = (*argument.path, *path)
        if argument.index not in (None, Extent.WHOLE) or not whole:
            return self._wrong(
                "bad-argument", f"{function} is about a whole group", f"write {function}(b).value", meta
            )
        return Attribute(argument.variable, whole, _ENDS[function], span(meta))

    def _aggregate(self, function: Any, argument: Reference, meta: Meta) -> Expression:
        if argument.index not in (None, *Extent):
            hint = f"write {function}(b.value), or {function}(b[..i-1].value) for those before b[i]"
            return self._wrong(
                "bad-argument", f"{function} is about a group, not about one event", hint, meta
            )
        if function != "count" and not argument.path:
            of = quoted(argument.variable)
            return self._wrong(
                "bad-argument",
                f"{function} of what?",
                f"name an attribute, as in {function}({of}.value)",
                meta,
            )
        running = argument.index is Extent.BEFORE
        return Aggregate(function, argument.variable, argument.path, running, span(meta))
