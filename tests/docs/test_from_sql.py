"""docs/from-sql.md: its example gives what is shown, and it has every code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from limecep import cli

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/from-sql.md").read_text()

#: Of statements that are no SQL, or none that any system takes.
MISTAKES = {
    "bad-character", "bad-offset", "bad-quantifier", "compared-test", "defined-twice", "final-in-define",
    "measure-twice", "misplaced-clause", "nested-column", "no-match-recognize", "no-statement", "no-test",
    "several-statements", "too-deep", "two-spellings", "unknown-variable",
}  # fmt: skip


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "press.sql").write_text(blocks("sql")[0])
    (tmp_path / "reading.csv").write_text(blocks("csv")[0])
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_statement_becomes_what_is_shown_and_finds_what_is_shown(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["query", "--from-sql", "press.sql"]) == 0
    pipeline = capfd.readouterr().out
    assert pipeline == blocks("yaml")[0]
    (folder / "press.yaml").write_text(f"{pipeline}sinks: {{out: {{type: stdout, events: ids}}}}\n")
    assert cli.main(["check", "press.yaml"]) == 0
    assert capfd.readouterr().out == "press.yaml: ok\n"
    assert cli.main(["run", "press.yaml"]) == 0
    assert capfd.readouterr().out == blocks("json")[0]


def test_a_refusal_is_told_as_shown(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    statement = blocks("sql")[0].partition("    MEASURES")[0]
    (folder / "bad.sql").write_text(
        f"{statement}    PATTERN (A B* C) WITHIN INTERVAL '10' MINUTE\n"
        "    DEFINE B AS B.bar < 200, C AS C.bar > 190\n)\n"
    )
    assert cli.main(["query", "--from-sql", "bad.sql"]) == 1
    assert capfd.readouterr().err == blocks("text")[0]


def test_the_page_has_every_code() -> None:
    texts = [p.read_text() for p in (ROOT / "limecep/translation").glob("*.py")]
    codes = {c for text in texts for c in re.findall(r'(?:Refused\(|_fail\(text,|code=)\s*"([a-z-]+)"', text)}
    assert len(codes) > 30
    rows = re.findall(r"^\| (`.*?) \|", PAGE.partition("## What is refused")[2], re.MULTILINE)
    assert codes - {"syntax"} - MISTAKES == {*re.findall(r"`([a-z-]+)`", " ".join(rows))}
