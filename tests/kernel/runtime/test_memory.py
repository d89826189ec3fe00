"""The most memory that this process has had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.runtime import memory
from limecep.runtime.memory import peak_rss

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_peak_of_memory_never_falls() -> None:
    before = peak_rss()
    block = bytearray(before + 50_000_000)
    block[::4096] = b"x" * len(block[::4096])
    assert peak_rss() >= before + 40_000_000
    del block
    assert peak_rss() >= before + 40_000_000


def test_the_peak_is_known_where_there_is_no_proc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "Path", lambda _: tmp_path / "status")
    assert peak_rss() > 1_000_000
