"""A record is sent off at once, and a flush says whether the brokers have accepted all of them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep_kafka import publisher
from limecep_kafka.config import KafkaSinkOptions
from limecep_kafka.publisher import TICK_SECONDS, Publisher

if TYPE_CHECKING:
    from collections.abc import Callable


class Producer:
    """A producer whose brokers accept a record when it is flushed for the second time.

    Attributes:
        done: What it was asked to do.
        full: How often it has no room for a record.
        answer: What the brokers say to each record.
        refused: What it says itself to each record.
        served: What happens while it is polled.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        if "wrong" in settings:
            raise KafkaException(KafkaError(KafkaError._INVALID_ARG, "No such property"))
        self.settings = settings
        self.done: list[Any] = []
        self.full = 0
        self.answer: KafkaError | None = None
        self.refused: KafkaError | None = None
        self.served: Callable[[], object] = lambda: None
        self._way: list[tuple[str, Any]] = []
        self._flushed = 0

    def __len__(self) -> int:
        return len(self._way)

    def produce(self, topic: str, value: Any, key: Any, *, headers: Any, on_delivery: Any) -> None:
        if self.refused is not None:
            raise KafkaException(self.refused)
        if self.full:
            self.full -= 1
            raise BufferError
        self.done.append((topic, value, key, headers))
        self._way.append((topic, on_delivery))

    def poll(self, timeout: float) -> None:
        self.served()
        self.done.append(f"poll {timeout}")

    def flush(self, timeout: float) -> int:
        assert timeout == TICK_SECONDS
        self._flushed += bool(self._way)
        if self._flushed == 2:
            self.deliver()
        return len(self._way)

    def deliver(self) -> None:
        for topic, on_delivery in self._way:
            on_delivery(self.answer, Sent(topic))
        self._way.clear()
        self._flushed = 0


class Sent:
    """A record that the brokers have answered."""

    def __init__(self, topic: str) -> None:
        self._topic = topic

    def topic(self) -> str:
        return self._topic


@pytest.fixture(autouse=True)
def _stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "Producer", Producer)


def made(**options: Any) -> tuple[Publisher, Producer, Context]:
    """A publisher that is open, its producer, and what it was given."""
    context = Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), pipeline="p"
    )
    opened = Publisher(KafkaSinkOptions(**{"brokers": "h:1", **options}), context)
    opened.open()
    producer: Any = opened._producer
    return opened, producer, context


def error(code: int = KafkaError._MSG_TIMED_OUT, text: str = "timed out") -> KafkaError:
    return KafkaError(code, text)


def test_the_producer_repeats_nothing_and_gives_up_when_it_was_told() -> None:
    _, producer, _ = made(delivery_timeout=3_000_000, client={"linger.ms": 1})
    settings = producer.settings
    assert (settings["enable.idempotence"], settings["message.timeout.ms"]) == (True, 3000)
    assert (settings["queue.buffering.max.kbytes"], settings["linger.ms"]) == (65_536, 1)


def test_how_much_it_gathers_may_be_said_otherwise() -> None:
    _, producer, _ = made(client={"queue.buffering.max.kbytes": 1})
    assert producer.settings["queue.buffering.max.kbytes"] == 1


def test_settings_that_are_wrong_end_the_run_in_words() -> None:
    with pytest.raises(RunFailure, match="the settings of the client are wrong: No such property"):
        made(client={"wrong": 1})


def test_a_record_is_sent_off_without_waiting() -> None:
    sending, producer, _ = made()
    sending.publish("t", b"v", b"k", (("h", b"1"),))
    sending.publish("t", None)
    assert producer.done == [("t", b"v", b"k", [("h", b"1")]), "poll 0", ("t", None, None, []), "poll 0"]


def test_where_too_many_are_under_way_it_waits() -> None:
    sending, producer, _ = made()
    producer.full = 2
    sending.publish("t", b"v")
    assert producer.done == [f"poll {TICK_SECONDS}"] * 2 + [("t", b"v", None, []), "poll 0"]


