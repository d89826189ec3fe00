"""A codec that somebody brought is looked at before anything is made of what it gives."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from limecep.contracts.codec import Spelled, Tabular, Undecodable
from limecep.contracts.remembering import Remembering
from limecep.contracts.source import Message
from limecep.errors import ContractBreach
from limecep.intake.checked import NOT_FINITE, UNANSWERED, checked

MESSAGE = Message(b"", "c", "c:1")


def codec(*, untyped: bool = False, **members: Any) -> Any:
    given = {name: (lambda *of, value=value: value) for name, value in members.items()}
    return checked(SimpleNamespace(untyped=untyped, **given))


def test_records_with_their_messages_are_given_on() -> None:
    given = [(MESSAGE, {"a": [1, None]}), (MESSAGE, Undecodable("odd"))]
    assert codec(decode=given).decode([MESSAGE]) == given
    assert codec(finish=iter(given)).finish() == given
    assert codec(untyped=True, decode=[(MESSAGE, {"a": "1"})]).decode([MESSAGE]) == [(MESSAGE, {"a": "1"})]


@pytest.mark.parametrize(
    "given",
    [
        None,
        5,
        [{}],
        [(MESSAGE,)],
        [(MESSAGE, "record")],
        [(5, {})],
        [(Message(5, None, None), {})],  # type: ignore[arg-type]
        [(MESSAGE, {}), (MESSAGE, {1: 2})],
        [(MESSAGE, {"a": {1}})],
        [(MESSAGE, Undecodable(5))],  # type: ignore[arg-type]
    ],
)
def test_anything_else_is_a_breach(given: Any) -> None:
    made = codec(decode=given, finish=given)
    for ask in (lambda: made.decode([MESSAGE]), made.finish):
        with pytest.raises(ContractBreach, match="gave"):
            ask()


SOME = [MESSAGE, Message(b" \n", "c", "c:2"), Message(b"x", "c", "c:3"), Message(b"y", "c", "c:4")]


@pytest.mark.parametrize(
    ("more", "counted"),
    [
        ({}, (2, 4, 5, 6, 6)),
        ({"holding": True}, (0, 0, 0, 0, 0)),
        # What keeps something may answer later.
        ({"remembered": dict, "recall": dict}, (2, 4, 0, 0, 0)),
    ],
)
def test_messages_that_come_to_nothing_are_counted(more: Any, counted: tuple[int, ...]) -> None:
    counters: Counter[str] = Counter()
    answers: list[Any] = [
        [],
        [],
        [(SOME[2], {}), (SOME[2], {})],
        # Equal messages that the codec has made are the same.
        [(MESSAGE, {}), (Message(b"y", "c", "c:4"), Undecodable("odd"))],
        [(message, {}) for message in SOME],
    ]
    codec = SimpleNamespace(untyped=False, decode=lambda messages: answers.pop(0), **more)
    made = checked(codec, counters)
    for known in counted:
        made.decode(SOME)
        assert counters[UNANSWERED] == known
    assert checked(SimpleNamespace(untyped=False, decode=lambda messages: [])).decode(SOME) == []


def test_numbers_that_are_not_finite_are_missing_and_counted() -> None:
    nan, counters = float("nan"), Counter[str]()
    record = {"a": nan, "b": [1.5, {"c": -float("inf")}], "d": 2}
    table = SimpleNamespace(messages=[MESSAGE], column=None, record=lambda number: {"e": [nan]})
    codec = SimpleNamespace(
        untyped=False, decode=lambda messages: [(MESSAGE, record)], table=lambda messages: table
    )
    made: Any = checked(codec, counters)
    assert made.decode([MESSAGE]) == [(MESSAGE, {"a": None, "b": [1.5, {"c": None}], "d": 2})]
    assert made.table([MESSAGE]).record(0) == {"e": [None]}
    assert counters == {NOT_FINITE: 3}
    record.update(a=nan, b={1})  # type: ignore[dict-item]
    with pytest.raises(ContractBreach, match=r"in 'b' \{1\} is no value"):
        made.decode([MESSAGE])


def test_what_is_untyped_gives_text_alone() -> None:
    with pytest.raises(ContractBreach, match="is untyped, and gave 1 for 'a'"):
        codec(untyped=True, decode=[(MESSAGE, {"a": 1})]).decode([MESSAGE])


@pytest.mark.parametrize(
    ("member", "given", "said"),
    [
        ("spelled", 5, "spelled 5 where records are due"),
        ("spelled", [{1: 2}], "the key 1 is no text"),
        ("counted", {"a": {1}}, "no values of JSON"),
        ("counted", 5, "no values of JSON"),
        ("plain", None, "no number, boolean or text"),
    ],
)
def test_so_it_is_with_what_else_it_says(member: str, given: Any, said: str) -> None:
    with pytest.raises(ContractBreach, match=said):
        getattr(codec(**{member: given}), member)(*[MESSAGE] * (member != "counted"))


def test_and_with_what_it_has() -> None:
    for member, odd, sound in (("decimal", 5, ","), ("texts", "ab", {"a"})):
        with pytest.raises(ContractBreach, match=f"has the {'decimal mark' if odd == 5 else 'texts'}"):
            getattr(checked(SimpleNamespace(untyped=True, **{member: odd})), member)
        assert getattr(checked(SimpleNamespace(untyped=True, **{member: sound})), member) == sound


def test_it_holds_something_or_nothing() -> None:
    assert checked(SimpleNamespace(untyped=True, holding=True)).holding is True
    with pytest.raises(ContractBreach, match="has 'no' as 'holding', neither True nor False"):
        checked(SimpleNamespace(untyped=True, holding="no")).holding  # noqa: B018


def test_numbers_may_be_spelled_and_abilities_stay_what_they_are() -> None:
    spelled = [{"a": Spelled("1.50")}]
    made = codec(spelled=spelled, remembered=None, recall=None)
    assert made.spelled(MESSAGE) == spelled
    assert isinstance(made, Remembering)
    assert not isinstance(made, Tabular)


class Table:
    messages = (MESSAGE,)

    def __init__(self, column: Any = (), record: Any = None) -> None:
        self.column = lambda name: column
        self.record = lambda number: record


def test_a_table_is_looked_at_too() -> None:
    made = codec(table=Table([1], {"a": 1})).table([MESSAGE])
    assert (made.column("a"), made.record(0)) == ([1], {"a": 1})
    assert codec(table=None).table([MESSAGE]) is None
    for odd, said in ((5, "has no 'messages'"), (Table(), "of 1 messages, asked for 2")):
        with pytest.raises(ContractBreach, match=said):
            codec(table=odd).table([MESSAGE, MESSAGE])
    odd = codec(table=Table([1, 2], 5)).table([MESSAGE])
    with pytest.raises(ContractBreach, match="for the column 'a'"):
        odd.column("a")
    with pytest.raises(ContractBreach, match="gave 5 where"):
        odd.record(0)
