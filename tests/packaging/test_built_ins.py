"""Every built-in plugin is taken away in turn: the rest goes on, and who needs it is told what is missing."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from limecep.host import Host

if TYPE_CHECKING:
    from pathlib import Path

BUILT_IN = sorted(
    e.name for e in importlib.metadata.entry_points(group="limecep") if e.dist and e.dist.name == "limecep"
)

#: A pipeline that needs every built-in plugin, with what it says where one of them is gone.
PIPELINE = """\
version: 1
name: all
connectors: {files: {type: file}}
sources:
  all:
    {from: files, channel: events.csv, format: csv, as: {field: type}, id: id,
     time: {field: time, format: {type: since, begin: 1970-01-01}}}
  framed:
    {type: mqtt, url: "mqtt://localhost", client_id: c, channel: events, as: A, id: id, time: time,
     format: {type: avro, registry: "http://localhost"}}
patterns:
  p:
    query: PATTERN SEQ(A a, B b) WITHIN 10 seconds
    engine: maximal
    lateness: accept
    slack: none
    recompute: exact
    results: corrected
  every:
    query: PATTERN SEQ(A a, B b) WHERE lower(a.v) = 'x' WITHIN 10 seconds
    engine: nfa
runner: local
sinks:
  out: {type: stdout, through: [{type: mask, fields: [user]}]}
  alerts: {type: mqtt, url: "mqtt://localhost", channel: alerts}
  hook: {type: http, url: "http://localhost/alerts"}
  table: {type: sql, url: "sqlite:///alerts.db", channel: alerts}
  archive: {type: kafka, brokers: "localhost", channel: alerts}
state: {dir: state}
observers: {service: {type: sd_notify}}
"""
SAID = {
    "codecs": "no codec named 'csv'",
    "file": "no source named 'file'",
    "functions": "there is no function 'lower'",
    "http": "no sink named 'http'",
    "kafka": "no sink named 'kafka'",
    "lateness": "no lateness policy named 'accept'",
    "local": "no runner named 'local'",
    "maximal": "no engine named 'maximal'",
    "mqtt": "no sink named 'mqtt'",
    "nfa": "no engine named 'nfa'",
    "observers": "no observer named 'sd_notify'",
    "recompute": "no recompute policy named 'exact'",
    "results": "no result policy named 'corrected'",
    "schemas": "no codec named 'avro'",
    "slack": "no slack policy named 'none'",
    "spark": "no sink named 'spark'",
    "spark_runner": "no runner named 'spark'",
    "sql": "no sink named 'sql'",
    "sqlite": "no default state store",
    "times": "no time format named 'since'",
    "transforms": "no transform named 'mask'",
}
#: What the pipeline has in place of something else where what is taken away needs Spark to be installed.
INSTEAD = {
    "spark": (
        "{type: stdout, through: [{type: mask, fields: [user]}]}",
        "{type: spark, format: parquet, channel: lake}",
    ),
    "spark_runner": ("runner: local", "runner: {type: spark, checkpoint: c}"),
}
#: Those that bring nothing but commands.
COMMANDS = {
    "compare": ["compare", "old.yaml", "new.yaml"],
    "demo": ["demo"],
    "dev": ["dev", "brokers"],
    "expand": ["expand", "log.jsonl"],
    "lab": ["data", "truth", "p.yaml", "--into", "truth.jsonl"],
    "profile": ["profile", "readings.csv"],
    "scaffold": ["plugins", "new", "engine", "mine"],
    "test": ["test", "kitchen.test.yaml"],
    "why": ["why", "78bb3f", "--pipeline", "p.yaml"],
    "why_not": ["why-not", "p", "--pipeline", "p.yaml", "--near", "10:00"],
}


def limecep(*arguments: object, without: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "limecep", *map(str, arguments)],
        env={**os.environ, "LIMECEP_WITHOUT": without},
        cwd=cwd,
        capture_output=True,
        text=True,
    )


def test_there_is_an_expectation_for_every_built_in_plugin() -> None:
    assert sorted([*SAID, *COMMANDS]) == BUILT_IN


def test_with_all_of_them_the_pipeline_is_fine(tmp_path: Path) -> None:
    (tmp_path / "all.yaml").write_text(PIPELINE)
    done = limecep("check", "all.yaml", without="", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "all.yaml: ok\n"), done.stderr


@pytest.mark.parametrize("gone", BUILT_IN)
def test_without_one_of_them_the_others_load(gone: str) -> None:
    plugins = [p for p in Host.load(without=[gone]).plugins if p.distribution == "limecep"]
    expected = {name: "blocked" if name == gone else "loaded" for name in BUILT_IN}
    assert {p.name: p.status for p in plugins} == expected


@pytest.mark.parametrize(
    ("gone", "command", "code"),
    # `run` loads as `check` does, and makes a store besides.
    [*((gone, "check", 1) for gone in SAID), ("mqtt", "run", 78), ("sqlite", "run", 78)],
)
def test_without_one_of_them_a_pipeline_that_needs_it_says_what_is_missing(
    gone: str, command: str, code: int, tmp_path: Path
) -> None:
    (tmp_path / "all.yaml").write_text(PIPELINE.replace(*INSTEAD.get(gone, ("", ""))))
    done = limecep(command, "all.yaml", without=gone, cwd=tmp_path)
    said = done.stdout + done.stderr
    assert done.returncode == code, said
    assert SAID[gone] in said
    assert f"left out by LIMECEP_WITHOUT: {gone}" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("gone", COMMANDS)
def test_without_one_of_them_its_command_is_not_there(gone: str, tmp_path: Path) -> None:
    done = limecep(*COMMANDS[gone], without=gone, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    assert "invalid choice: '" in done.stderr
    assert [*tmp_path.iterdir()] == []
