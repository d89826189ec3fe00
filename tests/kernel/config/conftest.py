"""A registry with small components of every kind, and two pipelines: a small one to make mistakes in, and one
with nearly all that a file may say."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import Loaded, load
from limecep.problems import Problem
from limecep.registry import Registry
from limecep.spec import NoOptions

if TYPE_CHECKING:
    from limecep.config.model import PipelineConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class FileOptions:
    root: str = option("", help="The folder.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSettings:
    speed: float | Literal["max"] = option("max", help="How fast.")
    follow: bool = option(False, help="Go on.")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSinkOptions:
    root: str = option("", help="The folder.")
    path: str = option("", help="The file.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerOptions:
    url: str = option(help="Where the broker is.", example="mq://localhost:1883")
    port: int = option(1883, help="Its port.")

    def reads(self, channel: str, other: str) -> bool:
        return fnmatch(other, channel)

    def vet(self, channel: str) -> list[Problem]:
        odd = [Problem(code="odd-channel", message="a level is empty", severity="warning")]
        return (
            [Problem(code="bad-channel", message="it has a space")]
            if " " in channel
            else (odd if "//" in channel else [])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptOptions:
    within: int | None = option(None, help="How late.", unit="duration")

    @property
    def bounded(self) -> bool:
        return self.within is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    factor: float = option(2.5, help="How much.")
    weights: tuple[float, float, float] = option((0.6, 0.2, 0.2), help="The weights.")

    def __post_init__(self) -> None:
        if abs(sum(self.weights) - 1) > 1e-9:
            raise ValueError("'weights' must add up to 1")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedOptions:
    emit: Literal["eager", "complete", "final"] = option("eager", help="When.")
    horizon: int | None = option(None, help="How late.", unit="duration")

    @property
    def needs_horizon(self) -> str:
        return "emit" if self.emit == "final" and self.horizon is None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CsvOptions:
    delimiter: str = option(",", help="What stands between cells.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GpsOptions:
    leap: int = option(18, help="How many seconds it is ahead of UTC.")


def format_of(channel: str) -> str:
    """The codec that a file's name tells."""
    return {".csv": "csv", ".jsonl": "json"}.get(Path(channel).suffix, "")


def spec(kind: Any, name: str, options: type = NoOptions, **more: Any) -> ComponentSpec:
    return ComponentSpec(
        kind=kind, name=name, factory="nowhere:Nothing", summary="For tests.", options=options, **more
    )


SPECS = (
    spec(
        "source",
        "file",
        FileOptions,
        settings=FileSettings,
        capabilities=frozenset({"finite"}),
        format_of="limecep_test_formats:format_of",
    ),
    spec("source", "broker", BrokerOptions),
    spec("source", "absent", requires=("no_such_module",), extra="absent"),
    spec("sink", "file", FileSinkOptions, capabilities=frozenset({"channel"})),
    spec("sink", "broker", BrokerOptions),
    spec("sink", "stdout", default=True),
    spec("codec", "json", default=True),
    spec("codec", "csv", CsvOptions),
    spec("time", "gps", GpsOptions),
    spec("engine", "maximal", capabilities=frozenset({"stnm", "stam"}), default=True),
    spec("lateness", "accept", AcceptOptions, example="lateness: {type: accept, within: 10m}", default=True),
    spec("lateness", "score", ScoreOptions),
    spec("slack", "none"),
    spec("slack", "adaptive", default=True),
    spec("recompute", "exact", default=True),
    spec("results", "corrected", CorrectedOptions, default=True),
)


#: A right pipeline, small enough to say which line a mistake is in.
GOOD = """\
version: 1
name: kitchen
params: {limit: 40}
connectors:
  log: {type: file}
sources:
  gas:  {from: log, channel: gas.csv,  as: GasLeak,     id: id, time: {field: ts, format: epoch_s}}
  temp: {from: log, channel: temp.csv, as: Temperature, id: id, time: {field: ts, format: epoch_s}}
patterns:
  fire:
    query: |
      PATTERN SEQ(GasLeak a, Temperature{2} b[])
      WHERE a.percentage > $limit AND b[i+1].value > b[i].value
      WITHIN 30 seconds
    select: stnm
    engine: maximal
sinks:
  out: {type: stdout}
"""
#: Its source `gas`.
GAS = "{from: log, channel: gas.csv,  as: GasLeak,     id: id, time: {field: ts, format: epoch_s}}"
#: A right pipeline that says nearly all that can be said.
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
#: What is put in the place of what; a text alone in the place of what the source `gas` says.
Change = tuple[str, str] | str


class Check(Protocol):
    def __call__(self, text: str | bytes, overrides: tuple[str, ...] = (), **environment: str) -> Loaded: ...


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    formats = types.ModuleType("limecep_test_formats")
    formats.format_of = format_of  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "limecep_test_formats", formats)
    return Registry(SPECS)


@pytest.fixture
def check(registry: Registry, tmp_path: Path) -> Check:
    def checked(text: str | bytes, overrides: tuple[str, ...] = (), **environment: str) -> Loaded:
        file = tmp_path / "kitchen.yaml"
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load(file, registry, overrides=overrides, environment=environment)

    return checked


class Edited(Protocol):
    def __call__(self, *changes: Change) -> Loaded: ...


class IsTold(Protocol):
    def __call__(self, change: Change, line: int, said: str, hint: str) -> None: ...


class IsWarned(Protocol):
    def __call__(self, change: Change, line: int, code: str) -> None: ...


@pytest.fixture
def good() -> str:
    """The text of the small pipeline."""
    return GOOD


@pytest.fixture
def full() -> str:
    """The text of the pipeline that says nearly all."""
    return FULL


@pytest.fixture
def config(check: Check) -> PipelineConfig:
    """What the pipeline that says nearly all is read as."""
    loaded = check(FULL)
    assert [p for p in loaded.problems if p.severity == "error"] == []
    assert loaded.config is not None
    return loaded.config


@pytest.fixture
def edited(check: Check) -> Edited:
    """Checks the small pipeline with some changes."""

    def checked(*changes: Change) -> Loaded:
        text = GOOD
        for change in changes:
            old, new = (GAS, "{" + change + "}") if isinstance(change, str) else change
            assert old in text
            text = text.replace(old, new, 1)
        return check(text)

    return checked


@pytest.fixture
def is_told(edited: Edited) -> IsTold:
    """Makes one mistake in the small pipeline, and wants to be told of it: in which line, and what to do."""

    def told(change: Change, line: int, said: str, hint: str) -> None:
        loaded = edited(change)
        assert loaded.config is None
        found = [p for p in loaded.problems if p.severity == "error" and p.place and p.place.line == line]
        assert any(said in str(p) and hint in p.hint for p in found), "\n".join(map(str, loaded.problems))

    return told


@pytest.fixture
def is_warned(edited: Edited) -> IsWarned:
    """Changes the small pipeline, and wants one warning and nothing else: in which line, with which code."""

    def warned(change: Change, line: int, code: str) -> None:
        loaded = edited(change)
        assert [(p.severity, p.code, p.place and p.place.line) for p in loaded.problems] == [
            ("warning", code, line)
        ]
        assert loaded.config is not None

    return warned
