"""Trying a component with the conformance suite of its kind, by way of pytest."""

from __future__ import annotations

import contextlib
import io
import re
import signal
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

_FILE = "from limecep_scaffold.trials import trying\n\nTestComponent = trying[-1]\n"

_ARGUMENTS = ("-q", "--tb=long", "--showlocals", "-p", "no:cacheprovider")
#: The names in a line.
_NAME = re.compile(r"[A-Za-z_]\w*")

#: The suites that are being run: pytest imports the innermost from here.
trying: list[type] = []


class Overdue(BaseException):
    """A test takes too long. It is no Exception, so that nothing takes it for an error of the component."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one test.

    Attributes:
        test: What it is about, in words.
        outcome: How it ended.
        why: Why it failed, or was skipped; "" where it passed.
    """

    test: str
    outcome: Literal["passed", "failed", "skipped"]
    why: str = ""


def tried(suite: type, seconds: float, tell: Callable[[Outcome], object]) -> list[Outcome]:
    """Runs a suite.

    Args:
        suite: The suite.
        seconds: How long each of its tests may take.
        tell: Told of each test as it ends.

    Returns:
        What came of its tests.
    """
    watching = _Watching(seconds, tell)
    with tempfile.TemporaryDirectory() as folder:
        # Each has a name of its own: Python imports a module of one name once.
        test = Path(folder, f"test_{uuid4().hex}.py")
        test.write_text(_FILE)
        Path(folder, "pytest.ini").write_text("[pytest]\n")
        trying.append(suite)
        try:
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                code = pytest.main(
                    [str(test), *_ARGUMENTS, "--rootdir", folder],
                    plugins=[watching],
                )
        finally:
            trying.pop()
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        watching.take(Outcome(test="the suite runs", outcome="failed", why=said.getvalue().strip()))
    return watching.outcomes


@dataclass
class _Watching:
    """A plugin of pytest."""

    seconds: float
    tell: Callable[[Outcome], object]
    outcomes: list[Outcome] = field(default_factory=list)

    def take(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.tell(outcome)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        def end(number: int, frame: FrameType | None) -> None:
            where = "" if frame is None else f": {frame.f_code.co_filename}:{frame.f_lineno} goes on"
            raise Overdue(f"it does not end within {self.seconds:g} s{where}")

        before = signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" and report.passed:
            return
        name = report.nodeid.rpartition("::")[2].removeprefix("test_")
        name, bracket, given = name.partition("[")
        test = name.replace("_", " ") + (f" [{given}" if bracket else "")
        self.take(Outcome(test=test, outcome=report.outcome, why=_why(report)))


def _why(report: pytest.TestReport) -> str:
    if report.passed:
        return ""
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        return str(report.longrepr)
    compared = _compared(report.longrepr) if crash.message.strip() == "AssertionError" else ""
    return f"{compared or crash.message}\n{crash.path}:{crash.lineno}"


def _compared(longrepr: Any) -> str:
    """What an assertion compares, that says no more: the suites were imported before pytest could have them
    say so. Its line, and the values of the names in it; "" if that is not known."""
    entry = longrepr.reprtraceback.reprentries[-1]
    line = next((text[1:].strip() for text in reversed(entry.lines) if text.startswith(">")), "")
    names = {*_NAME.findall(line)}
    values = [] if entry.reprlocals is None else entry.reprlocals.lines
    return "\n".join([line, *(value for value in values if value.partition(" ")[0] in names)]) if line else ""
