"""A sink of topics, as Spark's own connector writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.errors import RunFailure
from limecep_kafka.config import DELIVERY_US
from limecep_spark.failures import reason
from limecep_spark_runner.kafka_settings import settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from limecep_kafka.config import KafkaSinkOptions
    from limecep_spark_runner.work import Form

#: A message as JSON, on its way from a worker to the connector.
_MESSAGE = "topic string, key string, value string, headers array<struct<key: string, value: string>>"
#: How long Kafka's client waits for one answer by default, in milliseconds; at most half of what delivery
#: may take.
_ANSWER_MS = 30_000


class Publication:
    """Publishes messages, at least once.

    Args:
        options: Those of the connector.
    """

    form: Form = "message"

    def __init__(self, options: KafkaSinkOptions) -> None:
        self._brokers = options.brokers
        patience = (options.delivery_timeout or DELIVERY_US) // 1000
        self._settings = {
            "kafka.request.timeout.ms": str(min(_ANSWER_MS, patience // 2)),
            "kafka.delivery.timeout.ms": str(patience),
            "kafka.max.block.ms": str(patience),
            **settings(options, "sink"),
        }

    def open(self) -> None:
        """The brokers are asked when there is something for them."""

    def write(self, values: DataFrame, batch: int) -> None:
        """Publishes the messages of a batch.

        Raises:
            RunFailure: The brokers did not accept them.
        """
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
        from pyspark.sql import functions as f

        headers = f.transform(
            "m.headers", lambda h: f.struct(h["key"].alias("key"), h["value"].cast("binary").alias("value"))
        )
        messages = values.select(f.from_json("value", _MESSAGE).alias("m"))
        writer = messages.select("m.topic", "m.key", "m.value", headers.alias("headers")).write
        try:
            writer.format("kafka").options(**self._settings).save()
        except (PySparkException, Py4JError) as error:
            raise RunFailure(
                f"records were not accepted by the brokers {self._brokers}: {reason(error)}"
            ) from None
