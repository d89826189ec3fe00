"""What a function takes and gives, as Python writes it: `(text: str, start: int = ...) -> str`."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: The kinds of values in a signature, in words. `float` is a number that may be whole. `object` is whatever
#: an event may have: lists and objects, too. `list` is all values of a group that are there, or a list that
#: an event has; of `list[float]` each is a number.
KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "a boolean",
    "Instant": "a time",
    "list": "values",
    "list[float]": "numbers",
    "object": "a value",
}
#: Other words for them.
_ALSO = {
    "Any": "object", "typing.Any": "object", "list[Any]": "list", "list[typing.Any]": "list",
    "list[object]": "list", "list[int]": "list[float]",
}  # fmt: skip
#: The annotations there are, in words.
_CHOICE = "write 'str', 'int', 'float', 'bool', 'Instant' or 'list', or 'object' for a value of any kind"


@dataclass(frozen=True, slots=True)
class Argument:
    """What a function takes at a place.

    Attributes:
        name: How its author calls it.
        kind: One of `KINDS`. Of another kind it makes the function's value missing.
        missing: Whether the function is called where it is missing; it is then None.
    """

    name: str
    kind: str
    missing: bool

    def __str__(self) -> str:
        also = " | None" if self.missing and self.kind != "object" else ""
        return f"{self.name}: {self.kind}{also}"


@dataclass(frozen=True, slots=True)
class Signature:
    """What a function takes and gives.

    Attributes:
        arguments: What it takes.
        least: How many of them must be given.
        more: What any number of further ones are; None where there may be none.
        result: The kind of its value, one of `KINDS`; any value may be missing.
    """

    arguments: tuple[Argument, ...]
    least: int
    more: Argument | None
    result: str

    def argument(self, place: int) -> Argument:
        """What is taken at a place, counted from 0."""
        if place < len(self.arguments):
            return self.arguments[place]
        assert self.more is not None
        return self.more

    def collects(self, place: int) -> bool:
        """Whether it takes all values of a group at a place, counted from 0."""
        return self.argument(place).kind.startswith("list")

    def takes(self, count: int) -> bool:
        """Whether so many arguments may be given."""
        return self.least <= count and (self.more is not None or count <= len(self.arguments))

    @property
    def plain(self) -> tuple[Any, ...]:
        """All of it but the names of arguments, which queries do not give."""
        kinds = [(a.kind, a.missing) for a in (*self.arguments, *filter(None, (self.more,)))]
        return kinds, self.least, self.more is None, self.result

    @property
    def count(self) -> str:
        """How many arguments it takes, in words."""
        most = len(self.arguments)
        several = "" if (self.least if self.more else most) == 1 else "s"
        if self.more is not None:
            return f"{self.least} argument{several} or more"
        if self.least == most:
            return f"{most} argument{several}"
        return f"{self.least} {'or' if most - self.least == 1 else 'to'} {most} arguments"

    def __str__(self) -> str:
        taken = [f"{a}{' = ...' if n >= self.least else ''}" for n, a in enumerate(self.arguments)]
        taken += [] if self.more is None else [f"*{self.more}"]
        return f"({', '.join(taken)}) -> {self.result}"


def signature_of(function: Callable[..., Any]) -> Signature:
    """The signature that the annotations of a function say.

    Raises:
        ValueError: They do not say it, or something that no query can give.
    """
    if inspect.iscoroutinefunction(function):
        raise ValueError("it is 'async', and nobody awaits it")
    try:
        found = inspect.signature(function)
    except (TypeError, ValueError):
        raise ValueError(
            "it has no signature that Python can tell: write a function with annotations"
        ) from None
    # A default may have a text that is no Python.
    plain = [p if p.default is p.empty else p.replace(default=...) for p in found.parameters.values()]
    return read(str(found.replace(parameters=plain)))


def apart(said: Signature, function: Callable[..., Any]) -> str:
    """How a function is not as its spec says, in words that follow its name; "" where it is, or does not say.

    Args:
        said: What its spec says.
        function: The function.
    """
    try:
        found = signature_of(function)
    except ValueError:
        # Nothing is annotated: so many arguments it takes all the same.
        try:
            inspect.signature(function).bind(*said.arguments)
        except TypeError as error:
            return f"has the signature {said} in its spec, and cannot be called so: {error}"
        except ValueError:
            return ""
        return ""
    if said.plain == found.plain:
        return ""
    return f"has the signature {said} in its spec, and {found} in its annotations"


def read(text: str) -> Signature:
    """The signature that a text says.

    Raises:
        ValueError: It says none, or one with something that no query can give.
    """
    try:
        function = ast.parse(f"def function{text}: ...").body[0]
    except SyntaxError:
        raise ValueError(f"signature {text!r} is not of the form '(text: str, start: int) -> str'") from None
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    named = next(iter(given.kwonlyargs), given.kwarg)
    if named is not None:
        raise ValueError(f"argument '{named.arg}' can be given by name only, and queries give no names")
    taken = [*given.posonlyargs, *given.args]
    if not (taken or given.vararg):
        raise ValueError("it must take an argument: what is always the same is a parameter of the pipeline")
    kind, _ = _kind(function.returns, "the value")
    return Signature(
        arguments=tuple(_argument(a) for a in taken),
        least=len(taken) - len(given.defaults) if taken else 1,
        more=None if given.vararg is None else _argument(given.vararg),
        result=kind,
    )


def _argument(argument: ast.arg) -> Argument:
    kind, missing = _kind(argument.annotation, f"argument '{argument.arg}'")
    return Argument(argument.arg, kind, missing or kind == "object")


def _kind(annotation: ast.expr | None, what: str) -> tuple[str, bool]:
    """The kind that an annotation says, and whether it may be missing."""
    if annotation is None:
        raise ValueError(f"{what} has no annotation: {_CHOICE}")
    text = str(annotation.value) if isinstance(annotation, ast.Constant) else ast.unparse(annotation)
    words = {word.strip() for word in text.split("|")}
    kinds = {_ALSO.get(word, word) for word in words} - {"None"}
    if kinds == {"int", "float"}:
        kinds = {"float"}
    if len(kinds) != 1 or not kinds <= KINDS.keys():
        raise ValueError(f"{what} is annotated '{text}', which is no single kind of value: {_CHOICE}")
    return kinds.pop(), "None" in words
