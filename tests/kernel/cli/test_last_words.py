"""What is said of a run that is ended, to whom hangs as well. The rest is in test_last_resort.py."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

SAY = """
import threading
from limecep.cli.last_words import say
say(threading.get_ident(), 8.0, lambda frames: "the engine")
print("said", flush=True)
"""


def test_who_does_not_read_what_is_said_holds_up_nothing() -> None:
    into, out = os.pipe()
    os.set_blocking(out, False)
    with suppress(BlockingIOError):
        while os.write(out, b"x" * 4096):
            pass
    os.set_blocking(out, True)
    done = subprocess.run([sys.executable, "-c", SAY], stdout=subprocess.PIPE, stderr=out, timeout=20)
    assert done.stdout == b"said\n"
    os.close(into)
    os.close(out)


def test_who_reads_it_is_told_what_goes_on() -> None:
    done = subprocess.run([sys.executable, "-c", SAY], capture_output=True, text=True)
    assert done.stderr == "limecep: the run did not end within 8 s: the engine goes on\n"


MINE = """
from limecep.api import component

@component("table")
class Mine:
    "Waits."
    def __init__(self, channel, options, context): ...
    def rows(self): self.told()
"""
WAITING = """
import sys, threading, time
from pathlib import Path
from limecep.cli import culprits, last_words
from limecep.local import of_file
mine = sys.modules[of_file("mine.py", Path("mine.py")).module].Mine("", None, None)
mine.told = lambda: last_words.say(threading.get_ident(), 8.0, lambda frames: "")
mine.rows()
last_words.LOOKING_SECONDS = 0.1
culprits.running = lambda frames: time.sleep(60)
mine.rows()
"""


def test_who_runs_before_there_is_a_pipeline_is_looked_for_but_not_for_long(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE)
    done = subprocess.run([sys.executable, "-c", WAITING], capture_output=True, text=True, cwd=tmp_path)
    first, then = done.stderr.splitlines()
    assert first == f"limecep: the run did not end within 8 s: table 'mine' of {tmp_path}/mine.py goes on"
    assert then.startswith("limecep: the run did not end within 8 s: ")
    assert "whereabouts.py:" in then
