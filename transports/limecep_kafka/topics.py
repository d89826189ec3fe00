"""Channels, which may mean several topics, and positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: A partition: the topic, and its number.
Partition = tuple[str, int]


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
