"""The options, and what `limecep check` finds out about the files that they name."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep_schemas.config import AvroOptions, ProtobufOptions

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "'schema' or 'registry' must be given"),
        ({"registry": "localhost:8081"}, "'registry' must be a URL"),
        ({"registry": "http://"}, "'registry' must be a URL"),
        ({"registry": "http://localhost:x"}, "'registry' must be a URL"),
        ({"registry": "http://a/b?c=d"}, "'registry' must be a URL without"),
        ({"registry": "http://joe:x@localhost"}, "'registry' must not hold a user"),
        ({"schema": "a.avsc", "user": "joe"}, "'user' and 'password' are those at a 'registry'"),
        ({"registry": "http://a", "password": "x"}, "'password' needs a 'user'"),
        ({"registry": "http://a", "timeout": 0}, "'timeout' must be more than 0"),
    ],
)
def test_options_that_say_nothing_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        AvroOptions(**options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"message": "a.B"}, "'descriptor' or 'registry' must be given$"),
        ({"descriptor": "a.pb", "registry": "http://a", "message": "a.B"}, "not both"),
        ({"descriptor": "a.pb"}, "'message' must name a message"),
        ({"registry": "a"}, "'registry' must be a URL"),
    ],
)
def test_a_definition_is_in_one_place(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        ProtobufOptions(**options)


@pytest.mark.parametrize(
    ("format", "said", "hint"),
    [
        ({"type": "avro", "schema": "reading.avsc"}, "", ""),
        ({"type": "avro", "schema": "none.avsc"}, "none.avsc cannot be read", "below the folder"),
        ({"type": "avro", "schema": "plant.pb"}, "no schema: it is not JSON", ""),
        ({"type": "protobuf", "descriptor": "plant.pb", "message": "plant.Reading"}, "", ""),
        ({"type": "protobuf", "registry": "http://127.0.0.1:1"}, "", ""),
        (
            {"type": "protobuf", "descriptor": "plant.pb", "message": "plant.Raeding"},
            "plant.pb has no message 'plant.Raeding'",
            "did you mean 'plant.Reading'?",
        ),
        (
            {"type": "protobuf", "descriptor": "reading.avsc", "message": "a"},
            "is no set of descriptors",
            "protoc --include_imports",
        ),
    ],
)
def test_a_check_looks_into_the_files(format: Any, said: str, hint: str, plant: Path, reading: Any) -> None:
    (plant.parent / "reading.avsc").write_text(json.dumps(reading))
    problems = checked(format, plant.parent, type="mqtt", url="mqtt://localhost", client_id="c")
    assert [p.code for p in problems] == (["bad-value"] if said else [])
    for problem in problems:
        assert said in problem.message
        assert hint in problem.hint


def test_a_source_of_lines_has_no_binary_messages(plant: Path) -> None:
    format = {"type": "protobuf", "descriptor": "plant.pb", "message": "plant.Reading"}
    [problem] = checked(format, plant.parent, type="file")
    assert "binary, and this source reads lines of a text" in problem.message


def test_other_modules_of_google_are_not_taken_for_protobuf(
    plant: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "limecep_schemas.descriptors", None)
    [problem] = ProtobufOptions(descriptor="plant.pb", message="plant.Reading").vet(plant.parent, lines=False)
    assert (problem[1].code, problem[1].hint) == ("missing-module", "pip install 'limecep[protobuf]'")


def checked(format: Any, root: Path, **connector: Any) -> list[Any]:
    source = {**connector, "channel": "c", "format": format, "as": "A", "time": "t", "id": "n"}
    pattern = {"query": "PATTERN SEQ(A a) WITHIN 1 s"}
    document = {"version": 1, "sources": {"s": source}, "patterns": {"p": pattern}}
    return [p for p in load_dict(document, Host.load().registry, root=root).problems if p.severity == "error"]
