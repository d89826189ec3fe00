"""`repeat` of a sink: how it is told of matches again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.config.blocks import RepeatBlock
from limecep.config.nodes import Block
from limecep.config.options import check_keys, keys, read
from limecep.output.outlets import Repeat
from limecep.output.repeating import MATCH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limecep.config.blocks import SinkBlock
    from limecep.config.findings import Findings
    from limecep.config.model import PatternConfig, SinkConfig
    from limecep.config.nodes import Scalar


def repeat(
    block: SinkBlock, what: str, findings: Findings, pattern: Callable[[Scalar], str]
) -> Repeat | None:
    """How a sink is told of matches again; None if it is not, or that cannot be read.

    Args:
        block: The sink.
        what: What it is called in messages.
        findings: Where problems go.
        pattern: The name of the pattern that is named somewhere, which it looks for.
    """
    node, about = block.repeat, f"'repeat' of {what}"
    if node is None:
        return None
    if block.of == "late":
        said = f"{about} says nothing about late events, which nobody acknowledges"
        findings.error("conflict", said, node, "leave it out")
    check_keys(node, keys(RepeatBlock), about, findings, needed=("every",))
    given = read(node, RepeatBlock, about, findings)
    if given is None:
        return None
    until = "" if given.until is None else pattern(given.until)
    if until in [item.text for item in block.patterns]:
        said = f"'patterns' of {what} names '{until}', which acknowledges: its records do not go there"
        findings.error("conflict", said, given.until, "leave it out of 'patterns'")
    return Repeat(given.every, until, given.most)


def advise_repeat(
    sink: SinkConfig, patterns: Sequence[PatternConfig], findings: Findings, block: Block
) -> None:
    """Warns of matches that nothing acknowledges, as their key has other names."""
    assert sink.repeat is not None
    known = {p.name: [".".join(path) for path in p.pattern.partition] for p in patterns}
    by = known[sink.repeat.until]
    if by == [MATCH]:
        return
    for name in sink.patterns or [n for n in known if n != sink.repeat.until]:
        if known[name] != by:
            entry = block.entries[sink.name]
            findings.warning(
                "idle-repeat",
                f"'{sink.repeat.until}' acknowledges no match of '{name}' for sink '{sink.name}': the first "
                f"is {_by(by)}, the other {_by(known[name])}",
                (entry.value.get("repeat") if isinstance(entry.value, Block) else None) or entry.key,
                "partition both by the same attributes, or the first by 'match', the id that records have",
            )


def _by(keys: Sequence[str]) -> str:
    return f"partitioned by {', '.join(keys)}" if keys else "not partitioned"
