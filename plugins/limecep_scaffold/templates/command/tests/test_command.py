"""The command does what every command must do, and what it is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.command import Call, CommandConformance
from limecep_mine.plugin import MINE

if TYPE_CHECKING:
    from pathlib import Path


class TestMineCommand(CommandConformance):
    spec = MINE
    calls = (
        Call("out.jsonl", says="emit  2\nretract  1\n"),
        Call("nothing.jsonl", fails="cannot be read"),
        Call("odd.jsonl", fails="is no change log"),
        Call("", fails="FILE"),
    )

    def prepare(self, folder: Path) -> None:
        (folder / "out.jsonl").write_text('{"op": "emit"}\n{"op": "retract"}\n{"op": "emit"}\n')
        (folder / "odd.jsonl").write_text("[1]\n")
