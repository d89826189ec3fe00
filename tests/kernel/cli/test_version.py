"""`limecep version`: one version, wherever it is asked for."""

from __future__ import annotations

import json
from importlib import metadata
from typing import TYPE_CHECKING

import limecep
from limecep import cli
from limecep.cli.exits import Exit
from limecep.compiled import is_compiled

if TYPE_CHECKING:
    import pytest

KIND = "compiled" if is_compiled() else "pure"


def test_it_prints_the_version_that_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["version"]) == Exit.FINE
    assert capsys.readouterr().out == f"limecep {metadata.version('limecep')} ({KIND})\n"
    assert limecep.__version__ == metadata.version("limecep")


def test_as_json_it_says_what_a_bug_report_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["version", "--json"]) == Exit.FINE
    facts = json.loads(capsys.readouterr().out)
    assert facts["limecep"] == metadata.version("limecep")
    assert set(facts) == {"limecep", "plugin_api", "python", "machine", "compiled"}
