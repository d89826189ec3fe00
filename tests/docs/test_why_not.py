"""docs/why-not.md shows what `limecep why-not` prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from limecep import cli

PAGE = (Path(__file__).parents[2] / "docs/why-not.md").read_text()
[PIPELINE], [DATA] = (
    re.findall(rf"^```{k}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE) for k in ("yaml", "json")
)
SHOWN = re.findall(r"^```console\n\$ limecep (.*?)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_the_page_shows_what_is_printed(
    command: str,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "house.yaml").write_text(PIPELINE)
    (tmp_path / "house.jsonl").write_text(DATA)
    monkeypatch.chdir(tmp_path)
    cli.main(shlex.split(command))
    assert capsys.readouterr().out == shown


def test_the_page_has_an_example_of_each_change() -> None:
    told = "".join(shown for _, shown in SHOWN)
    for words in ("one more", "without", "in the place of 38", "WITHIN 34", "lateness:", "select: stam"):
        assert words in told
