"""A component that lacks something of its contract is refused where the pipeline names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec
from limecep.config.loader import load
from limecep.host import Host
from limecep.registry import Plugin, Registry

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.problems import Problem

MINE = """\
from limecep.api import component

@component("{kind}")
class Mine:
    "Lacks something."
"""
QUERY = 'query: "PATTERN SEQ(A x) WITHIN 1 s"'
YAML = """\
version: 1
plugins: [./mine.py]
sources:
  a: {type: file, channel: a.csv, as: A, time: ts, id: id}
patterns:
  p: {query: "PATTERN SEQ(A x) WITHIN 1 s"}
sinks:
  o: {type: none}
"""


def problems(folder: Path, text: str, registry: Registry, **files: str) -> list[Problem]:
    for name, code in files.items():
        (folder / f"{name}.py").write_text(code)
    (folder / "p.yaml").write_text(text)
    return [p for p in load(folder / "p.yaml", registry).problems if p.severity == "error"]


@pytest.mark.parametrize(
    ("kind", "old", "new", "line", "member"),
    [
        ("source", "type: file", "type: mine", 4, "poll"),
        ("codec", "id: id", "id: id, format: mine", 4, "untyped"),
        ("time", "time: ts", "time: {field: ts, format: mine}", 4, "read"),
        ("engine", QUERY, f"{QUERY}, engine: mine", 6, "matches"),
        ("lateness", QUERY, f"{QUERY}, lateness: {{type: mine}}", 6, "by_window"),
        ("slack", QUERY, f"{QUERY}, slack: mine", 6, "wait"),
        ("recompute", QUERY, f"{QUERY}, recompute: mine", 6, "reach"),
        ("results", QUERY, f"{QUERY}, results: mine", 6, "promise"),
        ("sink", "type: none", "type: mine", 8, "flush"),
        ("transform", "type: none", "type: none, through: [mine]", 8, "apply"),
        ("observer", "sinks:", "observers: {w: {type: mine}}\nsinks:", 7, "observe"),
        ("state", "sinks:", "state: {type: mine}\nsinks:", 7, "peek"),
        ("runner", "sinks:", "runner: mine\nsinks:", 7, "progress"),
    ],
)
def test_every_kind_is_checked(tmp_path: Path, kind: str, old: str, new: str, line: int, member: str) -> None:
    found = problems(
        tmp_path, YAML.replace(old, new), Host.load().registry, mine=MINE.replace("{kind}", kind)
    )
    [broken] = [p for p in found if p.code == "broken-contract"]
    assert "'mine' of the local plugin './mine.py' breaks limecep.contracts." in broken.message
    assert f"'{member}'" in broken.message
    assert broken.place is not None
    assert broken.place.line == line
    assert broken.hint == f"mend Mine: {tmp_path / 'mine.py'}:3"


class Half:
    def __init__(self, plan: Any, options: Any, context: Any) -> None: ...

    def assess(self, event: Any, statistics: Any) -> Any: ...


def installed(factory: str, contract: int | None = 1) -> Registry:
    spec = ComponentSpec(kind="lateness", name="mine", factory=factory, summary="x", contract=contract)
    plugin = Plugin(
        name="late", module="late", distribution="limecep-late", version="1.2", path="", specs=(spec,)
    )
    return Host.load().registry.extended([plugin])


LATE = YAML.replace(QUERY, f"{QUERY}, lateness: mine").replace("plugins: [./mine.py]\n", "")


def test_an_installed_component_is_named_with_its_plugin_and_distribution(tmp_path: Path) -> None:
    [broken] = problems(tmp_path, LATE, installed(f"{__name__}:Half"))
    assert broken.message == (
        "lateness policy 'mine' of plugin 'late' of limecep-late 1.2 breaks "
        "limecep.contracts.lateness.LatenessPolicy: it has no 'learns', 'by_window', 'horizon'"
    )
    assert broken.hint.startswith("this is a mistake in the plugin; report it to its author: ")
    assert f"{__file__}:" in broken.hint


def test_one_that_cannot_be_imported_is_told_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "ending.py").write_text("raise SystemExit(0)")
    [gone] = problems(tmp_path, LATE, installed("no_such_module:Half"))
    [absent] = problems(tmp_path, LATE, installed(f"{__name__}:Whole"))
    [ending] = problems(tmp_path, LATE, installed("ending:Half"))
    assert (gone.code, absent.code, ending.code) == ("plugin-import", "plugin-import", "plugin-broken")
    assert "No module named 'no_such_module'" in gone.message
    assert "has no 'Whole'" in absent.message
    assert "of plugin 'late' of limecep-late 1.2 cannot be imported: SystemExit: 0" in ending.message
    assert ending.hint.endswith(f"report it to its author: {tmp_path / 'ending.py'}:1")
    assert "raise SystemExit(0)" in ending.trace
    assert "raise" not in gone.trace


ENVELOPE = """\
from limecep.api import component

@component("codec", capabilities=frozenset({"envelope"}))
class Mine:
    "Makes messages only."
    content_type = "text/plain"
    def __init__(self, options, context): ...
    def encode(self, record): return b""
"""


def test_what_only_makes_messages_is_an_envelope_and_no_format(tmp_path: Path) -> None:
    registry = Host.load().registry
    envelope = YAML.replace("type: none", "type: stdout, envelope: mine")
    assert problems(tmp_path, envelope, registry, mine=ENVELOPE) == []
    [broken] = problems(tmp_path, YAML.replace("id: id", "id: id, format: mine"), registry, mine=ENVELOPE)
    assert "has no 'untyped', 'decode'" in broken.message


VETTING = """\
from dataclasses import dataclass
from limecep.api import component, option

@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    bound: int = option(1, help="How much.")
    def vets(self, plan): return []

@component("slack", options=Options)
class Mine:
    "Waits for nothing."
    def __init__(self, plan, options, context): ...
    def wait(self, statistics): return 0
"""


NEARLY = """\
from limecep.api import component

@component("slack")
class Mine:
    "Waits."
    def __init__(self, plan, options, context): ...
    def wait(self, statistics): return 0
    def remmembered(self): return 5
    def recall(self, known): ...
"""


def test_what_a_component_only_nearly_can_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(NEARLY)
    (tmp_path / "p.yaml").write_text(YAML.replace(QUERY, f"{QUERY}, slack: mine"))
    [told] = [p for p in load(tmp_path / "p.yaml", Host.load().registry).problems if "misspelt" in p.code]
    assert (told.severity, told.code) == ("warning", "misspelt-member")
    assert told.message == (
        "slack policy 'mine' of the local plugin './mine.py' seems to be misspelt: nobody asks for "
        "'remmembered' of Mine: did you mean 'remembered'?"
    )
    assert told.hint == f"mend Mine: {tmp_path / 'mine.py'}:3"


def test_what_options_only_nearly_say_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(VETTING)
    (tmp_path / "p.yaml").write_text(YAML.replace(QUERY, f"{QUERY}, slack: mine"))
    [told] = [p for p in load(tmp_path / "p.yaml", Host.load().registry).problems if "misspelt" in p.code]
    assert told.severity == "warning"
    assert told.message.endswith("nobody asks for 'vets' of Options: did you mean 'vet'?")
    assert told.hint == f"mend Options: {tmp_path / 'mine.py'}:4"
