"""Asks options of plugins what is wrong, and reports a plugin that fails to answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from limecep.errors import ContractBreach
from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep.config.findings import Findings
    from limecep.config.nodes import Node


def asked(
    what: str, where: Node, findings: Findings, options: Any, *given: Any, keyed: bool = True
) -> Iterator[tuple[Any, Problem]]:
    """The problems that options find, each with what it is about: a key, or several that lead to it.

    Args:
        what: The component, for messages: `slack policy 'mine'`.
        where: The node to report if they fail.
        findings: The findings to report that to.
        options: Those that are asked.
        given: What they are asked about.
        keyed: Whether they say what each problem is about; if not, that is None.
    """
    try:
        told: Any = options.vet(*given)
        found = list(told) if isinstance(told, Iterable) and not isinstance(told, str) else None
        if found is None:
            raise ContractBreach(options, f"give {told!r:.200} in 'vet', where problems are due")
        pairs = found if keyed else [(None, item) for item in found]
        for item in pairs:
            if not _is_sound(item):
                due = "a key with its Problem is due" if keyed else "a Problem is due"
                raise ContractBreach(
                    options, f"give {item if keyed else item[1]!r:.200} in 'vet', where {due}"
                )
    except BaseException as error:
        from limecep.config.faulty import report

        report(what, error, where, findings, type(options).__module__)
        return
    yield from pairs


def _is_sound(item: Any) -> bool:
    if not isinstance(item, (tuple, list)) or len(item) != 2 or not isinstance(item[1], Problem):
        return False
    key = item[0]
    keys = key if isinstance(key, (tuple, list)) else (key,)
    return key is None or all(isinstance(part, str) for part in keys)
