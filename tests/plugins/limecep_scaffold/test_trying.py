"""`limecep plugins test` says of a component whether it keeps its contract."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from pathlib import Path

MODULE = """
class Sound:
    def __init__(self, plan, options, context):
        assert context.label
    def wait(self, statistics):
        return 2

class Hashed(Sound):
    def wait(self, statistics):
        return hash("a") % 1000

class Endless(Sound):
    def wait(self, statistics):
        while True:
            pass
"""


@pytest.fixture(autouse=True)
def _tried_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tried_parts.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)


def test_an_installed_component_is_made_with_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["slack/limecep:fixed", "--options", "{wait: 2s}"]
    arguments += ["--set", "examples=2", "--set", "seeds=[1]"]
    assert cli.main(["plugins", "test", *arguments]) == Exit.FINE
    lines = capsys.readouterr().out.splitlines()
    assert "passed   a wait is a number of microseconds [1]" in lines
    assert lines[-1] == "slack/fixed: 10 passed, 0 failed, 0 skipped"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Hashed", "depends on PYTHONHASHSEED"),
        ("Endless", r"it does not end within 1 s: .*tried_parts.py:"),
    ],
)
def test_one_that_breaks_its_contract_is_told(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--set", "examples=2", "--set", "seeds=[1]", "--seconds", "1" if name == "Endless" else "60"]
    assert cli.main(["plugins", "test", f"slack/tried_parts:{name}", *given]) == Exit.FOUND_PROBLEMS
    out = capsys.readouterr().out
    assert re.search(f"failed   .*\n .*{said}", out), out
    assert f"slack/tried_parts:{name}: " in out.splitlines()[-1]


@pytest.mark.parametrize("name", ["{folder}/mine.py:patient", "{folder}/mine.py:Patient"])
def test_a_component_is_named_as_in_a_pipeline(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    patient = MODULE.replace(
        "class Sound:", "from limecep.api import SlackPolicy\nclass Patient(SlackPolicy):"
    )
    (tmp_path / "mine.py").write_text(
        patient.partition("class Hashed")[0].replace(":\n", ":\n    'Waits.'\n", 1)
    )
    given = ["--set", "examples=2", "--set", "seeds=[1]"]
    assert cli.main(["plugins", "test", f"slack/{name.format(folder=tmp_path)}", *given]) == Exit.FINE
    assert "0 failed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["slack/fixed", "--options", "{wat: 2s}"], "did you mean 'wait'?"),
        (["slack/fixed", "--options", "[2s]"], "no block of keys"),
        (["slack/fixd"], "did you mean 'fixed'?"),
        (["slack/limecep:fixd"], "no slack policy named 'limecep:fixd'"),
        (["slack/./no.py:patient"], "cannot be read"),
        (["slack/..parts:Sound"], "write distribution:name, ./file.py:name or package.module:Class"),
        (["tried_parts:Sound"], "write tried_parts:Sound after its kind: slack/tried_parts:Sound"),
        (
            ["slack/tried_parts:Sound", "--set", "example=1"],
            "the suite has no 'example'; it has call_seconds, examples",
        ),
        (["slack/tried_parts:Sound", "--set", "examples"], "not of the form NAME=YAML"),
        (["sink/file", "--settings", "{wat: 1}"], "unknown"),
        (["source/mqtt", "--options", "{url: mqtt://localhost}"], "source 'mqtt' needs a broker"),
        (["codec/json"], "needs messages with the records that they are"),
    ],
)
def test_what_is_missing_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["plugins", "test", *arguments]) == Exit.USAGE
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "summary"),
    [
        (["codec/json", "--messages", "sent"], "codec/json: 15 passed, 0 failed, 2 skipped"),
        (
            ["codec/json", "--messages", "sent", "--records", "other"],
            "codec/json: 8 passed, 7 failed, 2 skipped",
        ),
        (["sink/file", "--channel", "{n}.jsonl"], "sink/file: 8 passed, 0 failed, 4 skipped"),
        (["command/plugins_new"], "command/plugins_new: 4 passed, 0 failed, 2 skipped"),
    ],
)
def test_what_needs_more_than_a_component_is_told_it(
    arguments: list[str],
    summary: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sent").write_text('{"a": 1}\n{"a": 2}\n')
    (tmp_path / "other").write_text('{"a": 1}\n{"a": 3}\n')
    code = cli.main(["plugins", "test", *arguments])
    assert capsys.readouterr().out.splitlines()[-1] == summary
    assert code == (Exit.FINE if "0 failed" in summary else Exit.FOUND_PROBLEMS)
