"""Exit codes, and output that nobody reads."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest

from limecep.cli.exits import Exit, abandon_output

if TYPE_CHECKING:
    from pathlib import Path


def test_the_codes_are_those_of_the_documentation() -> None:
    assert {e.name: int(e) for e in Exit} == {
        "FINE": 0,
        "FOUND_PROBLEMS": 1,
        "USAGE": 2,
        "FAILED": 3,
        "REFUSED": 78,
        "INTERRUPTED": 130,
        "UNREAD": 141,
    }


@pytest.mark.parametrize("standard", [True, False])
def test_what_is_still_to_be_written_goes_nowhere(
    standard: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream, (tmp_path / "out").open("w") as other:
        monkeypatch.setattr(sys, "stdout", stream if standard else other)
        stream.write("lost")
        os.close(reading)
        with pytest.raises(BrokenPipeError):
            stream.flush()
        opened = len(os.listdir("/proc/self/fd"))
        abandon_output(None if standard else stream)
        assert len(os.listdir("/proc/self/fd")) == opened
        stream.flush()
        other.write("kept")
    assert (tmp_path / "out").read_text() == "kept"
