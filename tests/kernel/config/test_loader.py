from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep.config.loader import load_dict
from limecep.config.model import TimeConfig
from limecep.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Check

    from limecep.config.model import PipelineConfig, SourceConfig
    from limecep.registry import Registry

FULL = """\
version: 1
name: kitchen
params: {thresholdGas: 40, room: k1}
connectors:
  mq: {type: broker, url: "${BROKER_URL:-mq://localhost:1883}"}
  log: {type: file}
sources:
  gas:   {from: mq, channel: home/+/gas, as: GasLeak, time: ts, id: id, every: 5s}
  temp:
    from: mq
    channel: home/+/temp
    as: Temperature
    time: {field: ts, format: epoch_ms}
    id: ["$topic[1]", seq]
    idle_after: 1m
    max_future_skew: off
  smoke: {from: mq, channel: home/+/smoke, as: Smoke, time: ts, key: "$topic[1]"}
  readings:
    from: log
    channel: "plant/*.csv"
    format: {delimiter: ";"}
    as: {field: kind, map: {A: Alarm}}
    time: {field: timestamp, format: "%Y-%m-%d %H:%M:%S", zone: Europe/Athens}
    arrival: {field: received, format: epoch_ms}
    order: seq
    payload: {value: float, unit: str}
    key: machine
    speed: 10
    max_future_skew: 1m
  lines: {type: file, channel: lines.jsonl, as: Line, time: t, payload: [v]}
  meter:
    type: file
    channel: meter.csv
    as: Meter
    time: {fields: [Date, Time], format: "%d/%m %H.%M", zone: Europe/Athens, fold: order, year: 2026}
    rank: -1
    payload: {"*": str, "`a.b`": int}
patterns:
  gas_fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature+ b[], Smoke c)
      WHERE a.percentage > $thresholdGas AND a.room = $room
      WITHIN 30 seconds
    select: stam
    engine: maximal
    lateness: {type: score, factor: 3, weights: [0.5, 0.25, 0.25]}
    slack: none
    results: {emit: eager, max_per_end: 10}
  alarms: {query: "PATTERN SEQ(Alarm a, Line b) WITHIN 1 h"}
sinks:
  alerts: {to: mq, channel: "limecep/{pattern}", events: ids, patterns: [gas_fire]}
  late:   {type: file, path: late.jsonl, of: late}
retention: {time: 10m, events: 5000, bytes: 64MB}
"""


@pytest.fixture
def config(check: Check) -> PipelineConfig:
    loaded = check(FULL)
    assert [p for p in loaded.problems if p.severity == "error"] == []
    assert loaded.config is not None
    return loaded.config


def source(config: PipelineConfig, name: str) -> SourceConfig:
    return next(s for s in config.sources if s.name == name)


def test_the_pipeline_has_its_own_keys(config: PipelineConfig, tmp_path: Path) -> None:
    assert (config.name, config.root) == ("kitchen", tmp_path)
    assert config.params == {"thresholdGas": 40, "room": "k1"}
    assert (config.retention_time, config.retention_events, config.retention_bytes) == (
        600_000_000,
        5000,
        64_000_000,
    )


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


def test_codecs_are_named_by_the_source_or_told_by_the_transport(config: PipelineConfig) -> None:
    codecs = {s.name: (s.codec.spec.name if s.codec else None) for s in config.sources}
    assert codecs == {
        "gas": "json", "temp": "json", "smoke": "json", "readings": "csv", "lines": "json", "meter": "csv"
    }  # fmt: skip
    codec = source(config, "readings").codec
    assert codec is not None
    assert codec.options.delimiter == ";"


def test_the_transport_has_its_keys_of_the_connector_and_of_the_source(config: PipelineConfig) -> None:
    assert source(config, "gas").connector.options.url == "mq://localhost:1883"
    assert source(config, "readings").settings.speed == 10.0
    assert source(config, "lines").settings.speed == "max"


def test_patterns_have_their_components(config: PipelineConfig) -> None:
    fire, alarms = config.patterns
    assert (fire.name, fire.select, fire.max_per_end) == ("gas_fire", "stam", 10)
    assert (fire.lateness.spec.name, fire.lateness.options.weights) == ("score", (0.5, 0.25, 0.25))
    assert fire.results.options.emit == "eager"
    assert (alarms.select, alarms.max_per_end) == ("stnm", 1_000_000)
    names = [
        c.spec.name for c in (alarms.engine, alarms.lateness, alarms.slack, alarms.recompute, alarms.results)
    ]
    assert names == ["maximal", "accept", "adaptive", "exact", "corrected"]
    assert alarms.pattern.within == 3_600_000_000


