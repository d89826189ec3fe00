"""Places: sources are read on where they were left, and what is not as it was is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limecep.errors import RunFailure
from limecep_file.stream import FileStream

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen


def test_files_of_a_glob_are_each_read_on(kitchen: Kitchen) -> None:
    kitchen.write("a1 a3 a5", "x")
    kitchen.write("b2", "y")
    kitchen.run()
    kitchen.write("b6", "y")
    kitchen.write("b7", "z")
    assert kitchen.run()["events"]["read"] == 6
    assert kitchen.told()[1:] == [("emit", ["xa3", "yb6"]), ("emit", ["xa5", "yb6"])]


def test_the_header_of_a_csv_file_is_known_later(tmp_path: Path, kitchen: Kitchen) -> None:
    source = {"type": "file", "channel": "e.csv", "as": {"field": "type"}, "id": "id", "format": "csv",
              "time": {"field": "t", "format": "epoch_s"}}  # fmt: skip
    (tmp_path / "e.csv").write_text("type,id,t\nA,a1,1\n")
    kitchen.run(sources={"s": source})
    with (tmp_path / "e.csv").open("a") as file:
        file.write("B,b2,2\n")
    report = kitchen.run(sources={"s": source})
    assert report["events"]["invalid"] == 0
    assert kitchen.told() == [("emit", ["a1", "b2"])]


def test_a_file_that_is_shorter_than_it_was_fails_in_words(tmp_path: Path, kitchen: Kitchen) -> None:
    kitchen.write("a1 b2 a3")
    kitchen.run()
    (tmp_path / "e.jsonl").write_text('{"type": "A", "id": "a", "t": 1}\n')
    with pytest.raises(RunFailure, match="3 lines of it were read, and now it has fewer"):
        kitchen.run()


@pytest.mark.parametrize("words", ["a5 b6 a7", "a5 b6 a7 b8 a9"])
def test_a_file_in_the_place_of_another_fails_in_words(tmp_path: Path, words: str, kitchen: Kitchen) -> None:
    kitchen.write("a1 b2 a3")
    kitchen.run()
    before = (tmp_path / "e.jsonl").read_text()
    (tmp_path / "e.jsonl").unlink()
    kitchen.write(words)
    for _ in range(2):
        with pytest.raises(RunFailure, match="3 lines of it were read, and now line 3 is another one"):
            kitchen.run()
    (tmp_path / "e.jsonl").write_text(before)
    # What brings no line keeps the mark.
    for _ in range(2):
        assert kitchen.run()["events"]["read"] == 3
    (tmp_path / "e.jsonl").unlink()
    kitchen.write(words)
    with pytest.raises(RunFailure, match="cannot go on reading e"):
        kitchen.run()


def test_of_a_file_in_another_encoding_the_last_line_may_be_any(tmp_path: Path, kitchen: Kitchen) -> None:
    source = kitchen.document()["sources"]["s"]
    (tmp_path / "e.jsonl").write_bytes('{"type": "A", "id": "ö", "t": 1}\n'.encode("latin-1"))
    assert kitchen.run()["events"]["invalid"] == 1
    kitchen.write("b2")
    recoded = {**source, "format": {"type": "json", "encoding": "latin-1"}}
    assert kitchen.run(sources={"s": recoded})["events"]["read"] == 2


def test_a_state_that_knows_no_marks_is_read(kitchen: Kitchen) -> None:
    kitchen.write("a1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileStream, "mark", None)
        kitchen.run()
    kitchen.write("b2")
    assert kitchen.run()["events"]["read"] == 2
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]


def test_a_followed_file_in_the_place_of_another_is_read_from_its_beginning(
    tmp_path: Path, kitchen: Kitchen
) -> None:
    source = {**kitchen.document()["sources"]["s"], "channel": "e.jsonl", "follow": True}
    kitchen.write("a1 b2")
    kitchen.run(0.3, sources={"s": source})
    (tmp_path / "e.jsonl").unlink()
    kitchen.write("a3 b4 a5")
    assert kitchen.run(0.3, sources={"s": source})["events"]["read"] == 5
    kitchen.write("b6")
    assert kitchen.run(0.3, sources={"s": source})["events"]["read"] == 6


def test_another_source_of_that_name_begins_anew(kitchen: Kitchen) -> None:
    kitchen.write("a1", "x")
    kitchen.run()
    other = {**kitchen.document()["sources"]["s"], "channel": "x.jsonl"}
    # Its events are known.
    assert kitchen.run(sources={"s": other})["events"]["duplicate"] == 1
