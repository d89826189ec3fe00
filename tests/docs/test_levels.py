"""docs/levels.md: its example gives what is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from limecep import cli

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[2] / "docs/levels.md").read_text()


def test_the_levels_are_drawn_and_a_run_writes_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    [pipeline], [readings, written], [drawn, _] = (
        re.findall(rf"^```{k}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) for k in ("yaml", "json", "text")
    )
    (tmp_path / "cold-room.yaml").write_text(pipeline)
    (tmp_path / "room.jsonl").write_text(readings)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", "cold-room.yaml"]) == 0
    assert capfd.readouterr().out == "cold-room.yaml: ok\n"
    # What patterns derive is in no sample.
    assert cli.main(["check", "--sample", "100", "cold-room.yaml"]) == 0
    assert capfd.readouterr().out == "cold-room.yaml: ok\n"
    assert cli.main(["explain", "cold-room.yaml"]) == 0
    assert capfd.readouterr().out.startswith(drawn)
    assert cli.main(["run", "cold-room.yaml"]) == 0
    assert capfd.readouterr().out == written
