"""The group is told what every source is done with, and no more."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException

from limecep.testing.bench import SilentLogger
from limecep_kafka import commits
from limecep_kafka.commits import Commits, Done
from limecep_kafka.messages import Polled


class Group:
    """A consumer that writes down what is committed."""

    def __init__(self) -> None:
        self.committed: list[dict[str, int]] = []
        self.waits: list[bool] = []
        self.away = False

    def commit(self, *, offsets: list[Any], asynchronous: bool) -> None:
        if self.away:
            raise KafkaException(KafkaError(KafkaError._TRANSPORT))
        self.waits.append(not asynchronous)
        self.committed.append({f"{o.topic}:{o.partition}": o.offset for o in offsets})


class Link:
    """Counts how often a broker has answered."""

    def __init__(self) -> None:
        self.answers = 0

    def up(self) -> None:
        self.answers += 1


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Group:
    monkeypatch.setattr(commits, "PERIOD_SECONDS", 0.0)
    return Group()


def commits_of(group: Group, logger: Any = None) -> Commits:
    made: Any = Commits(group, Link(), logger or SilentLogger())  # type: ignore[arg-type]
    return made


def test_the_offset_after_the_last_message_of_each_partition_is_committed(group: Group) -> None:
    done, made = Done(), commits_of(group)
    made.note(done.note(["t:0:4", "t:1:7", "t:0:5", "t:1:9"]), [done])
    made.work()
    made.work()
    made.finish()
    assert group.committed == [{"t:0": 6, "t:1": 10}]
    assert group.waits == [False]


def test_of_messages_as_they_were_polled_only_the_last_of_each_partition_are_looked_at() -> None:
    raws: Any = [SimpleNamespace(topic=lambda: "t", partition=lambda n=n: n % 2) for n in range(4)]
    for n, raw in enumerate(raws[2:], 4):
        raw.offset = lambda n=n: n
    done = Done()
    assert done.note(Polled(raws, range(4)).positions) == {("t", 0), ("t", 1)}
    assert done.offsets == {("t", 0): 5, ("t", 1): 6}


def test_of_sources_that_read_one_topic_the_slower_one_counts(group: Group) -> None:
    fast, slow, made = Done(), Done(), commits_of(group)
    made.note(fast.note(["t:0:1", "t:0:2", "t:0:3"]), [fast, slow])
    made.work()
    assert group.committed == []
    made.note(slow.note(["t:0:1"]), [fast, slow])
    made.finish()
    assert group.committed == [{"t:0": 2}]
    assert group.waits == [True]


def test_what_is_in_other_hands_is_not_committed(group: Group) -> None:
    done, made = Done(), commits_of(group)
    made.note(done.note(["t:0:1", "t:1:1"]), [done])
    made.forget({("t", 0)})
    made.finish()
    assert group.committed == [{"t:1": 2}]


def test_commits_are_not_made_all_the_time(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commits, "PERIOD_SECONDS", 60.0)
    done, made = Done(), commits_of(group)
    made.note(done.note(["t:0:1"]), [done])
    made.work()
    assert group.committed == []
    made.finish()
    assert group.committed == [{"t:0": 2}]


def test_a_commit_that_fails_is_told(group: Group) -> None:
    logger, done = SilentLogger(), Done()
    made = commits_of(group, logger)
    group.away = True
    made.note(done.note(["t:0:1"]), [done])
    made.finish()
    [(level, text, values)] = logger.entries
    assert (level, text) == ("warning", "what was read cannot be committed: it may come again")
    assert values == {"reason": KafkaError(KafkaError._TRANSPORT).str()}


def test_only_a_commit_that_is_waited_for_shows_that_a_broker_is_there(group: Group) -> None:
    link, done = Link(), Done()
    consumer: Any = group
    there: Any = link
    made = Commits(consumer, there, SilentLogger())
    made.note(done.note(["t:0:1"]), [done])
    made.work()
    assert link.answers == 0
    made.note(done.note(["t:0:2"]), [done])
    made.finish()
    assert link.answers == 1
    made.finish()
    assert len(group.committed) == 2


def test_the_next_commit_is_due_a_while_after_the_last(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    watches = iter([SimpleNamespace(seconds=1.0), SimpleNamespace(seconds=0.9)])
    monkeypatch.setattr(commits, "PERIOD_SECONDS", 1.0)
    monkeypatch.setattr(commits, "Stopwatch", lambda: next(watches))
    done, made = Done(), commits_of(group)
    for position in ("t:0:1", "t:0:2"):
        made.note(done.note([position]), [done])
        made.work()
    assert group.committed == [{"t:0": 2}]
