"""Parameters that are lists."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.errors import ConfigurationError
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan


def accepts(where: str, value: Any, **params: Any) -> bool:
    plan = compile_plan(parse(f"PATTERN SEQ(A a) WHERE {where} WITHIN 1 s"), name="p", params=params)
    if not plan.alternatives:
        return False
    accepts = plan.alternatives[0].steps[0].filter.accepts
    return accepts is None or accepts(Event("A", "a", 0, 0, payload={"v": value}))


@pytest.mark.parametrize(
    ("where", "value", "holds"),
    [
        ("a.v IN $l", 1, True),
        ("a.v IN $l", "x", True),
        ("a.v IN $l", 2, False),
        ("a.v NOT IN $l", 2, True),
        ("a.v IN ($l, 2)", 2, True),
        ("a.v IN $none", 1, False),
        ("NOT (a.v IN $none OR a.v > 3)", 1, True),
    ],
)
def test_a_value_is_looked_for_in_a_list(where: str, value: Any, holds: bool) -> None:
    assert accepts(where, value, l=[1, "x"], none=[]) is holds


def test_elsewhere_a_list_is_told() -> None:
    with pytest.raises(ConfigurationError, match=r"parameter '\$l' is a list"):
        accepts("a.v > $l", 1, l=[1, 2])
