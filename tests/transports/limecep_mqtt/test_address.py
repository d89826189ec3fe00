"""Where a broker is, as people write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from limecep_mqtt.address import Address


@pytest.mark.parametrize(
    ("url", "expected", "text"),
    [
        ("mqtt://h", Address(host="h", port=1883, tls=False), "h:1883"),
        ("mqtts://h", Address(host="h", port=8883, tls=True), "h:8883"),
        ("mqtt://10.0.0.1:1884/", Address(host="10.0.0.1", port=1884, tls=False), "10.0.0.1:1884"),
        ("mqtt://[::1]:1884", Address(host="::1", port=1884, tls=False), "[::1]:1884"),
        (
            "mqtts://u%40x:p%2Fq@h:1",
            Address(host="h", port=1, tls=True, user="u@x", password="p/q"),
            "h:1",
        ),
    ],
)
def test_an_address_is_read_and_shown_without_secrets(url: str, expected: Address, text: str) -> None:
    assert Address.of(url) == expected
    assert str(Address.of(url)) == text


@pytest.mark.parametrize(
    "url",
    ["", "h:1883", "http://h", "mqtt://", "mqtt://h:x", "mqtt://h:70000", "mqtt://h/topic", "mqtt://h?q=1",
     "mqtt://[h", "mqtt://" + "x" * 70],
)  # fmt: skip
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"^'url' "):
        Address.of(url)


@given(
    st.lists(
        st.sampled_from(["Qz7", " ", "/", "?", "#", "%", "@", ":", "[", "]", "\\", "é", "1"]), max_size=8
    )
)
def test_no_part_of_a_password_is_in_what_is_said(parts: list[str]) -> None:
    password = "Qz7" + "".join(parts) + "Qz7"
    try:
        said = str(Address.of(f"mqtt://u:{password}@h:1"))
    except ValueError as error:
        said = str(error)
    assert "Qz7" not in said
