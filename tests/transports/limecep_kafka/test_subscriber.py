"""One consumer reads for all sources of a connector, and deals out no more than they are asked for."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_kafka import subscriber as module
from limecep_kafka.config import KafkaOptions
from limecep_kafka.subscriber import TRIES, Inbox, Subscriber

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Raw:
    """A message as the client library gives it, or an error."""

    def __init__(self, topic: str, partition: int, offset: int, error: KafkaError | None = None) -> None:
        self._place, self._error = (topic, partition, offset), error

    def __len__(self) -> int:
        return 1

    def topic(self) -> str:
        return self._place[0]

    def partition(self) -> int:
        return self._place[1]

    def offset(self) -> int:
        return self._place[2]

    def timestamp(self) -> tuple[int, int]:
        return 1, self._place[2]

    def error(self) -> KafkaError | None:
        return self._error

    def value(self) -> bytes:
        return b""

    def key(self) -> None:
        return None

    def headers(self) -> None:
        return None


class Consumer:
    """A consumer that gives what a test has put there.

    Attributes:
        comes: What comes next, a call each.
        high: Where partitions end, as far as it is known; -1 where it is not.
        done: What it was asked to do.
    """

    def __init__(self, settings: dict[str, Any]) -> None:
        if "wrong" in settings:
            raise KafkaException(KafkaError(KafkaError._INVALID_ARG, "No such property"))
        self.settings = settings
        self.comes: list[list[Raw]] = []
        self.high = 0
        self.done: list[Any] = []
        self.waits: list[float] = []
        self.closing = threading.Event()
        self.closing.set()

    def consume(self, limit: int, timeout: float) -> list[Raw]:
        return self.comes.pop(0) if self.comes else []

    def poll(self, timeout: float) -> None:
        self.waits.append(timeout)

    def get_watermark_offsets(self, place: TopicPartition, *, cached: bool) -> tuple[int, int]:
        assert cached
        return 0, self.high

    def incremental_assign(self, places: Sequence[TopicPartition]) -> None:
        self.done += [f"{p.topic}:{p.partition}@{p.offset}" for p in places]

    def seek(self, place: TopicPartition) -> None:
        self.done.append(f"seek {place.topic}:{place.partition}@{place.offset}")

    def close(self) -> None:
        self.closing.wait(5)
        self.done.append("close")


class Membership:
    """Is given what a test says."""

    def __init__(
        self, consumer: Consumer, settings: Any, group: str, name: str, link: Any, logger: Any,
        given: Any, taken: Any,
    ) -> None:  # fmt: skip
        self.names = group, name
        self.given, self.taken = given, taken
        self.joined = False
        self.worked = 0
        self.channels: list[str] = []
        self.belongs: Any = None
        self._done = consumer.done

    def want(self, channels: list[str], belongs: Any) -> None:
        self.channels, self.belongs = channels, belongs

    def work(self) -> None:
        self.worked += 1

    def leave(self) -> None:
        self._done.append("leave")


class Commits:
    """Notes what is to be committed."""

    def __init__(self, consumer: Consumer, link: Any, logger: Any) -> None:
        self._done = consumer.done
        self.noted: list[tuple[list[str], int]] = []
        self.worked = 0

    def note(self, partitions: Collection[tuple[str, int]], readers: Sequence[Any]) -> None:
        self.noted.append((sorted(f"{t}:{n}" for t, n in partitions), len(readers)))

    def work(self) -> None:
        self.worked += 1

    def forget(self, partitions: Collection[tuple[str, int]]) -> None:
        self._done.append(f"forget {len(partitions)}")

    def finish(self) -> None:
        self._done.append("finish")


class Beginnings:
    """Partitions begin at 5, where the brokers say so.

    Attributes:
        fails: How often they do not.
    """

    def __init__(self) -> None:
        self.awaited: set[str] = set()
        self.told: dict[Any, int] = {}
        self.fails = 0

    def tell(self, offsets: dict[Any, int]) -> None:
        self.told |= offsets

    def of(self, consumer: Any, places: Sequence[TopicPartition], reached: Any) -> list[TopicPartition]:
        if self.fails:
            self.fails -= 1
            raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "slow"))
        return [TopicPartition(p.topic, p.partition, reached.get((p.topic, p.partition), 5)) for p in places]

    def within(self, consumer: Any, place: TopicPartition, offset: int) -> int:
        return offset + 100


class Made:
    """A subscriber with a source for each channel, open unless said otherwise."""

    def __init__(self, *channels: str, opened: bool = True, stopping: bool = False, **options: Any) -> None:
        self.logger = SilentLogger()
        context = Context(
            label="s", clock=ManualClock(), counters=Counter(), logger=self.logger, pipeline="p"
        )
        context.stopping = lambda: stopping
        self.subscriber: Any = Subscriber(KafkaOptions(**{"brokers": "h:1", **options}), context)
        self.beginnings = self.subscriber._beginnings = Beginnings()
        self.inboxes = [Inbox(channel, Counter()) for channel in channels]
        for inbox in self.inboxes:
            self.subscriber.add(inbox)
        if opened:
            for inbox in self.inboxes:
                self.subscriber.open(inbox)
            self.consumer: Any = self.subscriber.consumer
            self.membership: Any = self.subscriber._membership
            self.commits: Any = self.subscriber._commits

    def give(self, *partitions: str) -> Made:
        self.membership.given([_place(p) for p in partitions])
        return self

    def come(self, *texts: str) -> None:
        """`t:0:5` is a message of the topic t."""
        self.consumer.comes.append(
            [Raw(t, int(n), int(o)) for t, n, o in (text.split(":") for text in texts)]
        )

    def fails(self, code: int, text: str = "t:0:5") -> None:
        topic, number, offset = text.split(":")
        self.consumer.comes.append([Raw(topic, int(number), int(offset), KafkaError(code, "odd"))])

    def take(self, inbox: int = 0, limit: int = 100, timeout: float = 0.5) -> list[str]:
        return [m.position for m in self.subscriber.take(self.inboxes[inbox], limit, timeout)]

    def logged(self) -> list[tuple[str, str, Any]]:
        return [entry for entry in self.logger.entries if entry[0] != "debug"]


def _place(text: str) -> TopicPartition:
    topic, number = text.split(":")
    return TopicPartition(topic, int(number))


@pytest.fixture(autouse=True)
def _stand_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    for made in (Consumer, Membership, Commits):
        monkeypatch.setattr(module, made.__name__, made)


# -- the consumer --------------------------------------------------------------------------------------------


def test_its_consumer_commits_and_skips_nothing_by_itself() -> None:
    made = Made("t", client={"fetch.wait.max.ms": 7})
    settings = made.consumer.settings
    assert {k: settings[k] for k in sorted(settings) if k not in ("error_cb", "logger")} == {
        "auto.offset.reset": "error", "bootstrap.servers": "h:1", "client.id": "limecep-p",
        "enable.auto.commit": False, "enable.auto.offset.store": False, "enable.partition.eof": True,
        "fetch.queue.backoff.ms": 10,
        # What the user says goes before what is usual here.
        "fetch.wait.max.ms": 7, "group.id": "p", "group.instance.id": "p", "max.poll.interval.ms": 86_400_000,
        "partition.assignment.strategy": "cooperative-sticky", "queued.max.messages.kbytes": 16_384,
        "reconnect.backoff.max.ms": 5_000, "topic.metadata.refresh.interval.ms": 30_000,
    }  # fmt: skip
    assert made.subscriber.link.client is made.consumer
    assert "another run of this pipeline has taken over" in made.subscriber.link.fenced
    named = Made("t", group="g")
    assert named.consumer.settings["group.id"] == "g"
    assert named.membership.names == ("g", "p")


def test_settings_that_are_wrong_end_the_run_in_words() -> None:
    with pytest.raises(RunFailure, match="the settings of the client are wrong: No such property"):
        Made("t", client={"wrong": 1})


def test_all_sources_are_subscribed_for_by_one_consumer() -> None:
    made = Made("t", "^u.")
    assert made.membership.channels == ["t", "^u."]
    assert [made.membership.belongs(topic) for topic in ("t", "u1", "v")] == [True, True, False]
    consumer = made.consumer
    made.subscriber.open(made.inboxes[0])
    assert made.subscriber.consumer is consumer


def test_it_is_connected_when_it_was_given_partitions() -> None:
    assert Made("t", opened=False).subscriber.connected is False
    made = Made("t")
    assert made.subscriber.connected is False
    made.membership.joined = True
    assert made.subscriber.connected is True


def test_before_it_is_open_nothing_is_read() -> None:
    assert Made("t", opened=False).take() == []


# -- partitions ----------------------------------------------------------------------------------------------


def test_partitions_are_read_from_where_they_begin_and_later_from_where_it_has_come_to() -> None:
    made = Made("t").give("t:0", "t:1")
    assert made.consumer.done == ["t:0@5", "t:1@5"]
    assert made.subscriber.begun == made.subscriber.reached == {("t", 0): 5, ("t", 1): 5}
    made.come("t:0:5", "t:1:5")
    assert sorted(made.take()) == ["t:0:5", "t:1:5"]
    made.membership.taken({("t", 0)}, False)
    made.give("t:0")
    assert made.consumer.done[2:] == ["finish", "t:0@6"]
    assert made.subscriber.begun["t", 0] == 5
    assert made.subscriber.reached["t", 0] == 6


def test_it_is_tried_more_than_once_where_they_begin() -> None:
    made = Made("t")
    made.beginnings.fails = TRIES - 1
    made.give("t:0")
    assert made.consumer.done == ["t:0@5"]
    made.take()
    made.beginnings.fails = TRIES
    made.give("t:1")
    assert made.beginnings.fails == 0
    with pytest.raises(RunFailure, match="the brokers h:1 do not say where the partitions begin: slow"):
        made.take()


def test_positions_of_a_state_come_before_what_was_committed() -> None:
    made = Made("t", opened=False)
    assert not made.subscriber.resumed
    made.subscriber.seek(["t:0:7", "t:1:8"])
    assert made.subscriber.resumed
    assert made.beginnings.told == {("t", 0): 8, ("t", 1): 9}


@pytest.mark.parametrize(("lost", "then"), [(True, "forget 1"), (False, "finish")])
def test_what_was_read_of_partitions_that_are_taken_away_is_not_given(lost: bool, then: str) -> None:
    made = Made("t").give("t:0", "t:1")
    made.come("t:0:5", "t:1:5", "t:0:6", "t:1:6", "t:0:7")
    assert len(made.take(limit=1)) == 1
    made.membership.taken({("t", 0)}, lost)
    assert made.consumer.done[-1] == then
    assert made.subscriber._queues.of(("t", 0)) is None
    assert {p[:3] for p in made.take()} <= {"t:1"}


# -- reading -------------------------------------------------------------------------------------------------


def test_no_more_is_given_than_is_asked_for_and_more_is_read_only_then() -> None:
    made = Made("t").give("t:0")
    made.come("t:0:5", "t:0:6", "t:0:7")
    made.come("t:0:8")
    assert made.take(limit=2) == ["t:0:5", "t:0:6"]
    assert made.subscriber.reached["t", 0] == 7
    # One is left: what comes meanwhile is not waited for.
    assert made.take(limit=2) == ["t:0:7", "t:0:8"]
    assert made.consumer.waits == []
    assert made.take(limit=2) == []
    assert made.consumer.waits == [0.5]
    assert made.membership.worked == made.commits.worked == 3


def test_while_enough_is_left_nothing_is_read() -> None:
    made = Made("t").give("t:0")
    made.come("t:0:5", "t:0:6", "t:0:7", "t:0:8")
    made.come("t:0:9")
    assert made.take(limit=2) == ["t:0:5", "t:0:6"]
    assert made.take(limit=2) == ["t:0:7", "t:0:8"]
    assert len(made.consumer.comes) == 1


def test_what_is_left_while_nothing_comes_is_given_without_waiting() -> None:
    made = Made("t").give("t:0")
    made.come("t:0:5", "t:0:6", "t:0:7")
    made.take(limit=2)
    assert made.take(limit=2) == ["t:0:7"]
    assert made.consumer.waits == [0.0]


def test_sources_are_given_the_messages_of_their_topics() -> None:
    made = Made("t", "^[tu]", "v").give("t:0", "u:0", "v:0")
    made.come("t:0:5", "u:0:5", "v:0:5", "t:0:6")
    assert made.take(0) == ["t:0:5", "t:0:6"]
    assert made.take(1) == ["t:0:5", "u:0:5", "t:0:6"]
    assert made.take(2) == ["v:0:5"]


def test_more_is_read_when_every_source_has_had_its_part() -> None:
    made = Made("t", "u").give("t:0", "u:0")
    made.come("t:0:5", "u:0:5")
    made.come("t:0:6")
    assert made.take(0) == ["t:0:5"]
    # The other one has not had its part.
    assert made.take(0) == []
    assert made.take(1, limit=0) == []
    assert made.take(1) == ["u:0:5"]
    assert made.take(1) == []
    assert made.take(0) == ["t:0:6"]


def test_more_than_is_asked_for_stays_for_the_next_time() -> None:
    made = Made("t", "u").give("t:0", "u:0")
    made.come("t:0:5", "u:0:5", "u:0:6")
    assert made.take(0) == ["t:0:5"]
    assert made.take(1, limit=1) == ["u:0:5"]
    assert made.take(1, limit=1) == ["u:0:6"]


def test_a_topic_that_belongs_to_no_source_ends_the_run() -> None:
    made = Made("t", "u").give("x:0")
    made.come("x:0:5")
    with pytest.raises(RunFailure, match="the topic x was read, but belongs to no source"):
        made.take()


def test_messages_that_are_lost_are_counted_by_all_who_read_the_topic() -> None:
    made = Made("t", "^t", "u")
    made.subscriber._count_lost("t", 3)
    assert [inbox.counters["lost"] for inbox in made.inboxes] == [3, 3, 0]


# -- errors --------------------------------------------------------------------------------------------------


def test_the_end_of_a_partition_lets_the_others_go_on() -> None:
    made = Made("t").give("t:0", "t:1")
    made.consumer.high = -1
    made.subscriber.link._down = True
    made.come("t:0:5")
    assert made.take() == []
    assert not made.subscriber.link._down
    made.subscriber.link._down = True
    made.fails(KafkaError._PARTITION_EOF, "t:1:5")
    assert made.take() == ["t:0:5"]
    assert not made.subscriber.link._down


def test_a_topic_that_is_cut_while_it_is_read_is_read_on_where_it_begins() -> None:
    made = Made("t").give("t:0")
    made.fails(KafkaError._AUTO_OFFSET_RESET)
    made.take()
    assert made.consumer.done[1:] == ["seek t:0@105"]
    made.come("t:0:104", "t:0:105")
    assert made.take() == ["t:0:105"]
    # One that was taken away meanwhile is left alone.
    made.fails(KafkaError._AUTO_OFFSET_RESET, "t:9:5")
    made.take()
    assert len(made.consumer.done) == 2


def test_a_topic_that_is_not_there_is_told_of_once() -> None:
    made = Made("t")
    for _ in range(2):
        made.fails(KafkaError.UNKNOWN_TOPIC_OR_PART)
        assert made.take() == []
    said = "there is no such topic yet; waiting for it"
    assert made.logged() == [("warning", said, {"topic": "t"})]
    assert made.beginnings.awaited == {"t"}


def test_what_else_goes_wrong_is_said_to_the_link_at_once() -> None:
    made = Made("t")
    made.fails(KafkaError._TRANSPORT)
    made.take()
    assert made.subscriber.link._reason == "odd"
    made.fails(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    with pytest.raises(RunFailure, match="the brokers h:1 refuse the topic 't': odd"):
        made.take()


def test_once_it_has_failed_nothing_is_read() -> None:
    made = Made("t").give("t:0")
    made.subscriber.link.fail("no")
    made.come("t:0:5")
    with pytest.raises(RunFailure, match="no"):
        made.take()
    assert (made.membership.worked, len(made.consumer.comes)) == (0, 1)


# -- what is done with, and the end --------------------------------------------------------------------------


def test_what_a_source_is_done_with_is_noted_with_all_who_read_it() -> None:
    made = Made("t", "^[tu]")
    made.subscriber.commit(made.inboxes[0], [])
    assert (made.commits.noted, made.commits.worked) == ([], 0)
    made.subscriber.commit(made.inboxes[1], ["t:0:5", "t:1:5", "u:0:7"])
    assert sorted(made.commits.noted) == [(["t:0", "t:1"], 2), (["u:0"], 1)]
    assert made.commits.worked == 1
    # Of those who are closed nobody waits for it.
    made.subscriber.close(made.inboxes[0])
    made.subscriber._readers.clear()
    made.subscriber.commit(made.inboxes[1], ["t:0:6"])
    assert made.commits.noted[-1] == (["t:0"], 1)
    Made("t", opened=False).subscriber.commit(made.inboxes[0], ["t:0:5"])


def test_the_last_source_ends_it_in_order() -> None:
    made = Made("t", "u").give("t:0")
    made.come("t:0:5")
    made.take(1)
    assert made.subscriber.close(made.inboxes[0]) is False
    assert not made.inboxes[0].messages
    assert made.consumer.done == ["t:0@5"]
    assert made.subscriber.close(made.inboxes[1]) is True
    assert made.consumer.done[1:] == ["leave", "finish", "close"]
    assert made.subscriber.link.client is None
    assert made.logged() == []
    # It may be closed twice, and reads nothing any more.
    assert made.subscriber.close(made.inboxes[1]) is True
    assert made.take() == []
    assert len(made.consumer.done) == 4


def test_a_source_that_was_never_open_keeps_nothing_open() -> None:
    made = Made("t", "u", opened=False)
    made.subscriber.open(made.inboxes[0])
    assert made.subscriber.close(made.inboxes[0]) is True


@pytest.mark.parametrize("stopping", [False, True])
def test_brokers_that_do_not_answer_are_not_waited_for(
    stopping: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For less time where the run has been asked to end."""
    monkeypatch.setattr(module, "HURRIED_SECONDS" if stopping else "PARTING_SECONDS", 0.01)
    made = Made("t", stopping=stopping)
    made.consumer.closing.clear()
    assert made.subscriber.close(made.inboxes[0]) is True
    [(level, text, values)] = made.logged()
    assert (level, values) == ("warning", {"brokers": "h:1"})
    assert text.startswith("the brokers do not answer: what was read last may not be committed")
    made.consumer.closing.set()
