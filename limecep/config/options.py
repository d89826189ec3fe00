"""A block of keys -> an instance of an options dataclass, with everything that is wrong reported at once."""

from __future__ import annotations

import dataclasses
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from limecep.config import units
from limecep.config.findings import Findings
from limecep.config.nodes import Block, Listing, Node, Scalar, described, plain_value
from limecep.config.scalars import resolve
from limecep.problems import suggestion

T = TypeVar("T")

#: The units of quantities of which none may be written `off`.
OFF = ("duration", "bytes")

#: Keys of sources, sinks and patterns that are easily taken for those of a component of theirs.
_ELSEWHERE = {"on_error": "it is a key of the source, sink or pattern that the component belongs to"}
#: The key that the message of an options class is about.
_ABOUT = re.compile(r"'([^']+)'")


class _Wrong:
    """Stands for a value that could not be read; why is among the findings."""


_WRONG = _Wrong()
_UNITS: dict[str, tuple[str, Callable[[Any], float]]] = {
    "duration": ("a duration such as 30s", units.duration),
    "bytes": ("a size such as 64MB", units.size),
    "percent": ("a percentage such as 10%", units.percentage),
}


def keys(cls: type) -> list[str]:
    """The keys, as written in YAML, that an options dataclass takes."""
    return [_key(f) for f in dataclasses.fields(cls)]


def check_keys(
    node: Block,
    known: Iterable[str],
    what: str,
    findings: Findings,
    *,
    needed: Iterable[str] = (),
    elsewhere: Mapping[str, str] = types.MappingProxyType({}),
) -> None:
    """Reports every key of a block that is not among the known ones.

    Args:
        node: The block.
        known: The keys that it may have.
        what: What it describes, for messages.
        findings: Where problems go.
        needed: Keys that it must have: of those that are not there one may be misspelt.
        elsewhere: What to do about keys that belong to something else.
    """
    known = set(known)
    findings.keys |= known
    absent = [key for key in needed if key not in node.entries]
    for name, entry in node.entries.items():
        if name not in known:
            close = suggestion(name, absent)
            if not close.startswith("did"):
                close = elsewhere.get(name) or _ELSEWHERE.get(name) or suggestion(name, known)
            hint = close or "it takes no keys"
            findings.error("unknown-key", f"{what} has no key '{name}'", entry.key, hint)


def read(node: Block, cls: type[T], what: str, findings: Findings, where: Node | None = None) -> T | None:
    """An instance of an options dataclass made of the keys of a block that it knows; others are left alone.

    What cannot be read is reported and has its default in the instance.

    Args:
        node: The block.
        cls: The dataclass, its fields made by `limecep.option`. A field of kernel blocks that has a default
            but must be given says so with `required=True`.
        what: What the block describes, for messages: `source 'gas'`.
        findings: Where problems go.
        where: What to point at when a key is missing; by default the block.

    Returns:
        The instance; None where a value without default is missing or wrong, or the class refuses the values.
    """
    hints = get_type_hints(cls)
    values: dict[str, Any] = {}
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(cls)  # type: ignore[arg-type]
    complete = sound = True
    for field in fields:
        key = _key(field)
        default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        required = not default or bool(field.metadata.get("required"))
        child = node.get(key)
        if child is None or (required and _nothing(child, "required" in field.metadata)):
            if required:
                sound = False
                complete = complete and default
                findings.error(
                    "missing-key", f"{what} needs '{key}'", child or where or node, _meaning(field)
                )
            continue
        value = _Value(field, key, findings).convert(child, hints[field.name])
        if value is _WRONG:
            sound = False
            complete = complete and default
        else:
            values[field.name] = value
    if not complete:
        return None
    try:
        return cls(**values)
    except ValueError as e:
        # Where another value is wrong, its default need not go with the rest.
        if sound:
            said = str(e)
            about = _ABOUT.match(said)
            child = node.get(about[1]) if about else None
            message = said if about else f"{what}: {said}"
            findings.error("bad-value", message, child or where or node)
        return None
    except BaseException as e:
        # Options classes of plugins raise nothing else.
        from limecep.config.faulty import report

        report(what, e, where or node, findings, cls.__module__)
        return None


