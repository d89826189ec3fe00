"""Functions that raised, or gave what they do not say, as a run tells it."""

from __future__ import annotations

from limecep.diagnosis.functions import mistaken


def test_each_function_that_did_what_it_should_not_is_told() -> None:
    figures = {"emitted": 3, "raised_by_./mine.py:near": 1_200, "unknown": 2, "other_kind_by_far": 1}
    assert [(r.message, r.hint) for r in mistaken(figures)] == [
        (
            "1,200 calls of function './mine.py:near' raised, so the value was missing",
            "'limecep plugins test function/./mine.py:near' shows of what",
        ),
        (
            "1 call of function 'far' gave another kind than it says, so the value was missing",
            "'limecep plugins test function/far' shows of what",
        ),
    ]
