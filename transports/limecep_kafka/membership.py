"""Membership in a consumer group of which a pipeline is the only member.

A pipeline's input is not shared: matches of events in other hands would be lost without a word. So it waits
for others to leave the group before it joins, sees to it that it is given every partition, and ends when one
is taken away. It joins as a static member named after the pipeline: made again after a crash, it has its
partitions at once, and not when its dead self is given up; a second run of the pipeline takes them over from
the first.
"""

from __future__ import annotations

from concurrent.futures import Future
from threading import Thread
from typing import TYPE_CHECKING, Any

from confluent_kafka import KafkaError, KafkaException
from confluent_kafka.admin import AdminClient

from limecep.clock import Stopwatch
from limecep_kafka.client import interruptible

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from confluent_kafka import Consumer, TopicPartition

    from limecep_kafka.client import Link
    from limecep_kafka.topics import Partition

#: How often the group is asked about its members, in seconds.
ASK_SECONDS = 1.0
#: How long an answer to that is waited for, in seconds; then it is asked again.
ASKED_SECONDS = 5.0
#: What the id of a member has after its name: a dash and a UUID.
_SUFFIX_LENGTH = 37
#: How long after partitions were given it is looked whether they are all there are.
SETTLE_SECONDS = 2.0
#: How long the brokers may take to say which partitions there are.
ANSWER_SECONDS = 5.0
#: How often partitions that nobody has are asked for before that fails the run.
TRIES = 5


