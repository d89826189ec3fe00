"""Lists have their place in IN."""

from __future__ import annotations

import pytest

from limecep.language.check import check
from limecep.language.parser import parse

PARAMS = {"l": [1, 2], "n": 3}


@pytest.mark.parametrize(
    "text",
    ["WHERE $l = 3 WITHIN 1 s", "WHERE $l IN (1, 2) WITHIN 1 s", "WITHIN 1 s RETURN $l AS x",
     "WITHIN 1 s RETURN a.v + $l AS x"],
)  # fmt: skip
def test_a_list_elsewhere_is_told_with_its_place(text: str) -> None:
    query = f"PATTERN SEQ(A a) {text}"
    (problem,) = [p for p in check(parse(query), params=PARAMS) if p.severity == "error"]
    assert (problem.code, query[problem.start : problem.end]) == ("parameter-value", "$l")


def test_in_its_place_it_is_fine() -> None:
    query = "PATTERN SEQ(A a) WHERE a.v IN $l AND a.w NOT IN ($l, $n) WITHIN 1 s"
    assert check(parse(query), params=PARAMS) == []
