"""docs/revisions.md: its example gives what is shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from limecep import cli

if TYPE_CHECKING:
    import pytest

PAGE = (Path(__file__).parents[2] / "docs/revisions.md").read_text()


def test_a_run_writes_what_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    [pipeline], [orders, written] = (
        re.findall(rf"```{k}\n(.*?)```", PAGE, re.DOTALL) for k in ("yaml", "json")
    )
    (tmp_path / "shipped.yaml").write_text(pipeline)
    (tmp_path / "orders.jsonl").write_text(orders)
    monkeypatch.chdir(tmp_path)
    assert cli.main(["check", "shipped.yaml"]) == 0
    assert capfd.readouterr().out == "shipped.yaml: ok\n"
    assert cli.main(["run", "shipped.yaml"]) == 0
    assert capfd.readouterr().out == written
