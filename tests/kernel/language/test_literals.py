"""Numbers, texts and durations as they are written."""

from __future__ import annotations

import pytest

from limecep.language.literals import BadLiteral, duration, number, string, unit

SECOND = 1_000_000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("9" * 400, int("9" * 400)),
        ("1.7e308", 1.7e308),
    ],
)
def test_a_number_is_an_integer_unless_it_has_a_point_or_an_exponent(text: str, value: float) -> None:
    assert number(text) == value
    assert type(number(text)) is type(value)


@pytest.mark.parametrize(
    ("token", "text"),
    [
        ("''", ""),
        ("'it''s'", "it's"),
        ('"a""b"', 'a"b'),
        ("'a\"\"b'", 'a""b'),
        (r"'\n\t\r\\\'\"'", "\n\t\r\\'\""),
    ],
)
def test_a_text_has_its_quotes_doubled_or_escaped(token: str, text: str) -> None:
    assert string(token) == text


@pytest.mark.parametrize(
    ("amount", "name", "microseconds"),
    [
        ("0", "s", 0),
        ("1", "us", 1),
        ("1.001", "seconds", 1_001_000),
        ("0.000001", "sec", 1),
        ("2", "Minutes", 120 * SECOND),
        ("1", "day", 86_400 * SECOND),
        ("123456789.123457", "s", 123_456_789_123_457),
        (str(2**62), "us", 2**62),
        ("0" * 399 + "1", "us", 1),
    ],
)
def test_a_duration_is_exact(amount: str, name: str, microseconds: int) -> None:
    assert duration(amount, unit(name)) == microseconds


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("0.0000001", "finer than a microsecond"),
        ("1e3", "1e3 is no duration"),
        (str(2**62 // SECOND + 1), "too long"),
        ("0" * 401, "is no duration"),
    ],
)
def test_a_duration_that_is_not_of_whole_microseconds_in_reach_is_refused(amount: str, message: str) -> None:
    with pytest.raises(BadLiteral, match=message) as caught:
        duration(amount, SECOND)
    assert caught.value.code == "bad-duration"


@pytest.mark.parametrize(("text", "message"), [("1e999", "too large"), ("1" * 401, "401 characters")])
def test_a_number_that_nothing_can_hold_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadLiteral, match=message) as caught:
        number(text)
    assert caught.value.code == "bad-number"


@pytest.mark.parametrize("escape", [r"\d", "\\\n"])
def test_an_escape_that_means_nothing_is_refused(escape: str) -> None:
    with pytest.raises(BadLiteral) as caught:
        string(f"'{escape}'")
    assert (caught.value.code, caught.value.message) == ("bad-escape", f"{escape} means nothing in a text")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("secondz", "did you mean 'second'? units are us"),
        ("m", "minutes are min; units are us"),
        ("fortnights", "units are us"),
    ],
)
def test_an_unknown_unit_comes_with_those_that_there_are(name: str, hint: str) -> None:
    with pytest.raises(BadLiteral, match=f"unknown unit '{name}'") as caught:
        unit(name)
    assert caught.value.hint.startswith(hint)
