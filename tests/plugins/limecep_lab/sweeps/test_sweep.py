"""Policies tried on recordings: a cell finds what one process finds, and is held against what there is."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="the jobs of data need: pip install 'limecep[spark]'")

from limecep import Pipeline, cli
from limecep.cli.exits import Exit
from limecep.errors import ConfigurationError, LimecepError, RunFailure
from limecep.host import Host
from limecep.testing.streams import SECOND, disorder, stream
from limecep_lab import sweep
from limecep_lab.sweeps.grids import grid
from limecep_lab.sweeps.presets import PRESETS
from limecep_lab.sweeps.recommendation import recommended
from limecep_lab.sweeps.sweep import sweep as sweep_grid

if TYPE_CHECKING:
    from limecep_lab.sweeps.sweep import Swept

pytestmark = pytest.mark.spark

REAL = Path(__file__).resolve().parents[5] / "shared" / "data" / "real"
REGISTRY = Host.load().registry
PIPELINE = """\
version: 1
name: rising
sources:
  readings:
    type: file
    channel: readings.csv
    as: {field: type}
    id: id
    time: {field: t_gen, format: epoch_us}
    arrival: {field: t_arr, format: epoch_us}
patterns:
  rise: {query: "PATTERN SEQ(A a, B+ b[], C c) WHERE b[i].v > a.v WITHIN 20 s", lateness: accept}
  gone: {query: "PATTERN SEQ(A a, !B b, C c) WITHIN 5 s", select: stam, lateness: accept}
sinks:
  out: {type: none}
