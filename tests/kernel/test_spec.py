from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest

from limecep.spec import ComponentSpec, option


@dataclass(frozen=True, kw_only=True)
class Options:
    url: str = option(help="Where it is.", example="mq://host")
    tags: list[str] = option(["a"], help="Tags.")
    headers: dict[str, int] = option({"a": 1}, help="Headers.")
    words: set[str] = option({"a"}, help="Words.")
    wait: int = option(5, help="How long.", unit="duration", choices=(5, 6))


def test_an_option_has_its_meaning() -> None:
    metadata = {f.name: dict(f.metadata) for f in dataclasses.fields(Options)}
    assert metadata["url"] == {"help": "Where it is.", "example": "mq://host"}
    assert metadata["wait"] == {
        "help": "How long.",
        "example": None,
        "unit": "duration",
        "choices": (5, 6),
    }


def test_an_option_without_a_default_must_be_given() -> None:
    with pytest.raises(TypeError, match="url"):
        Options()


@pytest.mark.parametrize(
    ("name", "default"), [("tags", ["a"]), ("headers", {"a": 1}), ("words", {"a"}), ("wait", 5)]
)
def test_a_default_is_each_one_s_own(name: str, default: object) -> None:
    one, other = getattr(Options(url="u"), name), getattr(Options(url="u"), name)
    assert one == other == default
    assert isinstance(default, int) or one is not other


@pytest.mark.parametrize(
    ("more", "command"),
    [
        ({}, "pip install 'limecep'"),
        ({"extra": "mqtt"}, "pip install 'limecep[mqtt]'"),
        ({"extra": "x", "distribution": "mine"}, "pip install 'mine[x]'"),
    ],
)
def test_a_component_says_how_it_is_installed(more: dict[str, Any], command: str) -> None:
    spec = ComponentSpec(kind="sink", name="s", factory="nowhere:Nothing", summary="For tests.", **more)
    assert spec.install == command


class Called:
    def __call__(self, options: object, context: object) -> None: ...


@pytest.mark.parametrize(
    ("factory", "name"), [(Called, "Called"), (Called(), "Called"), (partial(Called), "Called")]
)
def test_who_made_it_is_known_whatever_makes_it(factory: Any, name: str) -> None:
    spec = ComponentSpec(kind="codec", name="s", factory=factory, summary="For tests.")
    assert spec.made_by == (__name__, name)
