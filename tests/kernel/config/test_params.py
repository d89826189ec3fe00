"""The `params` block."""

from __future__ import annotations

from limecep.config.document import from_object
from limecep.config.findings import Findings
from limecep.config.nodes import Block
from limecep.config.params import read_params


def test_what_can_be_read_is_a_value_and_the_rest_is_told() -> None:
    findings = Findings()
    given = {
        "limit": 40,
        "room": "k1",
        "on": True,
        "none": None,
        "1st": 1,
        "list": [1, "x"],
        "far": float("inf"),
    }
    given |= {"nested": [[1]], "far": float("inf")}
    node = from_object(given, findings)
    assert isinstance(node, Block)
    assert read_params(node, findings) == {
        "limit": 40, "room": "k1", "on": True, "none": None, "1st": 1, "list": [1, "x"],
    }  # fmt: skip
    assert [p.code for p in findings.sorted()] == ["bad-name", "bad-value", "wrong-type"]
    assert read_params(None, findings) == {}