"""


def record(folder: Path) -> str:
    """A recording of which half is late, and its pipeline."""
    events = disorder(stream(5, 400, attributes={"v": lambda r: r.randrange(9)}), 5, 0.5, 15 * SECOND)
    with (folder / "readings.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["type", "id", "t_gen", "t_arr", "v"])
        table.writerows([e.type, e.id, e.t_gen, e.t_arr, e.payload["v"]] for e in events)
    (folder / "p.yaml").write_text(PIPELINE)
    return str(folder / "p.yaml")


def by(swept: Swept, *keys: str) -> dict[tuple[str, ...], Any]:
    return {tuple(row[key] for key in keys): row for row in swept.rows}


def test_each_cell_finds_what_one_process_finds_and_is_held_against_what_there_is(
    spark: Any, tmp_path: Path
) -> None:
    file = record(tmp_path)
    vary = {
        "lateness": ["accept", {"type": "bound", "within": "3s"}],
        "results": ["corrected", "uncorrected"],
    }
    swept = sweep(spark, file, vary, levels=["own", "in-order"])
    rows = by(swept, "lateness", "results", "level", "pattern")
    assert len(rows) == len(swept.rows) == 2 * 2 * 2 * 2
    for choice in swept.grid.choices:
        overrides = [f"patterns.{p}.{k}={v}" for p in ("rise", "gone") for k, v in choice.values.items()]
        pipeline = Pipeline.from_yaml(file, overrides=overrides)
        pipeline.run()
        report = pipeline.report()
        for pattern, figures in report["patterns"].items():
            row = rows[(*choice.values.values(), "own", pattern)]
            for name in ("emitted", "corrected", "retracted"):
                assert row[name] == figures[name], (choice.values, pattern, name)
            assert row["refused"] == report["events"]["extremely_late"]
    for pattern in ("rise", "gone"):
        for (lateness, results, level, of), row in rows.items():
            if of == pattern and (level == "in-order" or (lateness, results) == ("accept", "corrected")):
                assert (row["precision"], row["recall"], row["fp"], row["fn"]) == (1, 1, 0, 0)
        wrong = rows["accept", "uncorrected", "own", pattern]
        assert (wrong["recall"], wrong["fp"] > 0) == (1, True)
        refusing = rows["{type: bound, within: 3s}", "corrected", "own", pattern]
        assert refusing["fn"] > 0
        assert refusing["kept"] < rows["accept", "corrected", "own", pattern]["kept"] == 400
        # In order it could be told at once; a late one is told later.
        assert rows["accept", "corrected", "in-order", pattern]["delay_max"] == 0
        assert rows["accept", "corrected", "own", pattern]["delay_max"] > 0
    best = recommended(swept)
    assert best.values == {"lateness": "accept", "results": "corrected"}
    assert "of these" not in best.reason


def test_the_command_sweeps_and_what_it_recommends_is_a_pipeline(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record(tmp_path)
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text("results: [corrected, uncorrected]\n")
    arguments = ["--grid", "grid.yaml", "--vary", "lateness=accept,{type: bound, within: 2s}"]
    arguments += ["--level", "0.7", "--delay", "9s", "--seed", "3", "--set", "patterns.gone.select=stnm"]
    arguments += ["--into", str(tmp_path / "figures.csv"), "--plot", "figures.svg", "--best", "best.yaml"]
    assert cli.main(["data", "sweep", "p.yaml", *arguments]) == Exit.FINE
    said = capsys.readouterr().out
    assert "rise: precision and recall by level" in said
    assert "Recommended: results corrected, lateness accept\nprecision 1 and recall 1" in said
    with Path("figures.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [(r["results"], r["level"], r["pattern"]) for r in rows[:2]] == [
        ("corrected", "0.7", "rise"),
        ("corrected", "0.7", "gone"),
    ]
    assert len(rows) == 2 * 2 * 2
    assert Path("figures.svg").exists()
    assert cli.main(["check", "best.yaml"]) == Exit.FINE
    assert "select: stnm" in Path("best.yaml").read_text()
    # Nothing is written over.
    assert cli.main(["data", "sweep", "p.yaml", *arguments]) == Exit.REFUSED
    assert "figures.csv is there already" in capsys.readouterr().err


def test_the_first_experiment_of_the_paper_is_a_command(
    spark: Any, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    into = tmp_path / "figures.jsonl"
    assert cli.main(["data", "sweep", "--preset", "paper-1a", "--into", str(into)]) == Exit.FINE
    assert "Recommended: results corrected" in capsys.readouterr().out
    rows = [json.loads(line) for line in into.read_text().splitlines()]
    found = {(r["results"], r["level"], r["pattern"]): (r["tp"], r["fp"], r["fn"]) for r in rows}
    matches = {
        "ABC_stnm": 8,
        "ABpC_stnm": 8,
        "ApBpC_stnm": 6,
        "ABC_stam": 15,
        "ABpC_stam": 10,
        "ApBpC_stam": 6,
    }
    wrong = {"ABC_stnm": 2, "ABpC_stnm": 3, "ApBpC_stnm": 1, "ABC_stam": 0, "ABpC_stam": 1, "ApBpC_stam": 1}
    for pattern, count in matches.items():
        for level in ("in-order", "0.2", "0.7"):
            assert found["corrected", level, pattern] == (count, 0, 0)
        assert found["uncorrected", "in-order", pattern] == (count, 0, 0)
        assert found["uncorrected", "0.7", pattern] == (count, wrong[pattern], 0)


def test_the_experiment_on_the_threshold_finds_nothing_at_first_and_all_in_the_end(spark: Any) -> None:
    preset = PRESETS["paper-1b"]
    choices = grid(preset.document(), preset.vary, REGISTRY, Path())
    swept = sweep_grid(spark, choices, preset.stream(), REGISTRY)
    assert len(choices.choices) == 5 * 6
    by_factor: dict[str, list[Any]] = {}
    for row in swept.rows:
        by_factor.setdefault(row["lateness.factor"], []).append(row)
    assert {row["tp"] for row in by_factor["0.5"]} == {0}
    for factor in ("2.0", "2.5"):
        assert {(row["precision"], row["recall"]) for row in by_factor[factor]} == {(1, 1)}
    recall = [sum(row["recall"] for row in rows) for rows in by_factor.values()]
    assert recall == sorted(recall)


def test_what_is_no_recording_or_level_and_what_cannot_be_judged_is_told(spark: Any, tmp_path: Path) -> None:
    file = record(tmp_path)
    with pytest.raises(LimecepError, match="source 'readings' never ends: a sweep needs a recording"):
        sweep(spark, file, {"slack": ["none"]}, overrides=["sources.readings.follow=true"])
    for levels, delay in ((["0.7x"], None), (["1.5"], None), (["0.2"], "long")):
        with pytest.raises(ConfigurationError, match="a level is own, in-order, a share of late events"):
            sweep(spark, file, {"slack": ["none"]}, levels=levels, delay=delay)
    with pytest.raises(RunFailure, match="there are more matches than are looked for at one end event"):
        sweep(spark, file, {"slack": ["none"]}, overrides=["patterns.gone.results.max_per_end=1"])
    (tmp_path / "readings.csv").write_text("type,id,t_gen,t_arr,v\nA,a,1,1,1\n")
    with pytest.raises(LimecepError, match="no pattern has a match"):
        sweep(spark, file, {"slack": ["none"]})
    (tmp_path / "readings.csv").write_text("type,id,t_gen,t_arr,v\n")
    with pytest.raises(LimecepError, match="there is no event in the sources"):
        sweep(spark, file, {"slack": ["none"]})


def test_a_sweep_that_finds_nothing_can_be_written(
    spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = record(tmp_path)
    (tmp_path / "readings.csv").write_text(
        "type,id,t_gen,t_arr,v\nB,b,2000000,1,1\nA,a,1000000,2,1\nC,c,1500000,3,1\n"
    )
    into = tmp_path / "figures.csv"
    varied = "--vary", "lateness={type: bound, within: 0s}"
    assert cli.main(["data", "sweep", str(file), *varied, "--into", str(into)]) == Exit.FINE
    assert len(into.read_text().splitlines()) > 1


LOGS = {
    "machine_temperature.csv": (
        {"as": "Reading", "time": {"field": "timestamp", "format": "%Y-%m-%d %H:%M:%S", "zone": "UTC"}},
        "SEQ(Reading a, Reading b, Reading c) WHERE b.value > a.value + 2 AND c.value > b.value + 2 "
        "WITHIN 30 minutes",
        491,
    ),
    "web_requests.jsonl": (
        {"as": "Request", "time": {"field": "time", "format": "%d/%b/%Y:%H:%M:%S %z"}},
        "SEQ(Request a, Request b) WHERE a.status = 404 AND b.status = 404 WITHIN 10 minutes "
        "PARTITION BY client",
        57,
    ),
}


@pytest.mark.skipif(not REAL.exists(), reason="the real logs are not beside the project")
@pytest.mark.parametrize("name", LOGS)
def test_real_logs_are_found_wholly_with_correction_and_with_wrong_matches_without(
    spark: Any, tmp_path: Path, name: str
) -> None:
    source, query, matches = LOGS[name]
    document = {
        "version": 1,
        "name": "real",
        "sources": {"log": {"type": "file", "channel": os.fspath(REAL / name), **source}},
        "patterns": {"p": {"query": f"PATTERN {query}", "lateness": "accept", "recompute": "exact"}},
    }
    (tmp_path / "p.yaml").write_text(json.dumps(document))
    swept = sweep(
        spark, str(tmp_path / "p.yaml"), {"results": ["corrected", "uncorrected"]}, levels=["0.2", "0.7"]
    )
    rows = by(swept, "results", "level")
    for level in ("0.2", "0.7"):
        corrected, uncorrected = rows["corrected", level], rows["uncorrected", level]
        assert (corrected["matches"], corrected["tp"]) == (matches, matches)
        assert (corrected["precision"], corrected["recall"]) == (1, 1)
        assert uncorrected["precision"] < 1
        assert uncorrected["fp"] == uncorrected["ever_fp"] == corrected["ever_fp"] > 0
