"""What Java says on the terminal: noise is taken out, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

SAYING = """
import os, subprocess, sys
from limecep_spark.noise import sifted
with sifted():
    said = "WARNING: Using incubator modules: x\\n\\nStarting Streaming TransformWithState: y\\n\\n"
    said += "Spark: ERROR a\\n\\nException in thread b\\n\\tat b\\n"
    said += 'Exception in thread "stream execution thread for p [id = 1]" '
    said += "java.lang.StackOverflowError\\n\\tat c\\n"
    said += 'Exception in thread "stateConnectionListenerThread" '
    said += "java.nio.channels.ClosedByInterruptException\\n\\tat d\\n\\tat e\\n"
    subprocess.run([sys.executable, "-c", f"import sys; sys.stderr.write({said!r})"])
import time; time.sleep(.5)
os.write(2, b"WARNING: Using incubator modules: ours\\n")
"""


def test_noise_is_taken_out_of_what_is_started_and_of_nothing_else() -> None:
    ran = subprocess.run([sys.executable, "-c", SAYING], capture_output=True, text=True, check=True)
    said = ["Spark: ERROR a", "", "Exception in thread b", "\tat b", "WARNING: Using incubator modules: ours"]
    assert ran.stderr.splitlines() == said


PIPELINE = """\
version: 1
sources: {s: {type: file, channel: "in/*", format: json, as: A, time: {field: t, format: epoch_s}}}
patterns: {p: {query: "PATTERN SEQ(A a, A b) WITHIN 5 seconds PARTITION BY k", lateness: accept}}
sinks: {out: {type: file, path: out}}
"""


@pytest.mark.spark
def test_the_terminal_has_what_the_run_says_and_nothing_else(java: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(PIPELINE)
    (tmp_path / "in").mkdir()
    events = [json.dumps({"t": 1_700_000_000 + n, "k": n % 2}) for n in range(20)]
    (tmp_path / "in/a.jsonl").write_text("\n".join(events))
    command = [sys.executable, "-m", "limecep", "run", "p.yaml", "--quiet", "--runner", "spark"]
    command += ["--master", "local[2]", "--conf", json.dumps(java), "--checkpoint"]
    ran = subprocess.run([*command, "one"], cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (Exit.FINE, "")
    elsewhere = ["--set", "sinks.out.path=more"]
    (tmp_path / "in/b.jsonl.gz").write_bytes(b"no gzip at all")
    ran = subprocess.run([*command, "other", *elsewhere], cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == Exit.FAILED
    (said,) = ran.stderr.splitlines()
    assert "b.jsonl.gz after line 0: Not a gzipped file" in said
