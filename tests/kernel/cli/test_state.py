"""`limecep state`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.runtime.pipeline import Pipeline

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

PIPELINE: dict[str, Any] = {
    "version": 1,
    "name": "kitchen",
    "sources": {"s": {"type": "file", "channel": "s.jsonl", "as": "A", "time": "t"}},
    "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
    "sinks": {"o": {"type": "none"}},
    "state": {"dir": "kept"},
}


@pytest.fixture
def folder(tmp_path: Path, installed: Registry) -> Path:
    """Of a pipeline that ran and kept its state."""
    (tmp_path / "s.jsonl").write_text('{"t": "2026-01-05T10:00:00Z"}\n')
    (tmp_path / "p.yaml").write_text(json.dumps(PIPELINE))
    pipeline = Pipeline.from_dict(PIPELINE, registry=installed, root=tmp_path)
    pipeline.run()
    pipeline.close()
    return tmp_path


@pytest.mark.parametrize("of", ["kept", "p.yaml"])
def test_a_state_is_named_by_its_folder_or_its_pipeline(
    of: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["state", "show", str(folder / of)]) == Exit.FINE
    said = json.loads(capsys.readouterr().out)
    assert (said["pipeline"], said["events"]) == ("kitchen", 1)
    assert cli.main(["state", "reset", str(folder / of)]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["deleted"]["path"] == str(folder / "kept")
    assert not (folder / "kept").exists()
    for command in ("show", "reset"):
        assert cli.main(["state", command, str(folder / of)]) == Exit.FAILED
        assert "there is no state in" in capsys.readouterr().err


def test_a_state_that_was_shown_can_be_used_on(folder: Path, installed: Registry) -> None:
    assert cli.main(["state", "show", str(folder / "kept")]) == Exit.FINE
    pipeline = Pipeline.from_dict(PIPELINE, registry=installed, root=folder)
    pipeline.run()
    pipeline.close()
    assert pipeline.report()["sources"]["s"]["earlier"]["read"] == 1


def test_a_pipeline_may_keep_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "p.yaml").write_text(json.dumps({k: v for k, v in PIPELINE.items() if k != "state"}))
    assert cli.main(["state", "show", str(folder / "p.yaml")]) == Exit.REFUSED
    assert capsys.readouterr().err == f"error: {folder / 'p.yaml'} keeps no state [no-state]\n"


def test_without_a_state_store_a_folder_cannot_be_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LIMECEP_WITHOUT", "sqlite")
    assert cli.main(["state", "show", str(folder / "kept")]) == Exit.REFUSED
    assert "error: no default state store" in capsys.readouterr().err


def test_what_to_do_with_a_state_has_to_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main(["state"])
    assert caught.value.code == Exit.USAGE
    assert "COMMAND" in capsys.readouterr().err


def test_help_says_what_is_done_with_a_state(capsys: pytest.CaptureFixture[str]) -> None:
    for command, said in (
        ("-h", "delete a state"),
        ("-h", "say what a state has"),
        ("reset", "is forgotten"),
    ):
        with pytest.raises(SystemExit):
            cli.main(["state", *dict.fromkeys([command, "-h"])])
        assert said in capsys.readouterr().out
