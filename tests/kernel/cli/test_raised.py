"""Functions that raised, as a run tells it."""

from __future__ import annotations

from limecep.cli.raised import raised


def test_each_function_that_raised_has_a_line() -> None:
    found = list(raised({"emitted": 3, "raised_by_./mine.py:near": 1_200, "unknown": 2}))
    assert found == [
        "1,200 calls of function './mine.py:near' raised, so the value was missing: 'limecep plugins test "
        "function/./mine.py:near' shows of what"
    ]
