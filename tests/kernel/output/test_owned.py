"""Who is handed a copy may change all of it."""

from __future__ import annotations

from typing import Any

from limecep.output.owned import owned


def test_nothing_that_can_be_changed_is_shared() -> None:
    payload: dict[str, Any] = {"a": 1, "b": {"c": [1, {"d": 2}]}, "e": [[3]], "f": None}
    copied = owned(payload)
    assert copied == payload
    copied["b"]["c"][1]["d"] = copied["e"][0][0] = 0
    copied["b"]["c"].pop(0)
    del copied["a"]
    assert payload == {"a": 1, "b": {"c": [1, {"d": 2}]}, "e": [[3]], "f": None}
