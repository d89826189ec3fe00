"""What Java says on the terminal: noise is taken out, and nothing else."""

from __future__ import annotations

import subprocess
import sys

SAYING = """
import os, subprocess, sys
from limecep_spark.quiet import sifted
with sifted():
    said = "WARNING: Using incubator modules: x\\n\\nStarting Streaming TransformWithState: y\\n\\n"
    said += "Spark: ERROR a\\n\\nException in thread b\\n"
    subprocess.run([sys.executable, "-c", f"import sys; sys.stderr.write({said!r})"])
import time; time.sleep(.5)
os.write(2, b"WARNING: Using incubator modules: ours\\n")
"""


def test_noise_is_taken_out_of_what_is_started_and_of_nothing_else() -> None:
    ran = subprocess.run([sys.executable, "-c", SAYING], capture_output=True, text=True, check=True)
    said = ["Spark: ERROR a", "", "Exception in thread b", "WARNING: Using incubator modules: ours"]
    assert ran.stderr.splitlines() == said
