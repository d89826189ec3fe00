"""Names of topics, channels that mean several, and positions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: A partition: the topic, and its number.
Partition = tuple[str, int]

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
