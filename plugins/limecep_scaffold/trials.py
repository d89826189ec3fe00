"""Trying a component with the conformance suite of its kind, by way of pytest."""

from __future__ import annotations

import contextlib
import io
import signal
import tempfile
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from uuid import uuid4

import pytest

from limecep.model.pattern import Select

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping
    from types import FrameType

    from limecep.spec import ComponentSpec

#: Suites that need no more than the component: by kind, the class and the method that makes one.
SUITES = {
    "engine": ("limecep.testing.engine:EngineConformance", "make_engine"),
    "lateness": ("limecep.testing.lateness:LatenessConformance", "make_policy"),
    "slack": ("limecep.testing.slack:SlackConformance", "make_policy"),
    "recompute": ("limecep.testing.recompute:RecomputeConformance", "make_policy"),
    "results": ("limecep.testing.results:ResultsConformance", "make_policy"),
    "time": ("limecep.testing.time:TimeConformance", "make_format"),
    "transform": ("limecep.testing.transform:TransformConformance", "make_transform"),
    "observer": ("limecep.testing.observer:ObserverConformance", "make_observer"),
    "state": ("limecep.testing.state:StateConformance", "make_store"),
}
#: Suites that need more: what that is, and the class that a test module subclasses to say it.
NEEDING = {
    "codec": ("messages with the records that they are", "limecep.testing.codec.CodecConformance"),
    "source": (
        "a channel and somebody who publishes there: a broker, or files",
        "limecep.testing.transport.SourceConformance",
    ),
    "sink": (
        "a channel and somebody who reads it: a broker, or files",
        "limecep.testing.transport.SinkConformance",
    ),
}
_FILE = "from limecep_scaffold.trials import trying\n\nTestComponent = trying[-1]\n"

_ARGUMENTS = ("-q", "--tb=short", "-p", "no:cacheprovider")

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


def suite_of(spec: ComponentSpec, make: Callable[..., Any], given: Mapping[str, Any]) -> type:
    """The suite of a component's kind, which is among `SUITES`.

    Args:
        spec: The component.
        make: Makes it; called as the suite calls its own.
        given: Attributes of the suite that are to be otherwise.

    Raises:
        ValueError: The suite has no such attribute.
    """
    reference, method = SUITES[spec.kind]
    module, _, name = reference.partition(":")
    base = getattr(import_module(module), name)
    known = sorted(
        n for n in dir(base) if not n.startswith(("_", "test_", "pytest_")) and not callable(getattr(base, n))
    )
    for attribute in given:
        if attribute not in known:
            raise ValueError(f"the suite has no '{attribute}'; it has {', '.join(known) or 'nothing to set'}")
    members: dict[str, Any] = {method: staticmethod(make), **given}
    selects = tuple(s for s in get_args(Select) if s in spec.capabilities)
    if spec.kind == "engine" and selects and "selects" not in given:
        members["selects"] = selects
    return type("TestComponent", (base,), members)


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
    return str(report.longrepr) if crash is None else f"{crash.message}\n{crash.path}:{crash.lineno}"
