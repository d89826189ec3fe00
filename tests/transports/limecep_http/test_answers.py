"""What answers mean."""

from __future__ import annotations

import pytest

from limecep_http.answers import MOST_WAIT_SECONDS, Refused, refusal, wait_of

NOW = 1_767_607_200.0  # 2026-01-05T10:00:00Z


def told(status: int, body: bytes = b"", retry_after: str = "") -> Refused | None:
    return refusal(status, "Reason", retry_after, body, NOW, ["s3cret-token"])


@pytest.mark.parametrize("status", [200, 201, 202, 204])
def test_2xx_takes_a_record(status: int) -> None:
    assert told(status) is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_some_ask_to_try_again(status: int) -> None:
    assert told(status, retry_after="7") == Refused(f"{status} Reason", True, 7.0)


@pytest.mark.parametrize("status", [301, 307, 400, 401, 403, 404, 405, 409, 410, 413, 422])
def test_others_stay_what_they_are(status: int) -> None:
    refused = told(status)
    assert refused is not None
    assert not refused.again
    assert str(status) in refused.words


def test_the_beginning_of_the_answer_is_shown_in_a_line_and_without_secrets() -> None:
    refused = told(400, b'{"error":\n "s3cret-token is \x1b[31mwrong"}' + b"x" * 1000)
    assert refused is not None
    assert refused.words.startswith('400 Reason: {"error": "*** is [31mwrong"}xxx')
    assert len(refused.words) < 250


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 0.0),
        ("0", 0.0),
        ("120", 120.0),
        ("99999999", MOST_WAIT_SECONDS),
        ("soon", 0.0),
        ("-5", 0.0),
        ("Mon, 05 Jan 2026 10:00:30 GMT", 30.0),
        ("Mon, 05 Jan 2026 09:00:30 GMT", 0.0),
        ("Mon, 05 Jan 2099 09:00:30 GMT", MOST_WAIT_SECONDS),
    ],
)
def test_a_server_says_how_long_to_wait(header: str, seconds: float) -> None:
    assert wait_of(header, NOW) == seconds
