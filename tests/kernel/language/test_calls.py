"""Calls of functions in queries: what makes one, and what is wrong with others."""

from __future__ import annotations

import pytest

from limecep.language.calls import called
from limecep.language.parser import parse
from limecep.language.problems import QueryError
from limecep.model.function import Function
from limecep.problems import Problem
from limecep.signature import read

NEAR = Function("near", read("(x: float, y: float = ...) -> bool"), lambda *_: True)
GONE = Problem(code="missing-module", message="needs a module")
FUNCTIONS: dict[str, Function | Problem] = {"near": NEAR, "Dist:near": NEAR, "gone": GONE}


@pytest.mark.parametrize("name", ["near", "NEAR", "Dist:Near"])
def test_a_name_is_found_in_any_case(name: str) -> None:
    assert called(name, 2, (), FUNCTIONS.get) is NEAR


@pytest.mark.parametrize(
    ("name", "count", "path", "code", "said"),
    [
        ("naer", 1, (), "unknown-function", "there is no function 'naer' known: abs"),
        ("cuont", 1, (), "unknown-function", "there is no function 'cuont' did you mean 'count'?"),
        ("Nvl", 2, (), "unknown-function", "there is no function 'Nvl' write coalesce(a.v, 0)"),
        ("dist:near", 1, (), "unknown-function", "there is no function 'dist:near' known: abs"),
        ("gone", 1, (), "missing-module", "needs a module"),
        ("near", 1, ("x",), "bad-argument", "near(...) has no attributes"),
        ("near", 3, (), "bad-argument", "near takes 1 or 2 arguments, not 3 it is near(x: float, "),
    ],
)
def test_what_is_wrong_with_a_call_is_told(
    name: str, count: int, path: tuple[str, ...], code: str, said: str
) -> None:
    problem = called(name, count, path, FUNCTIONS.get)
    assert isinstance(problem, Problem)
    assert problem.code == code
    assert f"{problem.message} {problem.hint}".startswith(said)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("any(count(b) > 3)", "this names an attribute of none"),
        ("any(1 = 1)", "this names an attribute of none"),
        ("any(b[i].v > 3)", "there is no i in it"),
        ("any(b.v > c.v)", "this names b and c"),
        ("any(b.v > 3 AND any(b.w > b.v))", "any stands in no other any"),
        ("any(d.v > 3)", "there is no variable 'd'"),
    ],
)
def test_any_is_about_the_events_of_one_group(condition: str, said: str) -> None:
    with pytest.raises(QueryError) as raised:
        parse(f"PATTERN SEQ(A a, B+ b[], C+ c[]) WHERE {condition} WITHIN 1 s")
    assert said in raised.value.problems[0].message
