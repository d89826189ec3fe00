"""Addresses are read, and shown without what may be a secret."""

from __future__ import annotations

import pytest

from limecep_http.address import Address, masked


@pytest.mark.parametrize(
    ("url", "channel", "target", "shown"),
    [
        ("http://h", "", "/", "http://h"),
        ("http://h/", "", "/", "http://h"),
        ("https://h:443/x/y", "", "/x/y", "https://h/..."),
        ("https://h:8443/x/", "a/b", "/x/a/b", "https://h:8443/.../a/b"),
        ("http://u:p@[::1]:80/?t=1", "/a", "/a?t=1", "http://[::1]/.../a"),
        ("http://h", "a", "/a", "http://h/a"),
    ],
)
def test_a_channel_goes_behind_the_path(url: str, channel: str, target: str, shown: str) -> None:
    address = Address.of(url)
    assert address.target(channel) == target
    assert address.shown(channel) == shown


@pytest.mark.parametrize(
    "url",
    ["", "h", "ftp://h/s3cret", "http:///s3cret", "http://h/s3cret#x", "http://h:s3cret", "http://h/s3cret é",
     "http://h/s3cret\n"],
)  # fmt: skip
def test_what_is_no_address_is_told_without_quoting_it(url: str) -> None:
    with pytest.raises(ValueError, match="'url'") as caught:
        Address.of(url)
    assert "s3cret" not in str(caught.value)


def test_path_query_and_password_are_secrets() -> None:
    address = Address.of("https://u:pw@h/services/T0000/abcdefgh?key=12345%2067")
    said = "services/T0000/abcdefgh abcdefgh key=12345%2067 12345%2067 12345 67 pw services"
    assert masked(said, address.secrets) == "*** *** *** *** *** *** ***"


def test_no_part_of_a_longer_secret_is_left() -> None:
    assert masked("abcdefghij", ["cdefgh", "abcdefghij"]) == "***"
