"""What a component of a plugin file raises under a command is told with its name and its traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep import ComponentSpec, cli
from limecep.cli.culprits import ending, named
from limecep.cli.exits import Exit
from limecep.errors import ComponentFailure
from limecep.host import Host, Plugin

if TYPE_CHECKING:
    from pathlib import Path

MINE = '''
from asyncio import CancelledError
from dataclasses import dataclass
from limecep.api import component, option

WRONG = "@wrong@"

def fails(where):
    if WRONG == where:
        raise KeyError("no such plan")
    if WRONG == f"{where} interrupted":
        raise KeyboardInterrupt
    if WRONG == f"{where} cancelled":
        raise CancelledError("x")

@dataclass(frozen=True, slots=True, kw_only=True)
class Finality:
    """What a pattern may ask."""
    within: int = option(1, help="How long.")
    @property
    def bounded(self):
        fails("bounded")
        return True

@component("lateness", options=Finality)
class Strict:
    """Takes all."""
    learns = by_window = False
    def __init__(self, plan, options, context): ...
    def assess(self, event, statistics): ...
    def horizon(self, statistics): ...

@component("engine", capabilities=frozenset({"rule"}))
class Odd:
    """Finds nothing."""
    results = "rule"
    def __init__(self, plan, options, context): ...
    def matches(self, end, view): return ()
    def count(self, end, view): return 0
    def keeps(self, matches): return matches
    @property
    def rule(self):
        fails("rule")
        return 5 if WRONG == "no rule" else "none"
    def explain(self):
        fails("explain")
        if WRONG == "late lines":
            return Lines(["as it is"])
        if WRONG == "generated lines":
            return (fails("generated lines") for _ in "x")
        return ["as it is"] if WRONG != "no lines" else None

class Lines(list):
    def __iter__(self): fails("late lines")

@component("runner")
class Elsewhere:
    """Runs nothing."""
    def __init__(self, config, registry, options): fails("made")
    def run(self, stop, duration_seconds): fails("run")
    def progress(self): ...
    def report(self): fails("report")
    def close(self): fails("close")

@component("state")
class Kept:
    """Keeps nothing."""
    def __init__(self, options, context): ...
    def open(self): ...
    def peek(self): fails("peek")
    def rows(self, name=None): return [1] if WRONG == "no rows" else []
    def put(self, rows): ...
    def delete(self, numbers): ...
    def append(self, first, last, value): ...
    def segments(self, low, high): return []
    def trim(self, before): ...
    def commit(self, *, durable=True): ...
    def close(self): fails("shut")
    def reset(self):
        fails("reset")
        if WRONG == "ended":
            raise SystemExit(0)
    def figures(self):
        fails("figures")
        return 5 if WRONG == "no figures" else {}
'''
STATELESS = """
version: 1
plugins: [./mine.py]
patterns:
  p:
    query: "PATTERN SEQ(A a) WITHIN 1 s"
    select: stam
    engine: odd
    lateness: strict
    results: {final: true}
