"""What is to be made, as it is written in YAML: read like pipelines, with every problem at its place."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from limecep.embedding.documents import (
    Block,
    Findings,
    Node,
    Scalar,
    check_keys,
    described,
    from_object,
    keys,
    parse,
    read,
    read_text,
)
from limecep.errors import ConfigurationError
from limecep.problems import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

T = TypeVar("T")


def load(spec: str | os.PathLike[str] | Mapping[str, Any], cls: type[T], what: str) -> tuple[T, Findings]:
    """An instance of an options class.

    Args:
        spec: A file of YAML, or a dict of that form.
        cls: The class, its fields made by `limecep.option`.
        what: What it describes, for messages.

    Returns:
        The instance, and findings with no error among them: who goes on looking adds to them, and calls
        `settle`.

    Raises:
        ConfigurationError: Something is wrong with it; all that is.
    """
    findings = Findings()
    node = _node(spec, findings)
    if node is not None and not isinstance(node, Block):
        findings.error("wrong-type", f"{what} is a block of keys, not {described(node)}", node)
    made = None
    if isinstance(node, Block):
        made = block(node, cls, what, findings)
    settle(findings)
    assert made is not None
    return made, findings


def block(node: Block, cls: type[T], what: str, findings: Findings) -> T | None:
    """An instance made of a block, which has no other keys; None where that cannot be."""
    check_keys(node, keys(cls), what, findings)
    return read(node, cls, what, findings)


def settle(findings: Findings) -> None:
    """Ends the looking.

    Raises:
        ConfigurationError: There is an error among the findings.
    """
    if findings.failed:
        raise ConfigurationError(findings.sorted())


def _node(spec: str | os.PathLike[str] | Mapping[str, Any], findings: Findings) -> Node | None:
    if not isinstance(spec, (str, os.PathLike)):
        return from_object(spec, findings)
    file = os.fspath(spec)
    try:
        data = Path(spec).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        findings.error("unreadable-file", f"cannot be read: {reason}", Place(file=file, line=0, column=0))
        return None
    source = read_text(data, file, findings)
    return None if source is None else parse(source, findings)


__all__ = ["Block", "Findings", "Scalar", "block", "load", "settle"]
