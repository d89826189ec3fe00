"""Answers as text and as JSON."""

from __future__ import annotations

from limecep.model.event import Event
from limecep.testing.streams import SECOND, written
from limecep_why_not.answer import Answer, KeyedMiss, Known
from limecep_why_not.candidates import Region
from limecep_why_not.changes import ADDED, Added, Removed
from limecep_why_not.memory import Told
from limecep_why_not.report import lines, record
from limecep_why_not.search import Miss
from limecep_why_not.trials import Found

REGION = Region(time=3 * SECOND, radius=SECOND, within=SECOND)
A, B = written("a1 b2")
MATCH = Found({"a": [A], "b": [B]}, A.t_gen, B.t_gen)


def answer() -> Answer:
    new = Event("C", f"{ADDED}7", 3 * SECOND)
    gives = Found({"a": [A], "c": [new]}, A.t_gen, new.t_gen)
    changes = (
        Added(event=new, variable="c", types=("C",), after=2 * SECOND, before=4 * SECOND),
        Removed(event=B, negated="x"),
    )
    return Answer(
        region=REGION,
        standing=[Known(MATCH, {"k": 1}, Told("m1", "emit", "in_order", "b2", MATCH))],
        retracted=[Known(MATCH, {"k": 1}, Told("m2", "retract", "negation", "x3", MATCH))],
        misses=[KeyedMiss(Miss(changes, gives, 0), {"k": 1})],
        reasons=["because"],
        left_out=["some"],
    )


def test_an_answer_is_told_in_lines() -> None:
    assert list(lines(answer(), "p", "bound")) == [
        "p near 1970-01-01 00:00:03Z",
        "  is there  1970-01-01 00:00:01Z to 00:00:02Z  1  1s  a a1  b b2",
        "            emitted as m1: limecep why m1 says why",
        "  was there 1970-01-01 00:00:01Z to 00:00:02Z  1  1s  a a1  b b2",
        "            emitted as m2 and taken back, by x3 (negation)",
        "  a match nearer than that would be there with 2 changes:",
        "  1.  one more C c between 1970-01-01 00:00:02Z and 00:00:04Z",
        "      and without B b2 at 1970-01-01 00:00:02Z, which the negated step x forbids",
        "      gives 1970-01-01 00:00:01Z to 00:00:03Z  1  2s  a a1  c (added)",
        "  none near because",
        "  left out  some",
    ]


def test_an_answer_is_json() -> None:
    told = record(answer(), "p")
    assert told["standing"][0]["match"] == "m1"
    assert told["retracted"][0]["cause"] == {"kind": "negation", "event": "x3"}
    [miss] = told["misses"]
    assert miss["gives"]["events"] == {"a": ["a1"], "c": [None]}
    assert [sorted(c)[0] for c in miss["changes"]] == ["add", "event"]
    assert miss["cost"] == {"things": 2, "amount": 2.0}


def test_many_matches_are_counted_and_long_groups_and_ids_cut() -> None:
    long = [Event("A", f"{n}{'f' * 20}", A.t_gen) for n in range(9)]
    many = Answer(region=REGION, standing=[Known(Found({"a": long}, 0, 0), None, None)] * 5)
    told = list(lines(many, "p", "bound"))
    assert told[-1] == "            and 2 more"
    assert told[1].endswith("a 0fffffff... 1fffffff... 2fffffff... 3fffffff... ... 8fffffff...")
