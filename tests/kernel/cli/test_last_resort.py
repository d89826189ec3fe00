"""A run that does not end although it is asked to is ended."""

from __future__ import annotations

import subprocess
import sys

RUN = """
import os, signal, sys, threading, time
from limecep.cli.last_resort import LastResort

def asleep(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)

signal.signal(signal.SIGTERM, lambda *_: None)
signal.signal(signal.SIGALRM, lambda *_: None)
before = threading.active_count()

def running(frames):
    return sys.argv[2] if frames[-1].f_code.co_name == "asleep" else ""

with LastResort(float(sys.argv[1])) as last:
    last.running = running
    os.kill(os.getpid(), getattr(signal, sys.argv[3]))
    if len(sys.argv) > 4:
        eval(sys.argv[4])
    else:
        asleep(0.5)
asleep(0.2)
assert threading.active_count() == before
assert signal.set_wakeup_fd(-1) == -1
"""


def ended(*arguments: str) -> tuple[int, str]:
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, timeout=30)
    return done.returncode, done.stderr


def test_what_goes_on_too_long_is_ended_and_named() -> None:
    assert ended("0.1", "the engine", "SIGTERM") == (
        3,
        "limecep: the run did not end within 0.1 s: the engine goes on\n",
    )


def test_where_no_component_runs_the_place_is_named() -> None:
    code, said = ended("0.1", "the engine", "SIGTERM", "time.sleep(5)")
    assert code == 3
    assert said.endswith("<string>:1 (<module>) goes on\n")


def test_what_ends_in_time_is_left_alone_and_so_is_what_nobody_asked_to_end() -> None:
    assert ended("5", "the engine", "SIGTERM") == (0, "")
    assert ended("0.1", "the engine", "SIGALRM") == (0, "")


def test_so_is_what_goes_on_when_the_time_is_up_that_it_was_given() -> None:
    def given(overdue: float) -> str:
        return (
            f"(setattr(last, 'overdue', lambda: {overdue}), os.kill(os.getpid(), signal.SIGALRM), asleep(1))"
        )

    code, said = ended("0.1", "the engine", "SIGALRM", given(1.0))
    assert (code, said) == (3, "limecep: the run did not end within 0.1 s: the engine goes on\n")
    assert ended("0.1", "the engine", "SIGALRM", given(-1.0)) == (0, "")


def test_what_cannot_be_told_ends_all_the_same() -> None:
    assert ended("0.1", "the engine", "SIGTERM", "(os.close(2), asleep(5))") == (3, "")
    code, said = ended("0.1", "lone \\udcff", "SIGTERM", "(sys.argv.__setitem__(2, '\\udcff'), asleep(5))")
    assert code == 3
    assert "\\udcff goes on" in said


def test_what_a_copy_of_the_process_is_told_does_not_end_the_process() -> None:
    copied = "(os.fork() or (asleep(0.2), os._exit(0)))"
    told = f"(lambda copy: (asleep(0.1), os.kill(copy, signal.SIGTERM), os.waitpid(copy, 0)))({copied})"
    assert ended("0.1", "the engine", "SIGALRM", f"({told}, asleep(0.4))") == (0, "")


def test_a_process_that_has_many_runs_registers_nothing_anew() -> None:
    code = """
import os
from limecep.cli.last_resort import LastResort, _entered
registered = []
os.register_at_fork = lambda **given: registered.append(given)
for _ in range(20):
    with LastResort(1.0):
        pass
print(len(registered), _entered)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout == "0 []\n", done.stderr
