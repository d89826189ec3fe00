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
