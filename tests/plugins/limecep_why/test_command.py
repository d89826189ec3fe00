"""`limecep why`: asked of a recording, and what it refuses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

RISING = "SEQ(A a, B+ b[], C c) WHERE a.v > $limit AND b[i+1].v > b[i].v WITHIN 30 s"
LATE = "a1=12 b3=1 b7=3 c9 b5=2"
CONSOLE = """\
p  {match}  live at revision 2
  10:00:01 to 10:00:09, 8s of 30s, on 2026-01-05 (UTC)
  SEQ(A a, B+ b[], C c), stnm

events, in the order of event time
  10:00:01  a  A  a1  #1 +19m59s
  10:00:03  b  B  b3  #2 +19m58s
  10:00:05  b  B  b5  #5 +19m59s  late; out of order, 4s behind
  10:00:07  b  B  b7  #3 +19m55s
  10:00:09  c  C  c9  #4 +19m54s

and in the order of arrival, with what each did
  #1  10:20:00  A  a1  of 10:00:01  a  nothing yet
  #2  10:20:01  B  b3  of 10:00:03  b  nothing yet
  #3  10:20:02  B  b7  of 10:00:07  b  nothing yet
  #4  10:20:03  C  c9  of 10:00:09  c  completed it: revision 1
  #5  10:20:04  B  b5  of 10:00:05  b  corrected it: revision 2 (4s behind)

conditions
  a.v > $limit:  12 > 10  true
  b[i+1].v > b[i].v:  true
    2 > 1  true  b b5, b b3
    3 > 2  true  b b7, b b5

revisions
  1  + emit     told 10:20:03  4 events  (in order: C c9 of 10:00:09)
  2  ~ correct  told 10:20:04  5 events  (late event: B b5 of 10:00:05)
       + b b5 of 10:00:05

waited
  revision 1 told 10:20:03: 19m54s after the last of its events happened, when the last of its events came
    it waited for nothing
"""


def test_it_tells_all_of_a_match_that_a_late_event_corrected(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    assert asked.why(match) == CONSOLE.format(match=match)


def test_json_has_the_same(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    told = asked.told(match)
    assert (told["match"], told["standing"], told["revision"]) == (match, "live", 2)
    assert [e["id"] for e in told["events"]] == ["a1", "b3", "b5", "b7", "c9"]
    assert [a["id"] for a in told["arrivals"]] == ["a1", "b3", "b7", "c9", "b5"]
    assert [c["condition"] for c in told["conditions"]] == ["a.v > $limit", "b[i+1].v > b[i].v"]
    assert [r["op"] for r in told["revisions"]] == ["emit", "correct"]


def test_the_beginning_of_an_id_is_enough(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    assert asked.why(match[:4]) == asked.why(match.upper()) == asked.why(match)


def test_a_recording_takes_the_place_of_a_source(asked: Asked) -> None:
    asked.run(RISING, LATE)
    other = asked.folder / "other.jsonl"
    asked.write(other, "a1=99 b3=1 c9")
    known = asked.told("", "--data", str(other))
    assert [i["text"] for i in known["conditions"][0]["instances"]] == ["99 > 10"]
    assert asked.told("", "--data", f"s={other}") == known


def test_values_of_the_pipeline_can_be_set(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    assert "12 > 11  true" in asked.why(match, "--set", "params.limit=11")
    assert "there is no match at all" in asked.why(match, "--set", "params.limit=12", code=Exit.FAILED)


def test_an_unknown_id_names_the_nearest_and_says_why_it_may_not_be_there(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    said = asked.why("x" + match[1:], code=Exit.FAILED)
    assert f"limecep: there is no match 'x{match[1:]}' in what 'asked' finds in s.jsonl" in said
    assert "other data, another order of arrival or other policies may give others" in said
    assert f"The nearest of its ids: {match} (p)" in said


def test_an_ambiguous_beginning_lists_the_matches(asked: Asked) -> None:
    matches = asked.run("SEQ(A a) WITHIN 1 s", "a1 a2 a3 a4 a5 a6 a7")
    said = asked.why("", code=Exit.FAILED)
    assert "7 matches begin with ''" in said
    assert f"{matches[0]} (p)" in said
    assert "and 2 more. Write more of it" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("x", "give the pipeline, as --pipeline FILE, or the records of a sink, as --records FILE"),
        ("x --records o --data d", "--data and --set are about a pipeline: give it with --pipeline"),
        ("x --pipeline {p} --data d --state s", "give one of --data, --state and --records"),
        ("x --pipeline {p} --records r --state s", "give one of --data, --state and --records"),
        ("x --pipeline {p} --data none.jsonl", "--data none.jsonl: there is no file 'none.jsonl'"),
        ("x --pipeline {p} --data s=none.jsonl", "--data s=none.jsonl: there is no file 'none.jsonl'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(arguments: str, said: str, asked: Asked) -> None:
    asked.run(RISING, LATE)
    assert cli.main(["why", *arguments.format(p=asked.pipeline).split()]) == Exit.REFUSED
    assert said in asked.capsys.readouterr().err


def test_with_several_sources_a_file_is_for_one_of_them(asked: Asked) -> None:
    asked.run(RISING, LATE)
    text = asked.pipeline.read_text()
    asked.pipeline.write_text(
        text.replace("sources:\n", "sources:\n  t: {type: file, channel: t.jsonl, as: T}\n")
    )
    said = asked.why("", "--data", str(asked.folder / "s.jsonl"), code=Exit.REFUSED)
    assert "say which, as in --data " in said
    assert "the sources 't', 's'" in said


def test_a_pipeline_that_cannot_be_used_is_refused_with_its_problems(asked: Asked) -> None:
    asked.run(RISING, LATE)
    asked.pipeline.write_text(asked.pipeline.read_text().replace("$limit", "$limt"))
    assert "there is no parameter 'limt'" in asked.why("", code=Exit.REFUSED)


def test_a_limit_bounds_every_list(asked: Asked) -> None:
    events = " ".join(f"b{n}={n}" for n in range(2, 2000))
    [match] = asked.run("SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 1 h", f"a1=12 {events} c3000")
    text = asked.why(match)
    assert len(text.splitlines()) < 100
    assert "... 1,980 more" in text
    assert len(asked.told(match, "--limit", "4")["events"]) == 5
    assert len(asked.told(match, "--limit", "0")["events"]) == 2000


@pytest.mark.parametrize("limit", ["-1", "few"])
def test_a_limit_is_a_number(limit: str, asked: Asked) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["why", "x", "--limit", limit])
    assert ended.value.code == Exit.USAGE
    assert f"'{limit}' is no number" in asked.capsys.readouterr().err


def test_a_live_pipeline_without_state_says_how_it_can_be_asked(asked: Asked) -> None:
    asked.run(RISING, LATE)
    live = "type: mqtt\n    url: mqtt://localhost\n    client_id: c\n    channel: s"
    text = asked.pipeline.read_text()
    asked.pipeline.write_text(text.replace("type: file\n    channel: s.jsonl", live))
    said = asked.why("ab", code=Exit.REFUSED)
    assert "no source of 'asked' is a recording (sources: s)" in said
    assert "a pipeline that runs without 'state' cannot be asked: give a recording, with --data" in said


def test_it_is_a_line_of_json_for_each_match(asked: Asked) -> None:
    [match] = asked.run(RISING, LATE)
    [line] = asked.why(match, "--format", "json").splitlines()
    assert json.loads(line)["match"] == match
