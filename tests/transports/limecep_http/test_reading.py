"""What a request has in it."""

from __future__ import annotations

import pytest

from limecep_http.reading import (
    Declined,
    admitted,
    complaint,
    length_of,
    messages_of,
    of_lines,
    passed_on,
    too_long,
)


@pytest.mark.parametrize(
    ("header", "token", "may"),
    [
        (b"", "", True),
        (b"Bearer abc", "", True),
        (b"Bearer abc", "abc", True),
        (b"bearer  abc", "abc", True),
        (b"Bearer abd", "abc", False),
        (b"Basic abc", "abc", False),
        (b"abc", "abc", False),
        (b"", "abc", False),
    ],
)
def test_a_token_admits(header: bytes, token: str, may: bool) -> None:
    assert admitted({"authorization": header} if header else {}, token) is may


def test_media_types_tell_lines() -> None:
    assert of_lines({"content-type": b"Application/X-NDJSON; charset=utf-8"})
    assert not of_lines({"content-type": b"application/json"})
    assert not of_lines({})


def test_a_message_is_a_body_or_a_line_that_is_not_blank() -> None:
    assert messages_of(b"a\n\nb\r\n c \n", lines=True) == [b"a", b"b", b" c "]
    assert messages_of(b"a\nb", lines=False) == [b"a\nb"]
    assert messages_of(b" \n", lines=True) == []


def test_only_headers_that_codecs_read_are_passed_on() -> None:
    headers = [
        ("host", b"h"),
        ("content-type", b"a/b"),
        ("authorization", b"s"),
        ("ce-subject", b"caf%C3%A9"),
    ]
    assert passed_on(headers) == (("content-type", b"a/b"), ("ce-subject", "café".encode()))


def test_how_long_a_body_may_be() -> None:
    assert length_of({"content-length": b"10"}, 10) == 10
    assert length_of({}, 10) == 10
    for headers, status in (
        ({"content-length": b"11"}, 413),
        ({"content-length": b"9" * 30}, 413),
        ({"content-encoding": b"gzip"}, 415),
    ):
        with pytest.raises(Declined) as caught:
            length_of(headers, 10)
        assert caught.value.status == status
    assert too_long(10).said == {"error": "the body is longer than 10 bytes"}


def test_a_complaint_names_the_first_line() -> None:
    assert complaint({3: "b", 1: "a"}, 4, lines=True).said == {"error": "line 2: a", "invalid": 4}
    assert complaint({0: "a"}, 2, lines=False).said == {"error": "a", "invalid": 2}
