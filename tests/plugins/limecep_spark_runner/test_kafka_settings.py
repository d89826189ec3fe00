"""Settings of librdkafka as those of the client in Java. That brokers accept them, test_kafka.py shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.errors import RunFailure
from limecep_kafka.config import KafkaOptions
from limecep_spark_runner.kafka_settings import settings, untranslated

if TYPE_CHECKING:
    from pathlib import Path


def test_sources_read_what_is_committed_unless_told_otherwise() -> None:
    assert settings(KafkaOptions(brokers="b"), "source") == {
        "kafka.bootstrap.servers": "b",
        "kafka.isolation.level": "read_committed",
    }
    client: dict[str, str | int | float | bool] = {"isolation.level": "read_uncommitted"}
    assert settings(KafkaOptions(brokers="b", client=client), "source")["kafka.isolation.level"] == (
        "read_uncommitted"
    )
    assert "kafka.isolation.level" not in settings(KafkaOptions(brokers="b"), "sink")


def test_who_logs_in_is_one_setting() -> None:
    client: dict[str, str | int | float | bool] = {
        "security.protocol": "sasl_plaintext",
        "sasl.mechanisms": "SCRAM-SHA-256",
        "sasl.username": "me",
        "sasl.password": 'a"b\\',
    }
    found = settings(KafkaOptions(brokers="b", client=client), "sink")
    assert found == {
        "kafka.bootstrap.servers": "b",
        "kafka.security.protocol": "SASL_PLAINTEXT",
        "kafka.sasl.mechanism": "SCRAM-SHA-256",
        "kafka.sasl.jaas.config": "org.apache.kafka.common.security.scram.ScramLoginModule required "
        'username="me" password="a\\"b\\\\";',
    }


def test_certificates_and_keys_are_sent_themselves(tmp_path: Path) -> None:
    for name in ("ca", "certificate", "key"):
        (tmp_path / name).write_text(f"the {name}")
    client: dict[str, str | int | float | bool] = {
        f"ssl.{name}.location": str(tmp_path / name) for name in ("ca", "certificate", "key")
    }
    client["ssl.endpoint.identification.algorithm"] = "none"
    assert settings(KafkaOptions(brokers="b", client=client), "sink") == {
        "kafka.bootstrap.servers": "b",
        "kafka.ssl.truststore.type": "PEM",
        "kafka.ssl.truststore.certificates": "the ca",
        "kafka.ssl.keystore.type": "PEM",
        "kafka.ssl.keystore.certificate.chain": "the certificate",
        "kafka.ssl.keystore.key": "the key",
        "kafka.ssl.endpoint.identification.algorithm": "",
    }
    client["ssl.ca.location"] = str(tmp_path / "none")
    with pytest.raises(RunFailure, match=r"ssl\.ca\.location: .*none cannot be read"):
        settings(KafkaOptions(brokers="b", client=client), "sink")


def test_what_has_no_word_in_java_is_told() -> None:
    assert untranslated({"linger.ms": 5, "statistics.interval.ms": 1, "ssl.engine.id": "x"}) == {
        "statistics.interval.ms": False,
        "ssl.engine.id": True,
    }
