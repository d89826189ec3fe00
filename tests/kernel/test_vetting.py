"""What a component spec must say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from limecep import ComponentSpec, option
from limecep.spec import CONTRACTS, OLDEST
from limecep.vetting import another_contract, shortcomings


@dataclass(frozen=True, kw_only=True)
class Good:
    size: int = option(3, help="How many.")


@dataclass(kw_only=True)
class Thawed:
    size: int = option(3, help="How many.")


@dataclass(frozen=True)
class Positional:
    size: int = option(3, help="How many.")


@dataclass(frozen=True, kw_only=True)
class Silent:
    size: int = option(3, help="")


def spec(**changes: Any) -> ComponentSpec:
    return ComponentSpec(
        **{
            "kind": "engine",
            "name": "mine",
            "factory": "a.b:C",
            "summary": "Does it.",
            "options": Good,
            **changes,
        }
    )


def test_a_complete_spec_has_no_shortcomings() -> None:
    assert shortcomings(spec()) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"kind": "motor"}, "kind 'motor' is not one of source,"),
        ({"name": "Mine"}, "name 'Mine' is not lower_snake_case"),
        ({"name": "null"}, "name 'null' is not lower_snake_case, or no text in YAML"),
        ({"name": "my-engine"}, "name 'my-engine' is not lower_snake_case"),
        ({"factory": "a.b.C"}, "factory 'a.b.C' is not of the form"),
        ({"factory": "a.b:"}, "factory 'a.b:' is not of the form"),
        ({"summary": " "}, "summary is empty"),
        ({"summary": "One.\nTwo."}, "summary has more than one line"),
        ({"requires": ("paho.mqtt",)}, "give the top-level module 'paho'"),
        ({"options": dict}, "options <class 'dict'> is not a dataclass"),
        ({"options": Good()}, "is not a dataclass"),
        ({"options": Thawed}, "options Thawed is not frozen"),
        ({"options": Positional}, "option 'size' is not keyword-only"),
        ({"options": Silent}, "option 'size' has no help"),
        ({"settings": Silent}, "option 'size' has no help"),
        ({"settings": Thawed}, "settings Thawed is not frozen"),
        ({"format_of": "a.b"}, "format_of 'a.b' is not of the form"),
        ({"broker": "a.b"}, "broker 'a.b' is not of the form"),
    ],
)
def test_each_shortcoming_is_named(changes: dict[str, Any], said: str) -> None:
    found = shortcomings(spec(**changes))
    assert len(found) == 1
    assert said in found[0]


def test_all_shortcomings_are_named_at_once() -> None:
    assert len(shortcomings(spec(name="X", factory="y", summary="", options=Silent))) == 4


def test_a_component_of_a_contract_that_is_not_understood_is_told_how_to_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(CONTRACTS, "slack", 3)
    monkeypatch.setitem(OLDEST, "slack", 2)
    spec = ComponentSpec(kind="slack", name="mine", factory="m:M", summary="s")
    assert [another_contract(replace(spec, contract=n)) for n in (None, 2, 3)] == [None] * 3
    assert another_contract(replace(spec, contract=1)) == (
        "slack policy 'mine' is written for contract 1; this limecep understands 2 to 3",
        "upgrade its distribution; its author finds in docs/plugins.md, Versions, how to move, and then "
        "writes contract=3",
    )
    newer = another_contract(replace(spec, contract=4))
    assert newer is not None
    assert newer[1] == "pip install --upgrade limecep"
