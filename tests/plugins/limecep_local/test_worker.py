"""A worker detects for its keys, and says what components log."""

from __future__ import annotations

import io
import pickle
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from limecep import Event
from limecep.errors import Stopped
from limecep_local.messages import Failure, Task, columns, pack
from limecep_local.worker import Log, Worker, serve
from tests.plugins.limecep_local.conftest import config_of

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.config.model import PipelineConfig

EVENTS = [Event("AB"[n % 2], str(n), n * 1000, n * 1000, "one", {"k": n // 2}) for n in range(40)]


def answers_of(config: PipelineConfig, number: int, *messages: Any) -> list[Any]:
    """What a worker of two answers."""
    task = Task(config, number, 2)
    asked, answered = io.BytesIO(b"".join(map(pack, (task, *((None, *m) for m in messages))))), io.BytesIO()
    serve(asked, answered)
    answered.seek(0)
    return [pickle.load(answered) for _ in messages]


def test_each_key_is_detected_by_one_worker(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    found = [
        answers_of(config, number, ("begin", False, False), ("feed", columns(EVENTS)), ("finish",))
        for number in (0, 1)
    ]
    emitted = [answers[-1].figures["patterns"]["p"]["emitted"] for answers in found]
    assert sum(emitted) == 20
    assert min(emitted) > 3
    # The whole stream is told of once.
    assert ["statistics" in answers[-1].figures for answers in found] == [True, False]


def test_a_worker_goes_on_only_where_it_can(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    _, failure = answers_of(config, 0, ("begin", False, False), ("feed", None))
    assert isinstance(failure, Failure)
    assert failure.reason.startswith("TypeError: ")


def test_a_component_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    (pattern,) = config.patterns
    engine = replace(pattern.engine, spec=replace(pattern.engine.spec, factory="limecep_local:nothing"))
    broken = replace(config, patterns=(replace(pattern, engine=engine),))
    (failure,) = answers_of(broken, 0, ("begin", False, False))
    assert failure.reason == "engine 'maximal' cannot be made: module 'limecep_local' has no 'nothing'"
    assert "RunFailure" in failure.trace


def test_a_component_that_ends_the_process_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def feed(worker: Worker, came: object) -> None:
        raise SystemExit(0)

    monkeypatch.setattr(Worker, "feed", feed)
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    _, failure = answers_of(config, 0, ("begin", False, False), ("feed", None))
    assert failure.reason == "something raised SystemExit: 0"


def test_nothing_is_said_of_a_search_that_was_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def feed(worker: Worker, came: object) -> None:
        raise Stopped

    monkeypatch.setattr(Worker, "feed", feed)
    config = config_of(tmp_path, {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 1 second PARTITION BY k"}})
    with pytest.raises(EOFError):
        answers_of(config, 0, ("begin", False, False), ("feed", None))


def test_what_is_logged_is_kept_with_its_values_until_it_is_taken() -> None:
    log = Log()
    log.bind(component="engine").bind(pattern="p").warning("cut short", end_event=3)
    log.info("fine")
    assert log.taken() == [
        ("warning", "cut short", {"component": "engine", "pattern": "p", "end_event": 3}),
        ("info", "fine", {}),
    ]
    assert log.taken() == []
