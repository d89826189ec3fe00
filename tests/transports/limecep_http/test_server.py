"""The server answers as a client needs it."""

from __future__ import annotations

import socket
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_http.config import HttpOptions
from limecep_http.source import HttpSource

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.contracts.context import Context


@pytest.mark.parametrize(
    ("request_", "status", "said"),
    [
        (("/events", b"{}", {"Authorization": "Bearer wrong"}), 401, "a valid token is needed"),
        (("/other", b"{}", {}), 404, "no source listens at this path"),
        (("/events", b"{}", {"Content-Encoding": "gzip"}), 415, "the body must not be compressed"),
        (("/events", b"x" * 51, {}), 413, "the body is longer than 50 bytes"),
    ],
)
def test_what_cannot_be_taken_is_declined(
    served: Any, post: Any, context: Context, request_: Any, status: int, said: str
) -> None:
    source, port = served(max_body=50, token="abc")
    path, body, headers = request_
    answer = post(port, path, body, {"Authorization": "Bearer abc", **headers})
    assert (answer.status, answer.said) == (status, {"error": said})
    assert context.counters[f"answers_{status}"] == 1
    assert source.poll(10, 0) == []


def test_events_are_posted(served: Any, post: Any) -> None:
    _, port = served()
    answer = post(port, "/events", b"", method="GET")
    assert (answer.status, answer.headers["allow"]) == (405, "POST")


def test_a_body_of_unknown_length_is_bounded_too(served: Any, post: Any) -> None:
    _, port = served(max_body=50)
    answer = post(port, "/events", iter([b"x" * 40, b"y" * 40]))
    assert answer.status == 413


def test_a_body_that_does_not_come_is_not_waited_for(served: Any) -> None:
    source, port = served(timeout=200_000)
    with socket.create_connection(("127.0.0.1", port), timeout=10) as slow:
        slow.sendall(b"POST /events HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n{}")
        assert slow.recv(100).startswith(b"HTTP/1.1 408")
    assert source.poll(10, 0) == []


def test_nobody_is_answered_before_all_is_done_with(served: Any, post: Any) -> None:
    source, port = served()
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(post, port, "/events", b"1\n2", {"Content-Type": "application/x-ndjson"})
        messages = [*source.poll(1, 5), *source.poll(1, 5)]
        source.commit([messages[0].position])
        assert not answer.done()
        source.commit([messages[1].position])
        assert answer.result(5).status == 204


def test_who_waits_too_long_is_to_send_again(served: Any, post: Any) -> None:
    _, port = served(timeout=100_000)
    answer = post(port, "/events", b"{}")
    assert (answer.status, answer.headers["retry-after"]) == (503, "1")


def test_where_too_much_waits_nothing_more_is_taken(served: Any, post: Any) -> None:
    source, port = served(queue=1_500, max_body=1_000)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(post, port, "/events", b"x" * 400)
        [message] = source.poll(10, 5)
        answer = post(port, "/events", b"x" * 400)
        assert (answer.status, answer.headers["retry-after"]) == (503, "1")
        assert answer.said == {"error": "too much waits to be worked on"}
        source.commit([message.position])
        assert first.result(5).status == 204
        second = pool.submit(post, port, "/events", b"x" * 400)
        source.commit([m.position for m in source.poll(10, 5)])
        assert second.result(5).status == 204


def test_an_end_tells_who_waits_and_takes_little_time(served: Any, post: Any) -> None:
    source, port = served()
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(post, port, "/events", b"{}")
        source.poll(10, 5)
        watch = Stopwatch()
        source.close()
        assert waiting.result(5).status == 503
        assert watch.seconds < 2
    with pytest.raises(ConnectionRefusedError):
        post(port, "/events", b"{}")


def test_an_address_in_use_is_told(served: Any, context: Context) -> None:
    _, port = served()
    context.shared = {}
    source = HttpSource("/x", None, HttpOptions(listen=f"127.0.0.1:{port}"), context)
    with pytest.raises(RunFailure, match=f"cannot listen at 127.0.0.1:{port}: Address already in use"):
        source.open()
    source.close()


def test_with_a_certificate_it_is_https(served: Any, tmp_path: Path, context: Context) -> None:
    with pytest.raises(RunFailure, match="the certificate cannot be used"):
        served(tls_certificate="none.pem", tls_key="none.pem")
    context.shared = {}
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", tmp_path / "key.pem", "-out", tmp_path / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    _, port = served(tls_certificate="cert.pem", tls_key="key.pem")
    trusting = ssl.create_default_context(cafile=tmp_path / "cert.pem")
    trusting.check_hostname = False
    with (
        socket.create_connection(("127.0.0.1", port), timeout=10) as plain,
        trusting.wrap_socket(plain) as secure,
    ):
        secure.sendall(b"GET /events HTTP/1.1\r\nHost: h\r\n\r\n")
        assert secure.recv(100).startswith(b"HTTP/1.1 405")
