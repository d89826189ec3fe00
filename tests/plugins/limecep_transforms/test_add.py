"""Fields that every record gets."""

from __future__ import annotations

from typing import Any

from limecep_transforms.add import Add
from limecep_transforms.config import AddOptions

NOTHING: Any = None


def test_one_that_is_there_is_replaced() -> None:
    add = Add(AddOptions(fields={"site": "athens", "latency": None}), NOTHING)
    assert add.apply({"op": "emit", "latency": 1}) == {"op": "emit", "latency": None, "site": "athens"}