def test_while_it_waits_it_notices_what_was_not_accepted() -> None:
    sending, producer, _ = made()
    sending.publish("t", b"v")
    producer.answer = error()
    producer.deliver()
    producer.full = 1
    with pytest.raises(RunFailure, match=r"not accepted by the brokers h:1: 1 to t: timed out$"):
        sending.publish("t", b"w")


def test_a_flush_returns_when_all_are_accepted() -> None:
    sending, producer, context = made()
    sending._link._down = True
    sending.publish("t", b"v")
    sending.flush()
    assert len(producer) == 0
    # That a broker has answered is known.
    assert context.logger.entries == [("info", "the brokers are there again", {"brokers": "h:1"})]


def test_what_was_not_accepted_is_counted_by_topic_and_reason() -> None:
    sending, producer, _ = made()
    producer.answer = error()
    for topic in ("t", "u", "t"):
        sending.publish(topic, b"v")
    with pytest.raises(RunFailure) as caught:
        sending.flush()
    assert str(caught.value) == (
        "records were not accepted by the brokers h:1: 2 to t: timed out; 1 to u: timed out"
    )


def test_a_topic_that_may_not_be_written_is_named() -> None:
    sending, producer, _ = made(client={"sasl.username": "joe"})
    producer.answer = error(KafkaError.TOPIC_AUTHORIZATION_FAILED, "no")
    sending.publish("t", b"v")
    with pytest.raises(RunFailure) as caught:
        sending.flush()
    assert str(caught.value) == "the brokers h:1 refuse the topic 't': no; the user 'joe' needs WRITE on it"


def test_an_error_that_was_fatal_before_is_told_in_its_own_words() -> None:
    sending, producer, _ = made()
    producer.refused = error(KafkaError._FATAL, "Fatal error")
    producer.served = lambda: sending._link.note(error(KafkaError.CLUSTER_AUTHORIZATION_FAILED, "no"))
    with pytest.raises(RunFailure, match=r"^the brokers h:1 refuse: no; the user needs WRITE on the topics"):
        sending.publish("t", b"v")


def test_a_refusal_for_good_ends_a_flush() -> None:
    sending, _, _ = made()
    sending.publish("t", b"v")
    sending._link.fail("no")
    with pytest.raises(RunFailure, match=r"^no$"):
        sending.flush()


@pytest.mark.parametrize("code", [KafkaError.MSG_SIZE_TOO_LARGE, KafkaError._MSG_TIMED_OUT])
def test_of_a_record_that_is_too_large_it_is_said_what_to_do(code: int) -> None:
    sending, producer, _ = made()
    producer.refused = error(code, "no")
    with pytest.raises(RunFailure, match=r"^a record for t cannot be sent: no") as caught:
        sending.publish("t", b"v")
    assert ("Make records smaller" in str(caught.value)) == (code == KafkaError.MSG_SIZE_TOO_LARGE)


def test_a_run_that_is_to_end_does_not_wait_for_what_is_under_way() -> None:
    sending, _, context = made()
    said: list[str] = []

    def stopped(undone: str = "") -> None:
        said.append(undone)
        raise Stopped(undone)

    context.raise_if_stopped = stopped
    sending.flush()
    sending.publish("t", b"v")
    with pytest.raises(Stopped):
        sending.flush()
    assert said == ["1 records are still on their way to the brokers h:1"]


def test_closing_flushes_and_lets_go() -> None:
    sending, producer, _ = made()
    assert sending._link.client is producer
    sending.publish("t", b"v")
    sending.close()
    sending.close()
    assert len(producer) == 0
    assert sending._link.client is None
    with pytest.raises(RunFailure, match="nothing can be sent to the brokers h:1: it is not open"):
        sending.publish("t", b"v")


def test_what_fails_while_it_closes_is_let_go_all_the_same() -> None:
    sending, producer, _ = made()
    producer.answer = error()
    sending.publish("t", b"v")
    with pytest.raises(RunFailure, match="not accepted"):
        sending.close()
    sending.close()
    assert sending._link.client is None
