"""The functions of the kit, and the conditions that call them."""

from __future__ import annotations

import pickle
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from limecep.host import Host
from limecep.language.parser import parse
from limecep.model.expression import Aggregate, Attribute, Binary, Call, Constant, Expression
from limecep.model.walk import walk
from limecep.testing import functions
from limecep.testing.functions import FUNCTIONS, calling

OF_GROUP: Expression = Binary("<", Aggregate("sum", "a", ("v",)), Constant(3))
COMPARISON: Expression = Binary("<", Attribute("a", ("v",)), Constant(3))


def test_they_are_a_plugin_too() -> None:
    registry = Host(()).with_plugins(functions).registry
    assert registry.names("function") == sorted(FUNCTIONS)
    for spec in registry.specs("function"):
        assert spec.takes == FUNCTIONS[spec.name].signature


def test_conditions_call_all_of_them_and_can_be_sent_and_printed() -> None:
    found: Counter[str] = Counter()

    @settings(max_examples=200, derandomize=True, deadline=None, database=None)
    @given(calling(st.sampled_from([COMPARISON, COMPARISON, OF_GROUP])))
    def look(condition: Expression) -> None:
        called = {node.function.name for node in walk(condition) if isinstance(node, Call)}
        assert called
        found.update(called)
        assert pickle.loads(pickle.dumps(condition)) == condition
        assert parse(f"PATTERN A a WHERE {condition} WITHIN 1 s", FUNCTIONS.get).where == condition

    look()
    asked = {name for name in found if name.startswith("any(")}
    assert asked
    assert {*found} - asked == {*FUNCTIONS}
