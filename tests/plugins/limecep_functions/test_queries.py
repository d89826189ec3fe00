"""Functions, and the words of the language that are functions, as queries say them."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from limecep.host import Host
from limecep.language.check import check
from limecep.language.functions import function
from limecep.language.parser import parse
from limecep.model.event import Event
from limecep.plan.compiler import compile_plan

FUNCTIONS = partial(function, Host.load().registry)
#: 2026-01-05 is a Monday.
START = 1_767_607_200_000_000
EVENTS = {
    "a": [Event("A", "a", START, START, payload={"v": 1, "n": "k-17", "tags": ["x", "y"], "none": None})],
    "b": [
        Event("B", f"b{n}", START + 60_000_000 * n, START, payload={"v": v, "u": u})
        for n, (v, u) in enumerate([(4, "ann"), (9, "bob"), (2, "ann"), (None, "eve")], 1)
    ],
}


def value(expression: str, **params: Any) -> Any:
    """What RETURN gives."""
    query = f"PATTERN SEQ(A a, B+ b[]) WITHIN 1 h RETURN {expression} AS x"
    pattern = parse(query, FUNCTIONS)
    assert [p for p in check(pattern, params=params) if p.severity == "error"] == []
    returned = compile_plan(pattern, name="p", params=params).alternatives[0].returned
    assert returned is not None
    return returned(EVENTS, EVENTS["b"][-1])["x"]


@pytest.mark.parametrize(
    ("expression", "told"),
    [
        ("a.time", "2026-01-05T10:00:00Z"),
        ("last(b).time - a.time", 240.0),
        ("last(b).time - a.time < 5 minutes", True),
        ("last(b).time - 1 h < a.time", True),
        ("a.time + 1.5", "2026-01-05T10:00:01.5Z"),
        ("a.time - a.time", 0.0),
        ("a.time + a.v * 1e308", None),
        ("a.time - 1e12", None),
        (
            "collect(b.time)",
            ["2026-01-05T10:01:00Z", "2026-01-05T10:02:00Z", "2026-01-05T10:03:00Z", "2026-01-05T10:04:00Z"],
        ),
        ("distinct(a.tags)", 2),
        ("any(a.tags = 'y')", True),
        ("hash(a.none)", None),
        ("'a%' = 'a\\%'", False),
        ("'50%' LIKE '50\\%'", True),
        ("a.time * 2", None),
        ("a.time > 5", None),
        ("a.time = 5", False),
        ("a.time < instant('2026-01-05T12:00:01+02:00')", True),
        ("max(b.time) - min(b.time)", 180.0),
        ("duration(b)", 180.0),
        ("duration(a)", 0.0),
        ("hour(a.time, 'Europe/Athens')", 12),
        ("weekday(a.time)", 1),
        ("date(a.time)", "2026-01-05"),
        ("text(a.time)", "2026-01-05T10:00:00Z"),
        ("least(b[1].time, a.time) = a.time", True),
        ("hour(a.v)", None),
        ("collect(b.v)", [4, 9, 2]),
        ("median(b.v)", 4),
        ("percentile(b.v, 100)", 9),
        ("distinct(b.u)", 3),
        ("stddev(b.u)", None),
        ("median(b[1].v)", None),
        ("any(b.v > 8)", True),
        ("any(10 < b.v)", False),
        ("NOT any(b.v > a.v)", False),
        ("any(a.v > b.v)", False),
        ("'bob' IN b.u", True),
        ("'zoe' NOT IN b.u", True),
        ("'y' IN a.tags", True),
        ("a.n LIKE 'k-%'", True),
        ("a.n NOT LIKE 'k-_'", True),
        ("a.none LIKE '%'", None),
        ("CASE WHEN a.v > 3 THEN 'high' WHEN a.v > 0 THEN 'low' ELSE 'none' END", "low"),
        ("CASE WHEN a.none > 3 THEN 1 END", None),
        ("split(a.n, '-', 2)", "17"),
        ("distance(0, 0, 0, a.v) > 111000", True),
        ("length(hash(a.n))", 16),
    ],
)
def test_an_expression_is(expression: str, told: Any) -> None:
    found = value(expression)
    assert (type(found), found) == (type(told), told)


@pytest.mark.parametrize(
    ("condition", "code", "said"),
    [
        ("hour(a.time, 'Europe/Atlantis') > 3", "argument-value", "no time zone 'Europe/Atlantis'"),
        ("hour(a.time, $zone) > 3", "argument-value", "no time zone 'nowhere'"),
        ("hour(3) > 3", "argument-kind", "takes a time as 'time', and 3 is a whole number"),
        ("a.time > 3", "value-kind", "they do not compare"),
        ("a.time - b[1].time < '5 minutes'", "value-kind", "they do not compare"),
        ("a.time * 2 > 3", "value-kind", "is always missing"),
        ("a.time + b[1].time > a.time", "value-kind", "is always missing"),
        ("collect(b.v) > 3", "value-kind", "they do not compare"),
        ("a.time", "value-kind", "neither true nor false"),
        ("a.time > instant('nope')", "argument-value", "'nope' is no time"),
        ("percentile(b.v, 150) > 3", "argument-value", "no share of a hundred"),
        ("split(a.n, '/', 0) = 'x'", "argument-value", "counted from 1"),
        ("substring(a.n, 0) = 'x'", "argument-value", "places are counted from 1, and 0 is none"),
        ("substring(a.n, 1, -1) = 'x'", "argument-value", "-1 is no length"),
        ("median(b.v) > 'x'", "value-kind", "they do not compare"),
        ("stddev(3) > 1", "argument-kind", "takes numbers as 'values', and 3 is a whole number"),
        ("median(b.time) > 1", "argument-kind", "takes numbers as 'values', and b.time is times"),
        ("least(a.time, 3) > a.time", "value-kind", "is always missing: its values do not compare"),
        ("greatest(a.time, b[1].time) > 3", "value-kind", "they do not compare"),
        ("CASE WHEN a.v > 0 THEN 2 END", "value-kind", "neither true nor false"),
        ("CASE WHEN a.v > 0 THEN 2 ELSE 0.5 END = 'x'", "value-kind", "they do not compare"),
        ("coalesce(round(a.v), 0) = 'x'", "value-kind", "they do not compare"),
    ],
)
def test_what_is_known_to_be_wrong_is_told(condition: str, code: str, said: str) -> None:
    pattern = parse(f"PATTERN SEQ(A a, B+ b[]) WHERE {condition} WITHIN 1 h", FUNCTIONS)
    (problem,) = check(pattern, params={"zone": "nowhere"})
    assert problem.code == code
    assert said in problem.message
