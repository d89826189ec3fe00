"""A profile in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.embedding.pipelines import rfc3339
from limecep_profile.attributes import MOST_VALUES
from limecep_profile.durations import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_profile.attributes import Attribute
    from limecep_profile.profile import Profile

#: How many types and attributes are shown, and values of one.
MOST_SHOWN = 20
_FEW = 4
_WIDTH = 12
_DAY = 86_400_000_000


def lines(profile: Profile, unreadable: int, first_error: str) -> Iterator[str]:
    """The report, line by line."""
    yield _row("records", f"{profile.records:,}")
    if unreadable:
        yield _row("unreadable", f"{unreadable:,}, the first: {first_error}")
    if not profile.records:
        way = "say how it is written, as in --format \"{type: csv, delimiter: ';'}\""
        yield _row("", way if unreadable else "there is nothing in it")
        return
    yield from _times(profile)
    if profile.time is not None and profile.first is not None:
        yield from _order(profile)
        yield from _gaps(profile)
    yield from _repeats(profile)
    yield from _types(profile)
    for n, attribute in enumerate(profile.attributes.values()):
        if n == MOST_SHOWN:
            yield _row("", f"... and {len(profile.attributes) - n} more")
            break
        yield _row("" if n else "attributes", _attribute(attribute, profile.records))


def _row(name: str, text: str) -> str:
    return f"{name:{_WIDTH}}{text}".rstrip()


def _times(profile: Profile) -> Iterator[str]:
    if profile.time is None:
        yield _row("time", "no attribute reads as a time: say which it is with --time and --time-format")
        return
    time = profile.time
    yield _row("time", f"{time.name}, {time.format}{'' if time.zoned else ', without a zone'}")
    if time.others:
        yield _row("", f"reads as {', '.join(time.others)}, too: say which it is with --time-format")
    if profile.first is not None and profile.last is not None:
        span = f"{rfc3339(profile.first)} to {rfc3339(profile.last)}"
        yield _row("", f"{span}, {shown(profile.span)}")
    if profile.arrival is not None:
        yield _row("", f"arrival: {profile.arrival.name}, {profile.arrival.format}")
    others = [f"{c.name} ({c.format})" for c in profile.times if c not in (time, profile.arrival)]
    if others:
        yield _row("", f"also times: {', '.join(others)}")
    if profile.untimed:
        yield _row("", f"{profile.untimed:,} records have none, the first: {profile.untimed_value!r:.40}")
    zones = {zone: n for zone, n in profile.zones.most_common() if zone}
    if zones:
        said = ", ".join(f"{zone} {_share(n, profile.records)}" for zone, n in zones.items())
        yield _row("zones", said)
    if profile.zones[""]:
        yield _row("" if zones else "zones", f"none in {profile.zones['']:,} stamps: say which it is")


def _order(profile: Profile) -> Iterator[str]:
    late = profile.late
    if not late.count:
        yield _row("order", "in order")
        return
    timed = profile.records - profile.untimed
    quantiles = [f"{name} {shown(late.quantile(share))}" for name, share in _QUANTILES]
    yield _row(
        "order",
        f"{_share(late.count, timed)} out of order ({late.count:,}), behind the latest by: "
        f"{', '.join(quantiles)}, at most {shown(late.greatest or 0)}",
    )
    if profile.key is not None:
        yield _row("", f"{_share(profile.late_in_key, timed)} behind the latest of their own {profile.key}")


_QUANTILES = (("median", 0.5), ("90 %", 0.9), ("99 %", 0.99))


def _gaps(profile: Profile) -> Iterator[str]:
    if not profile.steps.count:
        return
    count, median = profile.steps.tail(profile.long_step)
    if not count:
        yield _row("gaps", f"none: usually a new time comes every {shown(profile.usual_step)}")
        return
    greatest, since = profile.gap
    yield _row(
        "gaps",
        f"{count:,} of more than {shown(profile.long_step)}, half of them up to {shown(median)}; the longest "
        f"is {shown(greatest)}, from {rfc3339(since)}; usually a new time comes every "
        f"{shown(profile.usual_step)}",
    )


def _repeats(profile: Profile) -> Iterator[str]:
    same, ties = profile.same, profile.ties
    said = [f"{_records(same)} {'is' if same == 1 else 'are'} the same as an earlier one"] if same else []
    if ties:
        said.append(f"{ties:,} {_have(ties)} the time of an earlier one, and other values")
    for name, n in profile.clashes.items():
        if n:
            said.append(f"{name} is no id: {_records(n)} {_have(n)} that of another one, and other values")
    for n, text in enumerate(said or ["none"]):
        yield _row("" if n else "repeats", text)


def _records(count: int) -> str:
    return f"{count:,} record{'' if count == 1 else 's'}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _types(profile: Profile) -> Iterator[str]:
    for n, (name, count) in enumerate(profile.types.items()):
        if n == MOST_SHOWN:
            break
        yield _row("" if n else "types", f"{name}: {count:,}{_rate(count, profile.span)}")
    if profile.id is not None:
        yield _row("id", profile.id)
    if profile.key is not None:
        yield _row("key", f"{profile.key}, {_different(profile.attributes[profile.key])}")


def _rate(count: int, span: int) -> str:
    if not span:
        return ""
    for us, name in ((1_000_000, "second"), (60_000_000, "minute"), (3_600_000_000, "hour"), (_DAY, "day")):
        if count * us >= span:
            return f", {count * us / span:.3g} a {name}"
    return f", {count * _DAY / span:.2g} a day"


def _attribute(attribute: Attribute, records: int) -> str:
    kinds = [k for k, _ in attribute.kinds.most_common() if k != "nothing"]
    said = f"{attribute.name}: {' or '.join(kinds) or 'nothing'}"
    if attribute.least is not None:
        said += f", {_number(attribute.least)} to {_number(attribute.greatest)}"
    elif attribute.different:
        if attribute.different <= _FEW:
            said += f", {', '.join(str(v) for v in attribute.values)}"
        else:
            said += f", {_different(attribute)}"
    if attribute.present < records:
        said += f", missing in {_share(records - attribute.present, records)}"
    return said


def _different(attribute: Attribute) -> str:
    return f"more than {MOST_VALUES:,} different" if attribute.many else f"{attribute.different:,} different"


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.3g} %" if of else "0 %"
