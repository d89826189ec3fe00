"""The blocks of a test file, with their keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from limecep.embedding.documents import Block, Listing, Scalar  # noqa: TC001 - looked up at run time
from limecep.spec import option

_UNITS = "microseconds", "milliseconds", "seconds", "minutes", "hours", "days"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBlock:
    """A test file."""

    pipeline: Scalar | None = option(
        None, help="The pipeline's file, beside this one.", required=True, example="kitchen.yaml"
    )
    params: dict[str, Any] = option({}, help="Parameters instead of those of the pipeline.")
    set: dict[str, Any] = option({}, help="Other values instead of those of the pipeline, by path, as --set.")
    tables: dict[str, list[dict[str, Any]]] = option(
        {}, help="Rows of tables, by their names, in the place of what the pipeline has them read."
    )
    start: Scalar | None = option(None, help="The instant that the times of events count from.")
    unit: Literal["microseconds", "milliseconds", "seconds", "minutes", "hours", "days"] = option(
        "seconds", help="The unit of these times."
    )
    attributes: dict[str, Any] = option({}, help="Attributes that all events of the short form have.")
    tests: Listing | None = option(None, help="The tests.", required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseBlock:
    """A test."""

    name: str = option("", help="What it shows.", required=True)
    params: dict[str, Any] = option({}, help="As of the file, for this test.")
    set: dict[str, Any] = option({}, help="As of the file, for this test.")
    tables: dict[str, list[dict[str, Any]]] = option({}, help="As of the file, for this test.")
    attributes: dict[str, Any] = option({}, help="As of the file, for this test.")
    data: dict[str, str] = option({}, help="Files that sources read, by the name of the source.")
    events: Scalar | Listing | None = option(
        None, help="What arrives, in this order.", example="g3(percentage=62) t5 s18"
    )
    ends: bool = option(True, help="Whether the input is over after that.")
    expect: Block | None = option(None, help="What is to come of it.")
    any_order: int | Block | None = option(
        None, help="How many other orders of arrival are tried, which must come to the same net results."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectBlock:
    """`expect`."""

    updates: Listing | None = option(None, help="The change log, in order.")
    net: Listing | None = option(None, help="The matches that stand in the end, in any order.")
    late: Listing | None = option(None, help="What is refused: the reason and the id, or the id.")
    counts: dict[str, int] | None = option(
        None, help="How many events had each outcome, and matches each fate."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdersBlock:
    """`any_order`."""

    orders: int = option(help="How many.", example=200)
    seed: int = option(1, help="Decides which.")
    duplicates: float = option(0.2, unit="percent", help="How many events come twice.")
    delay: int | None = option(
        None, unit="duration", help="How late an event is at most; by default as late as may be."
    )

    def __post_init__(self) -> None:
        if self.orders < 1:
            raise ValueError("'orders' must be at least 1")
