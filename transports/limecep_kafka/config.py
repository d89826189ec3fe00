"""Options of Kafka."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from limecep import option
from limecep.intake.times import Unreadable, time_reader
from limecep.problems import Problem

#: What the plugin decides itself.
_OURS = frozenset(
    {
        "auto.offset.reset",
        "bootstrap.servers",
        "enable.auto.commit",
        "enable.auto.offset.store",
        "enable.idempotence",
        "enable.partition.eof",
        "group.id",
        "group.instance.id",
        "group.protocol",
        "message.timeout.ms",
        "metadata.broker.list",
        "partition.assignment.strategy",
        "transactional.id",
    }
)


_NAME = re.compile(r"[a-zA-Z0-9._-]{1,249}")


def topic_problem(name: str) -> str:
    """What is wrong with the name of a topic, in words for the user; "" if nothing is."""
    if _NAME.fullmatch(name) and name not in (".", ".."):
        return ""
    return f"'{name}' is no name of a topic: letters, digits, '.', '_' and '-', at most 249 of them"


def channel_problem(channel: str) -> str:
    """What is wrong with the channel of a source: a topic, or a regular expression that begins with ^."""
    if not channel.startswith("^"):
        return topic_problem(channel)
    try:
        re.compile(channel)
    except re.error as error:
        return f"'{channel}' is no regular expression: {error}"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerOptions:
    """What sources and sinks have in common: how the brokers are reached."""

    brokers: str = option(
        help="The brokers to begin with: HOST:PORT, more than one with commas.", example="localhost:9092"
    )
    client: dict[str, str | int | float | bool] = option(
        {},
        help="Settings of the client library (librdkafka), passed on as they are: TLS, SASL, and the like.",
        example={"security.protocol": "SASL_SSL", "sasl.password": "${file:/run/secrets/kafka}"},
    )

    def __post_init__(self) -> None:
        hosts = [part.strip() for part in self.brokers.split(",")]
        for host in hosts:
            name, colon, port = host.rpartition(":")
            if not (name and port.isascii() and port.isdecimal()) if colon else not host:
                raise ValueError(f"'brokers' must be HOST:PORT, more than one with commas, not '{host}'")
        for key in self.client:
            if key in _OURS:
                raise ValueError(f"'client' cannot set {key}: limecep does")


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaOptions(BrokerOptions):
    """The connector of sources."""

    group: str = option(
        "",
        help="The consumer group, of this pipeline alone; default: the pipeline's name.",
        example="kitchen",
    )
    start: str = option(
        "latest",
        help="Where to begin if the group has committed nothing: latest, earliest, or a time.",
        example="2026-01-05T10:00:00Z",
    )

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with a topic, or a regular expression for topics."""
        return _bad(channel_problem(channel))

    def reads(self, channel: str, other: str) -> bool:
        """Whether a channel means a topic."""
        from limecep_kafka.topics import matcher

        return matcher(channel)(other)

    @property
    def since(self) -> int | None:
        """The time to begin at, in microseconds; None where `start` is no time."""
        return None if self.start in ("latest", "earliest") else _instant(self.start)

    def __post_init__(self) -> None:
        BrokerOptions.__post_init__(self)
        try:
            _ = self.since
        except Unreadable as error:
            raise ValueError(
                f"'start' must be latest, earliest, or a time such as 2026-01-05T10:00:00Z: it {error}"
            ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSettings:
    """What a source of topics adds to the keys of every source."""

    dead_letter: str = option(
        "",
        help="A topic for messages that gave no event, as they came, with the error and the position in "
        "headers. They go to the late output all the same.",
        example="gas.invalid",
    )

    def __post_init__(self) -> None:
        if self.dead_letter and (said := topic_problem(self.dead_letter)):
            raise ValueError(f"'dead_letter': {said}")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with a topic for bad messages of a channel: it would feed itself."""
        from limecep_kafka.topics import matcher

        if not self.dead_letter or channel_problem(channel) or not matcher(channel)(self.dead_letter):
            return []
        return _bad(
            f"the topic '{self.dead_letter}' for dead letters is read by this source: each would come again, "
            "for ever",
            "give 'dead_letter' a name that the channel does not have",
        )


#: How long brokers may take where nothing keeps what is for them, in microseconds.
DELIVERY_US = 120_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSinkOptions(BrokerOptions):
    """The connector of sinks."""

    delivery_timeout: int | None = option(
        None,
        help="How long the brokers may take to accept a record, over all tries; then the run ends. Default: "
        "2m, and with a state any time: what is for the brokers waits there.",
        unit="duration",
        example="2m",
    )

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with a topic, or a template of topics."""
        from limecep.output.template import template_problem

        return _bad(template_problem(channel, topic_problem))

    def __post_init__(self) -> None:
        BrokerOptions.__post_init__(self)
        if self.delivery_timeout is not None and self.delivery_timeout < 1_000_000:
            raise ValueError("'delivery_timeout' must be at least 1s")


@dataclass(frozen=True, slots=True, kw_only=True)
class KafkaSinkSettings:
    """What a sink of topics adds to the keys of every sink."""

    mode: Literal["changelog", "upsert", "final"] = option(
        "changelog",
        help="changelog: every record. upsert: the last one of each match counts, a retraction is a "
        "tombstone; for compacted topics. final: only what is final.",
    )
    transactional: bool = option(
        False,
        help="Whether the records of a batch are published in one transaction. With 'state', consumers that "
        "read what is committed then see no record twice, whatever happens.",
    )

    @property
    def finals_only(self) -> str:
        """The key that lets it take only what is final, or nothing."""
        return "mode" if self.mode == "final" else ""


def _bad(said: str, hint: str = "") -> list[Problem]:
    return [Problem(code="bad-channel", message=said, hint=hint)] if said else []


def _instant(text: str) -> int:
    return time_reader("iso8601", None)(text)
