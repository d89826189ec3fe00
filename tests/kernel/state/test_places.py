"""Places: sources are read on where they were left, and what is not as it was is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event
from limecep.errors import RunFailure
from limecep.model.event import event_out
from limecep.state.book import Book, Numbers
from limecep.state.json_values import decode
from limecep.state.places import Places
from limecep.testing.bench import SilentLogger
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


# -- what is written, and what is made of it -----------------------------------------------------------------


def event(n: int) -> Event:
    return Event("A", f"a{n}", n, source="s")


class Rest(SimpleNamespace):
    """A part of a source: what was read of it and not taken, after so many readings."""

    def __init__(self, *numbers: int, readings: int = 1, channel: str = "x") -> None:
        events, positions, arrivals = [*map(event, numbers)], [f"x:{n}" for n in numbers], [*numbers]
        super().__init__(
            rest=(events, positions, arrivals),
            readings=readings,
            channel=channel,
            reached=max(numbers, default=9),
        )


class Source(SimpleNamespace):
    """A source: its parts, and what is told to it."""

    def __init__(self, *parts: Rest, live: bool = False) -> None:
        self.recalled: list[Any] = []
        self.back: list[Any] = []
        reader = SimpleNamespace(recall=self.recalled.append, remembered=lambda: ["header"])
        super().__init__(places={"x": "x:3"}, marks={"x": "m"}, parts=parts, live=live, reader=reader)

    def put_back(self, channel: str, events: list[Event], *more: Any) -> None:
        self.back.append((channel, [e.id for e in events], *more))


def places(book: Book, feed: Source, kind: str = "file", logger: Any = None) -> Places:
    """The places of one source, `s`; what it has been told of is forgotten."""
    config: Any = SimpleNamespace(
        name="s", channel="*.x", connector=SimpleNamespace(spec=SimpleNamespace(name=kind))
    )
    feeds: Any = [feed]
    return Places(book, (config,), feeds, logger)


def written(made: Places, book: Book, feed: Source) -> tuple[dict[str, Any], list[int]]:
    feed.places = {"x": "x:3"}
    made.write()
    put, deleted = book.changes()
    return {row.name: decode(row.value) for row in put}, deleted


def test_how_far_a_source_was_read_is_written_with_what_was_not_taken() -> None:
    book, feed = Book(Numbers()), Source(Rest(1, 2))
    found, _ = written(places(book, feed), book, feed)
    assert found["source/s"] == {
        "of": ["file", "*.x"],
        "logs": {"x": "x:3"},
        "marks": {"x": "m"},
        "reader": ["header"],
        "parts": [{"channel": "x", "left": 2, "reached": 2}],
    }
    waiting = {"events": [event_out(event(1)), event_out(event(2))], "positions": ["x:1", "x:2"]}
    assert found["waiting/s/0"] == {**waiting, "arrivals": [1, 2]}


def test_of_what_waits_only_how_much_is_left_is_written_until_more_is_read() -> None:
    book, feed = Book(Numbers()), Source(Rest(1, 2, 3))
    made = places(book, feed)
    written(made, book, feed)
    feed.parts = (Rest(2, 3),)
    found, _ = written(made, book, feed)
    assert [*found] == ["source/s"]
    assert found["source/s"]["parts"][0]["left"] == 2
    feed.parts = (Rest(4, readings=2),)
    found, deleted = written(made, book, feed)
    assert (found["waiting/s/0"]["positions"], deleted) == (["x:4"], [])


def test_the_row_of_what_waits_goes_when_all_of_it_was_taken() -> None:
    book, feed = Book(Numbers()), Source(Rest(1))
    made = places(book, feed)
    made.write()
    numbers = {row.name: row.number for row in book.changes()[0]}
    feed.parts = (Rest(),)
    assert written(made, book, feed)[1] == [numbers["waiting/s/0"]]
    assert written(made, book, feed) == ({}, [])


def test_of_a_live_source_nothing_waits_and_of_a_closed_one_nothing_is_known() -> None:
    book = Book(Numbers())
    live = Source(Rest(1), live=True)
    found, _ = written(places(book, live), book, live)
    assert [*found] == ["source/s"]
    assert found["source/s"]["parts"] == []
    closed = Source()
    assert written(places(book, closed), book, closed) == ({}, [])


def test_a_source_goes_on_with_what_was_left_of_what_waited() -> None:
    book, feed = Book(Numbers()), Source(Rest(1, 2, 3), Rest(channel="y"))
    made = places(book, feed)
    rows = {}
    for left in (Rest(1, 2, 3), Rest(2, 3)):
        feed.parts = (left, Rest(channel="y"))
        feed.places = {"x": "x:3"}
        made.write()
        rows.update((row.name, row) for row in book.changes()[0])
    again, book = Source(), Book(Numbers())
    made = places(book, again)
    assert again.places == {}
    again.marks = {}
    for row in rows.values():
        made.take(row)
    made.recall()
    assert (again.places, again.marks, again.recalled) == ({"x": "x:3"}, {"x": "m"}, [["header"]])
    assert again.back == [("x", ["a2", "a3"], ["x:2", "x:3"], [2, 3], 3), ("y", [], [], [], 9)]
    # What is as the rows say is not written again, as long as nothing more was read; then its row goes.
    again.parts = (Rest(2, 3, readings=0), Rest(channel="y"))
    assert written(made, book, again) == ({}, [])
    again.parts = (Rest(readings=1), Rest(channel="y"))
    assert written(made, book, again)[1] == [rows["waiting/s/0"].number]


def test_that_a_source_is_another_one_is_logged() -> None:
    book, feed = Book(Numbers()), Source(Rest(1))
    places(book, feed).write()
    logger, again = SilentLogger(), Source()
    made = places(Book(Numbers()), again, "kafka", logger)
    for row in book.changes()[0]:
        made.take(row)
    made.recall()
    assert (again.places, again.back) == ({}, [])
    assert logger.entries == [
        (
            "warning",
            "the source is not the one that the state knows, and begins as if for the first time",
            {"source": "s", "before": ["file", "*.x"], "now": ["kafka", "*.x"]},
        )
    ]


def test_a_source_of_which_the_state_knows_nothing_begins_anew() -> None:
    feed = Source()
    places(Book(Numbers()), feed).recall()
    assert (feed.places, feed.recalled, feed.back) == ({}, [], [])
