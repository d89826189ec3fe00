"""Pipelines that read a file: they are right, and a run of them loses nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from limecep import Pipeline
from limecep.config.loader import load
from limecep.host import Host
from limecep_profile.profile import profiled
from limecep_profile.proposal import pipeline

if TYPE_CHECKING:
    from pathlib import Path

REGISTRY = Host.load().registry
LOST = ("invalid", "future", "extremely_late", "irrelevant")
BEGIN = datetime(2026, 1, 5, 10, tzinfo=UTC)


def stream(late: float, most: int, form: Any) -> list[dict[str, Any]]:
    """Records of two rooms, a share of them late, some of them twice."""
    random = Random(3)
    rows = []
    for n in range(600):
        t = BEGIN + timedelta(seconds=n - (random.random() < late) * random.randint(1, most))
        rows.append({"when": form(t), "room": random.choice(["hall", "oven"]), "v": n, "no": {"of": n}})
        if random.random() < 0.02:
            rows.append(rows[-1])
    return rows


@pytest.mark.parametrize(
    "form",
    [
        lambda t: t.isoformat(),
        lambda t: t.strftime("%Y-%m-%d %H:%M:%S"),
        lambda t: t.strftime("%d/%b/%Y:%H:%M:%S %z"),
        lambda t: int(t.timestamp() * 1000),
        lambda t: t.timestamp(),
    ],
    ids=["iso8601", "no zone", "web log", "milliseconds", "seconds"],
)
@pytest.mark.parametrize(("late", "most"), [(0.0, 1), (0.05, 300), (0.7, 40)])
def test_a_run_of_what_is_written_loses_nothing(tmp_path: Path, form: Any, late: float, most: int) -> None:
    rows = stream(late, most, form)
    (tmp_path / "my data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    file = tmp_path / "p.yaml"
    found = profiled(rows)
    file.write_text(pipeline(found, "my data.jsonl"))
    assert load(file, REGISTRY).problems == []
    with Pipeline.from_yaml(file, sinks={"out": []}) as made:
        made.run()
    outcomes = made.outcomes()
    assert outcomes["read"] == len(rows)
    assert {name: outcomes[name] for name in LOST} == dict.fromkeys(LOST, 0)
    assert (outcomes["duplicate"], made.report()["evicted"]) == (found.same, 0)
    slack = yaml.safe_load(file.read_text())["patterns"]["silence"]["slack"]
    assert slack == "none" if late < 0.1 else slack["type"] == "fixed"


def test_types_ids_keys_and_arrivals_are_used(tmp_path: Path) -> None:
    rows = [
        {
            "event": ("door open", "door closed")[n % 2],
            "id": n,
            "device": f"d{n % 3}",
            "time": BEGIN.isoformat(),
            "received": (BEGIN + timedelta(seconds=n)).isoformat(),
        }
        for n in range(30)
    ]
    file = tmp_path / "p.yaml"
    (tmp_path / "2026.jsonl").touch()
    file.write_text(pipeline(profiled(rows), "2026.jsonl"))
    loaded = load(file, REGISTRY)
    assert loaded.problems == []
    (source,) = loaded.checked().sources
    assert (source.name, source.type_field, source.id, source.key) == (
        "data_2026",
        "event",
        ("id",),
        "device",
    )
    assert source.arrival is not None
    assert source.arrival.field == "received"
    (pattern,) = loaded.checked().patterns
    assert "SEQ(`door open` a, !`door open` b)" in pattern.pattern.text


def test_a_codec_that_was_given_is_named(tmp_path: Path) -> None:
    text = pipeline(profiled(stream(0, 1, datetime.isoformat)), "x.dat", "{type: csv, delimiter: ';'}")
    (tmp_path / "x.dat").touch()
    (tmp_path / "p.yaml").write_text(text)
    assert load(tmp_path / "p.yaml", REGISTRY).problems == []
