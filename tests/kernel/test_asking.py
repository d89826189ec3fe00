"""A plugin is asked what it brings; `test_host.py` asks installed ones."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from limecep import ComponentSpec, hookimpl
from limecep.asking import asked
from limecep.registry import Plugin, Registry


@hookimpl
def nothing() -> None:
    """Brings nothing."""


@pytest.mark.parametrize("local", [True, False])
def test_a_hook_of_a_local_plugin_is_told_with_its_place_and_without_a_word_to_an_author(local: bool) -> None:
    plugin = Plugin(name="p", module="m", distribution="d", version="", path="", local=local)
    found = asked(SimpleNamespace(limecep_engines=nothing, limecep_sinks=hookimpl(lambda: 1 / 0)), plugin)
    problems = {p.code: p for p in found.problems}
    assert found.status == "failed"
    assert (problems["no-spec"].place is not None) == local
    assert (problems["plugin-broken"].hint == "") == local


@pytest.mark.parametrize("raised", [SystemExit(0), GeneratorExit(), BaseException("mine")])
def test_a_hook_that_ends_the_process_is_told_as_the_failure_of_its_plugin(raised: BaseException) -> None:
    def hook() -> None:
        raise raised

    plugin = Plugin(name="p", module="m", distribution="d", version="1", path="")
    [problem] = asked(SimpleNamespace(limecep_sinks=hookimpl(hook)), plugin).problems
    assert problem.message == f"plugin 'p' of d 1: limecep_sinks failed: {type(raised).__name__}: {raised}"


def test_a_component_of_another_contract_is_left_out_and_whoever_names_it_is_told() -> None:
    spec = ComponentSpec(kind="slack", name="mine", factory="m:M", summary="s", contract=99)
    plugin = Plugin(name="p", module="m", distribution="d", version="1", path="")
    found = asked(SimpleNamespace(limecep_slack_policies=hookimpl(lambda: [spec])), plugin)
    assert [p.code for p in found.problems] == ["plugin-contract"]
    problem = Registry(plugins=[found]).problem("slack", "mine")
    assert problem.message == (
        "no slack policy named 'mine': plugin 'p' of d 1: slack policy 'mine' is written for contract 99; "
        "this limecep understands 1"
    )
    assert problem.hint == "pip install --upgrade limecep"
