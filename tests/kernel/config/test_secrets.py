"""Values are kept out of messages, and what else stands there is left as it is."""

from __future__ import annotations

import pytest

from limecep.config.secrets import Secrets


@pytest.fixture
def secrets() -> Secrets:
    made = Secrets()
    made.keys = {"hunter"}
    made.add("hunter two", "${KP}")
    made.add("mqtts://limecep:k@y%2F9Z@broker:8883", "${URL}")
    made.add("max", "${SPEED}")
    made.add("42", "${SMALL}")
    return made


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("must be a number, not the text 'hunter two'", "must be a number, not the text '${KP}'"),
        ("not a URL: 'xhunter twox'", "not a URL: 'x${KP}x'"),
        ("the port is 'er tw'", "the port is '${KP}'"),
        ('not a time: "unter"', 'not a time: "${KP}"'),
        ("it has no key 'hunter'", "it has no key 'hunter'"),
        ("no file hunter two", "no file ${KP}"),
        ("at hunter%20two", "at ${KP}"),
        ("at hunter+two", "at ${KP}"),
        ("password=k@y/9Z rejected", "password=${URL} rejected"),
        ("no mqtts://limecep:k@y%2F9Z@broker:8883/", "no ${URL}/"),
        ("speed max, not maximal", "speed ${SPEED}, not maximal"),
        ("at most 42, or '42'", "at most 42, or '42'"),
        ("'two' and 'tw' of it", "'${KP}' and 'tw' of it"),
    ],
)
def test_a_message_has_references_in_place_of_values(message: str, shown: str, secrets: Secrets) -> None:
    assert secrets.hidden(message) == shown


def test_where_nothing_was_put_in_messages_stay_as_they_are() -> None:
    assert Secrets().hidden("not 'x'") == "not 'x'"
