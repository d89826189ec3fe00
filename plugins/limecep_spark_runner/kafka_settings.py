"""Settings of librdkafka as those of Kafka's client in Java, which is the one that Spark has."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limecep_kafka.config import BrokerOptions

    Value = str | int | float | bool

#: Settings of the same name and meaning.
_SAME = frozenset(
    {
        "acks",
        "batch.size",
        "client.dns.lookup",
        "client.id",
        "client.rack",
        "connections.max.idle.ms",
        "fetch.max.bytes",
        "fetch.min.bytes",
        "isolation.level",
        "linger.ms",
        "max.partition.fetch.bytes",
        "metadata.max.age.ms",
        "reconnect.backoff.max.ms",
        "reconnect.backoff.ms",
        "request.timeout.ms",
        "retry.backoff.max.ms",
        "retry.backoff.ms",
        "sasl.kerberos.service.name",
        "ssl.key.password",
        "ssl.keystore.location",
        "ssl.keystore.password",
    }
)
#: Settings of another name.
_RENAMED = {
    "compression.codec": "compression.type",
    "compression.type": "compression.type",
    "fetch.message.max.bytes": "max.partition.fetch.bytes",
    "fetch.wait.max.ms": "fetch.max.wait.ms",
    "message.max.bytes": "max.request.size",
    "queue.buffering.max.ms": "linger.ms",
    "request.required.acks": "acks",
    "sasl.mechanism": "sasl.mechanism",
    "sasl.mechanisms": "sasl.mechanism",
    "socket.connection.setup.timeout.ms": "socket.connection.setup.timeout.ms",
    "socket.receive.buffer.bytes": "receive.buffer.bytes",
    "socket.send.buffer.bytes": "send.buffer.bytes",
    "ssl.ca.pem": "ssl.truststore.certificates",
    "ssl.certificate.pem": "ssl.keystore.certificate.chain",
    "ssl.key.pem": "ssl.keystore.key",
}
#: Settings that name a file, whose content is the value: so that it need not be on every machine.
_CONTENT = {
    "ssl.ca.location": "ssl.truststore.certificates",
    "ssl.certificate.location": "ssl.keystore.certificate.chain",
    "ssl.key.location": "ssl.keystore.key",
}
#: Settings whose values are written in another way.
_SPELLED: dict[str, Callable[[str], str]] = {
    "security.protocol": str.upper,
    "ssl.endpoint.identification.algorithm": lambda value: "" if value == "none" else value,
}
#: Who logs in, which in Java is one setting.
_LOGIN = ("sasl.username", "sasl.password")
_LOGIN_MODULES = {
    "PLAIN": "org.apache.kafka.common.security.plain.PlainLoginModule",
    "SCRAM-SHA-256": "org.apache.kafka.common.security.scram.ScramLoginModule",
    "SCRAM-SHA-512": "org.apache.kafka.common.security.scram.ScramLoginModule",
}
#: What begins so decides who is let in, or who is believed: left out, it would be another connection.
_SECURITY = ("ssl.", "sasl.", "enable.ssl.", "enable.sasl.", "https.", "security.")


def untranslated(client: Mapping[str, Value]) -> dict[str, bool]:
    """The settings that Java's client has no word for, each with whether it cannot do without."""
    known = {*_SAME, *_RENAMED, *_CONTENT, *_SPELLED, *_LOGIN}
    said = {key: key.startswith(_SECURITY) for key in client if key not in known}
    mechanism = _mechanism(client)
    if any(key in client for key in _LOGIN) and mechanism not in _LOGIN_MODULES:
        said["sasl.mechanism"] = True
    return said


def settings(options: BrokerOptions, of: Literal["source", "sink"]) -> dict[str, str]:
    """How the brokers are reached, as options of Spark.

    Raises:
        RunFailure: A file that is named cannot be read.
    """
    found = {"bootstrap.servers": options.brokers}
    client = options.client
    for key, value in client.items():
        if key in _SAME:
            found[key] = _text(value)
        elif key in _RENAMED:
            found[_RENAMED[key]] = _text(value)
        elif key in _CONTENT:
            found[_CONTENT[key]] = _content(key, _text(value))
        elif key in _SPELLED:
            found[key] = _SPELLED[key](_text(value))
    if all(key in client for key in _LOGIN):
        module = _LOGIN_MODULES[_mechanism(client)]
        name, password = (_quoted(_text(client[key])) for key in _LOGIN)
        found["sasl.jaas.config"] = f"{module} required username={name} password={password};"
    if "ssl.truststore.certificates" in found:
        found["ssl.truststore.type"] = "PEM"
    if "ssl.keystore.key" in found:
        found["ssl.keystore.type"] = "PEM"
    elif "ssl.keystore.location" in found:
        found["ssl.keystore.type"] = "PKCS12"
    if of == "source":
        # What was not committed is nobody's business: so it is with librdkafka, if nothing else is said.
        found.setdefault("isolation.level", "read_committed")
    return {f"kafka.{key}": value for key, value in found.items()}


def _mechanism(client: Mapping[str, Value]) -> str:
    return str(client.get("sasl.mechanism", client.get("sasl.mechanisms", "")))


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _content(key: str, path: str) -> str:
    try:
        return Path(path).read_text()
    except (OSError, ValueError) as error:
        raise RunFailure(f"{key}: {path} cannot be read: {error}") from None
