"""What a server's answer to a record means."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from typing import NamedTuple

from limecep_http.address import masked

#: Answers that ask to try again; others below 500 stay what they are.
_AGAIN = (408, 425, 429)
#: The longest wait that a server may ask for, in seconds.
MOST_WAIT_SECONDS = 3600.0
#: How much of an answer is shown, in characters.
SHOWN_CHARACTERS = 200

_HINTS = {
    401: "look at 'headers', and at user and password in the url",
    403: "look at 'headers', and at user and password in the url",
    404: "look at 'url', and at the channel of the sink",
    405: "it takes no POST there: look at 'url'",
    413: "smaller records help: 'events: ids', or a smaller 'batch'",
}


class Refused(NamedTuple):
    """A server did not take a record.

    Attributes:
        words: Why, for the user.
        again: Whether it may take it later.
        wait: How long it asks to wait, in seconds; 0 if it does not say.
    """

    words: str
    again: bool
    wait: float = 0.0


def refusal(
    status: int, reason: str, retry_after: str, body: bytes, now: float, secrets: list[str]
) -> Refused | None:
    """Why a server did not take a record; None if it did.

    Args:
        status, reason: Of its answer.
        retry_after: What it says in this header; "" if nothing.
        body: Its answer, or the beginning of it.
        now: The time in seconds.
        secrets: What is not to be shown, should it stand in the answer.
    """
    if 200 <= status < 300:
        return None
    text = masked(body.decode(errors="replace"), secrets)
    text = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    said = f"{status} {reason}".strip() + (f": {text[:SHOWN_CHARACTERS]}" if text else "")
    if status >= 500 or status in _AGAIN:
        return Refused(said, True, wait_of(retry_after, now))
    if 300 <= status < 400:
        said = f"{status}: it redirects to another address, which is to stand in 'url'"
    elif status in _HINTS:
        said += f" ({_HINTS[status]})"
    return Refused(said, False)


def wait_of(retry_after: str, now: float) -> float:
    """How long a header asks to wait, in seconds: it has seconds, or a date."""
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return min(float(text), MOST_WAIT_SECONDS)
    try:
        due = parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(0.0, due - now), MOST_WAIT_SECONDS)
