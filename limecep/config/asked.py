"""Asks options of plugins what is wrong, and reports a plugin that fails to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from limecep.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from limecep.config.findings import Findings
    from limecep.config.nodes import Node

P = TypeVar("P")


def asked(
    what: str, where: Node, findings: Findings, vet: Callable[[], Iterable[tuple[P, Problem]]]
) -> Iterator[tuple[P, Problem]]:
    """The problems that options find, each with its place.

    Args:
        what: The component, for messages: `slack policy 'mine'`.
        where: The node to report if they fail.
        findings: The findings to report that to.
        vet: Asks them.
    """
    try:
        found = list(vet())
        odd = next((item for _, item in found if not isinstance(item, Problem)), None)
        if odd is not None:
            raise TypeError(f"'vet' gives {odd!r}, which is no Problem")
    except (Exception, SystemExit) as error:
        from limecep.config.faulty import report

        report(what, error, where, findings)
        return
    yield from found
