"""Why a component cannot be had."""

from __future__ import annotations

from dataclasses import replace

from limecep import ComponentSpec
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


def test_what_one_distribution_brings_twice_is_told_apart_by_the_plugins_alone() -> None:
    problem = Registry(plugins=[brought("d", SPEC), brought("d", replace(SPEC))]).problem("engine", "mine")
    assert problem.hint == "choose by leaving out the other, LIMECEP_WITHOUT=d:p or LIMECEP_WITHOUT=d:p"


def test_who_has_it_is_named_where_another_distribution_was_asked() -> None:
    problem = Registry(plugins=[brought("a", SPEC)]).problem("engine", "b:mine")
    assert problem.message == "'b' brings no engine named 'mine'"
    assert problem.hint == "write 'a:mine'"
