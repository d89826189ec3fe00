"""Why a component cannot be had."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from limecep import ComponentSpec
from limecep.errors import RunFailure
from limecep.problems import Problem
from limecep.registry import Plugin, Registry

SPEC = ComponentSpec(kind="engine", name="mine", factory="collections:Counter", summary="Does it.")


def brought(distribution: str, *specs: ComponentSpec) -> Plugin:
    return Plugin(name="p", module="m", distribution=distribution, version="1", path="", specs=specs)


def test_faulty_and_left_out_plugins_are_named_where_nothing_else_explains_it() -> None:
    fault = Problem(code="plugin-broken", message="plugin 'bad' failed")
    bad = replace(brought("d"), name="bad", status="failed", problems=(fault,))
    gone = replace(brought("d"), name="gone", status="blocked")
    problem = Registry([SPEC], plugins=[bad, gone]).problem("slack", "none")
    assert problem.code == "unknown-component"
    assert problem.hint == (
        "left out by LIMECEP_WITHOUT: gone; something is wrong with bad: see 'limecep plugins list'"
    )


def test_a_file_of_the_pipeline_is_not_looked_for_among_what_is_installed() -> None:
    fault = Problem(code="plugin-broken", message="the local plugin './bad.py' failed")
    bad = replace(brought("./bad.py"), local=True, status="failed", problems=(fault,))
    problem = Registry([SPEC], plugins=[bad]).problem("slack", "none")
    assert problem.hint == "something is wrong with ./bad.py, as is said of it"


@pytest.mark.parametrize(
    ("distribution", "more", "hint"),
    [
        ("limecep", {}, "pip install 'limecep'"),
        ("mine", {}, "install what brings 'no_such_client', which plugin 'p' of mine 1 needs"),
        ("mine", {"extra": "x"}, "pip install 'mine[x]'"),
        ("mine", {"extra": "x", "distribution": "other"}, "pip install 'other[x]'"),
        (
            "./mine.py",
            {"extra": "x"},
            "install what brings 'no_such_client', which the local plugin './mine.py'",
        ),
    ],
)
def test_what_a_component_requires_is_installed_with_its_distribution(
    distribution: str, more: dict[str, Any], hint: str
) -> None:
    spec = replace(SPEC, requires=("no_such_client",), **more)
    plugin = replace(brought(distribution, spec), local=distribution.startswith("."))
    registry = Registry(plugins=[plugin])
    assert registry.problem("engine", "mine").hint.startswith(hint)
    absent = replace(spec, factory="no_such_client:Engine")
    with pytest.raises(RunFailure, match="cannot be imported") as failed:
        Registry(plugins=[replace(plugin, specs=(absent,))]).factory(absent)
    assert f"\n    {hint}" in str(failed.value)


def test_what_one_distribution_brings_twice_is_told_apart_by_the_plugins_alone() -> None:
    problem = Registry(plugins=[brought("d", SPEC), brought("d", replace(SPEC))]).problem("engine", "mine")
    assert problem.hint == "choose by leaving out the other, LIMECEP_WITHOUT=d:p or LIMECEP_WITHOUT=d:p"


def test_who_has_it_is_named_where_another_distribution_was_asked() -> None:
    problem = Registry(plugins=[brought("a", SPEC)]).problem("engine", "b:mine")
    assert problem.message == "'b' brings no engine named 'mine'"
    assert problem.hint == "write 'a:mine'"


def test_all_distributions_that_might_have_brought_it_are_told_with_what_is_wrong() -> None:
    def broken(distribution: str) -> Plugin:
        said = f"plugin 'p' of {distribution} 1: engine 'mine' is left out: summary is empty"
        fault = Problem(code="incomplete-spec", message=said, hint=f"tell {distribution}")
        return replace(brought(distribution), problems=(fault,))

    registry = Registry(plugins=[broken("a"), broken("b"), brought("c", SPEC), broken("d")])
    problem = Registry(plugins=[broken("a"), broken("b")]).problem("engine", "mine")
    assert problem.message == (
        "no engine named 'mine': plugin 'p' of a 1: engine 'mine' is left out: summary is empty; "
        "plugin 'p' of b 1: engine 'mine' is left out: summary is empty"
    )
    assert problem.hint == "tell a; tell b"
    assert registry.problem("engine", "d:mine").hint == "tell d"
    assert registry.problem("engine", "e:mine").message == "'e' brings no engine named 'mine'"
