"""The kinds of values, as far as a configuration says them."""

from __future__ import annotations

from typing import Any

from limecep.config.loader import load_dict
from limecep.config.returned import returned_kinds
from limecep.host import Host

REGISTRY = Host.load().registry


def kinds(values: str, other: str = "1 AS one", columns: Any = None, **source: Any) -> dict[str, str]:
    source = {
        "type": "file",
        "channel": "x.csv",
        "as": {"field": "type"},
        "time": "t",
    } | source
    queries = (f"PATTERN SEQ(A a, B+ b[]) WITHIN 1 s RETURN {v}" for v in (values, other))
    document = {
        "version": 1,
        "params": {"limit": 3, "word": "x"},
        "sources": {"s": source},
        "patterns": {f"p{n}": {"query": q} for n, q in enumerate(queries)},
    }
    config = load_dict(document, REGISTRY, environment={}).checked()
    return returned_kinds(config, columns or {})


def test_what_an_expression_is_it_says_itself() -> None:
    found = kinds(
        "count(b) AS n, avg(b.v) AS mean, sum(b.v) AS sum, a.v > 3 AS high, $limit AS lim, $word AS w, "
        "upper(a.v) AS up, -count(b) AS less, null AS nothing, a.v AS v, a.v / 2 AS half"
    )
    assert found == {
        "n": "int", "mean": "float", "sum": "float", "high": "bool", "lim": "int", "w": "str", "up": "str",
        "less": "int", "nothing": "", "v": "", "half": "float", "one": "int",
    }  # fmt: skip


def test_what_an_attribute_is_its_source_says_or_who_asks() -> None:
    payload = {"v": "int", "room": "str", "*": "float"}
    found = kinds("a.v AS v, last(b).room AS room, max(b.w) AS w, -a.v AS less", payload=payload)
    assert (found["v"], found["room"], found["w"], found["less"]) == ("int", "str", "float", "int")
    assert kinds("a.v AS v, a.u AS u", columns={"v": "int"})["v"] == "int"


def test_patterns_that_differ_leave_it_open_but_for_numbers() -> None:
    assert kinds("count(b) AS x", "avg(b.v) AS x")["x"] == "float"
    assert kinds("count(b) AS x", "upper(a.v) AS x")["x"] == ""
    assert kinds("null AS x", "upper(a.v) AS x")["x"] == "str"
