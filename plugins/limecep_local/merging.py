"""What several workers say of the same messages, in one order."""

from __future__ import annotations

from dataclasses import replace
from heapq import merge
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from limecep_local.messages import Refused, Told


def told_in_order(told: Sequence[Sequence[Told]]) -> list[tuple[Any, ...]]:
    """The records of several workers, in the order of what caused them; of each worker in its own order."""
    return [t.records for t in merge(*told, key=_cause)]


def refused_in_order(refused: Sequence[Sequence[Refused]], patterns: Mapping[str, int]) -> Iterable[Refused]:
    """The events that some patterns do not see, each once, in the order in which they came.

    Args:
        refused: Those of each worker.
        patterns: The places of the patterns in the pipeline.
    """
    found: dict[tuple[object, ...], Refused] = {}
    for told in merge(*refused, key=_place):
        event, known = told.refusal.event, told.refusal
        name: tuple[object, ...] = told.place, known.reason, known.error, event.type, event.source, event.id
        if (other := found.get(name)) is not None and known.reason == "evicted":
            # Its keys, by several patterns, belong to several workers.
            both = sorted({*other.refusal.patterns, *known.patterns}, key=patterns.__getitem__)
            told = other._replace(refusal=replace(known, patterns=tuple(both)))
        elif other is not None:
            name = (*name, len(found))
        found[name] = told
    return found.values()


def _cause(told: Told) -> tuple[int, int, int, int]:
    return told[:4]


def _place(refused: Refused) -> tuple[int, bool]:
    # What is from the future is put aside before the events that came with it are taken in.
    return refused.place, refused.refusal.reason == "future"
