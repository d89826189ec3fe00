"""What this process and its workers send each other, pickled: both ends run the same code."""

from __future__ import annotations

import pickle
import traceback
from typing import TYPE_CHECKING, Any, NamedTuple

from limecep.errors import ComponentFailure, LimecepError, said
from limecep.model.event import Event, Statement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.embedding.pipelines import PipelineConfig, Refusal
    from limecep.output.record import Record

#: Events as columns: pickled in less time than as objects, and what they have in common is there once.
Columns = tuple[list[Any], ...]
#: How many there are where none of them is a statement.
PLAIN_COLUMNS = 7


class Task(NamedTuple):
    """The first message to a worker.

    Attributes:
        config: The pipeline.
        number: The worker's, from 0.
        of: The number of workers.
    """

    config: PipelineConfig
    number: int
    of: int


class Told(NamedTuple):
    """An update, rendered.

    Attributes:
        place: How many events had been taken in.
        caused: 0 if time caused it, 1 if an event did: what time has come for is said before.
        pattern: The place of its pattern in the pipeline.
        end: The `t_gen` of the last event of the match, in microseconds.
        records: For each sink of updates the record; None where that takes none.
    """

    place: int
    caused: int
    pattern: int
    end: int
    records: tuple[Record | None, ...]


class Refused(NamedTuple):
    """An event that some patterns do not see.

    Attributes:
        place: How many events had been taken in.
        refusal: The event, and why.
        at: Its place in the batch; -1 if it came earlier.
        lta: The latest event time, in microseconds.
    """

    place: int
    refusal: Refusal
    at: int
    lta: int


class Answer(NamedTuple):
    """What a worker answers to each message.

    Attributes:
        told: Updates, in their order.
        refused: What goes to the late output.
        logged: What components logged: level, text, values.
        figures: The worker's figures so far, as `limecep_local.figures` gives them.
    """

    told: list[Told]
    refused: list[Refused]
    logged: list[tuple[str, str, dict[str, Any]]]
    figures: dict[str, Any]


class Failure(NamedTuple):
    """The last answer of a worker that cannot go on.

    Attributes:
        reason: Why, in words for the user.
        trace: Where, for whoever looks for a bug.
        where: Where in a component that should not have failed.
    """

    reason: str
    trace: str
    where: str = ""


class Hung(NamedTuple):
    """What a worker says that was asked to end, and does not.

    Attributes:
        who: The component that goes on, in words; "" if none is known.
    """

    who: str


def failure(error: Exception) -> Failure:
    """What a worker answers when it meets an error."""
    known = isinstance(error, LimecepError)
    reason = str(error) if known else said(error)
    where = error.where if isinstance(error, ComponentFailure) else ""
    return Failure(reason, "".join(traceback.format_exception(error)), where)


def pack(message: Any) -> bytes:
    """A message as bytes."""
    return pickle.dumps(message, pickle.HIGHEST_PROTOCOL)


def columns(events: Sequence[Event]) -> Columns:
    """Some events as columns."""
    known = (
        [e.type for e in events],
        [e.id for e in events],
        [e.t_gen for e in events],
        [e.t_arr for e in events],
        [e.source for e in events],
        [e.payload for e in events],
        [e.seq for e in events],
    )
    if {*map(type, events)} <= {Event}:
        return known
    stated = [(e.version, e.withdrawn) if isinstance(e, Statement) else None for e in events]
    return (*known, stated)


def events_of(came: Columns) -> list[Event]:
    """The events of columns."""
    if len(came) == PLAIN_COLUMNS:
        return list(map(Event, *came))
    *heads, stated = came
    made = []
    for *head, told in zip(*heads, stated, strict=True):
        named: Any = {} if told is None else {"version": told[0], "withdrawn": told[1]}
        made.append(Event(*head) if told is None else Statement(*head, **named))
    return made