def _nothing(node: Node, no_text: bool) -> bool:
    """Whether a node holds no value; text without characters counts as none where it could mean nothing."""
    return (
        isinstance(node, Scalar)
        and (node.value is None or (no_text and node.value == ""))
        and not node.failed
    )


def _key(field: dataclasses.Field[Any]) -> str:
    return str(field.metadata.get("name", field.name))


def _meaning(field: dataclasses.Field[Any]) -> str:
    meaning = str(field.metadata.get("help", ""))
    example = field.metadata.get("example")
    return f"{meaning} Example: {_key(field)}: {example}" if example is not None else meaning


class _Value:
    """Reads the value of one field."""

    def __init__(self, field: dataclasses.Field[Any], key: str, findings: Findings) -> None:
        self._unit: str | None = field.metadata.get("unit")
        self._choices: Sequence[Any] | None = field.metadata.get("choices")
        self._field = field
        self._key = key
        self._findings = findings

    def convert(self, node: Node, kind: Any) -> Any:
        """The value of a node as one of the given type, or `_WRONG`."""
        base = get_origin(kind) or kind
        if base is Union or base is types.UnionType:
            return self._union(node, get_args(kind))
        if base in (Scalar, Listing, Block):
            return node if isinstance(node, base) else self._expected(node, kind)
        if isinstance(node, Scalar) and node.failed:
            return _WRONG
        if base is Any or base is object:
            return plain_value(node)
        if base is Literal:
            return self._choice(node, get_args(kind))
        if base is Path:
            text = self._scalar(node, str)
            return text if text is _WRONG else Path(text)
        if base in (str, bool, int, float):
            return self._scalar(node, base)
        if isinstance(base, type) and issubclass(base, Mapping):
            return self._mapping(node, kind)
        if isinstance(base, type) and issubclass(base, (Sequence, set, frozenset)):
            return self._items(node, kind, base)
        if dataclasses.is_dataclass(base) and isinstance(base, type):
            return self._nested(node, base)
        raise TypeError(f"options of type {kind!r} cannot be read from YAML")

    def _wrong(self, node: Node, said: str, hint: str = "", code: str = "wrong-type") -> _Wrong:
        self._findings.error(code, f"'{self._key}' {said}", node, hint)
        return _WRONG

    def _expected(self, node: Node, *kinds: Any) -> _Wrong:
        hint = ""
        if str in kinds and isinstance(node, Scalar) and node.value is not None:
            hint = f'if that is what you mean, put it in quotes: "{node.text}"'
        words = " or ".join(map(self._words, kinds))
        return self._wrong(node, f"must be {words}, not {described(node)}", hint)

    def _words(self, kind: Any) -> str:
        """A type in words for the user."""
        base = get_origin(kind) or kind
        if base in (int, float) and self._unit:
            return _UNITS[self._unit][0]
        if base is Literal:
            return " or ".join(f"'{v}'" if isinstance(v, str) else str(v) for v in get_args(kind))
        if base is Union or base is types.UnionType:
            return " or ".join(self._words(k) for k in get_args(kind))
        if isinstance(base, type) and issubclass(base, Mapping):
            return "a block of keys"
        if base in (str, Path, Scalar):
            return "text"
        if base is Listing:
            return "a list"
        if isinstance(base, type) and issubclass(base, (Sequence, set, frozenset)):
            items = [a for a in get_args(kind) if a is not Ellipsis]
            if not items:
                return "a list"
            count = f"{len(items)} " if base is tuple and Ellipsis not in get_args(kind) else ""
            each = {int: "whole numbers", float: "numbers"}.get(items[0]) or self._words(items[0])
            return f"a list of {count}{each}"
        named = {bool: "true or false", int: "a whole number", float: "a number", types.NoneType: "nothing"}
        return named.get(base, "a block of keys")

    def _union(self, node: Node, kinds: tuple[Any, ...]) -> Any:
        others = [k for k in kinds if k is not types.NoneType]
        if len(others) < len(kinds) and isinstance(node, Scalar):
            # `off` is text in YAML 1.2, and false to readers of older versions that make dicts of files.
            off = self._unit in OFF and (node.value == "off" or node.value is False)
            if off or node.value is None:
                return None
        if len(others) == 1:
            return self.convert(node, others[0])
        for kind in others:
            scratch = _Value(self._field, self._key, Findings())
            value = scratch.convert(node, kind)
            if value is not _WRONG:
                return value
        numbers = [k for k in others if k in (int, float)]
        if self._unit and numbers and isinstance(node, Scalar):
            # What is wrong with the quantity says more than that it is none of several things.
            words = [self._words(k) for k in others if k not in numbers]
            return self._quantity(node, numbers[0], f"or write {' or '.join(words)}" if words else "")
        return self._expected(node, *others)

    def _scalar(self, node: Node, base: type) -> Any:
        if not isinstance(node, Scalar):
            return self._expected(node, base)
        if self._unit and base in (int, float):
            return self._quantity(node, base)
        value = node.value
        if node.substituted and base is str:
            value = node.text
        elif node.substituted and isinstance(value, str):
            value = resolve(value)
        if base is float and type(value) is int:
            value = float(value)
        if self._choices is not None and not (type(value) is base and value in self._choices):
            return self._choice(node, tuple(self._choices))
        if type(value) is not base:
            return self._expected(node, base)
        if isinstance(value, float) and not math.isfinite(value):
            return self._expected(node, base)
        return value

    def _quantity(self, node: Scalar, base: type, hint: str = "") -> Any:
        words, convert = _UNITS[self._unit or ""]
        if node.value is None or isinstance(node.value, bool):
            return self._wrong(node, f"must be {words}, not {described(node)}", hint)
        try:
            return base(convert(node.text))
        except ValueError as e:
            return self._wrong(node, str(e), hint, "bad-quantity")

    def _choice(self, node: Node, choices: tuple[Any, ...]) -> Any:
        value = plain_value(node)
        for choice in choices:
            # A number in quotes is meant as the number: it is written so beside choices that are text.
            if (type(choice) is type(value) and choice == value) or str(choice) == value:
                return choice
        names = [str(c) for c in choices]
        close = suggestion(node.text, names) if isinstance(node, Scalar) else ""
        return self._wrong(
            node,
            f"must be {'one of ' if len(names) > 1 else ''}{', '.join(names)}, not {described(node)}",
            close if close.startswith("did") else "",
            "bad-value",
        )

    def _items(self, node: Node, kind: Any, base: type) -> Any:
        if not isinstance(node, Listing):
            return self._expected(node, kind)
        args = get_args(kind) or (Any,)
        fixed = base is tuple and Ellipsis not in args
        if fixed and len(node.items) != len(args):
            return self._wrong(node, f"must have {len(args)} items, not {len(node.items)}")
        kinds = args if fixed else (args[0],) * len(node.items)
        values = [self.convert(item, k) for item, k in zip(node.items, kinds, strict=True)]
        if any(v is _WRONG for v in values):
            return _WRONG
        return base(values) if base in (tuple, list, set, frozenset) else tuple(values)

    def _mapping(self, node: Node, kind: Any) -> Any:
        if not isinstance(node, Block):
            return self._expected(node, kind)
        _, value_kind = get_args(kind) or (str, Any)
        values = {name: self.convert(entry.value, value_kind) for name, entry in node.entries.items()}
        return _WRONG if any(v is _WRONG for v in values.values()) else values

    def _nested(self, node: Node, cls: type) -> Any:
        if not isinstance(node, Block):
            return self._expected(node, cls)
        check_keys(node, keys(cls), f"'{self._key}'", self._findings)
        value = read(node, cls, f"'{self._key}'", self._findings)
        return _WRONG if value is None else value
