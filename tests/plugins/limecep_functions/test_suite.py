"""The built-in functions do what every function must do, and say what they take where they are listed."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import pytest

from limecep.registry import Registry
from limecep.testing.function import FunctionConformance
from limecep.testing.plugin import PluginConformance
from limecep_functions.plugin import limecep_functions

if TYPE_CHECKING:
    from collections.abc import Callable

SPECS = {spec.name: spec for spec in limecep_functions()}
ELSEWHERE = "test_what_it_gives_depends_on_no_hash_and_no_wall_clock"
TESTS = sorted(name for name in dir(FunctionConformance) if name.startswith("test_") and name != ELSEWHERE)


def suite_of(name: str, function: Any, signature: str) -> FunctionConformance:
    members = {"declared": signature, "examples": 50, "make_function": staticmethod(lambda: function)}
    made = type(name, (FunctionConformance,), members)()
    assert isinstance(made, FunctionConformance)
    return made


SUITES = [suite_of(name, Registry().factory(spec), spec.signature) for name, spec in SPECS.items()]


@pytest.mark.parametrize("test", TESTS)
def test_every_function_does_what_a_function_must_do(test: str) -> None:
    for suite in SUITES:
        getattr(suite, test)()


class Together(FunctionConformance):
    """All functions as one, which calls whichever it is given: another process does little but start."""

    def make_function(self) -> Callable[..., Any]:
        return operator.call

    def _samples(self) -> list[tuple[Any, ...]]:
        return [(suite.make_function(), *given) for suite in SUITES for given in suite._samples()]


def test_what_they_give_depends_on_no_hash_and_no_wall_clock() -> None:
    getattr(Together(), ELSEWHERE)()


class TestPlugin(PluginConformance):
    module = "limecep_functions.plugin"
