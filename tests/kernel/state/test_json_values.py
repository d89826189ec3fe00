"""Values as JSON, and what is no such value."""

from __future__ import annotations

import pytest

from limecep.errors import RunFailure
from limecep.state.json_values import damaged, decode, encode


def test_a_value_is_read_as_it_was_written() -> None:
    value = {"n": [1, -2.5, None, True], "text": "ä"}
    assert encode(value) == '{"n":[1,-2.5,null,true],"text":"ä"}'.encode()
    assert decode(encode(value)) == value


@pytest.mark.parametrize("value", [b"", b"{\xff", b'"\xff"', b"[1", b"1 2"])
def test_what_nobody_wrote_is_damage(value: bytes) -> None:
    with pytest.raises(RunFailure, match=r"the state is damaged: .+\. To begin anew: limecep state reset"):
        decode(value)


def test_damage_says_what_is_wrong_and_what_to_do() -> None:
    assert str(damaged("no")) == "the state is damaged: no. To begin anew: limecep state reset DIR"
