"""The components of an assembly are known by their place; errors are told in words that name them."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import pytest

from limecep import ComponentSpec
from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import ComponentFailure, ContractBreach
from limecep.registry import Plugin, Registry
from limecep.runtime.components import Components
from limecep.testing.bench import SilentLogger


class Lazy:
    def __init__(self, *given: Any) -> None:
        self.given = given

    def wait(self, statistics: Any) -> int:
        raise ValueError("no idea")


class Unmade:
    def __init__(self, *given: Any) -> None:
        raise KeyError("plan")


class Ending:
    def __init__(self, *given: Any) -> None:
        raise SystemExit(0)


class Bare:
    """Takes nothing, as a class without `__init__`."""


LAZY, UNMADE, BARE, ENDING = (
    ComponentSpec(kind="slack", name=made.__name__.lower(), factory=made, summary="Fails.")
    for made in (Lazy, Unmade, Bare, Ending)
)


def context() -> Context:
    return Context(label="patterns.p", clock=ManualClock(), counters=Counter(), logger=SilentLogger())


def test_an_error_that_no_component_has_made_goes_on_as_it_is() -> None:
    mine = ValueError("mine")
    with pytest.raises(ValueError, match="mine") as raised:
        Components(Registry([LAZY])).blame(mine)
    assert raised.value is mine


def test_one_that_cannot_be_made_is_named() -> None:
    with pytest.raises(
        ComponentFailure, match=r"^patterns\.p: slack policy 'unmade'.* raised KeyError: 'plan'"
    ):
        Components(Registry([UNMADE])).make(UNMADE, context())


def test_one_that_ends_the_process_while_it_is_made_is_named() -> None:
    elsewhere = ComponentSpec(kind="slack", name="ending", factory=sys.exit, summary="Fails.")
    for spec in (ENDING, elsewhere):
        with pytest.raises(
            ComponentFailure, match=r"^patterns\.p: slack policy 'ending'.* raised SystemExit: "
        ):
            Components(Registry([spec])).make(spec, context())


def test_one_that_takes_other_arguments_is_named_though_none_of_its_code_ran() -> None:
    with pytest.raises(
        ComponentFailure,
        match=r"^patterns\.p: slack policy 'bare'.* takes no arguments: limecep\.contracts\.slack says which",
    ):
        Components(Registry([BARE])).make(BARE, context(), "plan")


def test_why_one_is_disabled_is_logged_with_its_traceback_and_kept() -> None:
    components, given = Components(Registry([LAZY])), context()
    made = components.make(LAZY, given, "plan")
    assert made.given == ("plan", given)
    with pytest.raises(ValueError, match="no idea") as raised:
        made.wait(None)
    reason = components.disable(given, raised.value)
    assert reason.endswith("raised ValueError: no idea")
    assert components.disabled == {"patterns.p": reason}
    [(level, _, values)] = given.logger.entries
    assert (level, values["reason"]) == ("error", reason)
    assert "in wait" in values["traceback"]


def test_what_one_has_done_is_told_in_words() -> None:
    components = Components(Registry([LAZY]))
    made = components.make(LAZY, context())
    told = components.words("patterns.p", "slack", ContractBreach(made, "waits for ever"))
    assert told.startswith("patterns.p: slack policy 'lazy'")
    assert told.endswith("waits for ever")


class Half:
    def __init__(self, *given: Any) -> None:
        self.counts_only = False

    def wait(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("kind", "make", "said"),
    [
        ("slack", lambda *given: None, r"it has no 'wait'"),
        ("slack", lambda *given: Half(), r"it has 'wait\(self\)', which is called with \(self, statistics\)"),
        ("sink", lambda *given: Half(), r"it has no 'open', 'send', 'flush', 'close'"),
    ],
)
def test_one_that_lacks_something_of_its_contract_is_named_once_it_is_made(
    kind: Any, make: Any, said: str
) -> None:
    # Of what a function makes, nobody knows the class before.
    spec = ComponentSpec(kind=kind, name="half", factory=make, summary="Lacks something.")
    plugin = Plugin(name="p", module="p", distribution="d", version="1", path="", specs=(spec,))
    with pytest.raises(ComponentFailure, match=f"'half' .*breaks limecep.contracts.{kind}.*: {said}$"):
        Components(Registry(plugins=[plugin])).make(spec, context())
