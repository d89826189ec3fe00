"""docs/testing-pipelines.md shows what `limecep test` prints."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from limecep import cli
from limecep.embedding.documents import keys
from limecep_test.blocks import CaseBlock, ExpectBlock, FileBlock, OrdersBlock
from limecep_test.document import COUNTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/testing-pipelines.md").read_text()
YAML, ITEMS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
SHOWN = re.findall(r"```console\n\$ limecep test kitchen.test.yaml\n(.*?)```", PAGE, re.DOTALL)

HEAD = "pipeline: smart_home.yaml\nattributes: {room: kitchen}\ntests:\n"
BOUNDED = f"""{HEAD}  - name: bounded
    set: {{patterns.gas_fire.lateness: {{type: bound, within: 5s}}}}
    events: gas3(percentage=62) t5(celsius=24) t10(celsius=27) smoke21 smoke22 t11(celsius=28)
    any_order: 200
"""
FIRE = f"""{HEAD}  - name: fire
    events: gas3(percentage=62) t5(celsius=24) t10(celsius=27) smoke21
    expect:
      updates:
        - emit gas_fire a=gas3 b=t5 c=smoke21
"""
MISSPELT = f"{HEAD}  - name: misspelt\n    events: gasleek3 smoke21\n    expect: {{net: []}}\n"


@pytest.mark.parametrize(("text", "shown"), list(zip((YAML, BOUNDED, FIRE, MISSPELT), SHOWN, strict=True)))
def test_the_page_shows_what_is_printed(
    text: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(ROOT / "examples/smart_home/smart_home.yaml", tmp_path)
    (tmp_path / "kitchen.test.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    cli.main(["test", "kitchen.test.yaml"])
    assert _timeless(capsys.readouterr().out) == _timeless(shown)


def _timeless(text: str) -> str:
    return re.sub(r"\([\d.]+ s\)", "(N s)", text)


def test_the_items_it_shows_can_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(ROOT / "examples/smart_home/smart_home.yaml", tmp_path)
    file = tmp_path / "kitchen.test.yaml"
    file.write_text(f"{HEAD}  - name: items\n{ITEMS}    expect: {{late: [invalid]}}\n")
    assert cli.main(["test", str(file)]) == 0
    assert "1 test: 1 ok" in capsys.readouterr().out


def test_it_knows_every_key_and_count() -> None:
    names = {k for cls in (FileBlock, CaseBlock, ExpectBlock, OrdersBlock) for k in keys(cls)} | {*COUNTS}
    assert {n for n in names if f"`{n}`" not in PAGE and f"{n}:" not in PAGE} == set()
