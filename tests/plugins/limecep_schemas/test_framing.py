"""What framed messages begin with."""

from __future__ import annotations

import pytest

from limecep_schemas.framing import Unframed, message_path, schema_id


def test_the_id_stands_in_four_bytes_behind_a_zero() -> None:
    assert schema_id(b"\0\0\1\0\2rest", "") == 65_538


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (b"{}", "it begins with byte 0x7b, not with 0: is it framed?"),
        (b"", "it is empty"),
        (b"\0\0\0", "3 bytes are too few"),
    ],
)
def test_a_message_that_is_not_framed_says_so(value: bytes, said: str) -> None:
    with pytest.raises(Unframed, match=said.replace("?", r"\?")):
        schema_id(value, "Do this")


@pytest.mark.parametrize(
    ("written", "path"), [(b"\x00", (0,)), (b"\x02\x02", (1,)), (b"\x04\x02\x80\x02", (1, 128))]
)
def test_the_place_of_a_message_is_a_list_of_numbers(written: bytes, path: tuple[int, ...]) -> None:
    head = b"\0\0\0\0\1"
    assert message_path(head + written + b"rest") == (path, len(head + written))


@pytest.mark.parametrize("written", [b"", b"\x02", b"\x03\x02", b"\xff" * 12, b"\xfe\xff\xff\xff\x0f\x00"])
def test_a_place_that_is_broken_says_so(written: bytes) -> None:
    with pytest.raises(Unframed, match="message indexes"):
        message_path(b"\0\0\0\0\1" + written)
