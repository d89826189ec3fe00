"""The most memory that this process has had."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from limecep.runtime import memory
from limecep.runtime.memory import peak_rss

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def peak() -> int:
    found = peak_rss()
    assert found is not None
    return found


def test_the_peak_of_memory_never_falls() -> None:
    before = peak()
    block = bytearray(before + 50_000_000)
    block[::4096] = b"x" * len(block[::4096])
    assert peak() >= before + 40_000_000
    del block
    assert peak() >= before + 40_000_000


def test_the_peak_is_known_where_there_is_no_proc(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "Path", lambda _: tmp_path / "status")
    assert peak() > 1_000_000
    # As on Windows.
    monkeypatch.setitem(sys.modules, "resource", None)
    assert peak_rss() is None
