"""The `params` block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from limecep.config.nodes import Listing, Scalar, described
from limecep.model.words import is_plain

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.config.nodes import Block


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
        items = entry.value.items if isinstance(entry.value, Listing) else [entry.value]
        if wrong := next((i for i in items if not isinstance(i, Scalar)), None):
            findings.error(
                "wrong-type",
                f"parameter '{name}' must be a number, text or a boolean, or a list of these, not "
                f"{described(wrong)}",
                wrong,
            )
        values = [i.value for i in items if isinstance(i, Scalar)]
        if any(isinstance(v, float) and not math.isfinite(v) for v in values):
            findings.error(
                "bad-value", f"parameter '{name}' is no finite number", entry.value, "write a number"
            )
        elif not wrong:
            params[name] = values if isinstance(entry.value, Listing) else values[0]
    return params
