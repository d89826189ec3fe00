"""Heads by columns: what `limecep.intake.heads` and `limecep.intake.instants` read, of many records at once.

Most sources name plain fields, and most records have in them what they should. Then a look at the kinds of
values in a column tells as much as one at each value does, in a fraction of the time.
"""

from __future__ import annotations

from itertools import accumulate, repeat
from typing import TYPE_CHECKING, cast

from limecep.contracts.source import Bulk, channels_of
from limecep.intake.fields import plain_name
from limecep.intake.identity import joined
from limecep.intake.times import Inexact, Unreadable, whole_numbers
from limecep.model.time import EARLIEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limecep.config.model import SourceConfig
    from limecep.contracts.codec import Table
    from limecep.contracts.source import Message
    from limecep.intake.instants import Instants

#: Of each record the type, the id ("" where the source names none), `t_gen`, `t_arr` and the sequence number.
Heads = tuple["Sequence[str]", "Iterable[str]", "Sequence[int]", "Sequence[int]", "Iterable[int]"]


class _Odd(Exception):
    """A column that has to be read value by value."""


class Columns:
    """Reads the heads of records.

    Args:
        config: The source.
        time: What reads its time, where it names one; else the transport says it.
        arrival: What reads its arrival time, where it names one.
        latest: By channel, the latest `t_gen` so far: when events of a replay without arrival times arrive.
    """

    def __init__(
        self, config: SourceConfig, time: Instants | None, arrival: Instants | None, latest: dict[str, int]
    ) -> None:
        self._fixed = config.event_type or config.name if config.type_field is None else ""
        self._type = plain_name(config.type_field or "")
        self._mapped = config.type_map
        self._ids = [plain_name(path) for path in config.id]
        self._time = time
        self._arrival = arrival
        self._order = None if config.order is None else plain_name(config.order)
        self._rank = config.rank or 0
        self._latest = latest

    @property
    def plain(self) -> bool:
        """Whether all that it has to read are plain fields."""
        times = [read.field for read in (self._time, self._arrival) if read is not None]
        return all((self._fixed or self._type, self._order != "", *self._ids, *times))

    def heads(self, table: Table) -> Heads | None:
        """What there is to be read of the records; None where it has to be read of each, as some lack what
        they should have."""
        try:
            types, ids, orders = self._types_of(table), self._ids_of(table), self._orders_of(table)
            times = self._times_of(table)
            return types, ids, times, self._arrivals_of(table, times), orders
        except (_Odd, LookupError, Unreadable, Inexact):
            return None

    def _types_of(self, table: Table) -> Sequence[str]:
        if self._fixed:
            return [self._fixed] * len(table.messages)
        types, mapped = table.column(self._type), self._mapped
        if set(map(type, types)) != {str}:
            raise _Odd
        return [mapped.get(name, name) for name in types] if mapped else types

    def _ids_of(self, table: Table) -> Iterable[str]:
        if not self._ids:
            return repeat("")
        parts = []
        for name in self._ids:
            part = table.column(name)
            kinds = set(map(type, part))
            if kinds == {int}:
                part = list(map(str, part))
            elif kinds != {str} or not all(part):
                raise _Odd
            parts.append(part)
        return parts[0] if len(parts) == 1 else list(map(joined, zip(*parts, strict=True)))

    def _orders_of(self, table: Table) -> Iterable[int]:
        if self._order is None:
            return repeat(self._rank)
        orders = whole_numbers(table.column(self._order))
        if orders is None or not -(2**63) <= min(orders) <= max(orders) < 2**63:
            raise _Odd
        return orders

    def _times_of(self, table: Table) -> Sequence[int]:
        if self._time is not None:
            return self._time.read_all(table.column(self._time.field))
        messages = table.messages
        times = messages.event_times if isinstance(messages, Bulk) else [m.event_time for m in messages]
        # What has no arrival time either is of the time at which it is read.
        if None in times or (self._arrival is None and None in _arrivals_of(messages)):
            raise _Odd
        return cast("Sequence[int]", times)

    def _arrivals_of(self, table: Table, times: Sequence[int]) -> Sequence[int]:
        """May move the latest time on, so it is the last that is read."""
        if self._arrival is not None:
            return self._arrival.read_all(table.column(self._arrival.field))
        arrivals = _arrivals_of(table.messages)
        if None not in arrivals:
            return cast("Sequence[int]", arrivals)
        channel, *others = channels_of(table.messages)
        if others or set(arrivals) != {None}:
            raise _Odd
        arrived = never_back(times, self._latest.get(channel, EARLIEST))
        self._latest[channel] = arrived[-1]
        return arrived


def _arrivals_of(messages: Sequence[Message]) -> Sequence[int | None]:
    return messages.arrivals if isinstance(messages, Bulk) else [m.t_arr for m in messages]


def never_back(times: Sequence[int], reached: int) -> Sequence[int]:
    """For each time the latest up to it, `reached` being before all."""
    # Most are in order, which to find out takes a third of the time.
    if times and times[0] >= reached and sorted(times) == times:
        return times
    return list(accumulate(times, max, initial=reached))[1:]
