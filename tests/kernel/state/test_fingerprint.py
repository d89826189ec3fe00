"""Fingerprints: which state fits which pipeline."""

from __future__ import annotations

import json
import sqlite3
import zlib
from typing import TYPE_CHECKING, Any

import pytest
import structlog

from limecep import __version__
from limecep.clock import ManualClock
from limecep.config.loader import load_dict
from limecep.errors import RunFailure
from limecep.host import Host
from limecep.runtime.assembly import Assembly
from limecep.state.fingerprint import FORMAT, changed_files, check, check_format, differences, fingerprint

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Kitchen


def test_what_does_not_matter_may_change(kitchen: Kitchen) -> None:
    kitchen.write("a1")
    kitchen.run()
    kitchen.write("b2")
    sinks = {"other": {"type": "file", "path": "out"}}
    query = "PATTERN SEQ(A a,   B b)   WITHIN 10 seconds"
    kitchen.run(query=query, sinks=sinks, retention={"events": 5})
    assert kitchen.told() == [("emit", ["ea1", "eb2"])]


def test_a_state_of_another_format_is_refused(tmp_path: Path, kitchen: Kitchen) -> None:
    kitchen.write("a1")
    kitchen.run()
    with sqlite3.connect(tmp_path / "state/state.db") as connection:
        ((value,),) = connection.execute("SELECT value FROM rows WHERE name = 'head'").fetchall()
        head = json.loads(zlib.decompress(value[2:])) | {"format": 99, "version": "9.9"}
        connection.execute("UPDATE rows SET value = ? WHERE name = 'head'", [json.dumps(head).encode()])
    connection.close()
    with pytest.raises(RunFailure, match=r"written by limecep 9.9 in format 99, which is newer"):
        kitchen.run()


def known(*names: str, ordered: bool = False, **parts: str) -> dict[str, Any]:
    return {
        "ordered": ordered,
        "patterns": {name: {"query": "q", "slack": "none", **parts} for name in names},
    }


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (known("p", "q"), []),
        (known("q", "p"), ["the patterns are in another order"]),
        (known("q", "p", "r"), ["pattern 'r' is new"]),
        (known("p"), ["there is no pattern 'q' any more"]),
        (
            known("p", "q", query="x", slack="y"),
            ["pattern 'p' has another query, slack", "pattern 'q' has another query, slack"],
        ),
        (
            known("p", "q", ordered=True),
            ["'order' or 'rank' of the sources makes sequence numbers count, or does so no more"],
        ),
    ],
)
def test_all_differences_are_said(now: dict[str, Any], said: list[str]) -> None:
    assert differences(known("p", "q"), now) == said


def test_a_component_of_another_distribution_or_file_is_another_component() -> None:
    now = {**known("p"), "brought": {"engine 'mine'": "./mine.py", "slack policy 'b'": "b"}}
    before = {**known("p"), "brought": {"engine 'mine'": "limecep-mine", "slack policy 'b'": "b"}}
    assert differences(before, now) == [
        "engine 'mine' is that of './mine.py', and was that of 'limecep-mine'"
    ]
    # States of earlier versions do not tell.
    assert differences(known("p"), now) == []


def test_a_function_is_known_by_its_name_and_by_what_brings_it(tmp_path: Path) -> None:
    def printed(query: str, *files: str) -> dict[str, Any]:
        patterns = {"p": {"query": f"PATTERN SEQ(A a) WHERE {query} WITHIN 1 s"}}
        document = {"version": 1, "plugins": [*files], "patterns": patterns}
        loaded = load_dict(document, Host.load().registry, root=tmp_path)
        config = loaded.checked()
        assembly = Assembly(config, loaded.registry, ManualClock(), structlog.get_logger())
        return fingerprint(config, assembly.detectors())

    for name, factor in (("one", 1), ("two", 2)):
        (tmp_path / f"{name}.py").write_text(
            "from limecep import component\n@component('function')\n"
            f"def near(x: float) -> float:\n    'A number.'\n    return {factor} * x\n"
        )
    known = printed("lower(a.v) = 'x'")
    assert known["patterns"]["p"]["query"] == "PATTERN SEQ(A a) WHERE lower(a.v) == 'x' WITHIN 1 second"
    assert "brought" not in known
    assert differences(known, printed("upper(a.v) = 'x'")) == ["pattern 'p' has another query"]
    one, two = printed("near(a.v) = 1", "one.py"), printed("near(a.v) = 1", "two.py")
    assert differences(one, two) == ["function 'near' is that of 'two.py', and was that of 'one.py'"]


def test_files_whose_text_has_changed_are_told() -> None:
    assert changed_files({"files": {"a": "1", "b": "1"}}, {"files": {"a": "1", "b": "2", "c": "1"}}) == ["b"]


def test_what_can_be_done_about_another_pipeline_is_said() -> None:
    check(known("p"), known("p"), "x")
    with pytest.raises(RunFailure) as failure:
        check(known("p"), known("q"), "x")
    assert str(failure.value) == (
        "the state x is that of another pipeline: there is no pattern 'p' any more; pattern 'q' is new. Undo "
        "the change, use another 'dir', or begin anew with: limecep state reset x"
    )


@pytest.mark.parametrize(("found", "age"), [(FORMAT - 1, "older"), (FORMAT + 1, "newer")])
def test_the_format_is_that_of_this_version(found: int, age: str) -> None:
    check_format({"format": FORMAT, "version": "1.2"}, "x")
    with pytest.raises(RunFailure) as failure:
        check_format({"format": found, "version": "1.2"}, "x")
    assert str(failure.value) == (
        f"the state x was written by limecep 1.2 in format {found}, which is {age} than what this one reads "
        f"({FORMAT}): use that version, or begin anew with: limecep state reset x"
    )


def test_another_build_of_this_version_is_told_from_it() -> None:
    with pytest.raises(RunFailure, match=f"use another build of {__version__}, or begin anew"):
        check_format({"format": FORMAT - 1, "version": __version__}, "x")
