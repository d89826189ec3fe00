"""Each part of a message is of its kind, whoever made it."""

from __future__ import annotations

from typing import Any

import pytest

from limecep.contracts.source import Message
from limecep.intake.messages import message_problem


def test_a_message_may_have_all_its_parts_and_need_not() -> None:
    assert message_problem(Message(b"", "c", "c:1")) == ""
    whole = Message(b"", "c", "c:1", t_arr=1, key=b"k", headers=(("h", b"v"),), event_time=2, error="odd")
    assert message_problem(whole) == ""


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (5, "gave 5 where a message is due"),
        (Message(5, "c", "c:1"), "whose value is 5, not bytes"),  # type: ignore[arg-type]
        (Message(b"", None, "c:1"), "whose channel is None, not text"),  # type: ignore[arg-type]
        (Message(b"", "c", "c:1", t_arr="now"), "whose t_arr is 'now', not a time"),  # type: ignore[arg-type]
        (Message(b"", "c", "c:1", headers=[("h", b"v")]), "whose headers is "),  # type: ignore[arg-type]
    ],
)
def test_one_that_is_none_is_told(message: Any, said: str) -> None:
    assert said in message_problem(message)
