"""The `sources` block."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Change, Edited, IsTold, IsWarned

    from limecep.config.model import PipelineConfig, SourceConfig


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (("gas.csv", '""'), 7, "source 'gas' needs 'channel'", "a file's path or glob"),
        (("as: GasLeak", "every: 0s, as: GasLeak"), 7, "'every' must be longer than nothing", "leave it out"),
        (("id: id", "payload: {}"), 7, "'payload' names no field", "leave it out"),
        ("from: log, as: GasLeak, time: ts", 7, "source 'gas' needs 'channel'", "a file's path or glob"),
        ("from: log, channel: a.csv, time: ts", 7, "source 'gas' needs 'as'", "Example: as: Reading"),
        ("from: log, channel: a.csv, as: 5, time: ts", 7, "'as' must be an event type, or a block", ""),
        ("from: log, channel: a.csv, as: {fild: t}, time: ts", 7, "'as' has no key 'fild'", "'field'?"),
        ("from: log, channel: a.csv, as: {map: {A: GasLeak}}, time: ts", 7, "'as' needs 'field'", ""),
        ("from: log, channel: a.csv, as: {field: t, map: {A: 5}}, time: ts", 7, "'map' must be text", ""),
        ("from: log, channel: a.csv, as: {field: t, map: {A: ''}}, time: ts", 7, "event type for 'A'", ""),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, sped: 1", 7, "has no key 'sped'", "'speed'?"),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, speed: fast", 7, "a number or 'max'", ""),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, every: 5", 7, "'every' needs a unit: 5s", ""),
        (
            "from: log, channel: a.csv, as: GasLeak, time: ts, payload: {v: flot}",
            7,
            "turned into 'flot'",
            "'float'?",
        ),
        ("from: log, channel: a.csv, as: GasLeak, time: ts, payload: v", 7, "'payload' must be a list", ""),
        (("id: id", "order: n, rank: 2"), 7, "'order' and 'rank' both say", "leave one of them out"),
        (("id: id", "rank: high"), 7, "'rank' must be a whole number", ""),
        (("id: id", "rank: 1.5"), 7, "'rank' must be a whole number", ""),
        (("id: id", "rank: 9223372036854775808"), 7, "'rank' does not fit 64 bits", ""),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        ("from: log, channel: gas.csv, as: GasLeak, id: id", 7, "no-time"),
        (("as: GasLeak", "max_future_skew: 5s, as: GasLeak"), 7, "no-arrival"),
    ],
)
def test_what_may_surprise_is_a_warning(is_warned: IsWarned, change: Change, line: int, code: str) -> None:
    is_warned(change, line, code)


@pytest.mark.parametrize(
    ("channel", "more", "warned"),
    [
        ("home/+/gas", "", True),
        ("home/#", "", True),
        ("home/k1/gas", "", False),
        ("home/+/gas", ", id: id", False),
        ("home/+/gas", ", key: '$topic[1]'", False),
        ("+/gas", ", key: '$topic[0]'", False),
    ],
)
def test_many_channels_without_identity_are_a_warning(
    edited: Edited, channel: str, more: str, warned: bool
) -> None:
    broker = ("{type: file}", "{type: broker, url: x}")
    loaded = edited(broker, f"from: log, channel: {channel}, as: GasLeak, time: ts{more}")
    assert ("no-identity" in [p.code for p in loaded.problems]) is warned
    assert loaded.config is not None


@pytest.mark.parametrize(
    ("keys", "partition", "right"),
    [
        ("payload: [percentage, room.name]", "room", True),
        ("payload: [percentage], key: device", "device", True),
        ("payload: [percentage], key: '$topic[1]'", "key", True),
        ("payload: [percentage], key: '$topic[1] as room'", "room", True),
        ("payload: [percentage], key: '$topic[1] as room'", "key", False),
        ("payload: [percentage, '$topic[1] as room']", "room", True),
        ("payload: [percentage], id: id", "device", False),
        ("id: id", "anything", True),
        ("payload: {'*': any, percentage: float}", "anything", True),
        ("payload: ['*']", "anything", True),
        ("payload: [percentage, id.orig_h]", "id.orig_h", True),
        ("payload: [percentage, id.orig_h]", "`id.orig_h`", True),
        ("payload: [percentage, '`id.orig_h`']", "id.orig_h", True),
        ("payload: [percentage, '`id.orig_h`']", "`id.orig_h`", True),
        ("payload: [percentage, '`id.orig_h`']", "id.resp_h", False),
        ("payload: [percentage, '`x.v`']", "x", False),
        ("payload: [percentage], key: '`x.v`'", "x.v", True),
        ("payload: [percentage]", "id", True),
    ],
)
def test_attributes_are_known_where_the_payload_is_declared(
    edited: Edited, keys: str, partition: str, right: bool
) -> None:
    partitioned = ("seconds\n", f"seconds PARTITION BY {partition}\n")
    loaded = edited(f"from: log, channel: a.csv, as: GasLeak, time: ts, {keys}", partitioned)
    assert (loaded.config is not None) is right


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("gas", "channel", "home/+/gas"),
        ("gas", "event_type", "GasLeak"),
        ("gas", "id", ("id",)),
        ("gas", "every", 5_000_000),
        ("gas", "max_future_skew", 300_000_000),
        ("gas", "idle_after", 30_000_000),
        ("temp", "id", ("$topic[1]", "seq")),
        ("temp", "idle_after", 60_000_000),
        ("temp", "max_future_skew", None),
        ("smoke", "key", "$topic[1]"),
        ("smoke", "id", ()),
        ("readings", "event_type", None),
        ("readings", "type_field", "kind"),
        ("readings", "type_map", {"A": "Alarm"}),
        ("readings", "order", "seq"),
        ("readings", "payload", {"value": "float", "unit": "str"}),
        ("readings", "max_future_skew", 60_000_000),
        ("readings", "idle_after", None),
        ("lines", "payload", {"v": "any"}),
        ("lines", "arrival", None),
        ("lines", "rank", None),
        ("meter", "rank", -1),
        ("meter", "payload", {"*": "str", "`a.b`": "int"}),
    ],
)
def test_sources_have_their_keys(config: PipelineConfig, name: str, field: str, value: object) -> None:
    assert getattr(source(config, name), field) == value


def test_a_source_that_is_no_block_may_bring_anything(edited: Edited) -> None:
    [problem] = edited(("sources:\n", "sources:\n  odd: 5\n"), ("as: Temperature", "as: Other")).problems
    assert problem.message == "'odd' must be a block of keys, it is the number 5"
