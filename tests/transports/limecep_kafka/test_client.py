"""What the client library reports becomes few words, and at the right time."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_kafka import client
from limecep_kafka.client import Link, settings
from limecep_kafka.config import KafkaOptions

DOWN = KafkaError(KafkaError._ALL_BROKERS_DOWN, "1/1 brokers are down")
REFUSED = KafkaError(KafkaError._TRANSPORT, "Connection refused")


class Probe:
    """A client whose brokers are there, or not."""

    there = False

    def list_topics(self, timeout: float) -> None:
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
        (KafkaError.TOPIC_AUTHORIZATION_FAILED, "the brokers h:1 refuse: no"),
        (KafkaError.SASL_AUTHENTICATION_FAILED, "the brokers h:1 refuse: no"),
        (KafkaError.INCONSISTENT_GROUP_PROTOCOL, "the brokers h:1 refuse: no"),
        (KafkaError._AUTHENTICATION, "the brokers h:1 refuse: no"),
        (KafkaError._SSL, "the brokers h:1 refuse: no"),
        (KafkaError._FATAL, "the client of the brokers h:1 cannot go on: no"),
    ],
)
def test_what_is_no_use_trying_ends_the_run(context: Context, code: int, words: str) -> None:
    connection = link(context)
    connection.note(KafkaError(code, "no"))
    connection.note(KafkaError(KafkaError.INVALID_GROUP_ID, "later"))
    with pytest.raises(RunFailure) as caught:
        connection.check()
    assert str(caught.value) == words


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
