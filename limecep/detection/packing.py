"""Packing: events in few bytes, column by column."""

from __future__ import annotations

import pickle
import zlib
from itertools import accumulate, repeat
from operator import sub
from typing import TYPE_CHECKING, Any

from limecep.model.event import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: The least that zlib does: more takes three times as long for a tenth.
_LEVEL = 1
_PROTOCOL = 5


def pack(events: Sequence[Event]) -> bytes | None:
    """Events, at least one, as bytes for this process alone; None where a payload has something that cannot
    be copied.

    Columns take less than rows: what stands in one is alike. Of times and ordinals the differences are kept,
    and payloads are divided by their names.
    """
    # Lists of texts and numbers, and nothing else, give the garbage collector no work.
    payloads = [e.payload for e in events]
    times = [e.t_gen for e in events]
    arrivals = [e.t_arr for e in events]
    sources = [e.source for e in events]
    seqs = [e.seq for e in events]
    which = None
    shapes = dict.fromkeys(map(tuple, payloads), payloads)
    if len(shapes) > 1:
        numbers = {names: number for number, names in enumerate(shapes)}
        which = [numbers[tuple(payload)] for payload in payloads]
        shapes = {names: [] for names in shapes}
        for payload in payloads:
            shapes[tuple(payload)].append(payload)
    columns = (
        [e.type for e in events],
        [e.id for e in events],
        _steps(times),
        None if arrivals == times else _steps(arrivals),
        sources[:1] if len({*sources}) == 1 else sources,
        which,
        [(names, [[p[name] for p in alike] for name in names]) for names, alike in shapes.items()],
        seqs if any(seqs) else [0],
        _steps([e.ordinal for e in events]),
    )
    try:
        return zlib.compress(pickle.dumps(columns, _PROTOCOL), _LEVEL)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return None


def unpack(packed: bytes) -> list[Event]:
    """The events that were packed, as objects of their own."""
    types, ids, time_steps, arrivals, sources, which, shapes, seqs, ordinals = pickle.loads(
        zlib.decompress(packed)
    )
    count = len(types)
    times = list(accumulate(time_steps))
    rows = [_payloads(names, columns) for names, columns in shapes]
    return list(
        map(
            Event,
            types,
            ids,
            times,
            times if arrivals is None else accumulate(arrivals),
            _all(sources, count),
            [next(rows[number]) for number in which or repeat(0, count)],
            _all(seqs, count),
            accumulate(ordinals),
        )
    )


def _steps(numbers: Sequence[int]) -> list[int]:
    """The first of some numbers, and how much further each other one is."""
    return [numbers[0], *map(sub, numbers[1:], numbers)]


def _all(column: Sequence[Any], count: int) -> Iterable[Any]:
    """A column of which one value may stand for all."""
    return repeat(column[0], count) if len(column) == 1 else column


def _payloads(names: Sequence[str], columns: Sequence[Iterable[Any]]) -> Iterator[dict[str, Any]]:
    if not names:
        while True:
            yield {}
    for row in zip(*columns, strict=True):
        yield dict(zip(names, row, strict=True))
