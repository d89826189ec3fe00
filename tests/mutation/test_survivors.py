"""The mutants that are excused are mutants of what stands there."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SURVIVORS = Path(__file__).with_name("survivors.txt").read_text().splitlines()


@cache
def lines_of(path: str) -> set[str]:
    """The lines of a module, each written as the mutants are."""
    return {line.strip() for line in ast.unparse(ast.parse((ROOT / path).read_text())).splitlines()}


def test_every_excused_line_is_still_in_its_module() -> None:
    names = [line.rsplit(" | ", 1)[0] for line in SURVIVORS if line and not line.startswith("#")]
    assert len(names) > 20
    gone = []
    for name in names:
        path, change = name.split(" | ", 1)
        if not any(change.startswith(f"{line} -> ") for line in lines_of(path)):
            gone.append(name)
    assert gone == []
