"""`repeat` of a sink is read, and what makes no sense is told."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.output.outlets import Repeat

REGISTRY = Host.load().registry


def loaded(repeat: Any, patterns: Any = None, /, **sink: Any) -> Any:
    query = {"query": "PATTERN SEQ(A a) WITHIN 1 s"}
    source = {"type": "file", "channel": "x.jsonl", "as": "A", "time": "t", "speed": 1}
    document = {
        "version": 1,
        "name": "p",
        "sources": {"s": source},
        "patterns": patterns or {"fire": query, "acked": query},
        "sinks": {"out": {"type": "stdout", "repeat": repeat, **sink}},
    }
    return load_dict(document, REGISTRY, environment={})


@pytest.mark.parametrize(
    ("repeat", "sink", "made", "taken"),
    [
        ({"every": "10m"}, {}, Repeat(600_000_000, "", 100), ()),
        ({"every": "1s", "until": "acked", "most": 3}, {}, Repeat(1_000_000, "acked", 3), ()),
        ({"every": "1s", "until": "acked"}, {"patterns": ["fire"]}, Repeat(1_000_000, "acked", 100),
         ("fire", "acked")),
    ],
)  # fmt: skip
def test_a_sink_says_how_it_is_told_again(
    repeat: dict[str, Any], sink: dict[str, Any], made: Repeat, taken: tuple[str, ...]
) -> None:
    (read,) = loaded(repeat, None, **sink).config.sinks
    assert (read.repeat, read.taken) == (made, taken)


@pytest.mark.parametrize(
    ("repeat", "sink", "code", "said"),
    [
        ({}, {}, "missing-key", "'every'"),
        ({"every": "1ms"}, {}, "bad-value", "'every' must be at least 1s"),
        ({"every": "1s", "most": 0}, {}, "bad-value", "'most' must be at least 1"),
        ({"every": "1s", "until": "fier"}, {}, "unknown-pattern", "no pattern named 'fier'"),
        ({"every": "1s", "untill": "acked"}, {}, "unknown-key", "'repeat' of sink 'out' has no key 'untill'"),
        ({"every": "1s"}, {"of": "late"}, "conflict", "which nobody acknowledges"),
        ({"every": "1s", "until": "fire"}, {"patterns": ["fire"]}, "conflict", "which acknowledges"),
    ],
)
def test_what_makes_no_sense_is_told(repeat: Any, sink: dict[str, Any], code: str, said: str) -> None:
    problems = loaded(repeat, None, **sink).problems
    assert [p.code for p in problems if p.severity == "error"] == [code]
    assert any(said in p.message for p in problems)


@pytest.mark.parametrize(
    ("fire", "acked", "said"),
    [
        ("", "", None),
        ("room", "room", None),
        ("room", "match", None),
        ("", "match", None),
        ("room", "", "'acked' acknowledges no match of 'fire' for sink 'out': the first is not partitioned, "
         "the other partitioned by room"),
        ("", "room", "the first is partitioned by room, the other not partitioned"),
    ],
)  # fmt: skip
def test_matches_that_nothing_acknowledges_are_told(fire: str, acked: str, said: str | None) -> None:
    by = {"fire": fire, "acked": acked}
    patterns = {
        name: {"query": f"PATTERN SEQ(A a) WITHIN 1 s{f' PARTITION BY {key}' if key else ''}"}
        for name, key in by.items()
    }
    found = loaded({"every": "1m", "until": "acked"}, patterns).problems
    assert [p.code for p in found] == ([] if said is None else ["idle-repeat"])
    assert said is None or said in found[0].message
