"""The example of the README."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from limecep.config.loader import load
from limecep.host import Host

ROOT = Path(__file__).parents[2]
MACHINE = ROOT / "examples/machine"


def test_its_data_is_what_its_generator_writes(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("generate", MACHINE / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    generate.main(tmp_path)
    for name in ("readings.csv", "log.jsonl"):
        assert (tmp_path / name).read_bytes() == (MACHINE / name).read_bytes()


def test_nothing_is_wrong_with_its_pipeline() -> None:
    assert load(MACHINE / "machine.yaml", Host.load().registry).problems == []


@pytest.mark.parametrize("document", ["README.md"])
def test_nothing_is_wrong_with_the_pipelines_shown(document: str, tmp_path: Path) -> None:
    shown = re.findall(r"```yaml\n(.*?)```", (ROOT / document).read_text(), re.DOTALL)
    assert shown
    for number, text in enumerate(shown):
        file = tmp_path / f"shown{number}.yaml"
        file.write_text(text)
        assert load(file, Host.load().registry).problems == []
