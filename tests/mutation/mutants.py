"""The mutants of a module: its source with one small change each."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

#: What is put in an operator's place.
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
#: Calls that declare: their keywords say what something is, and do nothing.
DECLARING = {"option", "field", "ComponentSpec", "TypeVar", "dataclass"}


@dataclass(frozen=True, kw_only=True)
class Mutant:
    """A change of a module.

    Attributes:
        path: The module, from the root of the repository.
        line: Where the change is.
        change: The statement's changed line before and after.
        source: The text of the changed module.
    """

    path: Path
    line: int
    change: str
    source: str

    @property
    def name(self) -> str:
        """The same as long as the line is the same, wherever it stands."""
        return f"{self.path} | {self.change}"


def count(source: str) -> int:
    """How many mutants a module has."""
    return sum(1 for _ in _changes(ast.parse(source)))


def mutant(path: Path, source: str, number: int) -> Mutant:
    """One of the mutants of a module, by its number from 0."""
    tree = ast.parse(source)
    before = ast.unparse(tree).splitlines()
    line, change = next(islice(_changes(tree), number, None))
    change()
    after = ast.unparse(tree)
    return Mutant(path=path, line=line, change=_difference(before, after.splitlines()), source=after)


def _difference(before: list[str], after: list[str]) -> str:
    """The first line that differs."""
    old, new = next((a, b) for a, b in zip(before, after, strict=False) if a != b)
    return f"{old.strip()} -> {new.strip()}"


def _changes(tree: ast.Module) -> Iterator[tuple[int, Callable[[], object]]]:
    """Every place that can be changed, and what changes it there."""
    for node in _code(tree):
        line = getattr(node, "lineno", 0)
        for change in _changes_of(node):
            yield line, change


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What is executed: no annotations, decorators, docstrings, nor what only type checkers read."""
    yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _declares(child):
                yield from _code(child)


def _declares(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")) | ast.Import() | ast.ImportFrom() | ast.Assert():
            return True
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in DECLARING
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__" | "__match_args__")]):
            return True
        case ast.FunctionDef(name="__repr__" | "__str__"):
            return True
    return False


def _changes_of(node: ast.AST) -> Iterator[Callable[[], object]]:
    """The changes of one node, without those of what it contains."""
    match node:
        case ast.Compare(ops=ops):
            for n, op in enumerate(ops):
                yield lambda n=n, op=op: ops.__setitem__(n, SWAPPED[type(op)]())  # type: ignore[misc]
        case ast.BoolOp() | ast.BinOp() | ast.AugAssign() if type(node.op) in SWAPPED:
            # Texts are put together with +, and are not taken apart with -.
            if not any(isinstance(n, ast.JoinedStr) for n in ast.iter_child_nodes(node)):
                yield lambda: setattr(node, "op", SWAPPED[type(node.op)]())
        case ast.If() | ast.While() | ast.IfExp():
            yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
        case ast.UnaryOp(op=ast.Not()):
            yield (
                lambda: (
                    setattr(node, "op", ast.Not())
                    or setattr(node, "operand", ast.UnaryOp(ast.Not(), node.operand))
                )
            )
        case ast.Constant(value=bool()):
            yield lambda: setattr(node, "value", not node.value)
        case ast.Constant(value=int() | float()):
            yield lambda: setattr(node, "value", node.value + 1)  # type: ignore[operator]
            if node.value:
                yield lambda: setattr(node, "value", node.value - 1)  # type: ignore[operator]
        case ast.Return(value=ast.AST() as value) if not _is_none(value):
            yield lambda: setattr(node, "value", ast.Constant(None))
        case ast.Call(func=ast.Name(id=name) as func) if name in CALLED:
            yield lambda: setattr(func, "id", CALLED[name])
    if isinstance(node, ast.Call):
        for n, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                yield lambda n=n: node.keywords.pop(n)  # type: ignore[misc]
    for field in ("body", "orelse", "finalbody"):
        body = getattr(node, field, None)
        if isinstance(body, list):
            for n, statement in enumerate(body):
                if _can_be_dropped(statement):
                    yield lambda body=body, n=n: body.__setitem__(n, ast.Pass())  # type: ignore[misc]


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _can_be_dropped(statement: ast.stmt) -> bool:
    """Whether the module still makes sense without: no name is missing then."""
    match statement:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Assign(targets=[target]):
            return isinstance(target, ast.Attribute | ast.Subscript)
    return False
