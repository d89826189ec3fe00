"""What the client library reports becomes few words, and at the right time."""

from __future__ import annotations

from collections import Counter
from threading import current_thread
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_kafka import client
from limecep_kafka.client import PROBE_SECONDS, Link, fetch, interruptible, settings
from limecep_kafka.config import KafkaOptions

DOWN = KafkaError(KafkaError._ALL_BROKERS_DOWN, "1/1 brokers are down")
REFUSED = KafkaError(KafkaError._TRANSPORT, "Connection refused")


class Probe:
    """A client whose brokers are there, or not."""

    there = False

    def list_topics(self, timeout: float) -> None:
        assert timeout == PROBE_SECONDS
        if not self.there:
            raise KafkaException(REFUSED)


@pytest.fixture
def context(monkeypatch: pytest.MonkeyPatch) -> Context:
    monkeypatch.setattr(client, "DOUBT_SECONDS", 0.0)
    return Context(
        label="s", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), pipeline="kitchen"
    )


def link(context: Context) -> Any:
    made: Any = Link(KafkaOptions(brokers="h:1"), context)
    made.client = Probe()
    return made


def said(context: Context) -> list[str]:
    return [f"{level}: {text}" for level, text, _ in context.logger.entries if level != "debug"]


def test_brokers_that_are_away_and_back_are_told_of_once_each_time(context: Context) -> None:
    connection = link(context)
    for _ in range(3):
        connection.note(REFUSED)
        connection.note(DOWN)
        connection.check()
    assert said(context) == ["warning: the brokers cannot be reached; trying again"]
    [told] = [values for level, _, values in context.logger.entries if level == "warning"]
    assert told == {"brokers": "h:1", "reason": "Connection refused"}
    connection.client.there = True
    connection.check()
    connection.check()
    assert said(context)[1:] == ["info: the brokers are there again"]


def test_a_connection_that_is_made_anew_is_nothing_to_tell_of(context: Context) -> None:
    connection = link(context)
    connection.client.there = True
    connection.note(DOWN)
    connection.check()
    connection.note(DOWN)
    connection.up()
    connection.client.there = False
    connection.check()
    assert said(context) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (
            KafkaError.TOPIC_AUTHORIZATION_FAILED,
            "the brokers h:1 refuse the topic 't': no; the user needs READ on it",
        ),
        (
            KafkaError.GROUP_AUTHORIZATION_FAILED,
            "the brokers h:1 refuse the group 'g': no; the user needs READ on it, or 'group' names another",
        ),
        (KafkaError.SASL_AUTHENTICATION_FAILED, "the brokers h:1 refuse: no"),
        (KafkaError.INCONSISTENT_GROUP_PROTOCOL, "the brokers h:1 refuse: no"),
        (KafkaError._AUTHENTICATION, "the brokers h:1 refuse: no"),
        (KafkaError._SSL, "the brokers h:1 refuse: no"),
        (KafkaError._FATAL, "the client of the brokers h:1 cannot go on: no"),
    ],
)
def test_what_is_no_use_trying_ends_the_run(context: Context, code: int, words: str) -> None:
    connection = link(context)
    connection.claims.group = "g"
    connection.note(KafkaError(code, "no"), "t")
    connection.note(KafkaError(KafkaError.INVALID_GROUP_ID, "later"))
    with pytest.raises(RunFailure) as caught:
        connection.check()
    assert str(caught.value) == words


def test_the_user_is_the_one_that_the_settings_name(context: Context) -> None:
    connection = Link(KafkaOptions(brokers="h:1", client={"sasl.username": "joe"}), context)
    assert connection.claims.user == "joe"


def test_who_was_let_in_before_is_let_in_again(context: Context) -> None:
    connection = link(context)
    connection.up()
    connection.note(KafkaError(KafkaError._SSL, "handshake failed"))
    connection.check()


def test_who_is_replaced_is_told_by_whom(context: Context) -> None:
    connection = link(context)
    connection.fenced = "another run has taken over"
    connection.note(KafkaError(KafkaError._FATAL, "Static consumer fenced by other consumer"))
    with pytest.raises(RunFailure, match="another run has taken over"):
        connection.check()


def test_settings_are_passed_on_but_for_those_that_are_decided_here(context: Context) -> None:
    options = KafkaOptions(brokers="h:1", client={"ssl.ca.location": "ca.pem", "client.id": "mine"})
    made = settings(options, context, link(context))
    assert made["ssl.ca.location"] == "ca.pem"
    assert made["client.id"] == "mine"
    assert made["bootstrap.servers"] == "h:1"
    made["logger"].warning("%s happened", "it")
    assert context.logger.entries[-1] == ("debug", "client", {"said": "it happened"})


