"""Pipelines over random, disordered streams, run by one process and by workers."""

from __future__ import annotations

import json
import pickle
from collections import deque
from random import Random
from typing import TYPE_CHECKING, Any

from limecep import Pipeline
from limecep.config.loader import load_dict
from limecep.host import Host
from limecep_local.divided import Division
from limecep_local.messages import Task, pack
from limecep_local.worker import Worker, respond

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from limecep.config.model import PipelineConfig
    from limecep.runtime.detecting import Divided, WaysOut

REGISTRY = Host.load().registry
#: What a report says of the time a run took.
OF_THE_RUN = ("seconds", "events_per_second", "peak_rss_bytes", "retrieved")


class Inside:
    """A worker in this process, asked as one of its own would be."""

    def __init__(self, task: Task) -> None:
        self._worker = Worker(pickle.loads(pack(task)))
        self._answers: deque[bytes] = deque()

    def send(self, message: bytes) -> None:
        self._answers.append(pack(respond(self._worker, pickle.loads(message))))

    def answer(self, check: object) -> Any:
        return pickle.loads(self._answers.popleft())

    def stop(self) -> None:
        """It does nothing between two messages."""

    def hung(self, since: object) -> str:
        return ""


def config_of(
    root: Path, patterns: dict[str, Any], sources: dict[str, Any] | None = None, **more: Any
) -> PipelineConfig:
    """A pipeline of these patterns over the sources that `write` makes, which may say more."""
    source = {
        "type": "file",
        "as": {"field": "type"},
        "id": "id",
        "time": {"field": "t", "format": "epoch_s"},
        "arrival": {"field": "arrived", "format": "epoch_s"},
        "max_future_skew": "60s",
        **(sources or {}),
    }
    limits = [{"n": n, "most": 9 - n} for n in range(1, 9)]
    turns = [{"n": 1, "since": since, "least": least} for since, least in ((0, 2), (9, 6), (25, 1))]
    for name, rows in (("limits", limits), ("turns", turns)):
        (root / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    document = {
        "version": 1,
        "tables": {
            "limits": {"from": "files", "channel": "limits.jsonl", "key": "n"},
            "turns": {
                "from": "files",
                "channel": "turns.jsonl",
                "key": "n",
                "from_time": {"field": "since", "format": "epoch_s"},
            },
        },
        "sources": {name: {**source, "channel": f"{name}.jsonl"} for name in ("one", "two")},
        "patterns": patterns,
        "sinks": {
            "out": {"type": "file", "path": "out.jsonl"},
            "ids": {"type": "file", "path": "ids.jsonl", "patterns": [min(patterns)], "events": "ids"},
            "late": {"type": "file", "path": "late.jsonl", "of": "late"},
        },
        **more,
    }
    loaded = load_dict(document, REGISTRY, root=root)
    assert loaded.config is not None, loaded.problems
    return loaded.config


def write(root: Path, seed: int, count: int = 150) -> int:
    """Two files of events of five types and some keys: disordered, some twice, some without a key, with a
    time that is not yet, or broken; gives how many lines."""
    chosen, written = Random(seed), 0
    for name in ("one", "two"):
        lines = []
        for n in range(count):
            late = chosen.choice((0, 0, 0, 0, 1, 3, 20, 60))
            arrived = n // 2
            event: dict[str, Any] = {
                "type": chosen.choice("AABBCCNX"),
                "id": str(n),
                "t": max(0, arrived - late) if chosen.random() < 0.99 else arrived + 500,
                "arrived": arrived,
                "k": chosen.choice((1, 1.0, "1", True, 2, 3, 4, "x", "y")),
                "j": chosen.randrange(4),
                "v": chosen.randrange(9),
            }
            if chosen.random() < 0.03:
                del event["k"]
            lines += [json.dumps(event)] * (1 if chosen.random() < 0.95 else 2)
            if chosen.random() < 0.01:
                lines.append('{"type": "A"}')
        (root / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
        written += len(lines)
    return written


def divided(config: PipelineConfig, workers: int) -> Pipeline:
    """The pipeline with workers in this process."""

    def divide(ways: WaysOut) -> Divided:
        inside: Any = [Inside(Task(config, number, workers)) for number in range(workers)]
        return Division(config, REGISTRY, ways, inside)

    return Pipeline(config, REGISTRY, divide)


def ran(
    pipeline: Pipeline, stop: Callable[[], bool] = lambda: False
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]:
    """What a run wrote, by sink, and its report without the time it took."""
    root = pipeline.config.root
    for sink in pipeline.config.sinks:
        if sink.channel:
            (root / sink.channel).unlink(missing_ok=True)
    pipeline.run(stop)
    pipeline.close()
    report = {name: told for name, told in pipeline.report().items() if name not in OF_THE_RUN}
    written = {s.name: root / s.channel for s in pipeline.config.sinks if s.channel}
    return {name: list(map(json.loads, f.read_text().splitlines())) for name, f in written.items()}, report
