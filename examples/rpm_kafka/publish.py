"""Publishes the morning of `../monitoring` for three patients as devices do: the watch sends what it has
every three minutes, and every tenth message comes twice.

    python publish.py [localhost:9092]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from confluent_kafka import KafkaError, KafkaException, Producer
from confluent_kafka.admin import AdminClient, NewTopic

sys.path.append(str(Path(__file__).parents[1] / "monitoring"))
from patients import messages

TOPICS = ("rpm.vest", "rpm.watch", "rpm.rooms", "rpm.alerts.anxiety", "rpm.alerts.cardiac")


def main(brokers: str) -> None:
    """Publishes all of it, into topics that it makes where they are not there."""
    admin = AdminClient({"bootstrap.servers": brokers})
    # Brokers delete by the time stamps of records, and these are old.
    topics = [NewTopic(topic, 3, config={"retention.ms": "-1"}) for topic in TOPICS]
    for made in admin.create_topics(topics).values():
        try:
            made.result()
        except KafkaException as error:
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise
    producer = Producer({"bootstrap.servers": brokers, "enable.idempotence": True})
    everything = messages()
    for at, topic, content in everything:
        # The key is the patient, the time stamp when the device sent it: by these partitions are merged.
        producer.produce(topic, json.dumps(content), content["patient"], timestamp=int(at * 1000))
        producer.poll(0)
    if left := producer.flush(30):
        sys.exit(f"{left} messages were not accepted by {brokers}")
    print(f"{len(everything)} messages published")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["localhost:9092"])
