"""What a component spec must say."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from limecep import ComponentSpec, option
from limecep.language.conditions import _FUNCTIONS
from limecep.spec import CONTRACTS, OLDEST, NoOptions
from limecep.vetting import OF_THE_LANGUAGE, another_contract, shortcomings


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
        ({"requires": "numpy"}, "requires is the text 'numpy': give a tuple of modules"),
        ({"capabilities": "all"}, "capabilities 'all' is no set of texts"),
        ({"broker": "a.b"}, "broker 'a.b' is not of the form"),
    ],
)
def test_each_shortcoming_is_named(changes: dict[str, Any], said: str) -> None:
    found = shortcomings(spec(**changes))
    assert len(found) == 1
    assert said in found[0]


def good(x: str) -> str:
    return x


def silent(x: str):  # type: ignore[no-untyped-def]
    return x


async def later(x: str) -> str:
    return x


FUNCTION = {"kind": "function", "options": NoOptions}


def test_a_function_says_its_signature_by_itself_or_in_its_spec() -> None:
    assert shortcomings(spec(**FUNCTION, factory=good)) == []
    assert shortcomings(spec(**FUNCTION, signature="(x: str) -> str")) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "its signature is not of the form '(text: str, start: int) -> str'"),
        ({"signature": "str -> str"}, "its signature is not of the form"),
        ({"factory": silent}, "the value has no annotation"),
        ({"factory": later}, "nobody awaits it"),
        ({"factory": good, "name": "count"}, "queries have a 'count' of their own"),
        ({"factory": good, "options": Good}, "a function takes no options"),
        ({"factory": good, "settings": Good}, "a function takes no options"),
    ],
)
def test_a_function_that_queries_could_not_call_is_left_out(changes: dict[str, Any], said: str) -> None:
    [found] = shortcomings(spec(**{**FUNCTION, **changes}))
    assert said in found


def test_the_names_that_queries_have_themselves_are_known() -> None:
    assert {*OF_THE_LANGUAGE} == {*_FUNCTIONS}


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
    text: Any = "2"
    assert another_contract(replace(spec, contract=text)) == (
        "slack policy 'mine' has '2' as its contract, no whole number",
        "write contract=3",
    )
    newer = another_contract(replace(spec, contract=4))
    assert newer is not None
    assert newer[1] == "pip install --upgrade limecep"
