"""How times are read, by `time` and `arrival`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.config.model import TimeConfig

if TYPE_CHECKING:
    from conftest import Change, Edited, IsTold, IsWarned

    from limecep.config.model import PipelineConfig, SourceConfig


@pytest.mark.parametrize(
    ("change", "line", "said", "hint"),
    [
        (
            ("epoch_s}}\n  t", "'%b %d', zone: UTC, year: 10000}}\n  t"),
            7,
            "'year' must be 1 to 9999, not 10000",
            "",
        ),
        ("from: log, channel: a.csv, as: GasLeak, time: [a]", 7, "'time' must be a field, or a block", ""),
        ("from: log, channel: a.csv, as: GasLeak, time: {format: epoch_s}", 7, "'time' needs 'field'", ""),
        (
            ("epoch_s}}\n  t", "epoch_x}}\n  t"),
            7,
            "unknown time format 'epoch_x'",
            "iso8601, epoch_s, epoch_ms",
        ),
        (
            ("epoch_s}}\n  t", "'%Y-%m-%d'}}\n  t"),
            7,
            "say no time zone [missing-zone]",
            "zone: Europe/Athens",
        ),
        (("epoch_s}}\n  t", "'%H:%M'}}\n  t"), 7, "has no year", ""),
        (
            ("epoch_s}}\n  t", "gpss}}\n  t"),
            7,
            "unknown time format 'gpss': did you mean 'gps'?",
            "filetime, gps",
        ),
        (("epoch_s}}\n  t", "{type: gpss}}}\n  t"), 7, "no time format named 'gpss'", "'gps'?"),
        (("epoch_s}}\n  t", "{type: gps, lap: 1}}}\n  t"), 7, "time 'gps' has no key 'lap'", "'leap'?"),
        (("epoch_s}}\n  t", "gps, year: 2026}}\n  t"), 7, "without one, and gps has it", "leave it out"),
        (("epoch_s}}\n  t", "iso8601, zone: Mars}}\n  t"), 7, "unknown time zone 'Mars'", ""),
        (("epoch_s}}\n  t", "epoch_s, zon: UTC}}\n  t"), 7, "'time' has no key 'zon'", "'zone'?"),
        (("epoch_s}}\n  t", "''}}\n  t"), 7, "[bad-time-format]", "iso8601, epoch_s, epoch_ms"),
        (("epoch_s}}\n  t", "5}}\n  t"), 7, "'format' must be text, not the number 5", ""),
        (
            ("epoch_s}}\n  t", "ms}}\n  t"),
            7,
            "unknown time format 'ms': did you mean 'epoch_ms'?",
            "filetime",
        ),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC}}\n  t"), 7, "has no year", "year: 2026, or year: arrival"),
        (("epoch_s}}\n  t", "'%H:%M', zone: UTC, year: 1}}\n  t"), 7, "no day of the year", "strptime"),
        (("epoch_s}}\n  t", "epoch_s, year: 2026}}\n  t"), 7, "'year' is for stamps without one", "'%b %d"),
        (
            ("epoch_s}}\n  t", "'%Y-%m-%d', zone: UTC, year: 2026}}\n  t"),
            7,
            "without one, and %Y-%m-%d has it",
            "leave it out",
        ),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC, year: 0}}\n  t"), 7, "'year' must be 1 to 9999, not 0", ""),
        (("epoch_s}}\n  t", "'%b %d', zone: UTC, year: now}}\n  t"), 7, "'year' must be a whole", ""),
        (
            (
                "time: {field: ts, format: epoch_s}}\n  t",
                "time: t, arrival: {field: r, format: '%b %d', zone: UTC, year: arrival}}\n  t",
            ),
            7,
            "the arrival time cannot have the year of the arrival",
            "year: 2026",
        ),
        (
            ("epoch_s}}\n  t", "iso8601, zone: Europe/Athens, fold: third}}\n  t"),
            7,
            "'fold' must be one of first, second, order",
            "",
        ),
        (
            ("field: ts, format", "field: ts, fields: [a, b], format"),
            7,
            "both say where the time is",
            "one of",
        ),
        (
            ("field: ts, format", "fields: [a, b], format"),
            7,
            "joins text, and epoch_s is a number",
            "field: ts",
        ),
    ],
)
def test_a_mistake_is_named_where_it_stands(
    is_told: IsTold, change: Change, line: int, said: str, hint: str
) -> None:
    is_told(change, line, said, hint)


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        (("epoch_s}}\n  t", "epoch_s, zone: UTC}}\n  t"), 7, "idle-zone"),
        (("epoch_s}}\n  t", "gps, zone: UTC}}\n  t"), 7, "idle-zone"),
        (("epoch_s}}\n  t", "filetime, zone: Europe/Athens}}\n  t"), 7, "idle-zone"),
        (("epoch_s}}\n  t", "epoch_s, fold: order}}\n  t"), 7, "idle-fold"),
        (("epoch_s}}\n  t", "iso8601, zone: UTC, fold: second}}\n  t"), 7, "idle-fold"),
    ],
)
def test_what_may_surprise_is_a_warning(is_warned: IsWarned, change: Change, line: int, code: str) -> None:
    is_warned(change, line, code)


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


def test_times_are_fields_with_a_format(config: PipelineConfig) -> None:
    gas, readings = source(config, "gas").time, source(config, "readings")
    assert gas is not None
    assert (gas.field, gas.format, gas.zone) == ("ts", "iso8601", None)
    assert readings.time is not None
    assert (readings.time.format, readings.time.zone) == ("%Y-%m-%d %H:%M:%S", "Europe/Athens")
    assert readings.arrival is not None
    assert (readings.arrival.field, readings.arrival.format) == ("received", "epoch_ms")
    assert source(config, "meter").time == TimeConfig(
        field="Date", joined=("Time",), format="%d/%m %H.%M", zone="Europe/Athens", fold="order", year=2026
    )
    assert config.sequenced


@pytest.mark.parametrize("year", [1, 9999])
def test_every_year_that_there_is_can_be_that_of_the_first_stamp(edited: Edited, year: int) -> None:
    loaded = edited(("epoch_s}}\n  t", f"'%b %d', zone: UTC, year: {year}}}}}\n  t"))
    assert loaded.config is not None
    time = loaded.config.sources[0].time
    assert time is not None
    assert time.year == year


@pytest.mark.parametrize(("format", "leap"), [("gps", 18), ("{type: gps, leap: 0}", 0)])
def test_a_plugin_may_read_times(edited: Edited, format: str, leap: int) -> None:
    loaded = edited(("epoch_s}}\n  t", f"{format}}}}}\n  t"))
    assert loaded.config is not None
    time = loaded.config.sources[0].time
    assert time is not None
    assert time.brought is not None
    assert (time.format, time.brought.options.leap) == ("gps", leap)
