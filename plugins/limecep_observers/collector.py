"""A collector of OpenTelemetry, which takes JSON by HTTP."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep_observers.config import CollectorOptions


class Collector:
    """Where one kind of signals is sent.

    Args:
        options: How the collector is reached.
        signals: What is sent, as its path has it: `metrics`, `traces`.
        rejected: The field of an answer that says how many were not taken.
        what: What these are, for messages.

    Attributes:
        url: Where they are sent.
    """

    def __init__(self, options: CollectorOptions, signals: str, rejected: str, what: str) -> None:
        self.url = f"{options.endpoint.rstrip('/')}/v1/{signals}"
        self._timeout = options.timeout / 1e6
        self._headers = {**options.headers, "Content-Type": "application/json"}
        self._rejected = rejected
        self._what = what

    def take(self, request: Mapping[str, Any]) -> str:
        """Sends a request; says what the collector did not take of it.

        Raises:
            OSError, http.client.HTTPException: It did not answer, or refused all.
        """
        body = json.dumps(request).encode()
        sent = Request(self.url, data=body, headers=self._headers, method="POST")
        with urlopen(sent, timeout=self._timeout) as answer:
            text = answer.read()
        try:
            partial = json.loads(text or b"{}").get("partialSuccess") or {}
        except (ValueError, AttributeError):
            # Who answers otherwise has taken it.
            return ""
        rejected = int(partial.get(self._rejected) or 0)
        return f"{rejected} {self._what} were rejected: {partial.get('errorMessage', '')}" if rejected else ""


def attributes(values: Mapping[str, str]) -> list[dict[str, Any]]:
    """Attributes as the protocol has them."""
    return [{"key": key, "value": {"stringValue": value}} for key, value in values.items()]
