"""What a component is given when it is made."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.contracts.codec import Plain
from limecep.contracts.truncations import Truncations

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Mapping

    from limecep.clock import Clock
    from limecep.contracts.codec import Encoder
    from limecep.contracts.table import RowReader
    from limecep.model.event import Event
    from limecep.model.walk import Named


@dataclass(slots=True, kw_only=True)
class Context:
    """One object for every factory; it grows by fields, so that no factory's arguments ever change.

    Attributes:
        label: What the component is called in logs: `sources.gas`, `patterns.fire.engine`.
        clock: The arrival clock.
        counters: Whatever the component counts, by name; shown in the report.
        logger: Takes `debug`, `info`, `warning`, `error` with keyword values (structlog's interface).
        root: The folder that relative paths are below: that of the pipeline's file.
        pipeline: The pipeline's name.
        shared: What the sources of one connector share (a client, by a name of the plugin's choice), and its
            sinks likewise.
        encoder: For sinks: makes messages of records.
        truncations: The end events whose evaluation was cut short.
        named: The attributes that the conditions of each pattern name, for sinks that show matches to people.
        returned: For sinks: the kind of each value that patterns return (`int`, `float`, `str`, `bool`,
            `Instant`), by its name; "" where events decide it, or patterns differ.
        stopping: Whether the run has been asked to end.
        raise_if_stopped: Raises `limecep.errors.Stopped` when the run has been asked to end, and a moment has
            passed. A component that waits for something outside, such as a broker that is away, calls it
            several times a second, with what is left undone in words for the user; one that searches calls
            it every few hundred steps. Let the exception through: afterwards only `close` is called.
        resumes: Whether a later run goes on where this one ends, as with a state. Sinks may then take as long
            as they like: what is for them waits.
        encoding: For sources of lines (`ComponentSpec.capabilities`): the encoding of their text.
        whole: For sources of lines: whether a last line without its line end is complete all the same. They
            ask where a later run could read the rest of it.
        checking: For tables: whether the pipeline's file is being checked, so that nothing is waited for, and
            nothing is made.
        rows: For tables whose rows come in messages (`limecep.contracts.table`): makes rows of them.
        lines: For codecs: whether messages are the lines of a text, in order and in UTF-8. Else each message
            stands by itself, in the encoding that the codec's options say.
    """

    label: str
    clock: Clock
    counters: Counter[str]
    logger: Any
    root: Path = field(default_factory=Path)
    pipeline: str = ""
    shared: dict[str, Any] = field(default_factory=dict)
    encoder: Encoder = field(default_factory=Plain)
    named: Mapping[str, Named] = field(default_factory=dict)
    returned: Mapping[str, str] = field(default_factory=dict)
    truncations: Truncations = field(default_factory=Truncations)
    stopping: Callable[[], bool] = lambda: False
    raise_if_stopped: Callable[..., None] = lambda undone="": None
    resumes: bool = False
    encoding: str = "utf-8"
    whole: Callable[[bytes], bool] = lambda line: False
    lines: bool = False
    rows: RowReader | None = None
    checking: bool = False

    def truncated(self, end: Event, bound: str = "max_per_end") -> None:
        """For engines: the evaluation of an end event ends before it is complete, at `max_per_end` or at a
        bound that an option of the engine sets. It is counted, and the first one is logged."""
        known = self.truncations.first
        if not self.truncations.note(end, bound):
            return
        self.counters["truncated"] += 1
        if known is None:
            self.logger.warning(
                f"an evaluation was cut short at {bound}, and matches are missing: raise it, or give the "
                "pattern a shorter window or more conditions (later end events are counted, not logged)",
                end_event=self.truncations.first,
            )
