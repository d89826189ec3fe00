"""What `${...}` puts into a configuration stands in no message, nor any piece of it, wherever it is put."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from limecep.config.loader import load_dict
from limecep.host import Host

if TYPE_CHECKING:
    from collections.abc import Iterator

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


@settings(max_examples=400)
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
