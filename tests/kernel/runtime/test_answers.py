"""What a component of a plugin answers against its contract is told with its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from limecep import Pipeline
from limecep.errors import ComponentFailure

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import json\nfrom limecep.api import *\nfrom limecep.contracts.source import Message\n"
KINDS = {
    "source": '''
@component("source", capabilities=frozenset({"finite"}))
class Mine:
    """Brings two events."""
    ended = False
    def __init__(self, *given): ...
    def open(self): ...
    def poll(self, limit, timeout):
        self.ended = True
        return ANSWER
    def commit(self, positions): ...
    def close(self): ...
    def replay(self, t_from, t_to): ...
''',
    "codec": '''
@component("codec")
class Mine:
    """Reads JSON."""
    untyped = holding = False
    def __init__(self, options, context): ...
    def decode(self, messages): return ANSWER
    def finish(self): return []
    def spelled(self, message): return []
''',
    "engine": '''
@component("engine", capabilities=frozenset({"all"}))
class Mine:
    """Finds what it likes."""
    results = "all"
    def __init__(self, plan, options, context): ...
    def matches(self, end, view): return ANSWER
    def count(self, end, view): ...
''',
    "lateness": '''
@component("lateness")
class Mine:
    """Takes all."""
    learns = by_window = False
    def __init__(self, plan, options, context): ...
    def assess(self, event, statistics): return ANSWER
    def horizon(self, statistics): ...
''',
    "recompute": '''
@component("recompute")
class Mine:
    """Reaches far."""
    def __init__(self, plan, options, context): ...
    def reach(self, event, lta): return ANSWER
''',
}
EVENTS = '{"id": "1", "t": 1}\n{"id": "5", "t": 5}\n{"id": "3", "t": 3}\n'


def run(folder: Path, kind: str, answer: str) -> Pipeline:
    (folder / "mine.py").write_text(HEAD + KINDS[kind].replace("ANSWER", answer))
    (folder / "e.jsonl").write_text(EVENTS)
    of_pattern = {kind: "mine"} if kind in ("engine", "lateness", "recompute") else {}
    document: dict[str, Any] = {
        "version": 1,
        "plugins": ["mine.py"],
        "sources": {"s": {"type": "mine" if kind == "source" else "file", "channel": "e.jsonl", "as": "A",
                          "time": {"field": "t", "format": "epoch_s"}, "id": "id",
                          "format": "mine" if kind == "codec" else "json"}},
        "patterns": {"p": {"query": "PATTERN SEQ(A a, A b) WITHIN 9 s", "slack": "none", **of_pattern}},
        "sinks": {"o": {"type": "none"}},
    }  # fmt: skip
    with Pipeline.from_dict(document, root=folder) as pipeline:
        pipeline.run()
    return pipeline


@pytest.mark.parametrize(
    ("kind", "answer", "said"),
    [
        ("source", "None", "polled None: no sequence of messages"),
        ("source", "[b'{}']", r"polled \[b'{}'\]: no sequence of messages"),
        ("source", "(m for m in ())", "polled <generator object .*: no sequence of messages"),
        ("source", "[Message(b'{}', 'c', 'c:1', 'now')]", "gave a message whose t_arr is 'now', not a time"),
        ("source", "[Message('{}', 'c', 'c:1')]", "gave a message whose value is '{}', not bytes"),
        ("codec", "None", "gave None where messages with their records are due"),
        ("codec", "[{}]", "gave {} where a message with its record is due"),
        ("codec", "[(m, [1]) for m in messages]", "gave .* where a message with its record is due"),
        ("codec", "[(m, {1: 2}) for m in messages]", "gave the record {1: 2}, where the key 1 is no text"),
        ("codec", "[(5, json.loads(m.value)) for m in messages]", r"gave \(5, {.*}\) where a message"),
        ("engine", "[3]", "gave 3 where a match is due"),
        ("engine", "({} for _ in '1')", "gave {} where a match is due"),
        (
            "lateness",
            "Verdict(extremely_late=True, score='x')",
            "gave .* is due, its score and threshold finite num",
        ),
        ("recompute", "(lta, event.t_gen)", "gave .* are due, the earlier one first"),
        ("recompute", "(event.t_gen / 2, lta)", "gave .* where two times in whole microseconds are due"),
    ],
)
def test_an_answer_that_the_contract_rules_out_names_who_gave_it(
    kind: str, answer: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(ComponentFailure, match=rf" 'mine' of {tmp_path}/mine\.py {said}"):
        run(tmp_path, kind, answer)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("source", '[Message(b\'{"id": "1", "t": 1}\', "c", "c:1")]'),
        ("codec", "((m, json.loads(m.value)) for m in messages)"),
        ("engine", "iter(())"),
        ("lateness", "Verdict(extremely_late=False)"),
        ("recompute", "[event.t_gen, lta]"),
    ],
)
def test_one_that_keeps_its_contract_is_taken(kind: str, answer: str, tmp_path: Path) -> None:
    assert run(tmp_path, kind, answer).outcomes()["read"] == (1 if kind == "source" else 3)
