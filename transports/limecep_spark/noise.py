"""What Java says on the terminal, but for what nobody can do anything about."""

from __future__ import annotations

import os
import re
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: An option of Java: Spark tells errors only, a line each.
LOGGING = f"-Dlog4j2.configurationFile={Path(__file__).with_name('log4j2.properties').as_uri()}"

#: What begins a line that Java, Spark, or its worker for Python writes whatever the logging.
_NOISE = (
    b"WARNING: Using incubator modules",
    b"Setting default log level",
    b"To adjust logging level",
    b"Setting Spark log level",
    b"Starting Streaming TransformWithState",
    b"Streaming TransformWithState",
)
#: What a query says that is stopped in the middle of a batch: one thread was interrupted, another looks
#: whether that is why the batch failed, by a regular expression whose stack is as deep as the text is long.
#: The frames follow, some 1,000 of them.
_STOPPED = re.compile(
    rb'Exception in thread "('
    rb'stateConnectionListenerThread" java\.nio\.channels\.ClosedByInterruptException|'
    rb'stream execution thread for .*" java\.lang\.StackOverflowError)'
)
#: What Spark says of packages that it fetches, as long as they can be had.
_FETCHING = re.compile(
    rb"Ivy Default Cache set to|downloading |The jars for the packages stored in|"
    rb"\S+#\S+ added as a dependency|"
    rb"::+ (loading settings|resolving|resolution report|retrieving|problems summary|WARNINGS|USE VERBOSE)|"
    rb"\t(confs: |found |:: modules in use|---|\||\[SUCCESSFUL|\d+ artifacts copied|"
    rb"\S+#\S+ from \S+ in |Host repos\.spark-packages\.org not found)"
)


@contextmanager
def sifted() -> Iterator[None]:
    """What is started meanwhile has a standard error that noise is taken out of."""
    terminal = os.dup(2)
    source, sink = os.pipe()
    os.dup2(sink, 2)
    os.close(sink)
    Thread(target=_pass_on, args=(source, os.dup(terminal)), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _pass_on(source: int, terminal: int) -> None:
    noise = stopped = False
    with open(source, "rb") as lines, open(terminal, "wb", buffering=0) as out:
        for line in lines:
            # An empty line after noise belongs to it.
            noise = line.startswith(_NOISE) or bool(_FETCHING.match(line)) or (noise and not line.strip())
            stopped = bool(_STOPPED.match(line)) or (stopped and line.startswith(b"\tat "))
            if not noise and not stopped:
                out.write(line)
