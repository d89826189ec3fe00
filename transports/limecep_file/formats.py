"""The codec a file's name tells."""

from __future__ import annotations

_FORMATS = {".csv": "csv", ".jsonl": "json", ".ndjson": "json", ".json": "json"}


def default_format(channel: str) -> str:
    """The codec for a path or glob by how it ends (`.csv`, `.jsonl`, `.ndjson`, `.json`, each also with
    `.gz`), JSON lines for standard input, and "" where the name does not tell."""
    if channel == "-":
        return "json"
    name = channel.lower().removesuffix(".gz")
    return next((codec for ending, codec in _FORMATS.items() if name.endswith(ending)), "")
