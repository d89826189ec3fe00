"""What the suites ask of components that go on after a crash."""

from __future__ import annotations

import json
from typing import Any

import pytest

from limecep.contracts.remembering import Remembering


def hand_over(first: object, other: object) -> None:
    """Another component goes on from what the first remembers, written down as JSON. Skips the test where a
    component remembers nothing.

    Raises:
        AssertionError: The other does not remember that.
    """
    if not isinstance(first, Remembering):
        pytest.skip("it remembers nothing")
    assert isinstance(other, Remembering), f"another {type(other).__name__} remembers nothing"
    known = _written(first)
    other.recall(_written(first))
    assert _written(other) == known, "what it recalled is not what it remembers"


def _written(component: Remembering) -> Any:
    return json.loads(json.dumps(component.remembered()))
