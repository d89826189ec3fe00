"""A source that somebody brought is looked at before anything is made of what it gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from limecep.contracts.source import Fielded, Lines, Log, Message
from limecep.errors import ContractBreach
from limecep.runtime.checked_sources import checked

SOUND: dict[str, Any] = {"value": b"{}", "channel": "c", "position": "c:1"}


def polling(given: Any) -> Any:
    return checked(SimpleNamespace(poll=lambda limit, timeout: given))


@pytest.mark.parametrize(
    "given",
    [
        [],
        Lines([b"a", b"b"], "c", 1),
        [
            Message(**SOUND),
            Message(**SOUND, t_arr=1, key=b"k", headers=(("h", b"1"),), event_time=-5, error="no"),
        ],
    ],
)
def test_messages_are_given_on(given: Any) -> None:
    assert polling(given).poll(10, 0.0) is given


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("value", "{}"),
        ("channel", None),
        ("position", 5),
        ("t_arr", "2026"),
        ("t_arr", 1.5),
        ("t_arr", 10**30),
        ("key", "k"),
        ("headers", {"h": b"1"}),
        ("headers", (("h", "1"),)),
        ("event_time", True),
        ("error", None),
    ],
)
def test_a_message_with_an_odd_part_is_told_with_that_part(part: str, value: Any) -> None:
    with pytest.raises(ContractBreach, match=f"gave a message whose {part} is .*, not "):
        polling([Message(**SOUND), Message(**{**SOUND, part: value})]).poll(10, 0.0)


@pytest.mark.parametrize(
    "given", [None, [b"{}"], iter(()), [Message(**SOUND), 5], Lines(["a", b"b"], "c", 1)]
)  # type: ignore[list-item]
def test_what_is_no_message_is_told_too(given: Any) -> None:
    with pytest.raises(ContractBreach, match=r"polled|gave 5"):
        polling(given).poll(10, 0.0)


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("fields", "time"),
        ("fields", [1]),
        ("speed", 0),
        ("speed", "fast"),
        ("progress", (1, "2")),
        ("progress", 0.5),
    ],
)
def test_so_is_an_odd_value_of_what_a_source_may_say(member: str, value: Any) -> None:
    with pytest.raises(ContractBreach, match=f"has the {member} "):
        getattr(checked(SimpleNamespace(**{member: value})), member)
    assert getattr(checked(SimpleNamespace(**{member: None})), member) is None


def test_so_are_a_mark_that_is_no_text_and_a_log_that_is_none() -> None:
    source: Any = checked(SimpleNamespace(mark=lambda message: 5, replay=lambda t_from, t_to: 5))
    with pytest.raises(ContractBreach, match="marked a message with 5"):
        source.mark(Message(**SOUND))
    with pytest.raises(ContractBreach, match="replayed 5"):
        source.replay(0, 1)


def test_what_is_read_again_is_looked_at_and_a_log_can_still_be_entered_anywhere() -> None:
    class Entered:
        def __iter__(self) -> Any: ...
        def __next__(self) -> Any: ...
        def skip(self, count: int) -> None: ...

    answers = iter([None, Entered(), [Message(**SOUND), 5]])
    source: Any = checked(SimpleNamespace(replay=lambda t_from, t_to: next(answers)))
    assert source.replay(0, 1) is None
    assert isinstance(source.replay(0, 1), Log)
    with pytest.raises(ContractBreach, match="gave 5 where a message is due"):
        [*source.replay(0, 1)]


def test_a_part_is_looked_at_and_named_as_its_source() -> None:
    part = SimpleNamespace(poll=lambda limit, timeout: None, ended=False, commit=None, replay=None)
    whole = SimpleNamespace(parts=lambda: [part])
    [made] = checked(whole).parts()  # type: ignore[attr-defined]
    with pytest.raises(ContractBreach) as breach:
        made.poll(10, 0.0)
    assert breach.value.component is whole
    for odd in (5, [5]):
        with pytest.raises(ContractBreach, match="gave 5 as"):
            checked(SimpleNamespace(parts=lambda odd=odd: odd)).parts()  # type: ignore[attr-defined]


def test_what_a_source_knows_once_it_is_open_is_there_then() -> None:
    source = SimpleNamespace()
    source.open = lambda: setattr(source, "fields", ["a"])
    made = checked(source)
    assert not isinstance(made, Fielded)
    made.open()
    assert isinstance(made, Fielded)


def test_it_has_ended_or_not() -> None:
    assert checked(SimpleNamespace(ended=True)).ended is True
    with pytest.raises(ContractBreach, match="has 'no' as 'ended', neither True nor False"):
        checked(SimpleNamespace(ended="no")).ended  # noqa: B018
