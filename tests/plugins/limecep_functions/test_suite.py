"""The built-in functions do what every function must do, and say what they take where they are listed."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.registry import Registry
from limecep.testing.function import FunctionConformance
from limecep.testing.plugin import PluginConformance
from limecep_functions.plugin import limecep_functions

SPECS = {spec.name: spec for spec in limecep_functions()}
TESTS = sorted(name for name in dir(FunctionConformance) if name.startswith("test_"))


@pytest.mark.parametrize("test", TESTS)
def test_every_function_does_what_a_function_must_do(test: str) -> None:
    for name, spec in SPECS.items():
        suite = suite_of(name, Registry().factory(spec), spec.signature)
        getattr(suite, test)()


def suite_of(name: str, function: Any, signature: str) -> FunctionConformance:
    members = {"declared": signature, "examples": 50, "make_function": staticmethod(lambda: function)}
    made = type(name, (FunctionConformance,), members)()
    assert isinstance(made, FunctionConformance)
    return made


class TestPlugin(PluginConformance):
    module = "limecep_functions.plugin"
