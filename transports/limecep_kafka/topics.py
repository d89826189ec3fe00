"""Channels, which may mean several topics, and positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep_kafka.config import topic_problem

if TYPE_CHECKING:
    from collections.abc import Callable

#: A partition: the topic, and its number.
Partition = tuple[str, int]


def channel_problem(channel: str) -> str:
    """What is wrong with the channel of a source: a topic, or a regular expression that begins with ^."""
    if not channel.startswith("^"):
        return topic_problem(channel)
    try:
        re.compile(channel)
    except re.error as error:
        return f"'{channel}' is no regular expression: {error}"
    return ""


def matcher(channel: str) -> Callable[[str], bool]:
    """Whether a topic belongs to a channel. An expression need not go on to the end of the name."""
    if channel.startswith("^"):
        pattern = re.compile(channel)
        return lambda topic: pattern.match(topic) is not None
    return channel.__eq__


def partition_of(position: str) -> tuple[Partition, int]:
    """The partition and the offset that a position names."""
    topic, number, offset = position.rsplit(":", 2)
    return (topic, int(number)), int(offset)
