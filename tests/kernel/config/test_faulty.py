"""A plugin that fails while a pipeline is checked is reported with the place of the mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from limecep.config import faulty
from limecep.config.faulty import mend, raised_at, report
from limecep.config.findings import Findings
from limecep.config.nodes import Scalar
from limecep.config.text import SourceText, TextOrigin
from limecep.errors import ContractBreach
from limecep.host import Host, Plugin
from limecep.local import of_file

if TYPE_CHECKING:
    import pytest

WHERE = Scalar(value="x", text="x", origin=TextOrigin(SourceText("p.yaml", "x"), 0, 1, None, "x"))


def failed() -> Exception:
    try:
        json.loads("{")
    except ValueError as error:
        return error
    raise AssertionError


def test_the_exception_and_the_last_place_in_the_plugin_are_told() -> None:
    findings = Findings()
    error = failed()
    report("sink 'x'", error, WHERE, findings, __name__)
    (problem,) = findings.sorted()
    assert problem.message.startswith(
        "the options of sink 'x' raise JSONDecodeError: Expecting property name"
    )
    assert problem.hint.endswith(f"report it to its author: {__file__}:{failed.__code__.co_firstlineno + 2}")
    assert raised_at(error, "elsewhere") == raised_at(error, __name__)
    assert problem.trace.startswith(f'  File "{__file__}", line ')
    assert str(problem).count("json.loads") == 1
    assert str(problem).count(f"{Path(json.__file__)}") == 1
    assert mend(KeyError("never raised"), "elsewhere") == (
        "this is a mistake in the plugin; report it to its author"
    )


def test_a_breach_names_the_plugin_and_its_file(monkeypatch: pytest.MonkeyPatch) -> None:
    package = __name__.partition(".")[0]
    plugin = Plugin(name="odd", module=package, distribution="odd-parts", version="1.2", path="")
    monkeypatch.setattr(faulty, "Host", type("Known", (), {"load": lambda: Host([plugin])}))
    findings = Findings()
    breach = ContractBreach(None, "give 5 in 'vet'")
    report("sink 'x'", breach, WHERE, findings, __name__)
    (problem,) = findings.sorted()
    assert problem.message == "the options of sink 'x' of plugin 'odd' of odd-parts 1.2 give 5 in 'vet'"
    assert problem.hint.endswith(__file__)
    assert problem.trace == "", "the kernel has found it"


def test_a_file_of_the_pipeline_has_its_author_here(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("x = 1\n")
    module = of_file("mine.py", tmp_path / "mine.py").module
    findings = Findings()
    report("sink 'x'", KeyError("mine"), WHERE, findings, module)
    (problem,) = findings.sorted()
    assert problem.message == f"the options of sink 'x' of {tmp_path}/mine.py raise KeyError: 'mine'"
    assert problem.hint == f"this is a mistake in the plugin: {tmp_path}/mine.py"
