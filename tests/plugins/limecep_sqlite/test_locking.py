"""Who holds a file: here by `flock`. For Windows see tests/packaging/test_platforms.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep_sqlite.locking import hold

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_held_by_one_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("a+") as one, path.open("a+") as other:
        hold(one)
        with pytest.raises(OSError):
            hold(other)
        one.close()
        hold(other)
