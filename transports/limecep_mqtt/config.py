"""Options of MQTT. Listing plugins imports this module, and not what checks options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep import option
from limecep.problems import Problem

if TYPE_CHECKING:
    from limecep_mqtt.address import Address


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerOptions:
    """What sources and sinks have in common: how the broker is reached."""

    url: str = option(
        help="The broker: mqtt://HOST:PORT, or mqtts:// for TLS; without a port 1883, or 8883.",
        example="mqtt://localhost:1883",
    )
    client_id: str = option(
        "",
        help="The name of this pipeline at the broker, which nobody else has. The broker then keeps what is "
        "published while it is away. Sinks use it with -out.",
        example="kitchen-1",
    )
    version: Literal[5, "3.1.1"] = option(5, help="The version of MQTT.", example="3.1.1")
    user: str = option("", help="The user at the broker.", example="limecep")
    password: str = option("", help="The password, best kept in a file.", example="${file:/run/secrets/mqtt}")
    tls_ca: str = option(
        "",
        help="A file of certificates to trust, for mqtts://; default: those of the system.",
        example="ca.pem",
        reads=True,
    )
    tls_certificate: str = option(
        "", help="A file with the certificate to show to the broker.", example="kitchen.pem", reads=True
    )
    tls_key: str = option("", help="The file of its key.", example="kitchen.key", reads=True)
    tls_key_password: str = option(
        "",
        help="The password of that file, where it is encrypted; best kept in a file.",
        example="${file:/run/secrets/key}",
    )
    keepalive: int = option(
        30_000_000,
        help="A connection that was silent for that long is tested, and given up if it is dead.",
        unit="duration",
        example="30s",
    )
    window: int = option(
        100, help="How many messages may be under way at a time, without being acknowledged.", example=100
    )
    on_unavailable: Literal["retry", "fail"] = option(
        "retry",
        help="What to do where the broker cannot be reached, at the start or later: retry until it is there "
        "again, or fail: end the run.",
    )
    retry_max: int = option(
        30_000_000,
        help="The longest wait between two tries; waits grow from half a second.",
        unit="duration",
        example="30s",
    )

    @property
    def address(self) -> Address:
        """What the URL says."""
        from limecep_mqtt.address import Address

        return Address.of(self.url)

    def __post_init__(self) -> None:
        address = self.address
        if (self.tls_ca or self.tls_certificate or self.tls_key) and not address.tls:
            raise ValueError("'url' must be mqtts:// where there are certificates")
        if bool(self.tls_certificate) != bool(self.tls_key):
            raise ValueError("'tls_key' and 'tls_certificate' belong together")
        if self.tls_key_password and not self.tls_key:
            raise ValueError("'tls_key_password' needs a 'tls_key'")
        if address.user and (self.user or self.password):
            raise ValueError("'user' stands in the url already")
        if self.password and not self.user:
            raise ValueError("'password' needs a 'user'")
        if not 1_000_000 <= self.keepalive <= 65_535_000_000:
            raise ValueError("'keepalive' must be from 1s to 65535s")
        if not 1 <= self.window <= 65_535:
            raise ValueError("'window' must be from 1 to 65535")
        if self.retry_max < 500_000:
            raise ValueError("'retry_max' must be at least 500ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttOptions(BrokerOptions):
    """The connector of sources."""

    qos: Literal[0, 1, 2] = option(
        1,
        help="How messages are handed over. 1: acknowledged when their effects are durable; a crash loses "
        "nothing. 2: once each, but they are the pipeline's when they are received. 0: unacknowledged.",
    )
    session_expiry: int = option(
        604_800_000_000,
        help="How long the broker keeps messages for a pipeline that is away (MQTT 5, with a client_id).",
        unit="duration",
        example="7 days",
    )
    retained: Literal["drop", "keep"] = option(
        "drop", help="What to do with the last message of each topic, which the broker gives who subscribes."
    )

    @property
    def persistent(self) -> bool:
        """Whether the broker keeps the session while the pipeline is away."""
        return bool(self.client_id)

    def reads(self, channel: str, other: str) -> bool:
        """Whether a topic filter names a topic."""
        from limecep_mqtt.topics import matcher

        return matcher(channel)(other)

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong, or odd, with a topic filter, and with how its messages are handed over."""
        from limecep_mqtt.topics import filter_problem, is_shared

        if said := filter_problem(channel):
            return [Problem(code="bad-channel", message=f"'{channel}' is no topic filter: {said}")]
        found = []
        if is_shared(channel):
            found.append(
                _odd(
                    f"'{channel}' is a shared subscription: other members of the group get a part of the "
                    "messages, and matches across the parts are missed",
                    "leave $share out: one pipeline reads all of its input",
                )
            )
        if self.qos == 0:
            found.append(_odd("with 'qos: 0' messages may be lost", "qos: 1 loses nothing"))
        elif not self.persistent:
            found.append(
                _odd(
                    "without 'client_id' what is published while the pipeline is away is lost",
                    "give it a client_id of its own: the broker then keeps messages for it",
                )
            )
        elif self.qos == 2:
            found.append(
                _odd(
                    "with 'qos: 2' a crash loses messages that were received and not yet worked on",
                    "qos: 1 loses nothing; copies are dropped by their id",
                )
            )
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSinkOptions(BrokerOptions):
    """The connector of sinks."""

    status: str = option(
        "",
        help="A topic that says whether the pipeline is there, retained: online, or offline, which the "
        "broker also says when it vanishes.",
        example="limecep/kitchen/status",
    )

    def __post_init__(self) -> None:
        from limecep_mqtt.topics import topic_problem

        BrokerOptions.__post_init__(self)
        if self.status and (said := topic_problem(self.status)):
            raise ValueError(f"'status': {said}")

    def vet(self, channel: str) -> list[Problem]:
        """What is wrong with a topic, or a template of topics."""
        from limecep.output.template import template_problem
        from limecep_mqtt.topics import topic_problem

        if said := template_problem(channel, topic_problem):
            return [Problem(code="bad-channel", message=f"'{channel}' is no topic: {said}")]
        if self.version != 5:
            return [
                _odd(
                    "with 'version: 3.1.1' a broker cannot say that it refuses a record: what this user may "
                    "not publish is lost without a word",
                    "version: 5 tells; else see in the broker's log that the user may publish here",
                )
            ]
        return []


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttObserverOptions(BrokerOptions):
    """Where figures are published, and how often."""

    topic: str = option(help="The topic of the figures.", example="limecep/kitchen/figures")
    every: int = option(60_000_000, help="How often they are published.", unit="duration", example="60s")
    retain: bool = option(True, help="The broker keeps the last ones, for who subscribes later.")

    def __post_init__(self) -> None:
        from limecep_mqtt.topics import topic_problem

        BrokerOptions.__post_init__(self)
        if said := topic_problem(self.topic):
            raise ValueError(f"'topic': {said}")
        if self.every < 1_000_000:
            raise ValueError("'every' must be at least 1s")


@dataclass(frozen=True, slots=True, kw_only=True)
class MqttSinkSettings:
    """What a sink at a broker adds to the keys of every sink."""

    retain: bool = option(
        False,
        help="The broker keeps the last record of each topic, for who subscribes later.",
        example=True,
    )


def _odd(message: str, hint: str) -> Problem:
    return Problem(code="delivery", message=message, hint=hint, severity="warning")
