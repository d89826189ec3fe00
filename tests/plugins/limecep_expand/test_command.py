"""`limecep expand`: all matches of a change log."""

from __future__ import annotations

import gzip
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep import cli
from limecep.cli.exits import Exit
from limecep.model.instants import rfc3339
from limecep.spec import ComponentSpec
from limecep.testing.streams import written

if TYPE_CHECKING:
    from pathlib import Path

PIPELINE = """\
version: 1
name: expanded
params: {{limit: 0}}
patterns:
  p:
    query: |
      PATTERN {query}
    select: {select}
sinks: {{out: {{type: none}}}}
"""
TEN_O_CLOCK = 1_767_607_200_000_000  # on 2026-01-05
QUERY = "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 1 hour"


class Log:
    """A change log, and the pipeline it is said to be of."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "log.jsonl"
        self.pipeline = folder / "p.yaml"
        self.records: list[dict[str, Any]] = []

    def add(self, text: str, op: str = "emit", match: str | None = None, **more: Any) -> None:
        """An update whose match takes the events of a text, each for the variable of its type."""
        events: dict[str, list[dict[str, Any]]] = {}
        for e in written(text):
            time = rfc3339(TEN_O_CLOCK + e.t_gen)
            events.setdefault(e.type.lower(), []).append(
                {"type": e.type, "id": e.id, "time": time, "source": "s", "payload": e.payload}
            )
        record = {
            "op": op,
            "match": match or text,
            "revision": 1,
            "pattern": "p",
            "key": None,
            "events": events,
        }
        self.records.append(record | more)

    def expand(self, *arguments: str, query: str | None = None, select: str = "stam") -> int:
        self.path.write_text("".join(json.dumps(r) + "\n" for r in self.records))
        if query is not None:
            self.pipeline.write_text(PIPELINE.format(query=query, select=select))
            arguments = ("--pipeline", str(self.pipeline), *arguments)
        return cli.main(["expand", str(self.path), *arguments])


@pytest.fixture
def log(tmp_path: Path) -> Log:
    return Log(tmp_path)


def found(output: str) -> list[str]:
    """The ids of the matches printed."""
    records = [json.loads(line) for line in output.splitlines()]
    return [" ".join(e["id"] for group in r["events"].values() for e in group) for r in records]


def test_matches_come_as_lines_the_largest_first(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 b3=2 c4", key={"room": "k"})
    assert log.expand(query=QUERY) == Exit.FINE
    output = capsys.readouterr()
    assert output.err == ""
    assert found(output.out) == ["a1 b2 b3 c4", "a1 b2 c4", "a1 b3 c4"]
    first = json.loads(output.out.splitlines()[0])
    assert list(first) == ["content", "pattern", "key", "start", "end", "events"]
    assert (first["pattern"], first["key"]) == ("p", {"room": "k"})
    assert (first["start"], first["end"]) == ("2026-01-05T10:00:01Z", "2026-01-05T10:00:04Z")
    assert first["events"] == log.records[0]["events"]


def test_conditions_and_what_matches_share_are_minded(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=5 b4=7 c5")
    log.add("a1 b3=3 b4=7 c5")
    assert log.expand(query=QUERY) == Exit.FINE
    assert sorted(found(capsys.readouterr().out)) == [
        "a1 b2 b4 c5",
        "a1 b2 c5",
        "a1 b3 b4 c5",
        "a1 b3 c5",
        "a1 b4 c5",
    ]


def test_conditions_may_look_into_tables(
    log: Log, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add("a1 b2=1 b3=2 c4")
    tables = ("--set", "tables={bounds: {from: files, channel: bounds.csv, key: name}}")
    query = "SEQ(A a, B+ b[], C c) WHERE count(b) >= bounds['b'].least WITHIN 1 hour"
    assert log.expand(*tables, query=query) == Exit.FAILED
    assert "table 'bounds' cannot be read: there is no file bounds.csv" in capsys.readouterr().err
    (tmp_path / "bounds.csv").write_text("name,least\nb,2\n")
    assert log.expand(*tables, query=query) == Exit.FINE
    assert found(capsys.readouterr().out) == ["a1 b2 b3 c4"]


def test_they_are_counted_and_limited(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a0 " + " ".join(f"b{i}={i}" for i in range(1, 26)) + " c26")
    assert log.expand("--count", query=QUERY) == Exit.FINE
    assert capsys.readouterr().out == "33554431\n"
    assert log.expand("--limit", "5", query=QUERY) == Exit.FINE
    assert len(found(capsys.readouterr().out)) == 5


def test_only_what_is_live_at_the_end_counts(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4", match="x")
    log.add("a1 b2=1 b3=2 c4", op="correct", match="x")
    log.add("a1 b2=1 b3=2 c4", op="final", match="x")
    log.add("a5 b6=1 c7", match="y")
    log.add("a5 b6=1 c7", op="retract", match="y")
    assert log.expand("--count", query=QUERY) == Exit.FINE
    assert capsys.readouterr().out == "3\n"


def test_of_nothing_there_is_nothing(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    assert log.expand(query=QUERY) == Exit.FINE
    assert log.expand("--count", query=QUERY) == Exit.FINE
    assert capsys.readouterr().out == "0\n"


def test_several_patterns_are_counted_by_name(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 b3=2 c4")
    log.add("d1 e2", pattern="q")
    assert log.expand("--count") == Exit.FINE
    assert capsys.readouterr().out == "p 3\nq 1\n"
    assert log.expand("--count", "--pattern", "p", query=QUERY) == Exit.FINE
    assert capsys.readouterr().out == "3\n"


def test_without_the_pipeline_groups_are_all_that_is_known_and_that_is_said(
    log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add("a1 b2=5 b3=3 c4")
    assert log.expand() == Exit.FINE
    output = capsys.readouterr()
    assert found(output.out) == ["a1 b2 b3 c4", "a1 b2 c4", "a1 b3 c4"]
    assert "without --pipeline the patterns are not known" in output.err


def test_a_step_that_once_took_nothing_may_be_left_out(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2 c4")
    log.add("a5 c7")
    log.records[1]["events"] = {
        "a": log.records[1]["events"]["a"],
        "b": [],
        "c": log.records[1]["events"]["c"],
    }
    assert log.expand() == Exit.FINE
    assert found(capsys.readouterr().out) == ["a1 b2 c4", "a1 c4", "a5 c7"]


def test_each_order_of_and_is_a_pattern_of_its_own(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("b1 a2 c3")
    log.add("a2 b3 c3.5")
    assert log.expand(query="SEQ(AND(A a, B b), C+ c[]) WITHIN 1 hour") == Exit.FINE
    assert found(capsys.readouterr().out) == ["b1 a2 c3", "a2 b3 c3.5"]


def test_a_log_is_read_from_standard_input_and_out_of_cloud_events(
    log: Log, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    log.add("a1 b2=1 b3=2 c4")
    wrapped = json.dumps({"specversion": "1.0", "data": log.records[0]}) + "\n\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(wrapped.encode())))
    assert cli.main(["expand", "-", "--count"]) == Exit.FINE
    assert capsys.readouterr().out == "3\n"


def test_a_number_may_have_thousands_of_digits(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a0 " + " ".join(f"b{i}=1" for i in range(1, 15_001)) + " c15001")
    assert log.expand("--count") == Exit.FINE
    assert len(capsys.readouterr().out) == 4517


AN_EVENT = {"type": "A", "id": "a", "time": "2026-01-05T10:00:01Z"}


@pytest.mark.parametrize(
    ("change", "said"),
    [({"events": None}, "log.jsonl:1: the record has no events"),
     ({"events": {"a": ["a1"], "b": ["b2"], "c": ["c4"]}}, "the record has the ids of its events only"),
     ({"events": {"a": [{"type": "A"}]}}, "an event of the record has not the form"),
     ({"events": {"a": [{"type": "A", "id": "a", "time": "soon"}]}}, "an event of the record has not"),
     ({"events": {"a": [{"type": "A", "id": "a", "time": "2026-01-05T10:00:01Z", "payload": [1]}]}},
      "an event of the record has not"),
     ({"events": {"x": []}}, "log.jsonl:1: a match takes at least one event, and none twice"),
     ({"events": {"a": [AN_EVENT, AN_EVENT]}}, "log.jsonl:1: a match takes at least one event, and none"),
     ({"events": {"x": [AN_EVENT]}}, "log.jsonl:1: this is no match of the pattern"),
     ({"op": "emitted"}, "log.jsonl:1: no update of a change log"),
     ({"op": ["emit"]}, "log.jsonl:1: no update of a change log"),
     ({"op": None, "pattern": ["p"]}, "log.jsonl:1: no update of a change log"),
     ({"pattern": "other"}, "no pattern 'other', of which the log has matches: known: p")],
)  # fmt: skip
def test_what_is_wrong_with_a_log_is_said(
    change: dict[str, Any], said: str, log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add("a1 b2=1 c4", **change)
    assert log.expand(query=QUERY) == Exit.FAILED
    output = capsys.readouterr()
    assert output.out == ""
    assert said in output.err
    assert "Traceback" not in output.err


def test_a_match_that_the_pattern_does_not_give_is_told_apart(
    log: Log, capsys: pytest.CaptureFixture[str]
) -> None:
    log.add("a1 b2=5 b3=3 c4")
    assert log.expand(query=QUERY) == Exit.FAILED
    assert (
        "log.jsonl:1: this is no match of the pattern: has the pattern been changed"
        in capsys.readouterr().err
    )


def test_only_skip_till_any_match_can_be_expanded(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4")
    assert log.expand(query=QUERY, select="stnm") == Exit.FAILED
    assert "pattern 'p' has 'select: stnm'" in capsys.readouterr().err


def test_a_negation_that_cannot_be_decided_is_said(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2 b3 c4")
    assert log.expand(query="SEQ(A a, B+ b[], !X x, C c) WITHIN 1 hour") == Exit.FAILED
    assert "pattern 'p': whether a match without some of the events of 'b'" in capsys.readouterr().err


def test_a_pattern_that_is_not_in_the_log_is_said(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4")
    assert log.expand("--pattern", "P") == Exit.FAILED
    assert "log.jsonl: no match of a pattern 'P': did you mean 'p'?" in capsys.readouterr().err


def test_a_pipeline_with_errors_is_refused(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4")
    assert log.expand(query="SEQ(A a, B b") == Exit.REFUSED
    assert "p.yaml:" in capsys.readouterr().err


def test_a_log_may_be_packed(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4")
    assert log.expand() == Exit.FINE
    plain = capsys.readouterr().out
    packed = log.path.with_name("log.jsonl.gz")
    packed.write_bytes(gzip.compress(log.path.read_bytes()))
    assert cli.main(["expand", str(packed)]) == Exit.FINE
    assert capsys.readouterr().out == plain != ""


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (b"no gzip", "Not a gzipped file"),
        (gzip.compress(b"{}" * 99, mtime=0)[:-12], "Compressed file ended"),
        (gzip.compress(b"{}", mtime=0)[:10] + b"\xff" * 9, "Error -3"),
    ],
)
def test_a_packed_log_that_cannot_be_read_is_said(
    broken: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "log.gz"
    file.write_bytes(broken)
    assert cli.main(["expand", str(file)]) == Exit.FAILED
    assert f"{file}: cannot be read: {said}" in capsys.readouterr().err


def test_a_log_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["expand", str(tmp_path / "none.jsonl")]) == Exit.FAILED
    assert "none.jsonl: cannot be read: No such file" in capsys.readouterr().err


def test_what_was_not_picked_is_told_not_to_be_there(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    log.add("a1 b2=1 c4")
    assert log.expand("--set", "patterns.p.results={pick: last}", query=QUERY) == Exit.FINE
    captured = capsys.readouterr()
    assert captured.out
    assert "picks the last match of each end event: matches that only others contain" in captured.err


def test_what_a_rule_has_left_out_cannot_be_had_again(
    log: Log, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ComponentSpec, "answers", "rule")
    log.add("a1 b2=1 c4")
    assert log.expand(query=QUERY) == Exit.FAILED
    assert "which gives matches by a rule of its own" in capsys.readouterr().err
