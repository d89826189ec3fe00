"""A registry with small components of every kind, and a way to check a text."""

from __future__ import annotations

import sys
import types
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import Loaded, load
from limecep.problems import Problem
from limecep.registry import Registry
from limecep.spec import NoOptions


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
    spec("engine", "maximal", capabilities=frozenset({"stnm", "stam"}), default=True),
    spec("lateness", "accept", AcceptOptions, example="lateness: {type: accept, within: 10m}", default=True),
    spec("lateness", "score", ScoreOptions),
    spec("slack", "none"),
    spec("slack", "adaptive", default=True),
    spec("recompute", "exact", default=True),
    spec("results", "corrected", CorrectedOptions, default=True),
)


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
