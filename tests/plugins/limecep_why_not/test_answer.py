"""Answers: which keys and events are looked at, what stands, what is left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import ConfigurationError
from limecep.testing.streams import SECOND, written
from limecep_why_not import answer as answers
from limecep_why_not.answer import Answer, Asked, Question
from limecep_why_not.memory import Memory

if TYPE_CHECKING:
    from collections.abc import Callable

QUERY = "SEQ(A a, B b) WITHIN 9 seconds PARTITION BY k"


def asked(house: Any, text: str, at: int, key: str | None = None, required: str = "", **keys: str) -> Answer:
    events = written(text)
    for event in events:
        event.payload = {"k": next((k for k, ids in keys.items() if event.id in ids.split()), "x")}
    question = Question(time=at * SECOND, key=key, required=required.split())
    return Asked(house.plan, Memory(events=events), house.trials).answer(question)


def test_keys_are_told_with_what_they_miss(house: Callable[..., Any]) -> None:
    answer = asked(house(QUERY), "a1 a2 b3", 3, y="a2")
    assert [s.key for s in answer.standing] == [{"k": "x"}]
    assert answer.misses == [], "what is no nearer than a match that stands is no miss"
    answer = asked(house(QUERY), "a1 a2", 3, y="a2")
    assert [m.key for m in answer.misses] == [{"k": "y"}, {"k": "x"}], "nearest first"
    assert [m.key for m in asked(house(QUERY), "a1 a2", 3, "y", y="a2").misses] == [{"k": "y"}]
    assert [m.key for m in asked(house(QUERY), "a1 a2", 3, "k=y", y="a2").misses] == [{"k": "y"}]
    assert [m.key for m in asked(house(QUERY), "a1 a2", 3, required="a2", y="a2").misses] == [{"k": "y"}]


def test_what_is_not_there_is_said(house: Callable[..., Any]) -> None:
    for more, said in (
        ({"key": "z", "hall": "a1"}, r"--key z: no event has this key \(PARTITION BY k\)"),
        ({"required": "a9"}, "--with a9: pattern 'p' reads no event of this id: known: a1, a2"),
        ({"required": "a1 a2", "hall": "a1"}, "the events are of different keys"),
    ):
        with pytest.raises(ConfigurationError, match=said):
            asked(house(QUERY), "a1 a2", 3, **more)
    with pytest.raises(ConfigurationError, match="has no PARTITION BY"):
        asked(house("SEQ(A a) WITHIN 9 seconds"), "a1", 3, "z")


def test_events_without_a_key_are_said(house: Callable[..., Any]) -> None:
    made, events = house(QUERY), written("a1 a2 b3")
    events[0].payload = {"k": "x"}
    answer = Asked(made.plan, Memory(events=events), made.trials).answer(Question(time=3 * SECOND))
    assert answer.left_out == ["events without a key (PARTITION BY k): 2, the first A a2"]
    assert answer.misses


def test_where_nothing_is_near_it_says_what_is_nearest(house: Callable[..., Any]) -> None:
    assert asked(house(QUERY), "a1", 300).reasons == [
        "no A or B is near: the nearest is A a1 at 1970-01-01T00:00:01Z"
    ]
    assert asked(house(QUERY), "a1 a2", 300, "y", y="a2").reasons == [
        "no A or B of the key y is near: the nearest is A a2 at 1970-01-01T00:00:02Z"
    ]
    assert asked(house(QUERY), "", 3).reasons == ["no A or B came at all"]
    [reason] = asked(house(QUERY), "a1 b200", 200, required="a1").reasons
    assert reason == "A a1 is not near: it is at 1970-01-01T00:00:01Z"


def test_what_is_left_out_is_said(house: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_EVENTS", 2)
    monkeypatch.setattr(answers, "MOST_NEAR", 3)
    monkeypatch.setattr(answers, "MOST_KEYS", 1)
    answer = asked(house(QUERY), "a1 a2 a3 a4 b5", 4)
    assert answer.left_out[:2] == [
        "2 of 5 events: those farthest off",
        "1 of 3 events of the key: those farthest off",
    ]
    assert asked(house(QUERY), "a1 a2", 3, y="a2").left_out == [
        "keys whose events are farther from the time: 1"
    ]


def test_an_answer_ends_in_time(house: Callable[..., Any]) -> None:
    text = " ".join(f"{'ab'[n % 2]}{n}=1" for n in range(300))
    made = house("SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v AND c.v > 5 WITHIN 900 seconds")
    answer = Asked(made.plan, Memory(events=written(text)), made.trials, seconds=0.05).answer(
        Question(time=100 * SECOND)
    )
    assert any(text.endswith("the time was over") for text in answer.left_out)
