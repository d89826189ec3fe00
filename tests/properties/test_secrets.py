"""What `${...}` puts into a configuration stands in no message, nor any piece of it, wherever it is put."""

from __future__ import annotations

import copy
import io
import json
import os
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.parse import quote

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from limecep import cli
from limecep.cli.exits import Exit
from limecep.config.loader import load_dict
from limecep.host import Host

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = int(os.environ.get("LIMECEP_EXAMPLES", "300"))

DOCUMENT: dict[str, Any] = {
    "version": 1,
    "name": "house",
    "params": {"limit": 5},
    "connectors": {
        "mqtt": {"type": "mqtt", "url": "mqtts://u:p@h:1", "client_id": "k", "tls_ca": "ca.pem", "qos": 1,
                 "keepalive": "30s", "window": 10},
        "out": {"type": "mqtt", "url": "mqtt://h", "user": "u", "password": "p", "status": "s/t"},
        "kafka": {"type": "kafka", "brokers": "h:1,h:2", "group": "g", "start": "latest",
                  "client": {"sasl.password": "p"}},
    },
    "sources": {
        "gas": {"from": "mqtt", "channel": "a/#", "as": {"field": "type"}, "time": {"field": "t",
                "format": "%Y %H", "zone": "UTC"}, "id": ["n"], "every": "1s", "format": "csv"},
        "log": {"type": "file", "channel": "x.jsonl", "as": "B", "time": "t", "speed": "max"},
        "feed": {"from": "kafka", "channel": "k", "as": "C", "time": "t", "dead_letter": "d"},
    },
    "patterns": {
        "p": {"query": "PATTERN SEQ(A a, B+ b[], C c) WHERE a.x = $limit WITHIN 10 s PARTITION BY k",
              "engine": "maximal", "select": "stnm", "lateness": {"type": "bound", "within": "10s"},
              "results": {"type": "corrected", "emit": "eager", "skip": "past-last"}},
    },
    "sinks": {
        "alarms": {"to": "out", "channel": "alerts/{pattern}", "retain": True, "events": "ids",
                   "through": [{"type": "mask", "fields": ["user"]}]},
        "file": {"type": "file", "path": "out.jsonl", "envelope": "cloudevents"},
        "topic": {"to": "kafka", "channel": "m", "mode": "upsert"},
    },
    "state": {"dir": "state", "every": "1s"},
    "retention": {"bytes": "64MB"},
    "observers": {"metrics": {"type": "prometheus", "host": "127.0.0.1", "port": 9100}},
}  # fmt: skip
ENDS = ["", "x", " ", "@", ":", "/", "://", "'", "5", "mqtt://u:", "@h:1"]
REGISTRY = Host.load().registry


def leaves(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, (*path, key))
    elif isinstance(node, list):
        for n, value in enumerate(node):
            yield from leaves(value, (*path, n))
    else:
        yield path


LEAVES = [*leaves(DOCUMENT)]
#: Letters that stand together in no message, with all that splits a value.
SECRETS = st.text(st.sampled_from("qzQZ0123456789 @:/#?&=%'\"{}[]$,;.-_\n\t"), min_size=6, max_size=14)
#: How many of its characters, one after another, are a piece of a secret.
PIECE = 5


def with_reference(path: tuple[Any, ...], before: str, after: str) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    node = document
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = f"{before}${{KP}}{after}"
    return document


@settings(max_examples=EXAMPLES)
@example(("connectors", "mqtt", "url"), "mqtt://u:", "q zq9Z", "@h:1")
@given(st.sampled_from(LEAVES), st.sampled_from(ENDS), SECRETS, st.sampled_from(ENDS))
def test_no_message_of_check_has_a_piece_of_a_secret(
    path: tuple[Any, ...], before: str, secret: str, after: str
) -> None:
    found = load_dict(with_reference(path, before, after), REGISTRY, environment={"KP": secret})
    usual = load_dict(with_reference(path, before, after), REGISTRY, environment={"KP": "aa"})
    for problem in found.problems:
        said = str(problem)
        pieces = {secret[n : n + PIECE] for n in range(len(secret) - PIECE + 1)}
        assert not {piece for piece in pieces if piece in said and piece not in str(usual.problems)}, said


FILE = {"type": "file", "channel": "a.jsonl", "as": "A", "time": "t"}
NOBODY = "127.0.0.1:1"
#: Where nobody answers, or what is said to clients makes no sense to them; each as one client tells it.
WRONG: dict[str, dict[str, Any]] = {
    "mqtt": {"sources": {"s": {"type": "mqtt", "url": f"mqtt://u:${{QUOTED}}@{NOBODY}", "channel": "a",
                               "as": "A", "on_unavailable": "fail"}}},
    "kafka": {"sources": {"s": {"type": "kafka", "brokers": NOBODY, "group": "g", "channel": "a", "as": "A",
                                "client": {"debug": "${PW}", "sasl.password": "${PW}"}}}},
    "database": {"sources": {"s": FILE}, "tables": {"l": {
        "from": "sql", "url": f"postgresql://u:${{QUOTED}}@{NOBODY}/x?connect_timeout=${{QUOTED}}",
        "query": "${PW}", "key": "k", "on_unavailable": "fail"}}},
    "address": {"sources": {"s": FILE}, "tables": {"l": {
        "from": "sql", "url": "${URL}", "query": "SELECT 1", "key": "k", "on_unavailable": "fail"}}},
    "statement": {"sources": {"s": FILE}, "tables": {"l": {
        "from": "sql", "url": "sqlite:///a.db", "query": "SELECT * FROM ${PW}", "key": "k"}}},
    "file": {"sources": {"s": FILE | {"channel": "${PW}/x.jsonl"}}},
}  # fmt: skip


@settings(max_examples=3, phases=[Phase.generate], deadline=None)
@pytest.mark.parametrize("wrong", WRONG)
@given(secret=SECRETS.filter(lambda text: not set("\n\t'\"[$") & set(text) and text.strip() == text))
def test_nothing_that_a_failed_run_says_has_a_piece_of_a_secret(wrong: str, secret: str) -> None:
    quoted = quote(secret, safe="")
    environment = {"PW": secret, "QUOTED": quoted, "URL": f"postgresql://u:{quoted}@{NOBODY}/x"}
    patterns = {"p": {"query": "PATTERN SEQ(A a) WITHIN 1 s"}}
    document = {"version": 1, "patterns": patterns, "sinks": {"out": {"type": "none"}}, **WRONG[wrong]}
    said = io.StringIO()
    with (
        tempfile.TemporaryDirectory() as folder,
        patch.dict(os.environ, environment),
        redirect_stderr(said),
        redirect_stdout(io.StringIO()),
    ):
        (Path(folder) / "a.jsonl").touch()
        (Path(folder) / "a.db").touch()
        (Path(folder) / "p.yaml").write_text(json.dumps(document))
        report = Path(folder) / "r.json"
        arguments = ["run", str(Path(folder) / "p.yaml"), "--log-level", "debug", "--report", str(report)]
        assert cli.main(arguments) in (Exit.FAILED, Exit.REFUSED)
        told = said.getvalue() + (report.read_text() if report.exists() else "")
    for value in (secret, quoted):
        pieces = {value[n : n + PIECE] for n in range(len(value) - PIECE + 1)}
        # Figures of a report may look like a piece.
        assert not {piece for piece in pieces if piece in told and set(piece) & set("qzQZ")}, told
