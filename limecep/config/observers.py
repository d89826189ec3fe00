"""The `observers` block, which most pipelines do without."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from limecep.config.connectors import named_blocks
from limecep.config.model import ObserverConfig
from limecep.config.options import keys, read
from limecep.problems import suggestion
from limecep.spec import option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.config.nodes import Block


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverBlock:
    """An observer."""

    on_error: Literal["fail", "disable"] = option(
        "fail",
        help="What an error in it does: 'fail' ends the run; 'disable' has the run go on without it.",
    )


def read_observers(block: Block, components: Components, findings: Findings) -> Iterator[ObserverConfig]:
    """Every observer that could be read."""
    for name, (key, node) in named_blocks(block, findings, "type").items():
        what = f"observer '{name}'"
        if node.get("type") is None:
            known = suggestion("", components.names("observer"))
            findings.error("missing-key", f"{what} needs 'type'", key, known)
            continue
        own = read(node, ObserverBlock, what, findings, key)
        component = components.read("observer", node, key, other=keys(ObserverBlock))
        if own is not None and component is not None:
            yield ObserverConfig(name=name, component=component, on_error=own.on_error)
