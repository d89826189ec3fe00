"""Functions that raised, or gave what they do not say, as a run tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.diagnosis.functions import mistaken
from limecep.local import of_file

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_each_function_that_did_what_it_should_not_is_told() -> None:
    figures = {"emitted": 3, "raised_by_./mine.py:near": 1_200, "unknown": 2, "other_kind_by_far": 1}
    assert [(r.message, r.hint) for r in mistaken(figures)] == [
        (
            "1,200 calls of function './mine.py:near' raised, so the value was missing",
            "'limecep plugins test function/./mine.py:near' shows of what",
        ),
        (
            "1 call of function 'far' gave another kind than it says, so the value was missing",
            "'limecep plugins test function/far' shows of what",
        ),
    ]


def test_one_of_a_file_is_told_with_the_way_to_it_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for folder, way in ((here, "./mine.py"), (tmp_path, "../mine.py")):
        name = f"near_{len(way)}"
        (folder / "mine.py").write_text(
            "from limecep.api import component\n\n"
            f'@component("function")\ndef {name}(x: float) -> float:\n    "x."\n    return x\n'
        )
        of_file("mine.py", folder / "mine.py")
        monkeypatch.chdir(here)
        [told] = mistaken({f"raised_by_{name}": 1})
        assert told.hint == f"'limecep plugins test function/{way}:{name}' shows of what"
