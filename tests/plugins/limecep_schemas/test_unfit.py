"""Files that cannot be read."""

from __future__ import annotations

from limecep_schemas.unfit import unreadable


def test_it_says_which_file_and_why() -> None:
    found = unreadable("a.avsc", FileNotFoundError(2, "No such file or directory"))
    assert str(found) == "a.avsc cannot be read: No such file or directory"
    assert "below the folder" in found.hint
