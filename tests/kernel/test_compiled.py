"""Compiled modules, and their sources in their place. What compares the two needs a compiled installation."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from limecep.compiled import PURE, Sources, is_compiled

if TYPE_CHECKING:
    from pathlib import Path

needs_both = pytest.mark.skipif(
    not is_compiled() or PURE in os.environ, reason="needs the installation of a compiled wheel"
)

#: Its matches are corrected, grow, and wait for time, in both halves of the input.
PIPELINE: dict[str, Any] = {
    "version": 1,
    "sources": {
        "s": {"type": "file", "channel": "s.jsonl", "time": "t", "as": {"field": "type"}, "id": "id"}
    },
    "patterns": {
        "grown": {"query": "PATTERN SEQ(A a, B+ b[]) WITHIN 20 s", "lateness": "accept"},
        "waiting": {"query": "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s", "lateness": "accept"},
        "by_key": {"query": "PATTERN SEQ(A a, B+ b[], C c) WITHIN 20 s PARTITION BY k", "lateness": "accept"},
    },
    "state": {"dir": "kept"},
}


def test_a_module_with_both_is_found_as_its_source(tmp_path: Path) -> None:
    for suffix in (*EXTENSION_SUFFIXES, ".py"):
        (tmp_path / f"both{suffix}").touch()
    (tmp_path / f"one{EXTENSION_SUFFIXES[0]}").touch()
    found = Sources.find_spec("limecep.both", [str(tmp_path)])
    assert found is not None
    assert found.origin == str(tmp_path / "both.py")
    assert Sources.find_spec("limecep.one", [str(tmp_path)]) is None


def test_modules_of_others_are_not_looked_for(tmp_path: Path) -> None:
    (tmp_path / "both.py").touch()
    assert Sources.find_spec("lime.both", [str(tmp_path)]) is None
    assert Sources.find_spec("limecep_mine", None) is None


def run(*arguments: object, pure: bool, cwd: Path) -> str:
    """What a command writes, run by the compiled modules or by their sources."""
    environment = {k: v for k, v in os.environ.items() if k != PURE}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "limecep", *map(str, arguments)],
        cwd=cwd,
        env={**environment, PURE: "1"} if pure else environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_both
def test_the_sources_run_where_they_are_asked_for(tmp_path: Path) -> None:
    said = {pure: json.loads(run("version", "--json", pure=pure, cwd=tmp_path)) for pure in (True, False)}
    assert {pure: facts["compiled"] for pure, facts in said.items()} == {True: False, False: True}


def lines(first: int, count: int) -> str:
    """Events, every seventh of which is late."""
    back = [9 * (n % 7 == 6) for n in range(first, first + count)]
    events = [
        {"type": "ABCBAB"[n % 6], "id": str(n), "t": f"2026-01-05T10:{n // 60:02}:{n % 60:02}Z", "k": n % 2}
        for n in (n - late for n, late in enumerate(back, start=first))
    ]
    return "".join(f"{json.dumps({**e, 'id': str(first + n)})}\n" for n, e in enumerate(events))


@needs_both
def test_a_state_is_taken_up_by_whichever_runs_next(tmp_path: Path) -> None:
    told: list[list[list[Any]]] = []
    for halves in product((True, False), repeat=2):
        folder = tmp_path / str(halves)
        folder.mkdir()
        (folder / "p.json").write_text(json.dumps(PIPELINE))
        records = []
        for n, pure in enumerate(halves):
            with (folder / "s.jsonl").open("a") as file:
                file.write(lines(60 * n, 60))
            records += [json.loads(line) for line in run("run", "p.json", pure=pure, cwd=folder).splitlines()]
        told.append([[r[name] for name in ("op", "match", "revision", "content")] for r in records])
    assert len(told[0]) > 300
    assert all(other == told[0] for other in told)
