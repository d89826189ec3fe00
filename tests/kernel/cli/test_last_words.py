"""What is said of a run that is ended, to whom hangs as well. The rest is in test_last_resort.py."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

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
