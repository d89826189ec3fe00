"""The `revise` block of a source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.blocks import ReviseBlock, WithdrawnBlock
from limecep.config.model import ReviseConfig
from limecep.config.nodes import Listing, Scalar
from limecep.config.options import check_keys, keys, read

if TYPE_CHECKING:
    from limecep.config.blocks import SourceBlock
    from limecep.config.fields import Fields
    from limecep.config.findings import Findings
    from limecep.config.nodes import Block


def revise(node: Block, block: SourceBlock, fields: Fields, findings: Findings) -> ReviseConfig | None:
    """How a source says anew what an event is, where it does."""
    given = block.revise
    if given is None:
        return None
    check_keys(given, keys(ReviseBlock), "'revise'", findings)
    found = read(given, ReviseBlock, "'revise'", findings)
    if block.id is None:
        findings.error(
            "missing-key",
            "'revise' needs 'id': what tells which event a record is about",
            node.entries["revise"].key,
            "id: order_id",
        )
    if found is None:
        return None
    version = fields.one("version", found.version)
    if found.withdrawn is None:
        return ReviseConfig(version=version)
    check_keys(found.withdrawn, keys(WithdrawnBlock), "'withdrawn'", findings)
    withdrawn = read(found.withdrawn, WithdrawnBlock, "'withdrawn'", findings)
    assert withdrawn is not None
    said = withdrawn.is_
    values = (
        tuple(item.value for item in said.items if isinstance(item, Scalar))
        if isinstance(said, Listing)
        else (True if said is None else said.value,)
    )
    return ReviseConfig(version=version, withdrawn=fields.one("field", withdrawn.field), values=values)
