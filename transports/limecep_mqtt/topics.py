"""Topics, and the filters that name many of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

#: The longest topic or filter, in bytes of UTF-8.
LONGEST_BYTES = 65_535
#: How characters that have a meaning in topics are written where they are to have none.
_ESCAPES = str.maketrans({c: f"%{ord(c):02X}" for c in "%/+#\0"})


def escaped(value: str) -> str:
    """A value as one level of a topic: `/` as `%2F`, and so on."""
    return value.translate(_ESCAPES)


def topic_of(filter: str) -> str:
    """A filter without the group of a shared subscription: `home/#` for `$share/group/home/#`."""
    return filter.split("/", 2)[2] if is_shared(filter) else filter


def is_shared(filter: str) -> bool:
    """Whether it is a shared subscription, of which every member gets a part."""
    return filter.startswith("$share/") and filter.count("/") >= 2


def filter_problem(filter: str) -> str:
    """What is wrong with a topic filter, in words for the user; "" if nothing is."""
    if said := _text_problem(filter):
        return said
    if filter.startswith("$share/"):
        group, _, rest = filter.removeprefix("$share/").partition("/")
        if not group or not rest or "+" in group or "#" in group:
            return "a shared subscription is written $share/GROUP/FILTER"
    levels = topic_of(filter).split("/")
    for place, level in enumerate(levels):
        if "#" in level and (level != "#" or place + 1 < len(levels)):
            return "'#' stands for all levels from there on: alone, and last"
        if "+" in level and level != "+":
            return "'+' stands for one whole level"
    return ""


def topic_problem(topic: str) -> str:
    """What is wrong with a topic that is published to; "" if nothing is."""
    return "a topic that is published to has no wildcards" if set(topic) & set("+#") else _text_problem(topic)


def _text_problem(topic: str) -> str:
    """What is wrong with the text of a topic or a filter; "" if nothing is."""
    if not topic:
        return "a topic is not empty"
    if "\0" in topic:
        return "a topic has no NUL character"
    if len(topic.encode("utf-8", "surrogatepass")) > LONGEST_BYTES:
        return f"a topic has at most {LONGEST_BYTES:,} bytes"
    return ""


def matcher(filter: str) -> Callable[[str], bool]:
    """A function that says whether a topic is among those that a filter names."""
    filter = topic_of(filter)
    if "+" not in filter and "#" not in filter:
        return filter.__eq__
    # A wildcard at the beginning does not stand for topics such as $SYS.
    begin = r"(?!\$)" if filter[0] in "+#" else ""
    pattern = "/".join({"+": "[^/]*", "#": ".*"}.get(level, re.escape(level)) for level in filter.split("/"))
    # `home/#` also stands for `home`.
    pattern = pattern.removesuffix("/.*") + "(?:/.*)?" if pattern.endswith("/.*") else pattern
    match = re.compile(begin + pattern, re.DOTALL).fullmatch
    return lambda topic: match(topic) is not None
