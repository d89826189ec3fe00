"""Schemas by their ids, of a stand-in for a registry."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from limecep.errors import RunFailure
from limecep_schemas import written as module
from limecep_schemas.registry import Registry
from limecep_schemas.unfit import Unreadable
from limecep_schemas.written import WrittenSchemas

if TYPE_CHECKING:
    from conftest import RegistryStandIn, Run


@pytest.fixture
def schemas(registry: RegistryStandIn, run: Run) -> WrittenSchemas:
    return WrittenSchemas(Registry(registry.url, "", "", 5.0, run.context))


def test_each_is_asked_for_once(schemas: WrittenSchemas, registry: RegistryStandIn, reading: Any) -> None:
    registry.register(7, reading)
    assert schemas.of(7) is schemas.of(7)
    assert [path for path, _ in registry.asked] == ["/schemas/ids/7"]


def test_one_that_is_not_there_is_asked_for_again_after_a_while(
    schemas: WrittenSchemas, registry: RegistryStandIn, monkeypatch: pytest.MonkeyPatch, reading: Any
) -> None:
    for _ in range(2):
        with pytest.raises(Unreadable, match=r"schema 7: the schema registry http.* does not have it"):
            schemas.of(7)
    assert len(registry.asked) == 1
    registry.register(7, reading)
    monkeypatch.setattr(module, "ANEW_SECONDS", 0.0)
    assert schemas.of(7).value(b"\x04m1\x00") == {"machine": "m1", "celsius": None}


def test_ids_that_nobody_gave_fill_no_memory(
    schemas: WrittenSchemas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_ABSENT", 2)
    for number in range(5):
        with pytest.raises(Unreadable):
            schemas.of(number)
    assert len(schemas._absent) <= 2


def test_one_of_another_kind_or_that_is_none_says_so(
    schemas: WrittenSchemas, registry: RegistryStandIn, reading: Any
) -> None:
    registry.register(1, {}, schemaType="JSON")
    registry.register(2, {"type": "record"})
    registry.register(3, reading, references=[{"name": "x"}])
    for number, said in (
        (1, "type JSON, not Avro"),
        (2, "no schema"),
        (3, "in a way that is not known"),
    ):
        for _ in range(2):
            with pytest.raises(Unreadable, match=f"schema {number}: .*{said}"):
                schemas.of(number)
    assert len(registry.asked) == 3


def test_what_a_schema_names_of_others_is_asked_for_too(
    schemas: WrittenSchemas, registry: RegistryStandIn
) -> None:
    def named(subject: str) -> list[dict[str, object]]:
        return [{"name": subject, "subject": subject, "version": 3}]

    def record(name: str, of: str) -> dict[str, object]:
        return {"type": "record", "name": name, "fields": [{"name": "x", "type": of}]}

    registry.register(7, record("A", "B"), references=named("b/value"))
    registry.answers["/subjects/b%2Fvalue/versions/3"] = {
        "schema": json.dumps(record("B", "C")),
        "references": named("c"),
    }
    registry.answers["/subjects/c/versions/3"] = {"schema": json.dumps(record("C", "int"))}
    assert schemas.of(7).value(b"\x02") == {"x": {"x": {"x": 1}}}


def test_an_answer_without_a_schema_ends_the_run(schemas: WrittenSchemas, registry: RegistryStandIn) -> None:
    registry.answers["/schemas/ids/7"] = {"hello": "world"}
    with pytest.raises(RunFailure, match="is no schema registry: its answer has no 'schema'"):
        schemas.of(7)
