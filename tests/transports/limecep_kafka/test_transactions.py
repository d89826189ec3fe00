"""The records of a batch are committed at once, with the name of the batch, which is known after a crash."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure, Stopped
from limecep.testing.bench import SilentLogger
from limecep_kafka import publisher, transactions
from limecep_kafka.config import KafkaSinkOptions
from limecep_kafka.publisher import TICK_SECONDS
from limecep_kafka.transactions import STEP_SECONDS, TransactionalPublisher


class Brokers:
    """What a producer, a consumer and an admin client find at the brokers.

    Attributes:
        done: What they were asked to do.
        fails: What the next steps fail with.
        names: What is known of the batches published last, by topic.
        settings: Those of each client.
        pauses: How long was waited between tries, in seconds.
    """

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.fails: list[KafkaError] = []
        self.names: list[str | None] = []
        self.settings: dict[str, dict[str, Any]] = {}
        self.pauses: list[float] = []

    def step(self, what: Any) -> None:
        if self.fails:
            raise KafkaException(self.fails.pop(0))
        self.done.append(what)


class Producer:
    def __init__(self, brokers: Brokers, settings: dict[str, Any]) -> None:
        self._brokers = brokers
        brokers.settings["producer"] = settings

    def __len__(self) -> int:
        return 0

    def init_transactions(self, timeout: float) -> None:
        assert timeout == STEP_SECONDS
        self._brokers.step("init")

    def begin_transaction(self) -> None:
        self._brokers.step("begin")

    def produce(self, topic: str, value: Any, key: Any, *, headers: Any, on_delivery: Any) -> None:
        self._brokers.done.append((topic, value, key, headers))

    def poll(self, timeout: float) -> None:
        pass

    def flush(self, timeout: float) -> int:
        self._brokers.done.append("flush")
        return 0

    def send_offsets_to_transaction(self, places: list[Any], group: str, timeout: float) -> None:
        [place] = places
        assert (place.partition, place.offset, timeout) == (0, 0, STEP_SECONDS)
        self._brokers.step(f"offset of {place.topic} in {group}: {place.metadata}")

    def commit_transaction(self, timeout: float) -> None:
        assert timeout == STEP_SECONDS
        self._brokers.step("commit")


class Sent:
    """A record that the brokers have answered."""

    def __init__(self, topic: str) -> None:
        self.topic = lambda: topic


class Consumer:
    def __init__(self, brokers: Brokers, settings: dict[str, Any]) -> None:
        self._brokers = brokers
        brokers.settings["consumer"] = settings

    def consumer_group_metadata(self) -> str:
        return "group"

    def close(self) -> None:
        self._brokers.done.append("consumer closed")


class Admin:
    def __init__(self, brokers: Brokers, settings: dict[str, Any]) -> None:
        self._brokers = brokers

    def list_consumer_group_offsets(self, asked: list[Any], *, request_timeout: float) -> dict[str, Any]:
        assert request_timeout == STEP_SECONDS
        self._brokers.step(f"ask of {asked[0].group_id}")
        answer: Future[Any] = Future()
        places = [SimpleNamespace(metadata=name) for name in self._brokers.names]
        answer.set_result(SimpleNamespace(topic_partitions=places or None))
        return {"p": answer}


@pytest.fixture
def brokers(monkeypatch: pytest.MonkeyPatch) -> Brokers:
    made = Brokers()
    monkeypatch.setattr(publisher, "Producer", lambda settings: Producer(made, settings))
    monkeypatch.setattr(transactions, "Consumer", lambda settings: Consumer(made, settings))
    monkeypatch.setattr(transactions, "AdminClient", lambda settings: Admin(made, settings))
    monkeypatch.setattr(transactions, "pause", made.pauses.append)
    return made


def opened(**options: Any) -> TransactionalPublisher:
    context = Context(
        label="sinks.out", clock=ManualClock(), counters=Counter(), logger=SilentLogger(), pipeline="p"
    )
    made = TransactionalPublisher(KafkaSinkOptions(**{"brokers": "h:1", **options}), context)
    made.open()
    return made


@pytest.mark.parametrize(("timeout", "allowed"), [(60_000_000, 60_000), (3_600_000_000, 900_000)])
def test_the_producer_is_named_after_the_sink_and_shuts_out_another_run(
    timeout: int, allowed: int, brokers: Brokers
) -> None:
    opened(delivery_timeout=timeout)
    settings = brokers.settings["producer"]
    assert settings["transactional.id"] == "p.sinks.out"
    assert (settings["transaction.timeout.ms"], settings["message.timeout.ms"]) == (allowed, allowed)
    assert settings["enable.idempotence"] is True


def test_a_batch_is_committed_with_its_name(brokers: Brokers) -> None:
    made = opened()
    assert made.begin("7") is True
    made.publish("t", b"1", b"k", (("h", b"x"),))
    made.publish("u", b"2")
    made.flush()
    assert brokers.done == [
        "init", "ask of p.sinks.out", "begin", ("t", b"1", b"k", [("h", b"x")]), ("u", b"2", None, []),
        "flush", "offset of t in group: 7", "commit",
    ]  # fmt: skip
    assert brokers.settings["consumer"]["group.id"] == "p.sinks.out"
    assert brokers.settings["consumer"]["enable.auto.commit"] is False


def test_the_next_batch_is_a_transaction_of_its_own_and_asks_nothing(brokers: Brokers) -> None:
    made = opened()
    brokers.names = ["8"]
    for batch in ("7", "8"):
        assert made.begin(batch) is True
        made.publish("t", b"1")
        made.flush()
    assert brokers.done[7:] == ["begin", ("t", b"1", None, []), "flush", "offset of t in group: 8", "commit"]


@pytest.mark.parametrize(
    ("names", "new"), [([], True), (["6", None, ""], True), (["6", "7"], False), ([None, "7"], False)]
)
def test_a_batch_that_was_published_before_a_crash_is_known(
    names: list[str | None], new: bool, brokers: Brokers
) -> None:
    brokers.names = names
    assert opened().begin("7") is new


def test_without_batches_no_name_is_kept(brokers: Brokers) -> None:
    made = opened()
    made.publish("t", b"1")
    made.flush()
    made.close()
    assert brokers.done == ["init", "begin", ("t", b"1", None, []), "flush", "commit"]


def test_where_nothing_was_published_nothing_is_committed(brokers: Brokers) -> None:
    made = opened()
    made.begin("7")
    brokers.done.clear()
    made.flush()
    assert brokers.done == []


def test_closing_commits_and_lets_go_of_the_group(brokers: Brokers) -> None:
    made = opened()
    made.begin("7")
    made.publish("t", b"1")
    made.close()
    made.close()
    assert brokers.done[-3:] == ["offset of t in group: 7", "commit", "consumer closed"]


def test_a_step_that_may_come_to_something_is_tried_again(brokers: Brokers) -> None:
    made = opened()
    brokers.fails = [KafkaError(KafkaError._TIMED_OUT, "slow")] * 3
    made._link._down = True
    made.begin("7")
    assert brokers.done == ["init", "ask of p.sinks.out"]
    assert brokers.pauses == [TICK_SECONDS] * 3
    assert not made._link._down


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (KafkaError(KafkaError._STATE, "odd", fatal=True), "odd"),
        (KafkaError(KafkaError._STATE, "again", txn_requires_abort=True), "again"),
        *(
            (KafkaError(code, "fenced", fatal=True), "another run of this pipeline publishes instead")
            for code in (
                KafkaError._FENCED, KafkaError.PRODUCER_FENCED, KafkaError.INVALID_PRODUCER_EPOCH,
            )
        ),
    ],
)  # fmt: skip
def test_a_step_that_comes_to_nothing_ends_the_run(error: KafkaError, why: str, brokers: Brokers) -> None:
    made = opened()
    brokers.fails = [error]
    with pytest.raises(RunFailure) as caught:
        made.begin("7")
    assert str(caught.value) == f"a transaction with the brokers h:1 has failed: {why}"


@pytest.mark.parametrize(
    ("topics", "named"), [(["t"], "the topic 't'"), (["t", "t"], "the topic 't'"), (["t", "u"], "a topic")]
)
def test_a_topic_that_is_refused_is_named_where_it_is_the_only_one(
    topics: list[str], named: str, brokers: Brokers
) -> None:
    made = opened()
    made.begin("7")
    for topic in topics:
        made.publish(topic, b"1")
    # Records of such a transaction are purged, which says nothing.
    made._delivered(KafkaError(KafkaError._PURGE_QUEUE), Sent("t"))
    brokers.fails = [KafkaError(KafkaError.TOPIC_AUTHORIZATION_FAILED, "no", txn_requires_abort=True)]
    with pytest.raises(RunFailure) as caught:
        made.flush()
    assert str(caught.value) == f"the brokers h:1 refuse {named}: no; the user needs READ and WRITE on it"


@pytest.mark.parametrize(
    ("code", "named"),
    [
        (
            KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
            "transactional id 'p.sinks.out': no; the user needs WRITE",
        ),
        (KafkaError.GROUP_AUTHORIZATION_FAILED, "group 'p.sinks.out': no; the user needs READ"),
    ],
)
def test_a_step_that_is_refused_is_not_tried_again(code: int, named: str, brokers: Brokers) -> None:
    made = opened()
    brokers.fails = [KafkaError(code, "no")] * 2
    with pytest.raises(RunFailure) as caught:
        made.begin("7")
    assert str(caught.value) == f"the brokers h:1 refuse the {named} on it"
    assert len(brokers.fails) == 1


def test_other_records_that_are_not_accepted_are_told(brokers: Brokers) -> None:
    made = opened()
    made.publish("t", b"1")
    made._delivered(KafkaError(KafkaError._MSG_TIMED_OUT, "timed out"), Sent("t"))
    with pytest.raises(RunFailure, match="1 to t: timed out"):
        made.flush()


def test_a_step_is_tried_no_longer_than_a_record(brokers: Brokers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transactions, "Stopwatch", lambda: SimpleNamespace(seconds=60.0 + len(brokers.done)))
    made = opened(delivery_timeout=60_000_000)
    # A minute is not over yet.
    brokers.fails = [KafkaError(KafkaError._TIMED_OUT, "slow")]
    made._prepare()
    brokers.fails = [KafkaError(KafkaError._TIMED_OUT, "slow")]
    with pytest.raises(RunFailure, match="has failed: slow"):
        made.begin("7")


def test_what_the_library_reports_for_good_counts_more(brokers: Brokers) -> None:
    made = opened()
    made._link.fail("the brokers refuse")
    brokers.fails = [KafkaError(KafkaError._TIMED_OUT, "slow")]
    with pytest.raises(RunFailure, match=r"^the brokers refuse$"):
        made.begin("7")


def test_a_run_that_is_to_end_tries_no_longer(brokers: Brokers) -> None:
    made = opened()
    asked = iter([None, Stopped()])

    def ending(undone: str = "") -> None:
        assert undone == "a transaction with the brokers h:1 has failed: slow"
        if (found := next(asked)) is not None:
            raise found

    made._context.raise_if_stopped = ending
    brokers.fails = [KafkaError(KafkaError._TIMED_OUT, "slow")] * 5
    with pytest.raises(Stopped):
        made.begin("7")
    assert len(brokers.fails) == 3
