"""The `params` block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Block, Scalar, described
from limecep.model.words import is_plain

if TYPE_CHECKING:
    from limecep.config.findings import Findings


def read_params(block: Block | None, findings: Findings) -> dict[str, Any]:
    """The values of the parameters that could be read."""
    params = {}
    for name, entry in (block.entries if block else {}).items():
        if not is_plain(name):
            findings.error(
                "bad-name",
                f"'{name}' is no name of a parameter",
                entry.key,
                "it is made of letters, digits and '_', no digit first: queries say $name",
            )
        if not isinstance(entry.value, Scalar):
            findings.error(
                "wrong-type",
                f"parameter '{name}' must be a number, text or a boolean, not {described(entry.value)}",
                entry.value,
            )
        elif isinstance(entry.value.value, float) and not math.isfinite(entry.value.value):
            findings.error(
                "bad-value", f"parameter '{name}' is no finite number", entry.value, "write a number"
            )
        else:
            params[name] = entry.value.value
    return params
