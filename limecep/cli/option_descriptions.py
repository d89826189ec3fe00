"""Options of a component in words: type, default, meaning."""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Block, Listing, Scalar
from limecep.config.options import OFF
from limecep.config.units import DURATIONS, SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Which matches an engine gives, by what its spec says.
ANSWERS = {
    "all": "all matches",
    "maximal": "the matches contained in no other",
    "rule": "those of all matches of an end event that a rule of its own keeps",
}

_WORDS = {
    str: "text",
    int: "integer",
    float: "number",
    bool: "true or false",
    type(None): "none",
    Any: "any",
    Scalar: "text",
    Listing: "list",
    Block: "block",
}
_DURATIONS = [(name, DURATIONS[name]) for name in ("d", "h", "m", "s", "ms", "us")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One option. `default` is None for an option that must be given."""

    name: str
    type: str
    default: str | None
    help: str
    example: str


def described(options: Any) -> list[Described]:
    """The options of an options dataclass, in their order."""
    hints = typing.get_type_hints(options)
    return [_one(field, hints[field.name]) for field in dataclasses.fields(options)]


def given(options: Any) -> dict[str, Any]:
    """The options of an instance by name, as they would be written in YAML: quantities with their unit."""
    return {
        field.metadata.get("name") or field.name: _as_written(
            getattr(options, field.name), field.metadata.get("unit")
        )
        for field in dataclasses.fields(options)
    }


def _as_written(value: Any, unit: str | None) -> Any:
    if isinstance(value, dict):
        return {name: _as_written(v, unit) for name, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_as_written(v, unit) for v in value]
    plain = unit is None or (value is not None and type(value) not in (int, float))
    return value if plain else written(value, unit)


def _one(field: dataclasses.Field[Any], hint: Any) -> Described:
    meta = field.metadata
    unit = meta.get("unit")
    default: str | None = None
    if field.default is not dataclasses.MISSING:
        default = written(field.default, unit)
    elif field.default_factory is not dataclasses.MISSING:
        default = written(field.default_factory(), unit)
    example = meta.get("example")
    return Described(
        name=meta.get("name") or field.name,
        type=_chosen(meta["choices"], hint) if meta.get("choices") else _type(hint, unit),
        default=default,
        help=meta["help"],
        example="" if example is None else written(example, None),
    )


def _chosen(choices: Sequence[Any], hint: Any) -> str:
    parts = typing.get_args(hint)
    listed = Block in parts and Scalar not in parts
    return f"list, or block of {', '.join(choices)}" if listed else " or ".join(map(str, choices))


def _type(hint: Any, unit: str | None) -> str:
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if hint is type(None) and unit in OFF:
        return "off"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(dict.fromkeys(_type(p, unit) for p in parts))
    if origin is typing.Literal:
        return " or ".join(map(str, parts))
    if unit and hint in (int, float):
        return unit
    if origin is dict:
        return f"mapping of {_type(parts[1], unit)}"
    if origin in (tuple, list):
        return f"list of {_type(parts[0], unit)}"
    return _WORDS.get(hint) or str(getattr(hint, "__name__", hint))


def written(value: Any, unit: str | None) -> str:
    """A value as it is written in YAML, with its unit (`duration`, `bytes`, `percent`, or None)."""
    if value is None:
        return "off" if unit in OFF else "none"
    if isinstance(value, str):
        return value or '""'
    if unit == "duration":
        name, size = next(((n, s) for n, s in _DURATIONS if value and value % s == 0), ("s", 1_000_000))
        return f"{value // size}{name}"
    if unit == "bytes":
        name, size = min(
            ((n, s) for n, s in SIZES.items() if value % s == 0), key=lambda unit: value // unit[1]
        )
        return f"{value // size}{name}"
    if unit == "percent":
        return f"{value * 100:g}%"
    if isinstance(value, tuple):
        value = list(value)
    return json.dumps(value)