def test_sinks_have_their_keys(config: PipelineConfig) -> None:
    alerts, late = config.sinks
    assert (alerts.connector.spec.kind, alerts.connector.spec.name) == ("sink", "broker")
    assert (alerts.channel, alerts.of, alerts.events) == ("limecep/{pattern}", "updates", "ids")
    assert alerts.patterns == ("gas_fire",)
    assert (late.channel, late.connector.options.path, late.of) == ("late.jsonl", "late.jsonl", "late")


def test_updates_go_to_standard_output_if_no_sink_takes_them(check: Check) -> None:
    begin = FULL.index("  alerts:")
    text = FULL[:begin] + FULL[FULL.index("  late:") :]
    config = check(text).config
    assert config is not None
    assert [(s.connector.spec.name, s.of) for s in config.sinks] == [("file", "late"), ("stdout", "updates")]


def test_the_environment_and_overrides_count(check: Check) -> None:
    config = check(
        FULL, ("params.thresholdGas=50", "patterns.gas_fire.select=stnm"), BROKER_URL="mq://broker:1"
    ).config
    assert config is not None
    assert config.params["thresholdGas"] == 50
    assert config.patterns[0].select == "stnm"
    assert source(config, "gas").connector.options.url == "mq://broker:1"


def test_a_number_from_the_environment_may_stand_in_quotes(check: Check) -> None:
    text = FULL.replace("{type: broker,", '{type: broker, port: "${PORT:-1884}",')
    config = check(text).config
    assert config is not None
    assert source(config, "gas").connector.options.port == 1884


def test_a_wrong_override_is_shown_as_it_was_given(check: Check) -> None:
    loaded = check(FULL, ("patterns.gas_fire.selct=stnm",))
    assert loaded.config is None
    assert str(loaded.problems[0]).splitlines() == [
        "--set:1:19: error: pattern 'gas_fire' has no key 'selct' [unknown-key]",
        "    patterns.gas_fire.selct=stnm",
        "                      ^^^^^",
        "    did you mean 'select'?",
    ]


def test_the_selection_of_the_query_counts(check: Check) -> None:
    text = FULL.replace("WHERE a", "WHERE skip-till-next-match AND a").replace("    select: stam\n", "")
    config = check(text).config
    assert config is not None
    assert config.patterns[0].select == "stnm"


def test_the_name_is_that_of_the_file_by_default(check: Check) -> None:
    config = check(FULL.replace("name: kitchen\n", "")).config
    assert config is not None
    assert config.name == "kitchen"


def test_a_dict_is_as_good_as_a_file(registry: Registry, config: PipelineConfig) -> None:
    loaded = load_dict(yaml.safe_load(FULL), registry, root=config.root, environment={})
    assert loaded.config is not None
    assert loaded.config == config


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (
            ("patterns", "alarms", "query"),
            "PATTERN SEQ(Alarm a,\n Line b)\nWITHIN 1 secondz",
            "patterns.alarms.query:3:10",
        ),
        (("patterns", "alarms", "selct"), "x", "patterns.alarms.selct"),
        (("sources", "gas", "id"), [1], "sources.gas.id[0]"),
        (("version",), "1", "version"),
        (("params", "room"), {1, 2}, "params.room"),
    ],
)
def test_problems_of_a_dict_have_paths_for_places(
    registry: Registry, path: tuple[str, ...], value: object, place: str
) -> None:
    document = yaml.safe_load(FULL)
    inner: Any = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    loaded = load_dict(document, registry, environment={})
    assert loaded.config is None
    assert place in [str(p.place) for p in loaded.problems if p.severity == "error"]


def test_what_was_loaded_is_checked_or_raises_all_its_errors(registry: Registry) -> None:
    document = yaml.safe_load(FULL)
    loaded = load_dict(document, registry, environment={})
    assert loaded.checked() is loaded.config
    document["version"], document["sources"]["gas"]["id"] = "1", [1]
    loaded = load_dict(document, registry, environment={})
    with pytest.raises(ConfigurationError) as raised:
        loaded.checked()
    assert list(raised.value.problems) == [p for p in loaded.problems if p.severity == "error"]
    assert len(raised.value.problems) > 1
