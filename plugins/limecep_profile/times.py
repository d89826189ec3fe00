"""Time attributes and their formats."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from limecep.intake.times import EPOCHS, Inexact, TimeReader, Unreadable, time_problem, time_reader

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

#: The forms of stamps that are tried, beside ISO 8601 and numbers.
STAMPS = (
    "%d/%b/%Y:%H:%M:%S %z",
    "%Y/%m/%d %H:%M:%S",
    "%Y-%m-%d %H:%M:%S,%L",
    "%Y-%m-%d %H.%M.%S",
    "%Y%m%d-%H:%M:%S:%L",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d-%m-%Y %H:%M:%S",
    "%a %b %d %H:%M:%S %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%b %d %Y %H:%M:%S",
    "%d %b %Y %H:%M:%S",
)
#: What a number of some unit is about now: from 1990 to 2100, in seconds.
_PLAUSIBLE = (631_152_000, 4_102_444_800)
#: What an attribute is called that is a time, and one that is the time of arrival.
TIMES = frozenset(
    (
        "time",
        "timestamp",
        "ts",
        "date",
        "datetime",
        "when",
        "at",
        "stamp",
        "occurred",
        "created",
        "utc",
        "epoch",
    )
)
ARRIVALS = frozenset(
    (
        "arrival",
        "arrived",
        "received",
        "receive",
        "receipt",
        "ingested",
        "ingest",
        "logged",
        "processed",
        "stored",
    )
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_OFFSET = re.compile(r"(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$")
#: Most of the values of a time must be readable.
_SHARE = 0.95


@dataclass(frozen=True)
class Candidate:
    """An attribute that may be the time.

    Attributes:
        name: The attribute.
        format: How it is written, as of `time: {format}`.
        zoned: Whether it says its zone, or needs none.
        share: How many of its values can be read, from 0 to 1.
        forward: How many of those do not go back, from 0 to 1.
        others: Other forms that read as many, and give other times.
    """

    name: str
    format: str
    zoned: bool
    share: float
    forward: float
    others: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """The higher, the more likely is it the time at which things happened."""
        called = words(self.name)
        named = 1.0 * bool(called & TIMES) - 0.9 * bool(called & ARRIVALS)
        # Where two forms fit, one of them makes days jump.
        return self.share + named + 0.3 * self.forward

    @property
    def arrival(self) -> bool:
        """True if its name is that of an arrival time."""
        return bool(words(self.name) & ARRIVALS)

    @cached_property
    def read(self) -> TimeReader:
        """Reads a value; raises `Unreadable`."""
        reader = time_reader(self.format, None if self.zoned else "UTC")

        def read(value: Any) -> int:
            try:
                return reader(value)
            except Inexact:
                # What a profile says does not depend on the last microsecond.
                return reader(repr(value))

        return read


def words(name: str) -> set[str]:
    """The words of a name: those of `eventTime` are `event` and `time`."""
    return {w.lower() for w in _WORD.findall(name)}


def candidates(sample: Mapping[str, Sequence[Any]], count: int) -> list[Candidate]:
    """The attributes that may be the time, the most likely first.

    Args:
        sample: The values of each attribute, in the order of the records, without those that are missing.
        count: How many records there are.
    """
    found = []
    for name, values in sample.items():
        # A record without time is no event.
        if values and len(values) >= _SHARE * count:
            fit = list(_of(name, values))
            best = max(fit, key=lambda c: c.score, default=None)
            if best is not None:
                others = tuple(c.format for c in fit if c is not best and c.share == best.share)
                found.append(replace(best, others=others))
    return sorted(found, key=lambda c: -c.score)


def candidate(name: str, values: Sequence[Any], format: str) -> Candidate:
    """An attribute that is said to be the time, in a form that is said.

    Raises:
        ValueError: There is no such form.
    """
    if said := time_problem(format, None):
        raise ValueError(said)
    made = [_tried(name, values, format, zoned) for zoned in (True, False)]
    return max(made, key=lambda c: c.share)


def _of(name: str, values: Sequence[Any]) -> Iterable[Candidate]:
    numbers = [v for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]
    if len(numbers) >= _SHARE * len(values):
        yield from _numeric(name, values, numbers)
        return
    texts = [v for v in values if isinstance(v, str)]
    if len(texts) < _SHARE * len(values):
        return
    for format in ("iso8601", *STAMPS):
        for zoned in (True, False):
            tried = _tried(name, values, format, zoned)
            if tried.share >= _SHARE:
                yield tried
                break


def _numeric(name: str, values: Sequence[Any], numbers: Sequence[float]) -> Iterable[Candidate]:
    least, greatest = min(numbers), max(numbers)
    called = bool(words(name) & (TIMES | ARRIVALS))
    for format, power in EPOCHS.items():
        unit = 10.0 ** (6 - power)
        if _PLAUSIBLE[0] * unit <= least and greatest <= _PLAUSIBLE[1] * unit:
            tried = _tried(name, values, format, True)
            # Many numbers are that large.
            if called or tried.forward > _SHARE:
                yield tried
            return
    if called and least >= 0 and all(float(n).is_integer() for n in numbers):
        # Numbers that count from some beginning of their own.
        yield _tried(name, values, "epoch_s", True)


def _tried(name: str, values: Sequence[Any], format: str, zoned: bool) -> Candidate:
    read = Candidate(name, format, zoned, 0.0, 0.0).read
    times = []
    # Most forms fail at the first.
    for n, value in enumerate(values):
        try:
            times.append(read(value))
        except (Unreadable, ValueError):
            if n < 20 and not times and n > 2:
                break
    forward = sum(b >= a for a, b in pairwise(times))
    return Candidate(name, format, zoned, len(times) / len(values), forward / max(1, len(times) - 1))


def offset(value: Any) -> str:
    """The zone that a stamp says; "" where it says none, or is a number."""
    found = _OFFSET.search(value) if isinstance(value, str) else None
    return "" if found is None else found[0]
