"""What a state says to people: how far the pipeline was, what waits, what is still to be sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from limecep.model.instants import rfc3339
from limecep.model.time import FOREVER
from limecep.state.book import PARTS
from limecep.state.fingerprint import check_format
from limecep.state.json_values import damaged, decode
from limecep.state.keeper import BATCH, FIGURES, HEAD, REPEAT
from limecep.state.outbox import PREFIX, said
from limecep.state.part import PART
from limecep.state.places import READ

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.contracts.state import StateStore


def shown(store: StateStore) -> dict[str, Any]:
    """What a state that is open says, as one value of JSON.

    Raises:
        RunFailure: It was written in a format that this limecep does not read, or is damaged.
    """
    kept = store.figures()
    cells: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    outbox: dict[str, int] = {}
    repeated: dict[str, int] = {}
    pending: dict[str, dict[str, int]] = {}
    # Of each process, where several divide the keys.
    parts: list[dict[str, Any]] = []
    for row in store.rows():
        owner, _, part = row.name.rpartition("/")
        pattern = owner.removeprefix(f"{PARTS}/")
        if pattern.startswith(PART):
            pattern = pattern.partition("/")[2]
            if part == FIGURES:
                parts.append(decode(row.value))
            if not pattern:
                continue
        if row.name in (HEAD, BATCH, FIGURES):
            cells[row.name] = decode(row.value)
        elif row.name.startswith(f"{READ}/"):
            place = decode(row.value)
            sources[part] = {"of": place["of"], "positions": sorted((place["logs"] or {}).values())}
        elif row.name.startswith(PREFIX):
            sink = row.name.removeprefix(PREFIX)
            outbox[sink] = outbox.get(sink, 0) + len(said(row.value)[1])
        elif row.name.startswith(f"{REPEAT}/"):
            sink = owner.removeprefix(f"{REPEAT}/")
            repeated[sink] = repeated.get(sink, 0) + 1
        elif pattern != owner:
            counts = pending.setdefault(pattern, {})
            counts[part] = counts.get(part, 0) + 1
    if not (cells or sources or outbox or pending):
        return {**kept, "pipeline": None}
    for name in (HEAD, BATCH, FIGURES):
        if name not in cells:
            raise damaged(f"'{name}' is missing")
    head = cells[HEAD]
    check_format(head, str(kept.get("path", "")))
    journal_from = _time(cells[FIGURES]["journal"])
    parts = parts or [cells[FIGURES]]
    # Each of them has all events.
    figures = parts[0]
    retention = figures["retention"]
    return {
        **kept,
        "pipeline": head["pipeline"],
        "format": head["format"],
        "version": head["version"],
        "batches": cells[BATCH],
        "event_time": _time(figures["statistics"]["lta"]),
        "events": figures["store"]["arrivals"] - figures["store"]["departures"] + retention.get("packed", 0),
        "memory_from": _time(retention.get("begins", retention["whole_from"])),
        "workers": head.get("workers", 1),
        "journal_from": journal_from,
        "sources": sources,
        "outbox": outbox,
        "repeated": repeated,
        "patterns": {
            name: _pattern([p["managers"][name] for p in parts], pending.get(name, {}))
            for name in figures["managers"]
        },
    }


def _pattern(parts: Sequence[dict[str, Any]], rows: dict[str, int]) -> dict[str, Any]:
    counted = [figures["results"]["counters"] for figures in parts]
    # One that has stopped in a process has stopped in all; older states do not say it.
    disabled = next((reason for figures in parts if (reason := figures.get("stopped"))), "")
    return {
        **({"disabled": disabled} if disabled else {}),
        "live": sum(c.get("emitted", 0) - c.get("retracted", 0) for c in counted),
        "pending": rows.get("deadlines", 0),
        "waiting_for_slack": rows.get("pending.ends", 0),
        "ledger": sum(rows.get(part, 0) for part in ("live", "withdrawn", "old_live", "old_withdrawn")),
    }


def _time(microseconds: int) -> str | None:
    return None if abs(microseconds) >= FOREVER else rfc3339(microseconds)