def test_without_settings_the_client_has_the_name_of_the_pipeline_and_notices_soon(context: Context) -> None:
    connection = link(context)
    made = settings(KafkaOptions(brokers="h:1"), context, connection)
    del made["logger"]
    assert made == {
        "client.id": "limecep-kitchen",
        "error_cb": connection.note,
        "topic.metadata.refresh.interval.ms": 30_000,
        "reconnect.backoff.max.ms": 5_000,
        "bootstrap.servers": "h:1",
    }


def test_what_may_pass_is_a_detail_of_the_log(context: Context) -> None:
    connection = link(context)
    connection.note(REFUSED)
    connection.check()
    assert context.logger.entries == [
        ("debug", "client", {"code": "_TRANSPORT", "reason": "Connection refused"})
    ]


def test_a_fatal_error_of_any_code_ends_the_run(context: Context) -> None:
    connection = link(context)
    connection.note(KafkaError(KafkaError.OUT_OF_ORDER_SEQUENCE_NUMBER, "lost", fatal=True))
    with pytest.raises(RunFailure, match=r"^the client of the brokers h:1 cannot go on: lost$"):
        connection.check()


def test_who_is_fenced_out_without_knowing_by_whom_cannot_go_on(context: Context) -> None:
    connection = link(context)
    connection.note(KafkaError(KafkaError._FATAL, "fenced by other consumer"))
    with pytest.raises(RunFailure, match="cannot go on"):
        connection.check()


def test_of_the_brokers_reasons_one_that_passes_does_not_end_a_run_that_may_be_fenced(
    context: Context,
) -> None:
    connection = link(context)
    connection.fenced = "another run has taken over"
    connection.note(REFUSED)
    connection.check()


def test_what_is_in_doubt_is_looked_into_after_a_while(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "DOUBT_SECONDS", 60.0)
    connection = link(context)
    connection.check()
    connection.note(DOWN)
    connection.check()
    assert said(context) == []
    monkeypatch.setattr(client, "DOUBT_SECONDS", 0.0)
    connection.client = None
    connection.check()
    assert said(context) == []
    connection.client = Probe()
    connection.check()
    assert len(said(context)) == 1


def test_a_doubt_is_as_old_as_its_first_report(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    watches = iter([SimpleNamespace(seconds=9.0), SimpleNamespace(seconds=0.0)])
    monkeypatch.setattr(client, "DOUBT_SECONDS", 5.0)
    monkeypatch.setattr(client, "Stopwatch", lambda: next(watches))
    connection = link(context)
    connection.note(DOWN)
    connection.note(DOWN)
    connection.check()
    assert len(said(context)) == 1
    # From then on it is looked into again in a while.
    connection.client.there = True
    connection.check()
    assert len(said(context)) == 1


class Consumer:
    """A consumer with some messages, which are there at once or come while they are waited for."""

    def __init__(self, *messages: int, at_once: bool) -> None:
        self.messages = [*messages]
        self.there = at_once
        self.waited: list[float] = []

    def consume(self, limit: int, timeout: float) -> list[int]:
        assert timeout == 0
        assert limit > 0
        taken = self.messages[:limit] if self.there else []
        del self.messages[: len(taken)]
        return taken

    def poll(self, timeout: float) -> int | None:
        self.waited.append(timeout)
        self.there = True
        return self.messages.pop(0) if self.messages else None


@pytest.mark.parametrize(
    ("at_once", "limit", "expected"),
    [(True, 2, [1, 2]), (False, 2, [1, 2]), (False, 1, [1]), (False, 9, [1, 2, 3]), (True, 1, [1])],
)
def test_what_is_there_is_fetched_without_waiting_for_more(
    at_once: bool, limit: int, expected: list[int]
) -> None:
    consumer: Any = Consumer(1, 2, 3, at_once=at_once)
    assert fetch(consumer, limit, 0.5) == expected
    assert consumer.waited == ([] if at_once else [0.5])


def test_where_nothing_comes_nothing_is_fetched() -> None:
    consumer: Any = Consumer(at_once=True)
    assert fetch(consumer, 5, 0.5) == []
    assert consumer.waited == [0.5]


def test_what_a_call_gives_or_raises_comes_out_of_its_thread() -> None:
    assert interruptible(lambda: current_thread().daemon) is True

    def fails() -> None:
        raise KafkaException(REFUSED)

    with pytest.raises(KafkaException):
        interruptible(fails)
