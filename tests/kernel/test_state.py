"""State over files: what goes on, what is refused, and what is said."""

from __future__ import annotations

import json
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.cli import main
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep_file.stream import FileStream

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.registry import Registry

AB = "PATTERN SEQ(A a, B b) WITHIN 10 s"
TRAILING = "PATTERN SEQ(A a, B b, !C c) WITHIN 10 s"


def document(query: str = AB, **more: Any) -> dict[str, Any]:
    source = {
        "type": "file", "channel": "*.jsonl", "as": {"field": "type"}, "id": "id",
        "time": {"field": "t", "format": "epoch_s"},
    }  # fmt: skip
    return {
        "version": 1,
        "name": "kitchen",
        "sources": {"s": source},
        "patterns": {"p": {"query": query, "lateness": "accept", "slack": "none"}},
        "sinks": {"out": {"type": "file", "path": "out"}},
        "state": {"dir": "state"},
        **more,
    }


def write(folder: Path, text: str, name: str = "e") -> None:
    """Appends events, such as `a1`: type A, at one second."""
    with (folder / f"{name}.jsonl").open("a") as file:
        for word in text.split():
            event = {"type": word[0].upper(), "id": f"{name}{word}", "t": float(word[1:])}
            file.write(json.dumps(event) + "\n")


def run(folder: Path, registry: Registry, seconds: float | None = None, **more: Any) -> dict[str, Any]:
    pipeline = Pipeline.from_dict(document(**more), root=folder, registry=registry)
    try:
        pipeline.run(duration_seconds=seconds)
    finally:
        pipeline.close()
    return pipeline.report()


def told(folder: Path) -> list[tuple[str, list[str]]]:
    records = [json.loads(line) for line in (folder / "out").read_text().splitlines()]
    return [(r["op"], [e["id"] for group in r["events"].values() for e in group]) for r in records]


