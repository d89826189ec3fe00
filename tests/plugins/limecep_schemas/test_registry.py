"""Asking a registry, which may be away, refuse, or be none. `RegistryStandIn` is a stand-in for one."""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING

import pytest

from limecep.clock import Stopwatch, pause
from limecep.errors import RunFailure, Stopped
from limecep_schemas import registry as module
from limecep_schemas.registry import Absent, Registry

if TYPE_CHECKING:
    from conftest import RegistryStandIn, Run


def client(registry: RegistryStandIn, run: Run, user: str = "", password: str = "") -> Registry:
    return Registry(registry.url + "/", user, password, 5.0, run.context)


def test_it_gives_what_stands_at_a_path(registry: RegistryStandIn, run: Run) -> None:
    registry.answers["/a"] = {"schema": "x"}
    assert client(registry, run).ask("/a") == {"schema": "x"}
    assert client(registry, run, "joe", "secret").ask("/a")
    assert registry.asked == [("/a", None), ("/a", "Basic am9lOnNlY3JldA==")]


def test_what_is_not_there_is_absent(registry: RegistryStandIn, run: Run) -> None:
    with pytest.raises(Absent, match=r"the schema registry http.* does not have it"):
        client(registry, run).ask("/a")
    registry.status = 404
    for answer in (b"<html>", {"error_code": 404}):
        registry.answers["/a"] = answer
        with pytest.raises(Absent, match="is that the API of a registry"):
            client(registry, run).ask("/a")


@pytest.mark.parametrize(
    ("status", "user", "said"),
    [
        (401, "", "refuses: 401 Unauthorized; give 'user' and 'password'"),
        (401, "joe", "refuses: 401 Unauthorized; is 'user' or 'password' wrong?"),
        (403, "joe", "refuses: 403 Forbidden; 'user' may not read schemas"),
        (400, "", "refuses /a: 400 Bad Request"),
        (200, "", "is no schema registry: /a is no JSON object"),
    ],
)
def test_a_refusal_ends_the_run_and_tells_no_secret(
    status: int, user: str, said: str, registry: RegistryStandIn, run: Run
) -> None:
    registry.answers["/a"], registry.status = b"[]", status
    with pytest.raises(RunFailure) as raised:
        client(registry, run, user, "secret").ask("/a")
    assert said in str(raised.value)
    assert registry.url in str(raised.value)
    assert "secret" not in str(raised.value)
    assert len(registry.asked) == 1


def test_a_password_is_not_shown_where_an_answer_leads(
    registry: RegistryStandIn, elsewhere: RegistryStandIn, run: Run
) -> None:
    registry.status, registry.leads_to = 302, elsewhere.url
    elsewhere.answers["/a"] = {"schema": "x"}
    assert client(registry, run, "joe", "secret").ask("/a") == {"schema": "x"}
    assert registry.asked[0][1] is not None
    assert elsewhere.asked == [("/a", None)]


def test_one_that_is_away_is_waited_for_and_told_of_once(
    registry: RegistryStandIn, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_WAIT_SECONDS", 0.1)
    registry.answers["/a"], registry.status = {"schema": "x"}, 503
    found: list[object] = []
    asking = Thread(target=lambda: found.append(client(registry, run).ask("/a")))
    asking.start()
    watch = Stopwatch()
    while len(registry.asked) < 3 and watch.seconds < 20:
        pause(0.01)
    registry.status = 0
    asking.join(20)
    assert found == [{"schema": "x"}]
    assert [(level, values["url"]) for level, _, values in run.logger.entries] == [
        ("warning", registry.url),
        ("info", registry.url),
    ]
    assert run.logger.entries[0][2]["reason"] == "503 Service Unavailable"


@pytest.mark.parametrize("away", ["does not listen", "does not answer"])
def test_the_run_ends_while_one_is_waited_for(
    away: str, registry: RegistryStandIn, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    if away == "does not listen":
        registry.close()
    else:
        monkeypatch.setattr(Registry, "_fetched", lambda *_: pause(5))
    run.stopped = True
    watch = Stopwatch()
    with pytest.raises(Stopped) as raised:
        client(registry, run).ask("/a")
    assert watch.seconds < 4
    assert registry.url in raised.value.undone
