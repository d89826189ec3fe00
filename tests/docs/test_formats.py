"""docs/formats.md: its sources are right, and its rules for cells hold."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.intake.payload import plain

PAGE = (Path(__file__).parents[2] / "docs/formats.md").read_text()
SOURCES: dict[str, Any] = {
    name: source
    for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    for name, source in yaml.safe_load(block).items()
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files are that sources name."""
    path = tmp_path_factory.mktemp("formats")
    (path / "reading.avsc").write_text('{"type": "record", "name": "Reading", "fields": []}')
    file = FileDescriptorProto(name="plant.proto", package="plant")
    file.message_type.add(name="Reading")
    (path / "plant.pb").write_bytes(FileDescriptorSet(file=[file]).SerializeToString())
    return path


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_shown_is_right(name: str, folder: Path) -> None:
    given = SOURCES[name].get("as")
    event_type = given if isinstance(given, str) else "RMC"
    document = {
        "version": 1,
        "sources": {name: SOURCES[name]},
        "patterns": {"p": {"query": f"PATTERN SEQ({event_type} a) WITHIN 1 s"}},
    }
    loaded = load_dict(document, Host.load().registry, root=folder)
    assert [p for p in loaded.problems if p.severity == "error"] == []


def test_every_option_in_the_table_of_dialects_is_one_of_csv() -> None:
    options = Host.load().registry.find("codec", "csv").options  # type: ignore[union-attr]
    table = PAGE[PAGE.index("| the file |") : PAGE.index("```yaml\nplain")]
    shown = re.findall(r"`(\w+: [^`]+)`", table)
    assert len(shown) > 8
    for each in shown:
        ((key, value),) = yaml.safe_load(each).items()
        options(**{"delimiter": ";", key: value})


def test_the_rules_for_cells_hold() -> None:
    table = PAGE[PAGE.index("| a cell |") : PAGE.index("With `decimal")]
    kinds = {"an integer": (int,), "a number": (float,), "true or false": (bool,), "text": (str,)}
    checked = 0
    for cells, kind in re.findall(r"^\| (`.*) \| (.*) \|$", table, re.MULTILINE):
        for cell in re.findall(r"`([^`]+)`", cells):
            if kind in kinds:
                checked += 1
                assert type(plain(cell)) in kinds[kind], cell
    assert checked > 15
