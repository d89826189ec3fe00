"""Codecs are asked what is wrong with the files that they name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from limecep import ComponentSpec, option
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep.problems import Problem
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOptions:
    form: str = option("form.txt", help="A file.")

    def vet(self, root: Path, lines: bool) -> Iterator[tuple[str, Problem]]:
        if not (root / self.form).is_file():
            yield "form", Problem(code="bad-value", message=f"'form': {root / self.form} is not there")
        if lines:
            yield "", Problem(code="bad-value", message="no lines")


@pytest.mark.parametrize(
    ("format", "requires", "told"),
    [
        ({"type": "formed"}, (), ["no lines"]),
        ("formed", (), ["no lines"]),
        ({"type": "formed", "form": "no.txt"}, (), ["'form': {root}/no.txt is not there", "no lines"]),
        # It could not look.
        ("formed", ("no_such",), ["codec 'formed' needs the module 'no_such', which is not installed"]),
    ],
)
def test_a_codec_is_asked_about_the_files_it_names_and_about_lines(
    format: Any, requires: tuple[str, ...], told: list[str], tmp_path: Path
) -> None:
    (tmp_path / "form.txt").touch()
    formed = ComponentSpec(
        kind="codec", name="formed", factory="x:X", summary="x", options=FormOptions, requires=requires
    )
    document = {
        "version": 1,
        "sources": {"s": {"type": "file", "channel": "c", "format": format, "as": "A", "time": "t"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}},
    }
    loaded = load_dict(document, Registry([*Host.load().registry.specs(), formed]), root=tmp_path)
    found = [p for p in loaded.problems if p.severity == "error"]
    assert sorted(p.message for p in found) == sorted(said.format(root=tmp_path) for said in told)
    assert {p.place.file for p in found if p.place} <= {
        "sources.s.format",
        "sources.s.format.form",
        "sources.s",
    }


def test_the_codec_of_a_table_is_asked_too(tmp_path: Path) -> None:
    formed = ComponentSpec(kind="codec", name="formed", factory="x:X", summary="x", options=FormOptions)
    table = {"from": "files", "channel": "t", "format": {"type": "formed", "form": "no.txt"}, "key": "k"}
    document = {
        "version": 1,
        "connectors": {"files": {"type": "file"}},
        "tables": {"t": table},
        "sources": {"s": {"type": "file", "channel": "c.csv", "as": "A", "time": "t"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a) WHERE a.k IN t WITHIN 1 s"}},
    }
    loaded = load_dict(document, Registry([*Host.load().registry.specs(), formed]), root=tmp_path)
    found = [p.message for p in loaded.problems if p.severity == "error"]
    assert f"'form': {tmp_path}/no.txt is not there" in found
    assert "no lines" in found
