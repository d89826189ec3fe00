"""A web service that watches for fires: POST events, GET the matches that stand."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI

import limecep

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

QUERY = """
PATTERN SEQ(Smoke s, Heat+ h[])
WHERE h[i].celsius > 40
WITHIN 30 s
PARTITION BY room
"""
standing: dict[str, dict[str, Any]] = {}


def keep(record: dict[str, Any]) -> None:
    """The sink: keeps the matches that stand."""
    if record["op"] == "retract":
        standing.pop(record["match"], None)
    else:
        standing[record["match"]] = record


pipeline = limecep.Pipeline.from_dict(
    {"version": 1, "patterns": {"fire": {"query": QUERY, "slack": "none"}}}, sinks={"standing": keep}
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """The pipeline is closed with the service."""
    with pipeline:
        yield


app = FastAPI(lifespan=lifespan)


@app.post("/events")
def post(events: list[dict[str, Any]]) -> dict[str, Any]:
    """Feeds events. It is no coroutine: requests come in threads, and these take turns."""
    updates = pipeline.feed(events, invalid="refuse")
    return {
        "updates": updates.records("ids"),
        "refused": [{"reason": r.reason, "error": r.error} for r in updates.refused],
    }


@app.get("/matches")
def matches() -> list[dict[str, Any]]:
    """The matches that stand."""
    return list(standing.values())