class Membership:
    """Joins the group, and watches over what it is given.

    Args:
        consumer: The consumer.
        settings: Those of the library, for questions about the group.
        group: The group.
        name: The name of this member.
        link: The connection.
        logger: The logger.
        given: Takes partitions that are to be read, and says so to the consumer.
        taken: Takes those that are not to be read any more, and whether they are in other hands already.

    Attributes:
        joined: Whether partitions were given.
    """

    def __init__(
        self,
        consumer: Consumer,
        settings: dict[str, Any],
        group: str,
        name: str,
        link: Link,
        logger: Any,
        given: Callable[[Sequence[TopicPartition]], None],
        taken: Callable[[Collection[Partition], bool], None],
    ) -> None:
        self.joined = False
        self._consumer = consumer
        self._admin: AdminClient | None = AdminClient(settings)
        self._settings = settings
        self._group = group
        self._name = name
        self._link = link
        self._logger = logger
        self._given = given
        self._taken = taken
        self._channels: list[str] = []
        self._belongs: Callable[[str], bool] = lambda topic: False
        self._partitions: set[Partition] = set()
        self._revocations: set[Partition] = set()
        self._question: Future[Any] | None = None
        self._asked: Stopwatch | None = None
        self._told = ""
        self._subscribed = False
        self._leaving = False
        self._unsettled: Stopwatch | None = None
        self._tries = 0

    def want(self, channels: Sequence[str], belongs: Callable[[str], bool]) -> None:
        """The channels to read; `belongs` says which topics these are."""
        self._channels, self._belongs = [*channels], belongs
        if self._subscribed:
            self._subscribe()

    def work(self) -> None:
        """Takes the next step, without waiting for anything but a short answer. That partitions are in other
        hands it says to the link."""
        if not self._subscribed:
            self._join()
        elif self._revocations:
            self._account()
        elif self._unsettled is not None and self._unsettled.seconds > SETTLE_SECONDS:
            self._look()

    def leave(self) -> None:
        """What is taken away from now on is given back on purpose."""
        self._leaving = True

    # -- joining -------------------------------------------------------------------------------------------

    def _join(self) -> None:
        others = self._others()
        if others is None:
            return
        if others:
            if others != self._told:
                self._told = others
                self._logger.warning(
                    "the consumer group is in use: waiting until its members are gone",
                    group=self._group,
                    members=others,
                    hint="a pipeline has a group of its own",
                )
            return
        self._admin = None
        self._subscribe()

    def _others(self) -> str | None:
        """Who else is in the group, in words; None as long as that is not known."""
        if self._question is None:
            if self._asked is not None and self._asked.seconds < ASK_SECONDS:
                return None
            self._admin = self._admin or AdminClient(self._settings)
            self._question = _asked(self._admin, self._group)
            self._asked = Stopwatch()
        if not self._question.done():
            # Errors of the connection come by way of it.
            assert self._admin is not None
            self._admin.poll(0)
            return None
        question, self._question = self._question, None
        try:
            groups = question.result()
        except KafkaException as error:
            problem: KafkaError = error.args[0]
            if problem.code() == KafkaError.GROUP_AUTHORIZATION_FAILED:
                # Who may not ask may join all the same.
                return ""
            self._link.note(problem)
            return None
        self._link.up()
        members = [(m.id[:-_SUFFIX_LENGTH], m.client_host.lstrip("/")) for g in groups for m in g.members]
        return ", ".join(sorted(f"{name} at {host}" for name, host in members if name != self._name))

    def _subscribe(self) -> None:
        self._subscribed = True
        self._consumer.subscribe(
            self._channels, on_assign=self._assigned, on_revoke=self._revoked, on_lost=self._lost
        )

    # -- what the group does -------------------------------------------------------------------------------

    def _assigned(self, consumer: Consumer, places: list[TopicPartition]) -> None:
        self._link.up()
        new = [p for p in places if (p.topic, p.partition) not in self._partitions]
        self._given(new)
        self._partitions.update((p.topic, p.partition) for p in new)
        self.joined = True
        self._leaving = False
        self._unsettled = Stopwatch()

    def _revoked(self, consumer: Consumer, places: list[TopicPartition]) -> None:
        gone = self._gone(places, lost=False)
        if gone and not self._leaving:
            self._revocations |= gone

    def _lost(self, consumer: Consumer, places: list[TopicPartition]) -> None:
        gone = self._gone(places, lost=True)
        if gone and not self._leaving:
            self._logger.warning(
                "the group has given this member up; joining again", group=self._group, partitions=len(gone)
            )

    def _gone(self, places: Sequence[TopicPartition], *, lost: bool) -> set[Partition]:
        gone = {(p.topic, p.partition) for p in places}
        self._partitions -= gone
        self._taken(gone, lost)
        return gone

    def _account(self) -> None:
        """Says what it means that partitions were taken away."""
        try:
            there = {topic for topic, _ in self._there()}
        except KafkaException as error:
            self._link.note(error.args[0])
            return
        gone, self._revocations = self._revocations, set()
        topics = {topic for topic, _ in gone}
        if topics & there:
            self._link.fail(
                f"another member of the group '{self._group}' has taken {_listed(gone)}. A pipeline needs "
                "all partitions: give it a group of its own"
            )
        else:
            self._logger.warning("topics are gone", topics=sorted(topics))

    # -- whether it is all ---------------------------------------------------------------------------------

    def _look(self) -> None:
        """Looks whether all partitions there are were given.

        A static member that comes back is given what it had, without what was added to the topics since.
        """
        try:
            missing = {p for p in self._there() if p not in self._partitions}
        except KafkaException as error:
            self._link.note(error.args[0])
            self._unsettled = Stopwatch()
            return
        if not missing:
            self._unsettled, self._tries, self._admin = None, 0, None
            return
        others = self._others()
        if others is None:
            return
        self._tries += 1
        if self._tries > TRIES:
            by = f"they are read by {others}" if others else "nobody reads them"
            self._link.fail(
                f"the group '{self._group}' does not give this pipeline {_listed(missing)}; {by}. A pipeline "
                "needs all of them: give it a group of its own"
            )
        self._unsettled = Stopwatch()
        if not others:
            self._logger.info("asking for partitions that are new", partitions=_listed(missing))
            self._leaving = True
            self._consumer.unsubscribe()
            self._subscribe()

    def _there(self) -> set[Partition]:
        topics = interruptible(lambda: self._consumer.list_topics(timeout=ANSWER_SECONDS)).topics
        return {(name, n) for name, topic in topics.items() if self._belongs(name) for n in topic.partitions}


def _asked(admin: AdminClient, group: str) -> Future[Any]:
    """Asks about a group without waiting for the answer.

    The newer way to ask, which would not wait, may abort the process where the connection is lost before the
    answer comes (librdkafka, issue 4605).
    """
    answer: Future[Any] = Future()

    def ask() -> None:
        try:
            answer.set_result(admin.list_groups(group, timeout=ASKED_SECONDS))
        except Exception as error:
            answer.set_exception(error)

    Thread(target=ask, daemon=True).start()
    return answer


def _listed(partitions: Collection[Partition]) -> str:
    shown = [f"{topic}:{n}" for topic, n in sorted(partitions)]
    return ", ".join(shown[:5]) + (f" and {len(shown) - 5} more" if len(shown) > 5 else "")
