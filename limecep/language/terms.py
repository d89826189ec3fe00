"""From the tree of the grammar to what conditions are made of: literals, references, names. It loads the
parser generator, so import it late."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from lark import Token
from lark.tree import Meta
from lark.visitors import Transformer_NonRecursive, v_args

from limecep.language import literals
from limecep.language.literals import BadLiteral
from limecep.language.problems import QueryProblem
from limecep.model.expression import (
    Attribute,
    Constant,
    Current,
    Expression,
    Logical,
    Parameter,
    Position,
    Span,
)
from limecep.model.pattern import Pattern
from limecep.model.words import quoted, unquoted
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from limecep.language.lookups import Lookups
    from limecep.model.function import Function
    from limecep.model.table import Table

    #: Gives the function of a name in small letters, or why it cannot be had; None where there is none.
    Functions = Callable[[str], Function | Problem | None]

Path: TypeAlias = tuple[str, ...]


class Extent(Enum):
    """Several events of a group: `b[]`, and `b[..i-1]`."""

    WHOLE = "[]"
    BEFORE = "[..i-1]"


@dataclass(frozen=True, slots=True)
class _Number:
    """`[1]`: a place in the group of a variable, or the key of a row of a table."""

    token: Token
    meta: Meta


@dataclass(frozen=True, slots=True)
class _Odd:
    """`[x]`: nothing."""

    meta: Meta


@dataclass(frozen=True, slots=True)
class _Keys:
    """`[a.x, a.y]`: the key of a row of a table."""

    values: tuple[Built, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """`b`, `b[].v`, `b[i].v`, ...: what it means is known only where it is used."""

    variable: str
    index: Current | Position | Extent | None
    path: Path
    span: Span


@dataclass(frozen=True, slots=True)
class Same:
    """`[uid]`."""

    paths: tuple[Path, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class All:
    """`x AND y`, where `[uid]` may still be among the parts."""

    parts: tuple[Expression | Reference | Same, ...]
    span: Span


Built: TypeAlias = Expression | Reference | Same | All


@v_args(meta=True)
class TermBuilder(Transformer_NonRecursive[Token, Pattern]):
    """Builds what conditions are made of. What is wrong is put into `problems`, and building goes on with
    something in its place.

    Args:
        text: The query.
        functions: Gives what may be called beside what the language has itself.
        tables: The tables there are.
        params: The values of the parameters; None if they are not known.
    """

    def __init__(
        self,
        text: str,
        functions: Functions,
        tables: Mapping[str, Table],
        params: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.query = text
        self._functions = functions
        self._tables = tables
        self._params = params
        self.problems: list[QueryProblem] = []
        #: Those of the structure, which is built before the conditions, in the order they were written, and
        #: whether they may take several events.
        self.variables: dict[str, bool] = {}

    def number(self, meta: Meta, children: list[Token]) -> Expression:
        try:
            value = literals.number(children[-1])
        except BadLiteral as bad:
            return self._wrong(bad.code, bad.message, bad.hint, meta)
        return Constant(-value if len(children) > 1 else value, span(meta))

    def seconds(self, meta: Meta, children: list[Any]) -> Expression:
        amount, size = children
        try:
            whole, rest = divmod(time := literals.duration(amount, size), 1_000_000)
        except BadLiteral as bad:
            return self._wrong(bad.code, bad.message, bad.hint, meta)
        return Constant(time / 1_000_000 if rest else whole, span(meta))

    def unit(self, meta: Meta, children: list[Token]) -> int:
        try:
            return literals.unit(unquoted(children[0]))
        except BadLiteral as bad:
            self._wrong(bad.code, bad.message, bad.hint, meta)
            return 1

    def literal(self, meta: Meta, children: list[Token]) -> Expression:
        token = children[0]
        match token.type:
            case "PARAMETER":
                return Parameter(unquoted(token[1:]), span(meta))
            case "NULL":
                return Constant(None, span(meta))
            case "BOOLEAN":
                return Constant(token.lower() == "true", span(meta))
        try:
            return Constant(literals.string(token), span(meta))
        except BadLiteral as bad:
            return self._wrong(bad.code, bad.message, bad.hint, meta)

    def parentheses(self, meta: Meta, children: list[Built]) -> Built:
        # The parentheses belong to what they enclose, so that spans of what is around it are right.
        return replace(children[0], span=span(meta))

    def same(self, meta: Meta, paths: list[Path]) -> Built:
        return Same(tuple(paths), span(meta))

    def reference(self, meta: Meta, children: list[Any]) -> Built:
        variable, *path = children
        index = path.pop(0) if path and not isinstance(path[0], str) else None
        if isinstance(index, _Keys) or (variable in self._tables and variable not in self.variables):
            return self._row(variable, index, tuple(path), meta)
        if isinstance(index, _Number):
            index = self._place(index)
        elif isinstance(index, _Odd):
            hint = "write [i], [i+1], [i-2], a number as in [1], or [..i-1] inside an aggregate"
            self._wrong("bad-index", f"{self._text(index.meta)} is no place in a group", hint, index.meta)
            index = None
        return Reference(variable, index, tuple(path), span(meta))

    def _row(self, table: str, index: Any, path: Path, meta: Meta) -> Expression:
        keys = [*map(self._value, index.values)] if isinstance(index, _Keys) else None
        if isinstance(index, _Number):
            keys = [self.number(index.meta, [index.token])]
        return self._found(*self._lookups().row(table, keys, path, span(meta)))

    def _lookups(self) -> Lookups:
        # Most queries look nothing up.
        from limecep.language.lookups import Lookups

        return Lookups(self.query, self._tables, self.variables)

    def _found(self, found: Expression | Problem, where: Span) -> Expression:
        if isinstance(found, Problem):
            return self._wrong(found.code, found.message, found.hint, where)
        return found

    # Indices and names

    def whole(self, meta: Meta, children: list[Token]) -> Extent:
        return Extent.WHOLE

    def current(self, meta: Meta, children: list[str]) -> Current | _Odd:
        name, *offset = children
        if name.lower() != "i" or (offset and not (offset[1].isdecimal() and int(offset[1][:9]) > 0)):
            return _Odd(meta)
        return Current(int("".join(offset)[:9]) if offset else 0)

    def position(self, meta: Meta, children: list[Token]) -> _Number:
        return _Number(children[0], meta)

    def _place(self, index: _Number) -> Position:
        number = self._whole(index.token)
        if number == 0:
            hint = "write [1] for the first"
            self._wrong("bad-index", "places in a group are counted from 1", hint, index.meta)
        return Position(number)

    def keys(self, meta: Meta, children: list[Built]) -> _Keys:
        return _Keys(tuple(children))

    def before(self, meta: Meta, children: list[str]) -> Extent | _Odd:
        return Extent.BEFORE if children[1].lower() == "i" and children[3] == "1" else _Odd(meta)

    def name(self, meta: Meta, children: list[Token]) -> str:
        return unquoted(children[0])

    def field(self, meta: Meta, children: list[Token]) -> str:
        written = self._text(meta)
        if written == "!":
            self._wrong("syntax", f"unexpected {written}", "expected the name of an attribute", meta)
        return unquoted(written)

    # Helpers

    def _value(self, built: Built) -> Expression:
        """What was built, as an expression that has a value."""
        match built:
            case All(parts, span):
                return Logical("and", flat("and", map(self._value, parts)), span)
            case Same(_, span):
                hint = "join it to the other conditions by AND, or write PARTITION BY"
                return self._wrong("misplaced-partition", "[...] is a condition of its own", hint, span)
            case Reference(variable, index, path, span) if not isinstance(index, Extent):
                if path:
                    return Attribute(variable, path, index, span)
                if variable in self.variables:
                    hint = f"write {quoted(variable)}.value, say"
                    return self._wrong("missing-attribute", f"which attribute of {variable}?", hint, span)
                of = quoted(next(iter(self.variables)))
                hint = f"write {of}.{quoted(variable)} for an attribute of {of}; texts stand in quotes"
                return self._wrong("unknown-variable", f"there is no variable '{variable}'", hint, span)
            case Reference(_, extent, _, span):
                inside = "avg(b[..i-1].value)" if extent is Extent.BEFORE else "count(b[])"
                hint = f"it has its place in an aggregate, as in {inside}; one event is b[i], b[1] or last(b)"
                return self._wrong("bad-index", "this names several events", hint, span)
        return built

    def _whole(self, token: Token) -> int:
        span = (token.start_pos or 0, token.end_pos or 0)
        if not token.isdecimal() or len(token) > 9:
            self._wrong(
                "bad-number", f"{token} is no number of events", "write a whole number, as in {2,4}", span
            )
            return 1
        return int(token)

    def _text(self, meta: Meta) -> str:
        return self.query[meta.start_pos : meta.end_pos]

    def _wrong(self, code: str, message: str, hint: str, where: Meta | Span) -> Constant:
        start, end = span(where) if isinstance(where, Meta) else where
        self.problems.append(QueryProblem(code=code, message=message, hint=hint, start=start, end=end))
        return Constant(None, (start, end))


def span(meta: Meta) -> Span:
    return meta.start_pos, meta.end_pos


def parts(built: Iterable[Built]) -> list[Any]:
    """What stands between the ANDs."""
    return [p for b in built for p in (b.parts if isinstance(b, All) else (b,))]


def flat(operator: str, operands: Iterable[Expression]) -> tuple[Expression, ...]:
    found: list[Expression] = []
    for operand in operands:
        nested = isinstance(operand, Logical) and operand.operator == operator
        found.extend(operand.operands if nested else (operand,))  # type: ignore[union-attr]
    return tuple(found)
