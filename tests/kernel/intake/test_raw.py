"""Of a message that gave no event the beginning is shown."""

from __future__ import annotations

from limecep.intake.raw import RAW_CHARACTERS, raw_text


def test_a_short_one_is_shown_whole_whatever_its_bytes_are() -> None:
    assert raw_text(b"a\xffb") == "a\ufffdb"
    assert raw_text(b"x" * RAW_CHARACTERS) == "x" * RAW_CHARACTERS


def test_of_a_long_one_the_rest_is_left_out() -> None:
    assert raw_text("é".encode() * 5000) == "é" * RAW_CHARACTERS + "..."
