"""docs/tables.md: its example gives what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from limecep import Pipeline, cli

PAGE = (Path(__file__).parents[2] / "docs/tables.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "hot.yaml").write_text(blocks("yaml")[0])
    (tmp_path / "limits.csv").write_text(blocks("csv")[0])
    (tmp_path / "crews.jsonl").write_text(blocks("json")[0])
    (tmp_path / "readings.csv").write_text(blocks("csv")[1])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_run_writes_what_is_shown(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["check", "hot.yaml"]) == 0
    assert capfd.readouterr().out == "hot.yaml: ok\n"
    assert cli.main(["run", "hot.yaml"]) == 0
    assert capfd.readouterr().out == blocks("json")[1]


def test_a_mistake_is_told_as_shown(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = (folder / "hot.yaml").read_text()
    (folder / "hot.yaml").write_text(text.replace("limits[b.machine].max", "limits[b.machine].mix"))
    cli.main(["check", "hot.yaml"])
    assert capfd.readouterr().out == blocks("text")[0] + "hot.yaml: 1 error\n"


def test_rows_of_a_program_are_given_as_shown(folder: Path) -> None:
    names: dict[str, object] = {"limecep": __import__("limecep")}
    exec(blocks("python")[0], names)
    pipeline = names["pipeline"]
    assert isinstance(pipeline, Pipeline)
    limits, crews = pipeline.config.tables
    assert [len(t.table.rows.listed or ()) for t in (limits, crews)] == [3, 1]
    pipeline.close()
