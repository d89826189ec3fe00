"""Options of HTTP are checked, and nothing secret is quoted."""

from __future__ import annotations

from typing import Any

import pytest

from limecep_http.config import HttpOptions, HttpSinkOptions, HttpSinkSettings


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"listen": "8080"}, "'listen' must be"),
        ({"listen": "h:x"}, "'listen' must be"),
        ({"listen": "h:70000"}, "'listen' must be"),
        ({"token": "a b"}, "'token' must be"),
        ({"tls_key": "k"}, "'tls_key' and"),
        ({"max_body": 0}, "'max_body' must be"),
        ({"queue": 10}, "'queue' must be"),
        ({"timeout": 1}, "'timeout' must be"),
    ],
)
def test_what_a_source_cannot_do_is_told(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        HttpOptions(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"tls_ca": "ca.pem", "url": "http://h"}, "'url' must be https"),
        ({"tls_key": "k"}, "'tls_key' and"),
        ({"headers": {"content-type": "s3cret"}}, "'headers' cannot set content-type"),
        ({"headers": {"a b": "s3cret"}}, "is no name of a header"),
        ({"headers": {"A": "s3cret\r\nB: c"}}, "A must be printable ASCII"),
        ({"headers": {"authorization": "s3cret"}, "url": "https://u:p@h"}, "leave one out"),
        ({"timeout": 1}, "'timeout' must be"),
        ({"retry_max": 1}, "'retry_max' must be"),
    ],
)
def test_what_a_sink_cannot_do_is_told(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said) as caught:
        HttpSinkOptions(**{"url": "https://h", **options})
    assert "s3cret" not in str(caught.value)


def test_a_batch_has_a_record_at_least() -> None:
    with pytest.raises(ValueError, match="'batch'"):
        HttpSinkSettings(batch=0)


@pytest.mark.parametrize(
    ("listen", "token", "warned"),
    [
        ("127.0.0.1:80", "", False),
        ("localhost:80", "", False),
        ("[::1]:80", "", False),
        ("0.0.0.0:80", "", True),
        ("0.0.0.0:80", "t", False),
    ],
)
def test_it_is_told_who_may_post(listen: str, token: str, warned: bool) -> None:
    found = HttpOptions(listen=listen, token=token).vet("/x")
    assert [p.severity for p in found] == ["warning"] * warned


def test_bad_paths_are_told() -> None:
    assert [p.code for p in HttpOptions().vet("a//b")] == ["bad-channel"]
    assert [p.code for p in HttpSinkOptions(url="http://h").vet("a b")] == ["bad-channel"]
    assert [p.code for p in HttpSinkOptions(url="http://h").vet("{nothing}")] == ["bad-channel"]
    assert HttpSinkOptions(url="http://h").vet("{pattern}/{key.room}") == []
    assert HttpSinkOptions(url="http://h").vet("") == []


def test_a_path_with_wildcards_means_others() -> None:
    assert HttpOptions().reads("/a/*", "a/b")
    assert not HttpOptions().reads("/a/*", "b/b")
