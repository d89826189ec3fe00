"""A pipeline joins its group when nobody else is in it, and sees to it that it has every partition."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, TopicPartition

from limecep.clock import ManualClock
from limecep.contracts.context import Context
from limecep.errors import RunFailure
from limecep.testing.bench import SilentLogger
from limecep_kafka import membership
from limecep_kafka.client import Link
from limecep_kafka.config import KafkaOptions
from limecep_kafka.membership import ASKED_SECONDS, TRIES, Membership

UUID = "-12345678-1234-1234-1234-123456789012"
AWAY = KafkaException(KafkaError(KafkaError._TRANSPORT, "away"))


class Thread:
    """A thread that has ended when it is started."""

    def __init__(self, *, target: Any, daemon: bool) -> None:
        assert daemon
        self.start = target


class Group:
    """Brokers with topics and a group, a consumer and an admin client, and the member that has these.

    Attributes:
        topics: How many partitions each topic has.
        members: The others in the group: their names.
        fails: What a question fails with.
        done: What was asked and done.
    """

    def __init__(self) -> None:
        self.topics = {"t": 2, "other": 9}
        self.members: list[str] = []
        self.fails: Exception | None = None
        self.done: list[Any] = []
        self.given: list[str] = []
        self.taken: list[tuple[list[str], bool]] = []
        self.logger = SilentLogger()
        context = Context(label="s", clock=ManualClock(), counters=Counter(), logger=self.logger)
        self.link = Link(KafkaOptions(brokers="h:1"), context)
        self._callbacks: dict[str, Any] = {}
        itself: Any = self
        self.member = Membership(
            itself, {"s": 1}, "g", "me", self.link, self.logger,
            lambda places: self.given.extend(f"{p.topic}:{p.partition}" for p in places),
            lambda gone, lost: self.taken.append((sorted(f"{t}:{n}" for t, n in gone), lost)),
        )  # fmt: skip
        self.member.want(["t"], lambda topic: topic == "t")

    # -- as an admin client --------------------------------------------------------------------------------

    def list_groups(self, group: str, timeout: float) -> list[Any]:
        assert (group, timeout) == ("g", ASKED_SECONDS)
        self.done.append("who")
        if self.fails is not None:
            raise self.fails
        members = [SimpleNamespace(id=f"{name}{UUID}", client_host="/10.0.0.7") for name in self.members]
        return [SimpleNamespace(members=members)]

    def poll(self, timeout: float) -> None:
        assert timeout == 0
        self.done.append("poll")

    # -- as a consumer -------------------------------------------------------------------------------------

    def subscribe(self, channels: list[str], **callbacks: Any) -> None:
        self.done.append(f"subscribe {' '.join(channels)}")
        self._callbacks = callbacks

    def unsubscribe(self) -> None:
        self.done.append("unsubscribe")
        self.happens("on_revoke", "t:0")

    def list_topics(self, timeout: float) -> Any:
        assert timeout == membership.ANSWER_SECONDS
        if self.fails is not None:
            raise self.fails
        return SimpleNamespace(
            topics={name: SimpleNamespace(partitions=range(n)) for name, n in self.topics.items()}
        )

    # -- what happens --------------------------------------------------------------------------------------

    def happens(self, what: str, *partitions: str) -> None:
        places = [TopicPartition(p.split(":")[0], int(p.split(":")[1])) for p in partitions]
        self._callbacks[what](self, places)

    def works(self) -> list[Any]:
        """What is asked and done in the next step."""
        self.done.clear()
        self.member.work()
        return self.done

    def logged(self) -> list[str]:
        return [f"{level}: {text}" for level, text, _ in self.logger.entries if level != "debug"]

    def failure(self) -> str:
        try:
            self.link.check()
        except RunFailure as failure:
            return str(failure)
        return ""


@pytest.fixture
def group(monkeypatch: pytest.MonkeyPatch) -> Group:
    for name in ("ASK_SECONDS", "SETTLE_SECONDS"):
        monkeypatch.setattr(membership, name, -1.0)
    monkeypatch.setattr(membership, "Thread", Thread)
    made: list[Any] = []

    def admin(settings: dict[str, Any]) -> Any:
        assert settings == {"s": 1}
        return made[0] if made else None

    monkeypatch.setattr(membership, "AdminClient", admin)
    made.append(Group.__new__(Group))
    made[0].__init__()
    found: Group = made[0]
    return found


@pytest.fixture
def joined(group: Group) -> Group:
    """One that has all partitions there are."""
    group.works()
    group.happens("on_assign", "t:0", "t:1")
    group.works()
    return group


# -- joining -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [[], ["me"]])
def test_where_nobody_else_is_in_the_group_it_joins(members: list[str], group: Group) -> None:
    group.members = members
    group.link._down = True
    assert group.works() == ["who", "subscribe t"]
    # Whoever answered is there.
    assert not group.link._down
    assert not group.member.joined


def test_while_others_are_in_the_group_it_waits_and_says_so_once(group: Group) -> None:
    group.members = ["you", "me", "they"]
    assert group.works() == ["who"]
    assert group.works() == ["who"]
    [(level, text, values)] = group.logger.entries
    assert (level, text) == ("warning", "the consumer group is in use: waiting until its members are gone")
    assert (values["group"], values["members"]) == ("g", "they at 10.0.0.7, you at 10.0.0.7")
    group.members = ["you"]
    group.works()
    assert len(group.logger.entries) == 2
    group.members = []
    assert group.works() == ["who", "subscribe t"]


def test_a_question_is_waited_for_and_not_asked_again_at_once(
    group: Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Any] = []
    later = SimpleNamespace(start=lambda: None)
    monkeypatch.setattr(membership, "Thread", lambda *, target, daemon: waiting.append(target) or later)
    monkeypatch.setattr(membership, "ASK_SECONDS", 60.0)
    group.members = ["you"]
    for _ in range(2):
        assert group.works() == ["poll"]
    waiting.pop()()
    for _ in range(2):
        assert group.works() == []
    monkeypatch.setattr(membership, "ASK_SECONDS", -1.0)
    group.works()
    assert len(waiting) == 1


def test_who_may_not_ask_joins_all_the_same(group: Group) -> None:
    group.fails = KafkaException(KafkaError(KafkaError.GROUP_AUTHORIZATION_FAILED, "no"))
    assert group.works() == ["who", "subscribe t"]


def test_where_there_is_no_answer_it_asks_again(group: Group) -> None:
    group.fails = AWAY
    assert group.works() == ["who"]
    assert group.link._reason == "away"
    assert group.logged() == []
    group.fails = None
    assert group.works() == ["who", "subscribe t"]


def test_channels_that_change_are_subscribed_to_at_once_by_a_member(group: Group) -> None:
    group.member.want(["t", "u"], lambda topic: topic in "tu")
    assert group.done == []
    assert group.works() == ["who", "subscribe t u"]
    group.member.want(["u"], lambda topic: topic == "u")
    assert group.done[-1] == "subscribe u"


# -- what the group does -------------------------------------------------------------------------------------


def test_what_it_is_given_is_read_once(group: Group) -> None:
    group.works()
    group.link._down = True
    group.happens("on_assign", "t:0")
    group.happens("on_assign", "t:0", "t:1")
    assert group.given == ["t:0", "t:1"]
    assert group.member.joined
    assert not group.link._down


def test_with_all_partitions_there_is_nothing_to_do(joined: Group) -> None:
    joined.fails = AWAY
    assert joined.works() == []
    assert joined.link._reason == "no connection"
    assert (joined.logged(), joined.failure()) == ([], "")


def test_partitions_in_other_hands_end_the_run(joined: Group) -> None:
    joined.happens("on_revoke", "t:1")
    assert joined.taken == [(["t:1"], False)]
    joined.works()
    assert joined.failure() == (
        "another member of the group 'g' has taken t:1. A pipeline needs all partitions: give it a group of "
        "its own"
    )


def test_many_partitions_are_told_by_the_first_of_them(joined: Group) -> None:
    joined.happens("on_revoke", *(f"t:{n}" for n in (1, 2, 3, 4, 5, 0)))
    joined.works()
    assert "has taken t:0, t:1, t:2, t:3, t:4 and 1 more. A" in joined.failure()


def test_five_partitions_are_told_by_name(joined: Group) -> None:
    joined.happens("on_revoke", *(f"t:{n}" for n in range(5)))
    joined.works()
    assert "has taken t:0, t:1, t:2, t:3, t:4. A" in joined.failure()


def test_partitions_of_a_topic_that_is_gone_are_no_failure(joined: Group) -> None:
    del joined.topics["t"]
    joined.happens("on_revoke", "t:1", "t:0")
    joined.fails = AWAY
    joined.works()
    # It is not known yet.
    assert (joined.logged(), joined.link._reason) == ([], "away")
    joined.fails = None
    joined.works()
    assert joined.logger.entries[-1] == ("warning", "topics are gone", {"topics": ["t"]})
    joined.works()
    assert joined.logged() == ["warning: topics are gone"]
    assert joined.failure() == ""


def test_what_is_given_back_on_purpose_is_no_failure(joined: Group) -> None:
    joined.member.leave()
    joined.happens("on_revoke", "t:1")
    joined.happens("on_lost", "t:0")
    joined.works()
    assert joined.taken == [(["t:1"], False), (["t:0"], True)]
    assert (joined.logged(), joined.failure()) == ([], "")
    # Once it was given some again, nothing is given back any more.
    joined.happens("on_assign", "t:1")
    joined.happens("on_revoke", "t:1")
    joined.works()
    assert "has taken t:1" in joined.failure()


def test_who_is_given_up_joins_again(joined: Group) -> None:
    joined.happens("on_lost", "t:0", "t:1")
    assert joined.taken == [(["t:0", "t:1"], True)]
    [(level, text, values)] = joined.logger.entries
    assert (level, text) == ("warning", "the group has given this member up; joining again")
    assert values == {"group": "g", "partitions": 2}
    joined.happens("on_assign", "t:0", "t:1")
    assert joined.given == ["t:0", "t:1"] * 2
    joined.works()
    assert joined.failure() == ""


# -- whether it is all ---------------------------------------------------------------------------------------


def test_it_is_looked_only_after_a_while(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "SETTLE_SECONDS", 60.0)
    group.works()
    group.happens("on_assign", "t:0")
    assert group.works() == []
    monkeypatch.setattr(membership, "SETTLE_SECONDS", -1.0)
    assert "unsubscribe" in group.works()


def test_partitions_that_nobody_has_are_asked_for(group: Group) -> None:
    group.works()
    group.happens("on_assign", "t:0")
    assert group.works() == ["who", "unsubscribe", "subscribe t"]
    # What is taken away by that is given back on purpose.
    assert group.logger.entries[-1] == ("info", "asking for partitions that are new", {"partitions": "t:1"})
    group.happens("on_assign", "t:0", "t:1")
    assert group.works() == []
    assert group.failure() == ""


def test_partitions_that_are_never_given_end_the_run(group: Group) -> None:
    group.works()
    for _ in range(TRIES):
        group.happens("on_assign", "t:0")
        group.works()
        assert group.failure() == ""
    group.happens("on_assign", "t:0")
    group.works()
    assert group.failure() == (
        "the group 'g' does not give this pipeline t:1; nobody reads them. A pipeline needs all of them: "
        "give it a group of its own"
    )


def test_partitions_that_others_read_end_the_run_and_are_not_asked_for(group: Group) -> None:
    group.works()
    group.happens("on_assign", "t:0")
    group.members = ["you", "me"]
    for _ in range(TRIES + 1):
        assert group.failure() == ""
        assert group.works() == ["who"]
    assert "does not give this pipeline t:1; they are read by you at 10.0.0.7. A" in group.failure()


def test_tries_are_counted_anew_once_all_were_given(group: Group) -> None:
    group.works()
    for _ in range(TRIES):
        group.happens("on_assign", "t:0")
        group.works()
    group.happens("on_assign", "t:0", "t:1")
    group.works()
    group.topics["t"] = 3
    group.happens("on_assign")
    assert "unsubscribe" in group.works()
    assert group.failure() == ""


def test_where_the_brokers_do_not_say_what_there_is_it_is_looked_again(group: Group) -> None:
    group.works()
    group.happens("on_assign", "t:0")
    group.fails = AWAY
    assert group.works() == []
    assert group.link._reason == "away"
    group.fails = None
    assert "unsubscribe" in group.works()
