"""The courier posts until each request is taken."""

from __future__ import annotations

import socket
import ssl
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from limecep.clock import Stopwatch
from limecep.errors import RunFailure, Stopped
from limecep.testing.broker import free_port
from limecep_http import courier
from limecep_http.config import HttpSinkOptions
from limecep_http.courier import WAITING_POSTS, Courier, Post

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from limecep.contracts.context import Context


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "FIRST_WAIT_SECONDS", 0.02)


@pytest.fixture
def sent(context: Context) -> Iterator[Callable[..., Courier]]:
    """Makes a courier, and gives it posts."""
    made: list[Courier] = []

    def send(url: str, *keys: str, channel: str = "", **options: Any) -> Courier:
        one = Courier(HttpSinkOptions(url=url, **options), context)
        made.append(one)
        one.start()
        for key in keys:
            one.post(Post(channel, b"{}", "application/json", key, 1))
        return one

    yield send
    context.raise_if_stopped = _stopped
    for one in made:
        with suppress(Stopped):
            one.close()


def test_requests_have_the_headers_that_they_are_to_have(sent: Any, hook: Any) -> None:
    sent(hook.url.replace("//", "//me:pass%20word@") + "/in", "m/1/emit", headers={"X-Site": "a"}).flush()
    [came] = hook.came
    assert came.path == "/in"
    assert came.body == b"{}"
    wanted = {
        "Authorization": "Basic bWU6cGFzcyB3b3Jk",
        "Content-Type": "application/json",
        "Idempotency-Key": "m/1/emit",
        "User-Agent": "limecep",
        "X-Site": "a",
    }
    assert {k.lower(): v for k, v in wanted.items()}.items() <= {
        k.lower(): v for k, v in came.headers.items()
    }.items()


def test_what_is_not_taken_is_posted_again_with_the_same_key_and_in_order(
    sent: Any, hook: Any, context: Context
) -> None:
    hook.answers = [(503, {}, b"down"), (429, {"Retry-After": "0"}, b""), (500, {}, b"")]
    sent(hook.url, "a", "b").flush()
    assert [p.headers["Idempotency-Key"] for p in hook.came] == ["a", "b"]
    assert hook.tries == 5
    assert context.counters["retries"] == 3
    told = [(level, text) for level, text, _ in context.logger.entries]
    assert told == [
        ("warning", "a record is not taken, and tried again"),
        ("info", "records are taken again"),
    ]


def test_a_server_may_ask_for_a_longer_wait(sent: Any, hook: Any) -> None:
    hook.answers = [(429, {"Retry-After": "1"}, b"")]
    watch = Stopwatch()
    sent(hook.url, "a").flush()
    assert watch.seconds > 1.0


def test_a_refusal_says_where_and_why_and_no_secret(sent: Any, hook: Any) -> None:
    hook.answers = [(422, {}, b'{"detail": "no field x for T0K3N-T0K3N at /hidden-place"}')]
    courier = sent(
        f"{hook.url}/hidden-place", "a", channel="fire", headers={"Authorization": "Bearer T0K3N-T0K3N"}
    )
    with pytest.raises(RunFailure) as caught:
        courier.flush()
    where, _, why = str(caught.value).partition(" refused a record: ")
    assert where == f"{hook.url}/.../fire"
    assert why.startswith("422 ")
    assert why.endswith('{"detail": "no field x for *** at /***"}')
    assert hook.tries == 1


def test_who_is_not_there_is_waited_for(sent: Any, hooks: Any, context: Context) -> None:
    port = free_port()
    courier = sent(f"http://127.0.0.1:{port}/hidden-place", "a")
    watch = Stopwatch()
    while not context.logger.entries and watch.seconds < 5:
        pass
    [(_, _, told)] = context.logger.entries
    assert told["error"] == "Connection refused"
    hook = hooks(port)
    courier.flush()
    assert len(hook.came) == 1


def test_or_fails_the_run(sent: Any) -> None:
    courier = sent(f"http://127.0.0.1:{free_port()}/hidden-place", "a", on_unavailable="fail")
    with pytest.raises(RunFailure, match=r"/\.\.\. does not take records: Connection refused$"):
        courier.flush()


def test_who_does_not_answer_in_time_is_asked_again(sent: Any, context: Context) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        courier = sent(f"http://127.0.0.1:{silent.getsockname()[1]}", "a", timeout=200_000)
        watch = Stopwatch()
        while not context.counters["retries"] and watch.seconds < 5:
            pass
        assert context.counters["retries"]
        context.raise_if_stopped = _stopped
        with pytest.raises(Stopped, match="did not take the last 1 records"):
            courier.flush()


def _stopped(undone: str = "") -> None:
    raise Stopped(undone)


def test_it_takes_no_more_than_may_wait(sent: Any, context: Context) -> None:
    courier = sent(f"http://127.0.0.1:{free_port()}", *map(str, range(WAITING_POSTS)))
    context.raise_if_stopped = _stopped
    with pytest.raises(Stopped):
        courier.post(Post("", b"", "", "", 1))


def test_a_long_answer_is_not_read_to_its_end(sent: Any, hook: Any) -> None:
    hook.answers = [(200, {}, b"x" * 3_000_000), (500, {}, b"y" * 3_000_000)]
    sent(hook.url, "a", "b").flush()
    assert len(hook.came) == 2


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    made = tmp_path / "server.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", made, "-out", tmp_path / "cert.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    made.write_text(made.read_text() + (tmp_path / "cert.pem").read_text())
    return made


def test_certificates_are_checked(sent: Any, hook: Any, certificate: Path, context: Context) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    hook._server.socket = served.wrap_socket(hook._server.socket, server_side=True)
    url = f"https://localhost:{hook.port}/x"
    sent(url, "a", tls_ca="cert.pem").flush()
    assert len(hook.came) == 1
    with pytest.raises(RunFailure, match="certificate verify failed"):
        sent(url, "b").flush()
    with pytest.raises(RunFailure, match="the certificates cannot be used"):
        sent(url, tls_ca="none.pem")