sinks: {o: {type: none}}
"""
PIPELINE = STATELESS + "state: {type: kept}\n"
CANCELLED = "raised asyncio.exceptions.CancelledError: x"
RAISED = "raised KeyError: 'no such plan'"


@pytest.mark.parametrize(
    ("command", "wrong", "who", "what"),
    [
        ("explain", "rule", "patterns.p: engine 'odd'", RAISED),
        ("explain", "explain", "patterns.p: engine 'odd'", RAISED),
        ("check", "bounded", "lateness policy 'strict'", RAISED),
        ("explain", "no rule", "patterns.p: engine 'odd'", "gave 5 as its rule"),
        ("explain", "no lines", "patterns.p: engine 'odd'", "explains itself with None"),
        (
            "explain",
            "late lines",
            "patterns.p: engine 'odd'",
            "explains itself with a list that raised KeyError",
        ),
        ("explain", "generated lines", "patterns.p: engine 'odd'", "explains itself with <generator"),
        ("run --runner elsewhere", "made", "runner 'elsewhere'", RAISED),
        ("run --runner elsewhere", "run", "runner 'elsewhere'", RAISED),
        ("run --runner elsewhere", "report", "runner 'elsewhere'", RAISED),
        ("run --runner elsewhere", "close", "runner 'elsewhere'", RAISED),
        ("run --runner elsewhere", "report none", "runner 'elsewhere'", "reports None, no dictionary"),
        ("run --runner elsewhere", "made cancelled", "runner 'elsewhere'", CANCELLED),
        ("run --runner elsewhere", "run cancelled", "runner 'elsewhere'", CANCELLED),
        ("state show", "peek", "state: state store 'kept'", RAISED),
        ("state show", "figures", "state: state store 'kept'", RAISED),
        ("state show", "no figures", "state: state store 'kept'", "gave 5 as its figures"),
        ("state show", "no rows", "state: state store 'kept'", "gave 1 where a row is due"),
        ("state show", "shut", "state: state store 'kept'", RAISED),
        ("state reset", "figures", "state: state store 'kept'", RAISED),
        ("state reset", "reset", "state: state store 'kept'", RAISED),
        ("explain", "rule cancelled", "patterns.p: engine 'odd'", CANCELLED),
        ("state show", "peek cancelled", "state: state store 'kept'", CANCELLED),
        ("state reset", "reset cancelled", "state: state store 'kept'", CANCELLED),
        ("state reset", "ended", "state: state store 'kept'", "raised SystemExit: 0"),
    ],
)
def test_what_fails_under_a_command_is_named(
    command: str, wrong: str, who: str, what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.replace("@wrong@", wrong))
    (tmp_path / "p.yaml").write_text(PIPELINE if "runner" not in command else STATELESS)
    words = [str(tmp_path / "p.yaml"), "--quiet"] if "runner" in command else [str(tmp_path / "p.yaml")]
    assert cli.main([*command.split(), *words]) == Exit.FAILED
    first, *where = capsys.readouterr().err.splitlines()
    assert first.startswith(f"limecep: {who} of {file} {what}")
    assert bool(where) == ("raised" in what)
    assert str(file) in (where or [str(file)])[0]


@pytest.mark.parametrize(
    ("wrong", "said"), [("bounded", "lateness policy 'strict'"), ("rule", "engine 'odd'")]
)
def test_whom_a_command_waited_for_when_it_was_interrupted_is_named(
    wrong: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(MINE.replace("@wrong@", f"{wrong} interrupted"))
    (tmp_path / "p.yaml").write_text(STATELESS)
    command = "check" if wrong == "bounded" else "explain"
    assert cli.main([command, str(tmp_path / "p.yaml")]) == Exit.INTERRUPTED
    assert capsys.readouterr().err == f"limecep: interrupted in {said} of {file}\n"


def test_the_report_of_the_run_names_it_too(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(MINE.replace("@wrong@", "run"))
    (tmp_path / "p.yaml").write_text(STATELESS)
    report = tmp_path / "r.json"
    cli.main(["run", str(tmp_path / "p.yaml"), "--quiet", "--runner", "elsewhere", "--report", str(report)])
    assert f"runner 'elsewhere' of {tmp_path}/mine.py {RAISED}" in report.read_text()


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution whose command is this module."""
    factory = f"{__name__.partition('.')[0]}.x:y"
    spec = ComponentSpec(kind="command", name="odd", factory=factory, summary="Fails.")
    plugin = Plugin(name="odd", module="odd", distribution="odd-parts", version="1.2", path="", specs=(spec,))
    monkeypatch.setattr(Host, "load", lambda *_: Host([plugin]))


def failed(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as raised:
        return raised


@pytest.mark.usefixtures("odd")
def test_a_component_of_another_distribution_is_named_also_where_it_ends_the_process() -> None:
    who = "command 'odd' of plugin 'odd' of odd-parts 1.2"
    told = named(failed(KeyError("no such plan")))  # type: ignore[arg-type]
    assert isinstance(told, ComponentFailure)
    assert str(told) == f"{who} {RAISED}"
    assert told.where.splitlines()[0].endswith("in failed")
    assert str(ending(failed(SystemExit(0)), lambda frames: "")) == f"{who} raised SystemExit: 0"
    placed = ending(failed(GeneratorExit()), lambda frames: "sinks.o: sink 'odd'")
    assert isinstance(placed, ComponentFailure)
    assert str(placed) == "sinks.o: sink 'odd' raised GeneratorExit"
    assert placed.where.splitlines()[0].endswith("in failed")


def test_where_nobody_is_known_whoever_runs_is_named_or_the_file() -> None:
    assert str(ending(SystemExit(0), lambda frames: "the runner")) == "the runner raised SystemExit: 0"
    assert str(ending(failed(SystemExit(0)))) == f"{__file__} raised SystemExit: 0"
    assert str(ending(SystemExit(0))) == "something raised SystemExit: 0"
