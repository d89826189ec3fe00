"""Shares: which keys one of several processes detects for."""

from __future__ import annotations

import zlib
from functools import lru_cache
from typing import Any

#: How many keys are remembered with whose they are.
_KEPT_KEYS = 100_000


class Share:
    """The part of all keys that one process detects for.

    Every process stores every event, so that duplicates, lateness and event time are those of the whole
    stream. It keeps the lanes, and evaluates the end events, of its own keys only. Patterns without partition
    belong to the first process.

    Args:
        number: The number of the process, from 0.
        of: The number of processes.
    """

    def __init__(self, number: int, of: int) -> None:
        self.number = number
        self.of = of
        self._owner = lru_cache(_KEPT_KEYS)(lambda key: owner_of(key, of))

    @property
    def first(self) -> bool:
        """Whether what has no key belongs to it."""
        return self.number == 0

    def takes(self, key: Any) -> bool:
        """Whether a key, as `limecep.plan.partition` gives it, belongs to it."""
        return self._owner(key) == self.number


def owner_of(key: Any, of: int) -> int:
    """The process that a key belongs to, the same in all processes and runs. Equal keys have one spelling.

    Args:
        key: The key; `()` where there is no partition.
        of: The number of processes.
    """
    return zlib.crc32(repr(key).encode("utf-8", "surrogatepass")) % of if key != () else 0
