"""What a state says to people."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from limecep.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from conftest import Kitchen


TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"


def test_show_and_reset(tmp_path: Path, capsys: pytest.CaptureFixture[str], kitchen: Kitchen) -> None:
    kitchen.write("a1 b2")
    kitchen.run(query=TRAILING)
    assert main(["state", "show", str(tmp_path / "state")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["pipeline"] == "kitchen"
    assert shown["sources"] == {"s": {"of": ["file", "*.jsonl"], "positions": ["e.jsonl:2"]}}
    assert (shown["events"], shown["event_time"]) == (2, "1970-01-01T00:00:02Z")
    assert shown["patterns"]["p"]["pending"] == 1
    assert main(["state", "reset", str(tmp_path / "state")]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"]["path"] == str(tmp_path / "state")
    assert not (tmp_path / "state").exists()
    for command in ("show", "reset"):
        assert main(["state", command, str(tmp_path / "state")]) == 3
        assert "there is no state in" in capsys.readouterr().err


def test_what_is_meant_may_be_told_by_the_file_of_the_pipeline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kitchen: Kitchen
) -> None:
    kitchen.write("a1 b2")
    kitchen.run()
    (tmp_path / "p.yaml").write_text(json.dumps(kitchen.document()))
    assert main(["state", "show", str(tmp_path / "p.yaml")]) == 0
    assert json.loads(capsys.readouterr().out)["pipeline"] == "kitchen"
    (tmp_path / "p.yaml").write_text(
        json.dumps({k: v for k, v in kitchen.document().items() if k != "state"})
    )
    assert main(["state", "show", str(tmp_path / "p.yaml")]) == 78
