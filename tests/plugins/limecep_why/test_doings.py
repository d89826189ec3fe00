"""What each arrival did."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limecep import cli

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked


def did(asked: Asked, match: str) -> list[str]:
    """The ids of arrivals in their order, with what each did."""
    return [f"{a.get('id')} {a['did']}" for a in asked.told(match)["arrivals"]]


RISING = "SEQ(A a, B+ b[], C c) WHERE b[i+1].v > b[i].v WITHIN 30 s"


@pytest.mark.parametrize(
    ("query", "events", "more", "expected"),
    [
        (
            RISING,
            "a1 b3=1 c9 b5=2",
            "slack: none",
            [
                "a1 nothing yet",
                "b3 nothing yet",
                "c9 completed it: revision 1",
                "b5 corrected it: revision 2",
            ],
        ),
        (
            "SEQ(A a, !X x, B b) WITHIN 9 s",
            "a1 b5 x3",
            "slack: none",
            ["a1 nothing yet", "b5 completed it: revision 1", "x3 took it back: revision 2"],
        ),
        (
            "SEQ(A a, B b) WITHIN 30 s",
            "b5 a1",
            "slack: none",
            ["b5 nothing yet", "a1 completed it: revision 1"],
        ),
        (
            "SEQ(A a, !X x) WITHIN 5 s",
            "a1 b3 b7 b9",
            "slack: none",
            ["a1 nothing yet", "b7 completed it, as time had passed then: revision 1"],
        ),
        (
            "SEQ(A a, !X x) WITHIN 5 s",
            "a1",
            "slack: none",
            ["a1 nothing yet", "None completed it, by the end of the input: revision 1"],
        ),
        (
            "SEQ(A a, B b) WITHIN 5 s",
            "a1 b3 b9",
            "{slack: none, lateness: {type: bound, within: 1s}, results: {type: corrected, final: true}}",
            [
                "a1 nothing yet",
                "b3 completed it: revision 1",
                "b9 made it final, as time had passed then: revision 1",
            ],
        ),
        (
            "SEQ(A a, B b) WITHIN 9 s",
            "a1 b7 b5",
            "slack: none",
            ["a1 nothing yet", "b7 completed it: revision 1", "b5 took it back: revision 2"],
        ),
    ],
)
def test_it_says_what_each_event_did(
    query: str, events: str, more: str, expected: list[str], asked: Asked
) -> None:
    more = more if not more.startswith("{") else more[1:-1].replace(", lateness", "\n    lateness")
    more = more.replace(", results", "\n    results")
    match = asked.run(query, events, more=more)[0]
    assert did(asked, match) == expected


def test_an_event_that_came_while_others_were_waited_for_is_taken_with_them(asked: Asked) -> None:
    slack = "slack: {type: fixed, wait: 3s}"
    [match] = asked.run(RISING, "a1 b3=1 b7=3 c9 b5=2 b6=2.5 c20 c21 c22", more=slack)
    assert did(asked, match)[-2:] == ["b5 taken with revision 2", "b6 corrected it: revision 2"]


def test_a_match_comes_back_and_events_are_withdrawn(asked: Asked) -> None:
    pipeline = str(Path(__file__).parents[3] / "examples/shipments/shipments.yaml")

    def did(match: str) -> list[str]:
        assert cli.main(["why", match, "--pipeline", pipeline, "--format", "json"]) == 0
        return [a["did"] for a in json.loads(asked.capsys.readouterr().out)["arrivals"]]

    assert did("ab17de")[1:] == [
        "completed it: revision 1",
        "took it back: revision 2",
        "taken with revision 3",
        "brought it back: revision 3",
    ]
    assert did("7f7c11")[2] == "was withdrawn, which took it back: revision 2"


def test_an_event_leaves_when_it_is_revised(asked: Asked) -> None:
    query = "SEQ(A a, !X x, B+ b[], C c) WHERE b[i].w > 1 WITHIN 9 s"
    asked.run(query.replace(".w", ".v"), "a1 b3=2 b4=2 c5 a20", more="slack: none")
    text = asked.pipeline.read_text().replace("id: id", "id: id\n    revise: {version: v}")
    asked.pipeline.write_text(text.replace("v: any", "v: any, w: any").replace("].v", "].w"))
    file = asked.folder / "s.jsonl"
    lines = [json.loads(line) | {"v": 1, "w": 2} for line in file.read_text().splitlines()]
    lines.append(lines[1] | {"v": 2, "w": 0, "came": "2026-01-05T10:30:00Z"})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (asked.folder / "out.jsonl").unlink()
    assert cli.main(["run", str(asked.pipeline)]) == 0
    [match] = {json.loads(r)["match"] for r in (asked.folder / "out.jsonl").read_text().splitlines()}
    asked.capsys.readouterr()
    assert [(a["arrival"], a["did"]) for a in asked.told(match)["arrivals"]] == [
        (1, "nothing yet"),
        (2, "nothing yet"),
        (3, "nothing yet"),
        (4, "completed it: revision 1"),
        (6, "was revised, which corrected it: revision 2"),
    ]
