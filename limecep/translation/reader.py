"""Text to tree, and what is wrong with a text that is no `MATCH_RECOGNIZE`."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from lark import Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, VisitError

from limecep.language.problems import QueryError, QueryProblem
from limecep.translation.diagnosis import FORM, diagnosed
from limecep.translation.grammar import statement_parser
from limecep.translation.tree import Name, Node, Part, Refused, Skip, Sort, Statement

if TYPE_CHECKING:
    from lark.tree import Meta

    from limecep.model.expression import Span

#: Comments and texts, in which no word counts.
_ASIDE = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"[^\"]*\"", re.DOTALL)
_DEEP = "at most some fifty operators stand inside each other"

#: The query may be nested as deeply as the parser of queries takes it, and some more than the statement.
_DEEPEST = 50


def read(text: str) -> Statement:
    """The statement of a text.

    Raises:
        QueryError: It is none, or not one that can be read.
    """
    bare = _ASIDE.sub(lambda found: " " * len(found[0]), text)
    if not bare.strip(" \t\r\n;"):
        _fail(text, "no-statement", "there is no statement", FORM, (0, 0))
    if not re.search(r"\bMATCH_RECOGNIZE\b", bare, re.IGNORECASE):
        start = len(bare) - len(bare.lstrip())
        _fail(text, "no-match-recognize", "there is no MATCH_RECOGNIZE in it", FORM, (start, start + 1))
    if more := re.search(r";\s*([^\s;])", bare):
        hint = "give one statement at a time"
        _fail(text, "several-statements", "there is more than one statement", hint, more.span(1))
    try:
        statement: Statement = _Reader().transform(statement_parser().parse(text))
    except UnexpectedInput as error:
        raise QueryError([diagnosed(error, text, bare)], text) from None
    except VisitError as error:
        if isinstance(error.orig_exc, Refused):
            raise QueryError([error.orig_exc.problem], text) from None
        raise
    except RecursionError:
        _fail(text, "too-deep", "the statement is nested too deeply", _DEEP, (0, len(text)))
        raise
    for node in (*statement.define.values(), *(measure for measure, _ in statement.measures)):
        if _deeper(node, _DEEPEST):
            _fail(text, "too-deep", "this expression is nested too deeply", _DEEP, node.span)
    return statement


def _deeper(node: Node, depth: int) -> bool:
    level: tuple[Node, ...] = (node,)
    for _ in range(depth):
        level = tuple(inner for outer in level for inner in outer.below)
    return bool(level)


def _fail(text: str, code: str, message: str, hint: str, span: Span) -> None:
    raise QueryError([QueryProblem(code=code, message=message, hint=hint, start=span[0], end=span[1])], text)


def _span(meta: Meta) -> Span:
    return (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)


def _refused(what: str, hint: str) -> Any:
    """A rule of what cannot be carried over, whatever is in it."""

    def make(self: Any, meta: Meta, children: list[Any]) -> Any:
        raise Refused("not-carried-over", f"{what} cannot be carried over", hint, _span(meta))

    return make


def _joined(op: str) -> Any:
    """A list of operands, or the one that there is."""

    def make(self: Any, meta: Meta, children: list[Any]) -> Node:
        if len(children) == 1:
            return children[0]  # type: ignore[no-any-return]
        inner = [c for child in children for c in (child.args if child.op == op else (child,))]
        return Node(op, tuple(inner), _span(meta))

    return make


def _negated(op: str) -> Any:
    """A test that may have a NOT in its middle."""

    def make(self: Any, meta: Meta, children: list[Any]) -> Node:
        test = Node(op, tuple(c for c in children if isinstance(c, Node)), _span(meta))
        return Node("not", (test,), test.span) if len(test.args) < len(children) else test

    return make


@v_args(meta=True)
class _Reader(Transformer[Token, Any]):
    """Makes the tree of what the parser found."""

    any_of, all_of = _joined("or"), _joined("and")
    between, member, like, is_null = map(_negated, ("between", "in", "like", "isnull"))
    cast = _refused("CAST", "values keep the kind that they have in the data")

    def start(self, meta: Meta, children: list[Any]) -> Any:
        return next(c for c in children if isinstance(c, Statement))

    def created(self, meta: Meta, children: list[Any]) -> None:
        return None

    def absent(self, meta: Meta, children: list[Any]) -> None:
        return None

    def emit(self, meta: Meta, children: list[Any]) -> None:
        return None

    def query(self, meta: Meta, children: list[Any]) -> Statement:
        columns, table, *rest = children
        body: dict[str, Any] = next(c for c in rest if isinstance(c, dict))
        return Statement(columns=tuple(columns), table=table, **body)

    def columns(self, meta: Meta, children: list[Any]) -> list[Any]:
        return children

    def column(self, meta: Meta, children: list[Any]) -> Any:
        return (children[0], children[1] if len(children) > 1 else None)

    def everything(self, meta: Meta, children: list[Any]) -> None:
        return None

    def body(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        found: dict[str, Any] = {
            "partition": (), "order": (), "measures": (), "rows": None, "skip": None, "within": None,
            "subsets": {}, "define": {}, "named": {},
        }  # fmt: skip
        for child in children:
            found.update(child)
        return found

    def partition(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"partition": tuple(children)}

    def order(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"order": tuple(children)}

    def sort(self, meta: Meta, children: list[Any]) -> Sort:
        descending = any(isinstance(c, Token) and c.type == "DESC" for c in children)
        return Sort(expression=children[0], descending=descending, span=_span(meta))

    def measures(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"measures": tuple(children)}

    def measure(self, meta: Meta, children: list[Any]) -> Any:
        return tuple(children)

    def rows(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"rows": _span(meta) if children else None}

    def skip(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        to, variable = children[0]
        return {"skip": Skip(to, variable, _span(meta))}

    def past_last(self, meta: Meta, children: list[Any]) -> Any:
        return ("past-last", None)

    def to_next(self, meta: Meta, children: list[Any]) -> Any:
        return ("next", None)

    def to_first(self, meta: Meta, children: list[Any]) -> Any:
        return ("to-first", children[0])

    def to_last(self, meta: Meta, children: list[Any]) -> Any:
        return ("to-last", children[0])

    def pattern(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"pattern": children[0]}

    def within(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"within": children[0]}

    def subset(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        return {"subsets": dict(children)}

    def union(self, meta: Meta, children: list[Any]) -> Any:
        return children[0].key, tuple(children[2:])

    def define(self, meta: Meta, children: list[Any]) -> dict[str, Any]:
        define: dict[str, Node] = {}
        for name, condition in children:
            if name.key in define:
                hint = "join the conditions by AND"
                raise Refused("defined-twice", f"{name.text} is defined twice", hint, name.span)
            define[name.key] = condition
        return {"define": define, "named": {name.key: name for name, _ in children}}

    def definition(self, meta: Meta, children: list[Any]) -> Any:
        return tuple(children)

    def choice(self, meta: Meta, children: list[Any]) -> Part:
        return children[0] if len(children) == 1 else Part("choice", tuple(children), span=_span(meta))

    def sequence(self, meta: Meta, children: list[Any]) -> Part:
        return children[0] if len(children) == 1 else Part("sequence", tuple(children), span=_span(meta))

    def part(self, meta: Meta, children: list[Any]) -> Part:
        inner, *counts = children
        if not counts:
            return inner  # type: ignore[no-any-return]
        low, high, reluctant = counts[0]
        if high is not None and low > high:
            hint = "the first number must not be above the second"
            raise Refused("bad-quantifier", f"nothing is between {low} and {high} times", hint, _span(meta))
        span = _span(meta)
        if inner.op == "variable" and (inner.low, inner.high) == (1, 1):
            return Part("variable", (), inner.name, low, high, reluctant, span)
        return Part("sequence", (inner,), None, low, high, reluctant, span)

    def variable(self, meta: Meta, children: list[Any]) -> Part:
        return Part("variable", (), children[0], span=_span(meta))

    def group(self, meta: Meta, children: list[Any]) -> Part:
        return children[0]  # type: ignore[no-any-return]

    def nothing(self, meta: Meta, children: list[Any]) -> Part:
        return Part("sequence", span=_span(meta))

    anchor = _refused("an anchor, ^ or $,", "a stream has no first and no last row; leave it out")
    permute = _refused("PERMUTE", "write the orders out: ((A B) | (B A))")
    exclusion = _refused("an exclusion, {- -},", "it only leaves rows out of ALL ROWS PER MATCH: write ( )")

    def short(self, meta: Meta, children: list[Any]) -> Any:
        low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[str(children[0])]
        return low, high, len(children) > 1

    def exactly(self, meta: Meta, children: list[Any]) -> Any:
        return _count(children[0]), _count(children[0]), False

    def between_counts(self, meta: Meta, children: list[Any]) -> Any:
        return _count(children[0]), _count(children[1]), len(children) > 2

    def at_least(self, meta: Meta, children: list[Any]) -> Any:
        return _count(children[0]), None, len(children) > 1

    def at_most(self, meta: Meta, children: list[Any]) -> Any:
        return 0, _count(children[0]), len(children) > 1

    def inverse(self, meta: Meta, children: list[Any]) -> Node:
        return Node("not", (children[1],), _span(meta))

    def compare(self, meta: Meta, children: list[Any]) -> Node:
        left, operator, right = children
        return Node({"!=": "<>"}.get(operator, str(operator)), (left, right), _span(meta))

    def arithmetic(self, meta: Meta, children: list[Any]) -> Node:
        left, operator, right = children
        return Node(str(operator), (left, right), _span(meta))

    def plus(self, meta: Meta, children: list[Any]) -> Any:
        return children[1]

    def minus(self, meta: Meta, children: list[Any]) -> Node:
        operand = children[1]
        if operand.op == "literal" and isinstance(operand.args[0], int | Decimal):
            return Node("literal", (-operand.args[0],), _span(meta))
        return Node("neg", (operand,), _span(meta))

    def number(self, meta: Meta, children: list[Any]) -> Node:
        text = str(children[0])
        return Node("literal", (int(text) if text.isdecimal() else Decimal(text),), _span(meta))

    def text(self, meta: Meta, children: list[Any]) -> Node:
        text = _printable(children[0][1:-1].replace("''", "'"), _span(meta))
        return Node("literal", (text,), _span(meta))

    def boolean(self, meta: Meta, children: list[Any]) -> Node:
        return Node("literal", (children[0].upper() == "TRUE",), _span(meta))

    def null(self, meta: Meta, children: list[Any]) -> Node:
        return Node("literal", (None,), _span(meta))

    def interval(self, meta: Meta, children: list[Any]) -> Node:
        unit = children[1].text if len(children) > 1 else ""
        return Node("interval", (str(children[0]).strip("'"), unit), _span(meta))

    def case(self, meta: Meta, children: list[Any]) -> Node:
        args = [a for part in children for a in (part if isinstance(part, tuple) else (part,))]
        return Node("case", tuple(args), _span(meta))

    def case_of(self, meta: Meta, children: list[Any]) -> Node:
        of, *parts = children
        equal = [(Node("=", (of, p[0]), p[0].span), p[1]) if isinstance(p, tuple) else p for p in parts]
        return self.case(meta, equal)

    def when(self, meta: Meta, children: list[Any]) -> tuple[Node, Node]:
        condition, value = children
        return condition, value

    def other(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]

    def parentheses(self, meta: Meta, children: list[Any]) -> Any:
        return children[0]

    def column_name(self, meta: Meta, children: list[Any]) -> Node:
        *qualifier, name = children[0]
        return Node("column", (tuple(qualifier), name), _span(meta))

    def scoped(self, meta: Meta, children: list[Any]) -> Node:
        name, _, *rest = children[1].args
        return Node("call", (name, str(children[0]).upper(), *rest), _span(meta))

    typed = _refused("a literal of a type of its own", "write a number, a text, TRUE, FALSE or NULL")

    def call(self, meta: Meta, children: list[Any]) -> Node:
        path, *arguments = children
        what = "distinct" if arguments and isinstance(arguments[0], Token) else ""
        return _call(path, what, *(a for a in arguments if isinstance(a, Node)), span=_span(meta))

    def call_of_all(self, meta: Meta, children: list[Any]) -> Node:
        return _call(children[0], "all", span=_span(meta))

    def call_of_rows(self, meta: Meta, children: list[Any]) -> Node:
        path, *names = children
        row = Node("column", (tuple(n for n in names if isinstance(n, Name)), None), _span(meta))
        return _call(path, "rows", row, span=_span(meta))

    def path(self, meta: Meta, children: list[Any]) -> Any:
        return tuple(children)

    def name(self, meta: Meta, children: list[Any]) -> Name:
        text = _printable(str(children[0]), _span(meta))
        if text[0] in '"`':
            return Name(text[1:-1].replace(text[0] * 2, text[0]), True, _span(meta))
        return Name(text, False, _span(meta))


def _call(path: tuple[Name, ...], what: str, *arguments: Node, span: Span) -> Node:
    """A call: its name, RUNNING or FINAL, what it is called of, and its arguments."""
    return Node("call", (".".join(n.text for n in path).upper(), "", what, *arguments), span)


def _printable(text: str, span: Span) -> str:
    """A text that can stand in a pipeline file as it is, in one line."""
    if not text.isprintable():
        raise Refused("bad-character", "this has a character that is no text", "leave it out", span)
    return text


def _count(token: Token) -> int:
    if not token.isdecimal():
        span = (token.start_pos or 0, token.end_pos or 0)
        raise Refused("bad-quantifier", f"{token} is no whole number", "write one", span)
    return int(token)
