"""The functions that plugins bring, as queries find them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from limecep.language.functions import function
from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.function import Function
from limecep.problems import Problem
from limecep.registry import Plugin, Registry
from limecep.signature import read
from limecep.spec import ComponentSpec


def doubled(x: float) -> float:
    return 2 * x


def other(x: float) -> float:
    return 3 * x


def spec(name: str = "doubled", **more: object) -> ComponentSpec:
    given = {"factory": doubled, "summary": "x", **more}
    return ComponentSpec(kind="function", name=name, **given)  # type: ignore[arg-type]


def test_a_function_has_its_signature_and_what_computes_it() -> None:
    found = function(Registry([spec(), spec("more")]), "doubled")
    assert found == Function("doubled", read("(x: float) -> float"), doubled)
    assert isinstance(found, Function)
    assert found.compute is doubled


def test_a_function_named_by_text_is_imported() -> None:
    registry = Registry([spec("sqrt", factory="math:sqrt", signature="(x: float) -> float")])
    found = function(registry, "sqrt")
    assert isinstance(found, Function)
    assert found.compute(9) == 3


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"factory": "math:nothing", "signature": "(x: float) -> float"}, "module 'math' has no 'nothing'"),
        ({"factory": "math:sqrt", "signature": "(x: bytes) -> float"}, "argument 'x' is annotated 'bytes'"),
        ({"requires": ("no_such_module",)}, "needs the module 'no_such_module'"),
    ],
)
def test_one_that_cannot_be_had_says_why(more: dict[str, object], says: str) -> None:
    registry = Registry([spec(**more)])
    found = function(registry, "doubled")
    assert isinstance(found, Problem)
    assert says in found.message
    with pytest.raises(QueryError, match=says):
        parse("PATTERN SEQ(A a) WHERE doubled(a.v) > 3 WITHIN 1 s", partial(function, registry))


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dubled", "did you mean 'doubled'?"),
        ("cuont", "did you mean 'count'?"),
        ("mine:dubled", "did you mean 'doubled'?"),
    ],
)
def test_a_name_that_none_has_may_be_another(name: str, hint: str) -> None:
    found = function(Registry([spec()]), name)
    assert isinstance(found, Problem)
    assert (found.code, found.hint) == ("unknown-function", hint)


def test_what_may_have_brought_an_unknown_one_is_named() -> None:
    gone = Plugin(name="gone", module="gone", distribution="gone", version="1", path="", status="blocked")
    found = function(Registry([spec()], plugins=[gone]), "dubled")
    assert isinstance(found, Problem)
    assert found.hint == "did you mean 'doubled'?; left out by LIMECEP_WITHOUT: gone"


def test_of_two_of_one_name_a_query_says_which_is_meant() -> None:
    plugins = [
        Plugin(name="p", module=d, distribution=d, version="1", path="", specs=(spec(factory=factory),))
        for d, factory in (("One", doubled), ("two", other))
    ]
    functions = partial(function, Registry(plugins=plugins))
    with pytest.raises(QueryError, match="write `One:doubled` or `two:doubled`"):
        parse("PATTERN SEQ(A a) WHERE doubled(a.v) > 3 WITHIN 1 s", functions)
    pattern = parse("PATTERN SEQ(A a) WHERE `One:Doubled`(a.v) > `two:doubled`(3) WITHIN 1 s", functions)
    assert str(pattern.where) == "`One:doubled`(a.v) > `two:doubled`(3)"
    assert parse(str(pattern), functions) == pattern
    with pytest.raises(QueryError, match="'three' brings no function named 'doubled'"):
        parse("PATTERN SEQ(A a) WHERE `three:doubled`(a.v) > 3 WITHIN 1 s", functions)


def test_one_of_a_plugin_whose_spec_says_another_signature_is_refused() -> None:
    said = spec(signature="(x: str) -> float")
    plugin = Plugin(name="p", module="p", distribution="p-parts", version="1", path="", specs=(said,))
    found = function(Registry(plugins=[plugin]), "doubled")
    assert isinstance(found, Problem)
    assert found.code == "broken-contract"
    assert found.message.startswith(
        "function 'doubled' of plugin 'p' of p-parts 1 has the signature (x: str)"
    )
    own = replace(plugin, specs=(spec(signature="(y: float) -> float"),))
    assert isinstance(function(Registry(plugins=[own]), "doubled"), Function)