def test_a_file_is_read_on_where_it_was_left(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1 b2 a3")
    first = run(tmp_path, installed)
    write(tmp_path, "b4 b2")
    second = run(tmp_path, installed)
    assert told(tmp_path) == [("emit", ["ea1", "eb2"]), ("emit", ["ea3", "eb4"])]
    assert (first["state"]["resumed"], second["state"]["resumed"]) == (False, True)
    assert second["events"] == {**first["events"], "read": 5, "in_order": 4, "duplicate": 1}
    assert second["patterns"]["p"]["emitted"] == 2


def test_what_waits_for_time_goes_on_waiting(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1 b2")
    assert run(tmp_path, installed, query=TRAILING)["patterns"]["p"]["pending"] == 1
    assert told(tmp_path) == []
    write(tmp_path, "a30")
    assert run(tmp_path, installed, query=TRAILING)["patterns"]["p"]["pending"] == 0
    assert told(tmp_path) == [("emit", ["ea1", "eb2"])]


def test_what_was_emitted_is_corrected_later(tmp_path: Path, installed: Registry) -> None:
    query = "PATTERN SEQ(A a, B+ b[], C c) WITHIN 10 s"
    write(tmp_path, "a1 b2 c4")
    run(tmp_path, installed, query=query)
    write(tmp_path, "b3")
    run(tmp_path, installed, query=query)
    write(tmp_path, "b3.5")
    run(tmp_path, installed, query=query)
    assert [op for op, _ in told(tmp_path)] == ["emit", "correct", "correct"]
    lines = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert [r["revision"] for r in lines] == [1, 2, 3]
    assert len({r["match"] for r in lines}) == 1


def test_files_of_a_glob_are_each_read_on(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1 a3 a5", "x")
    write(tmp_path, "b2", "y")
    run(tmp_path, installed)
    write(tmp_path, "b6", "y")
    write(tmp_path, "b7", "z")
    assert run(tmp_path, installed)["events"]["read"] == 6
    assert told(tmp_path)[1:] == [("emit", ["xa3", "yb6"]), ("emit", ["xa5", "yb6"])]


def test_the_header_of_a_csv_file_is_known_later(tmp_path: Path, installed: Registry) -> None:
    source = {"type": "file", "channel": "e.csv", "as": {"field": "type"}, "id": "id", "format": "csv",
              "time": {"field": "t", "format": "epoch_s"}}  # fmt: skip
    (tmp_path / "e.csv").write_text("type,id,t\nA,a1,1\n")
    run(tmp_path, installed, sources={"s": source})
    with (tmp_path / "e.csv").open("a") as file:
        file.write("B,b2,2\n")
    report = run(tmp_path, installed, sources={"s": source})
    assert report["events"]["invalid"] == 0
    assert told(tmp_path) == [("emit", ["a1", "b2"])]


def test_a_file_that_is_shorter_than_it_was_fails_in_words(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1 b2 a3")
    run(tmp_path, installed)
    (tmp_path / "e.jsonl").write_text('{"type": "A", "id": "a", "t": 1}\n')
    with pytest.raises(RunFailure, match="3 lines of it were read, and now it has fewer"):
        run(tmp_path, installed)


@pytest.mark.parametrize("words", ["a5 b6 a7", "a5 b6 a7 b8 a9"])
def test_a_file_in_the_place_of_another_fails_in_words(
    tmp_path: Path, installed: Registry, words: str
) -> None:
    write(tmp_path, "a1 b2 a3")
    run(tmp_path, installed)
    before = (tmp_path / "e.jsonl").read_text()
    (tmp_path / "e.jsonl").unlink()
    write(tmp_path, words)
    for _ in range(2):
        with pytest.raises(RunFailure, match="3 lines of it were read, and now line 3 is another one"):
            run(tmp_path, installed)
    (tmp_path / "e.jsonl").write_text(before)
    # What brings no line keeps the mark.
    for _ in range(2):
        assert run(tmp_path, installed)["events"]["read"] == 3
    (tmp_path / "e.jsonl").unlink()
    write(tmp_path, words)
    with pytest.raises(RunFailure, match="cannot go on reading e"):
        run(tmp_path, installed)


def test_of_a_file_in_another_encoding_the_last_line_may_be_any(tmp_path: Path, installed: Registry) -> None:
    source = document()["sources"]["s"]
    (tmp_path / "e.jsonl").write_bytes('{"type": "A", "id": "ö", "t": 1}\n'.encode("latin-1"))
    assert run(tmp_path, installed)["events"]["invalid"] == 1
    write(tmp_path, "b2")
    recoded = {**source, "format": {"type": "json", "encoding": "latin-1"}}
    assert run(tmp_path, installed, sources={"s": recoded})["events"]["read"] == 2


def test_a_state_that_knows_no_marks_is_read(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FileStream, "mark", None)
        run(tmp_path, installed)
    write(tmp_path, "b2")
    assert run(tmp_path, installed)["events"]["read"] == 2
    assert told(tmp_path) == [("emit", ["ea1", "eb2"])]


def test_a_followed_file_in_the_place_of_another_is_read_from_its_beginning(
    tmp_path: Path, installed: Registry
) -> None:
    source = {**document()["sources"]["s"], "channel": "e.jsonl", "follow": True}
    write(tmp_path, "a1 b2")
    run(tmp_path, installed, 0.3, sources={"s": source})
    (tmp_path / "e.jsonl").unlink()
    write(tmp_path, "a3 b4 a5")
    assert run(tmp_path, installed, 0.3, sources={"s": source})["events"]["read"] == 5
    write(tmp_path, "b6")
    assert run(tmp_path, installed, 0.3, sources={"s": source})["events"]["read"] == 6


def test_another_source_of_that_name_begins_anew(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1", "x")
    run(tmp_path, installed)
    other = {**document()["sources"]["s"], "channel": "x.jsonl"}
    # Its events are known.
    assert run(tmp_path, installed, sources={"s": other})["events"]["duplicate"] == 1


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ({"p": {"query": TRAILING}}, "pattern 'p' has another query"),
        ({"p": {"query": AB, "select": "stam"}}, "pattern 'p' has another select"),
        ({"p": {"query": AB, "engine": "nfa"}}, "pattern 'p' has another engine"),
        ({"p": {"query": AB, "lateness": {"type": "accept", "within": "1s"}}}, "another lateness"),
        ({"p": {"query": AB}, "q": {"query": AB}}, "pattern 'q' is new"),
        ({"q": {"query": AB}}, "there is no pattern 'p' any more; pattern 'q' is new"),
    ],
)
def test_a_state_of_other_patterns_is_refused(
    patterns: dict[str, Any], said: str, tmp_path: Path, installed: Registry
) -> None:
    common = {"lateness": "accept", "slack": "none"}
    write(tmp_path, "a1")
    run(tmp_path, installed)
    with pytest.raises(RunFailure, match=said) as failure:
        run(tmp_path, installed, patterns={name: {**common, **p} for name, p in patterns.items()})
    assert f"limecep state reset {tmp_path}/state" in str(failure.value)
    # What is written is as it was.
    assert run(tmp_path, installed)["events"]["read"] == 1


def test_what_does_not_matter_may_change(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1")
    run(tmp_path, installed)
    write(tmp_path, "b2")
    sinks = {"other": {"type": "file", "path": "out"}}
    query = "PATTERN SEQ(A a,   B b)   WITHIN 10 seconds"
    run(tmp_path, installed, query=query, sinks=sinks, retention={"events": 5})
    assert told(tmp_path) == [("emit", ["ea1", "eb2"])]


def test_records_for_a_sink_that_is_no_more_are_not_dropped(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1 b2")
    (tmp_path / "out").mkdir()
    late = {"late": {"type": "file", "path": "late", "of": "late"}}
    (tmp_path / "out").rmdir()
    full = {"out": {"type": "file", "path": "/dev/full"}}
    with pytest.raises(RunFailure):
        run(tmp_path, installed, sinks=full)
    with pytest.raises(RunFailure, match="records for the sink 'out', which the pipeline no longer has"):
        run(tmp_path, installed, sinks=late)
    run(tmp_path, installed)
    assert told(tmp_path) == [("emit", ["ea1", "eb2"])]


def test_a_state_in_use_is_refused(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1")
    config = load_dict(document(), installed, root=tmp_path).config
    assert config is not None
    seen = []

    def stop() -> bool:
        if not seen:
            seen.append(True)
            with pytest.raises(RunFailure, match="is in use by process"):
                Pipeline.from_config(config, installed).run()
        return False

    pipeline = Pipeline.from_config(config, installed)
    pipeline.run(stop)
    pipeline.close()
    assert seen


def test_a_state_of_another_format_is_refused(tmp_path: Path, installed: Registry) -> None:
    write(tmp_path, "a1")
    run(tmp_path, installed)
    with sqlite3.connect(tmp_path / "state/state.db") as connection:
        ((value,),) = connection.execute("SELECT value FROM rows WHERE name = 'head'").fetchall()
        head = json.loads(value) | {"format": 99, "version": "9.9"}
        connection.execute("UPDATE rows SET value = ? WHERE name = 'head'", [json.dumps(head).encode()])
    connection.close()
    with pytest.raises(RunFailure, match=r"written by limecep 9.9 in format 99, which is newer"):
        run(tmp_path, installed)


def test_a_damaged_state_is_told(tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state/state.db").write_bytes(b"no database" * 1000)
    write(tmp_path, "a1")
    with pytest.raises(RunFailure, match=r"cannot be opened: file is not a database\. To begin anew"):
        run(tmp_path, installed)


GARBLED, CUT = "value = x'7bff'", "value = substr(value, 1, length(value) / 2)"


@pytest.mark.parametrize(
    "damage",
    [
        *(f"UPDATE rows SET {how} WHERE name = '{name}'" for how in (GARBLED, CUT)
          for name in ("head", "batch", "figures", "source/s", "part/p/deadlines")),
        *(f"UPDATE journal SET {how}" for how in (GARBLED, CUT)),
        *(f"DELETE FROM rows WHERE name = '{name}'" for name in ("head", "batch", "figures")),
    ],
)  # fmt: skip
def test_damage_that_the_database_does_not_see_is_told(
    damage: str, tmp_path: Path, installed: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "a1 b2 b3")
    run(tmp_path, installed, query=TRAILING)
    with sqlite3.connect(tmp_path / "state/state.db") as connection:
        assert connection.execute(damage).rowcount
    connection.close()
    write(tmp_path, "b4")
    with pytest.raises(RunFailure, match=r"the state is damaged: .*\. To begin anew: limecep state reset"):
        run(tmp_path, installed, query=TRAILING)
    # What `show` does not look at it does not complain of.
    if "journal" not in damage and "part/p/deadlines" not in damage:
        assert main(["state", "show", str(tmp_path / "state")]) == 3
        assert "the state is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_a_file_in_place_of_the_folder_is_told(folder: str, tmp_path: Path, installed: Registry) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RunFailure, match="there is a file where a folder must be"):
        run(tmp_path, installed, state={"dir": folder})


def test_a_pipeline_with_state_is_not_fed(tmp_path: Path, installed: Registry) -> None:
    with pytest.raises(RuntimeError, match="is run, not fed"):
        Pipeline.from_dict(document(), root=tmp_path, registry=installed).feed([])


def test_show_and_reset(tmp_path: Path, installed: Registry, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, "a1 b2")
    run(tmp_path, installed, query=TRAILING)
    assert main(["state", "show", str(tmp_path / "state")]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["pipeline"] == "kitchen"
    assert shown["sources"] == {"s": {"of": ["file", "*.jsonl"], "positions": ["e.jsonl:2"]}}
    assert (shown["events"], shown["event_time"]) == (2, "1970-01-01T00:00:02Z")
    assert shown["patterns"]["p"]["pending"] == 1
    assert main(["state", "reset", str(tmp_path / "state")]) == 0
    assert json.loads(capsys.readouterr().out)["deleted"]["path"] == str(tmp_path / "state")
    assert not (tmp_path / "state").exists()
    for command in ("show", "reset"):
        assert main(["state", command, str(tmp_path / "state")]) == 3
        assert "there is no state in" in capsys.readouterr().err


def test_what_is_meant_may_be_told_by_the_file_of_the_pipeline(
    tmp_path: Path, installed: Registry, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, "a1 b2")
    run(tmp_path, installed)
    (tmp_path / "p.yaml").write_text(json.dumps(document()))
    assert main(["state", "show", str(tmp_path / "p.yaml")]) == 0
    assert json.loads(capsys.readouterr().out)["pipeline"] == "kitchen"
    (tmp_path / "p.yaml").write_text(json.dumps({k: v for k, v in document().items() if k != "state"}))
    assert main(["state", "show", str(tmp_path / "p.yaml")]) == 78
