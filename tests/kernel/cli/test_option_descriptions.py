"""Options in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from limecep import option
from limecep.cli.option_descriptions import described


@dataclass(frozen=True, kw_only=True)
class Options:
    text: str = option(help="h")
    empty: str = option("", help="h")
    number: float = option(2.5, help="h")
    whole: int | None = option(None, help="h")
    flag: bool = option(True, help="h")
    mode: Literal["a", "b"] = option("a", help="h")
    chosen: str = option("x", help="h", choices=("x", "y"))
    wait: int = option(30_000_000, help="h", unit="duration")
    bound: int | None = option(None, help="h", unit="duration")
    zero: int = option(0, help="h", unit="duration")
    share: float = option(0.1, help="h", unit="percent")
    room: int = option(1024, help="h", unit="bytes")
    weights: tuple[float, ...] = option((0.6, 0.2), help="h")
    names: list[str] = option([], help="h")
    by_name: dict[str, int] = option({}, help="h")
    anything: Any = option(1, help="h")
    klass: str = option("c", help="h", name="class")


@pytest.mark.parametrize(
    ("name", "kind", "default"),
    [
        ("text", "text", None),
        ("empty", "text", '""'),
        ("number", "number", "2.5"),
        ("whole", "integer or none", "none"),
        ("flag", "true or false", "true"),
        ("mode", "a or b", "a"),
        ("chosen", "x or y", "x"),
        ("wait", "duration", "30s"),
        ("bound", "duration or off", "off"),
        ("zero", "duration", "0s"),
        ("share", "percent", "10%"),
        ("room", "bytes", "1KiB"),
        ("weights", "list of number", "[0.6, 0.2]"),
        ("names", "list of text", "[]"),
        ("by_name", "mapping of integer", "{}"),
        ("anything", "any", "1"),
        ("class", "text", "c"),
    ],
)
def test_an_option_is_described_as_people_write_it(name: str, kind: str, default: str | None) -> None:
    option_ = next(o for o in described(Options) if o.name == name)
    assert (option_.type, option_.default, option_.help) == (kind, default, "h")
