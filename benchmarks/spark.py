"""The runner on Spark, beside a bare `transformWithState` that only counts the events of each key.

    python benchmarks/spark.py [events, 1,000,000 if not given] [keys, 10,000] [files, 10] [master, local[2]]

Each file is a batch. Prints, for both, events a second over the whole query (after a small one that warms
up), how long batches took, how large the state was at its largest, and how long processors were at work: that
says more on a machine that has other things to do. Needs limecep[spark], Java 17, and Linux.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from machine import machine

from limecep.config.loader import load_dict
from limecep.host import Host
from limecep_spark.config import StartOptions
from limecep_spark.session import Session
from limecep_spark_runner.batches import Batches
from limecep_spark_runner.runner import SparkRunner

if TYPE_CHECKING:
    from collections.abc import Callable

CONF = {"spark.driver.memory": "1g"}
QUERY = "PATTERN SEQ(A a, B b, C c) WHERE a.v < c.v WITHIN 60 seconds PARTITION BY k"


def write(folder: Path, events: int, keys: int, files: int) -> None:
    """Events a millisecond apart, of random keys; one in twenty is up to two seconds late."""
    chosen = Random(5)
    folder.mkdir()
    each = -(-events // files)
    for number in range(files):
        with (folder / f"{number:04d}.jsonl").open("w") as file:
            for n in range(number * each, min(events, (number + 1) * each)):
                late = chosen.randrange(2000) if chosen.random() < 0.05 else 0
                event = {
                    "type": chosen.choice("ABCD"),
                    "id": str(n),
                    "t": 1_700_000_000_000 + n - late,
                    "k": chosen.randrange(keys),
                    "v": chosen.randrange(100),
                }
                file.write(json.dumps(event) + "\n")


def worked() -> float:
    """For how many seconds processors were at work for this process, Java, and its workers."""
    found: dict[int, tuple[int, int]] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            found[int(file.parent.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    ours = {os.getpid()}
    while more := {process for process, (parent, _) in found.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks for process, (_, ticks) in found.items() if process in ours) / os.sysconf("SC_CLK_TCK")


def said(what: str, events: int, measured: Callable[[], tuple[float, dict[str, Any]]]) -> tuple[float, float]:
    """Prints a line; gives the events a second, and those of a second in which a processor is at work."""
    before = worked()
    seconds, found = measured()
    work = worked() - before
    print(
        f"{what:14} {events / seconds:9,.0f} events/s in {seconds:6.1f} s, {work:6.1f} s of work; "
        f"{found['batches']} batches of {found['shortest_batch']:.1f} to {found['longest_batch']:.1f} s; "
        f"state of {found['most_keys']:,} keys, {found['most_state_bytes'] / 2**20:.1f} MiB"
    )
    return events / seconds, events / work


def bare(spark: Any, folder: Path, work: Path) -> tuple[float, dict[str, Any]]:
    """Counts the events of each key."""
    from pyspark.sql import Row
    from pyspark.sql import functions as f
    from pyspark.sql.streaming import StatefulProcessor

    class Count(StatefulProcessor):  # type: ignore[misc]
        def init(self, handle: Any) -> None:
            self._count = handle.getValueState("count", "count long")

        def handleInputRows(self, key: Any, rows: Any, timerValues: Any) -> Any:
            known = self._count.get()
            count = (known[0] if known else 0) + sum(1 for _ in rows)
            self._count.update((count,))
            yield Row(key=key[0], count=count)

        def close(self) -> None: ...

    lines = spark.readStream.format("text").option("maxFilesPerTrigger", 1).load(folder.as_uri())
    keyed = lines.select(f.get_json_object("value", "$.k").alias("key"), "value")
    counts = keyed.groupBy("key").transformWithState(
        statefulProcessor=Count(),
        outputStructType="key string, count long",
        outputMode="Update",
        timeMode="None",
    )
    begun = time.perf_counter()
    query = (
        counts.writeStream.format("noop")
        .outputMode("update")
        .option("checkpointLocation", str(work))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    batches = Batches()
    for progress in query.recentProgress:
        batches.note(progress)
    return time.perf_counter() - begun, batches.report()


def runner(folder: Path, root: Path, master: str) -> tuple[float, dict[str, Any]]:
    """Runs the pattern."""
    document = {
        "version": 1,
        "sources": {
            "s": {
                "type": "file",
                "channel": f"{folder}/*.jsonl",
                "as": {"field": "type"},
                "id": "id",
                "time": {"field": "t", "format": "epoch_ms"},
            }
        },
        "patterns": {"p": {"query": QUERY, "lateness": {"type": "accept", "within": "5s"}}},
        "sinks": {"out": {"type": "file", "path": "out", "events": "ids"}},
        "runner": {"type": "spark", "checkpoint": "checkpoint", "master": master, "files_per_batch": 1},
    }
    registry = Host.load().registry
    config = load_dict(document, registry, root=root).config
    assert config is not None
    assert config.runner is not None
    made = SparkRunner(config, registry, config.runner.options)
    begun = time.perf_counter()
    made.run(lambda: False, None)
    seconds = time.perf_counter() - begun
    made.close()
    return seconds, made.report()["spark"]


def main(events: int = 1_000_000, keys: int = 10_000, files: int = 10, master: str = "local[2]") -> None:
    print(machine())
    folder = Path(tempfile.mkdtemp(prefix="limecep-spark-"))
    session = Session(StartOptions(master=master, conf=CONF), "benchmark")
    try:
        write(folder / "warm", 2000, 10, 2)
        write(folder / "data", events, keys, files)
        bare(session.spark, folder / "warm", folder / "warm1")
        (folder / "warm2").mkdir()
        runner(folder / "warm", folder / "warm2", master)
        (folder / "run").mkdir()
        one = said("only counting", events, lambda: bare(session.spark, folder / "data", folder / "bare"))
        other = said("runner", events, lambda: runner(folder / "data", folder / "run", master))
        ratio, work = (b / a for a, b in zip(one, other, strict=True))
        print(f"{ratio:.2f} of counting, {work:.2f} by work")
    finally:
        session.close()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(*(int(a) if a.isdecimal() else a for a in sys.argv[1:]))  # type: ignore[arg-type]
