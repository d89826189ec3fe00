"""Tests of pipelines as items of pytest."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from tests.plugins.limecep_test.conftest import case

if TYPE_CHECKING:
    from pathlib import Path

    from tests.plugins.limecep_test.conftest import House

PYTEST = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist"]


def pytest_in(folder: Path, *arguments: str) -> tuple[int, str]:
    done = subprocess.run([*PYTEST, *arguments], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_each_test_is_an_item_and_a_failure_is_the_difference(house: House) -> None:
    house.write(case("g3", "net: []", name="fine") + case("g3", "counts: {read: 2}", name="wrong"))
    code, out = pytest_in(house.folder, "-v")
    assert code == 1
    assert "house.test.yaml::fine PASSED" in out
    assert "house.test.yaml::wrong FAILED" in out
    assert "counts: - expected, + got\n  - read: 2\n  + read: 1\n" in out
    assert "Traceback" not in out


def test_a_file_that_cannot_be_used_is_an_error_with_its_place(house: House) -> None:
    house.write(case("x3", "net: []"))
    code, out = pytest_in(house.folder)
    assert code == 2
    assert "house.test.yaml:4:13: error: no pattern uses an event type 'x' [unused-type]" in out


def test_files_of_others_are_left_alone_and_nothing_is_imported(tmp_path: Path) -> None:
    (tmp_path / "theirs.test.yaml").write_text("steps: []\n")
    (tmp_path / "test_imports.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    assert not {m for m in sys.modules if m.split('.')[0] == 'limecep'}\n"
        "    assert 'limecep_test.pytest_plugin' in sys.modules\n"
    )
    code, out = pytest_in(tmp_path, "-q")
    assert code == 0, out
    assert "1 passed" in out
