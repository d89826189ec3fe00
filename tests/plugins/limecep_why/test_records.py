"""What the records of a sink tell by themselves."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

from limecep import cli
from limecep.cli.exits import Exit

if TYPE_CHECKING:
    from tests.plugins.limecep_why.conftest import Asked

RISING = "SEQ(A a, !X x, B+ b[], C c) WHERE a.v > $limit AND b[i+1].v > b[i].v WITHIN 30 s"
EVENTS = "a1=12 b3=1 b7=3 c9 b5=2 x2"


def tell(asked: Asked, *arguments: str, code: int = 0) -> str:
    file = str(asked.folder / "out.jsonl")
    assert cli.main(["why", "", "--records", file, *arguments]) == code
    captured = asked.capsys.readouterr()
    return captured.err if code else captured.out


def test_they_tell_revisions_and_causes_without_the_pipeline(asked: Asked) -> None:
    [match] = asked.run(RISING, EVENTS, more="slack: none")
    text = tell(asked)
    assert text.startswith(f"p  {match}  retracted with revision 3\n")
    assert "  10:00:05  b  B  b5  late\n" in text
    assert "  10:20:03  C  c9  of 10:00:09  c  completed it: revision 1\n" in text
    assert "  10:20:04  B  b5  of 10:00:05  b  corrected it: revision 2\n" in text
    assert "  10:20:05     x2                  took it back: revision 3\n" in text
    assert "  2  ~ correct  told 10:20:04  5 events  (late event: B b5 of 10:00:05)\n       + b b5 of" in text
    assert "note: for conditions and their values, give the pipeline too" in text
    assert "conditions\n" not in text


def test_with_the_pipeline_they_give_conditions_too(asked: Asked) -> None:
    asked.run(RISING, EVENTS, more="slack: none")
    text = tell(asked, "--pipeline", str(asked.pipeline))
    assert "  a.v > $limit:  12 > 10  true\n" in text
    assert "absent  !X x  between a1 and b3: 10:00:01 to 10:00:03\n" in text
    assert "  what was there is not known here: it is derived, or only records" in text


def test_a_pipeline_that_was_changed_since_is_noticed(asked: Asked) -> None:
    asked.run(RISING, EVENTS)
    text = tell(asked, "--pipeline", str(asked.pipeline), "--set", "params.limit=13")
    assert "a.v > $limit:  12 > 13  FALSE" in text
    assert "note: a condition does not hold: was the pipeline changed since?" in text
    asked.pipeline.write_text(asked.pipeline.read_text().replace("C c", "D c"))
    assert "note: these events are no match of the pattern" in tell(asked, "--pipeline", str(asked.pipeline))


def test_records_that_came_twice_packed_or_in_cloudevents_are_read(asked: Asked) -> None:
    asked.run(RISING, EVENTS, more="slack: none")
    expected = tell(asked)
    file = asked.folder / "out.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, "", lines[-1]]))
    assert tell(asked) == expected
    file.write_text("\n".join(json.dumps({"specversion": "1.0", "data": json.loads(line)}) for line in lines))
    assert tell(asked) == expected
    packed = asked.folder / "out.jsonl.gz"
    packed.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert cli.main(["why", "", "--records", str(packed)]) == 0
    assert asked.capsys.readouterr().out == expected


def test_what_came_before_the_file_began_is_counted(asked: Asked) -> None:
    asked.run(RISING, EVENTS, more="slack: none")
    file = asked.folder / "out.jsonl"
    file.write_text("\n".join(file.read_text().splitlines()[1:]))
    assert "  ... 1 before, which are not known here\n  2  ~ correct" in tell(asked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no\n", "out.jsonl:1: no update of a change log"),
        ('{"op": "emit"}\n', "out.jsonl:1: no update of a change log"),
        (
            '{"op": "emit", "match": "m", "pattern": "p", "events": {}}\n',
            "out.jsonl:1: no update of a change log",
        ),
        ("", "there is no match at all in"),
    ],
)
def test_what_is_no_change_log_is_refused_with_the_place(text: str, said: str, asked: Asked) -> None:
    (asked.folder / "out.jsonl").write_text(text)
    assert said in tell(asked, code=Exit.FAILED)


def test_records_with_ids_alone_tell_what_these_tell(asked: Asked) -> None:
    asked.run(RISING, EVENTS, "--set", "sinks.out.events=ids", more="slack: none")
    text = tell(asked, "--pipeline", str(asked.pipeline))
    assert "  10:00:01 to 10:00:09, 8s of 30s" in text
    assert "  a  a1\n  b  b3\n  b  b5  late\n  b  b7\n  c  c9\n" in text
    assert "  10:20:04  b5  b  corrected it: revision 2\n" in text
    assert "(late event: b5)\n       + b b5\n" in text
    assert "note: the records have only the ids of events: write them with 'events: full'" in text
    assert "conditions\n" not in text


def test_records_without_events_say_what_to_do(asked: Asked) -> None:
    asked.run(RISING, EVENTS, "--set", "sinks.out.events=none")
    assert "have no events: write them with 'events: full', or ask with" in tell(asked, code=Exit.FAILED)


def test_a_file_that_is_not_there_is_named(asked: Asked) -> None:
    assert "out.jsonl: cannot be read: No such file" in tell(asked, code=Exit.FAILED)


@pytest.mark.parametrize("packed", [True, False])
def test_a_file_that_breaks_off_tells_what_it_has(asked: Asked, *, packed: bool) -> None:
    asked.run(RISING, EVENTS, more="slack: none")
    file = asked.folder / "out.jsonl"
    text = (file.read_text() * 50).encode()
    cut = asked.folder / ("cut.jsonl.gz" if packed else "cut.jsonl")
    cut.write_bytes(gzip.compress(text)[:-9] if packed else text[:-9])
    assert cli.main(["why", "", "--records", str(cut)]) == 0
    told = asked.capsys.readouterr().out
    assert "completed it: revision 1" in told
    assert f"note: {cut} breaks off in line" in " ".join(told.split())
