"""`--update`: a test file with its expectations as they came out. Comments stay, and lines that hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limecep.encoding import to_json
from limecep_test.cases import counted
from limecep_test.document import SUMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.embedding.documents import Block
    from limecep_test.cases import Result
    from limecep_test.document import File, Item

_PLAIN = re.compile(r"[A-Za-z_][^#:\"'{}\[\]&*!|>%@`]*(?:[@>]?[^#:\"'{}\[\]&*!|%`])*")
_COMMENT = re.compile(r"\s+#.*$")


class Unwritable(Exception):
    """An expectation stands where it cannot be written anew."""


def rewritten(file: File, results: Sequence[Result]) -> str:
    """The text of a file with what came out in the place of what was expected.

    Raises:
        Unwritable: An expectation is not a block of its own lines.
    """
    lines = file.text.text.splitlines(keepends=True)
    # From the end, so that the places of those before stay.
    for result in reversed(results):
        wrong = {d.what for d in result.differences}
        expect = result.case.expect
        if expect is None:
            continue
        for key, entry in sorted(
            expect.entries.items(), key=lambda item: item[1].key.origin.place().line, reverse=True
        ):
            if key in wrong or not _filled(expect, key):
                _replace(lines, entry.key.origin.place().line - 1, key, _new(result, key), file)
    return "".join(lines)


def _filled(expect: Block, key: str) -> bool:
    node = expect.get(key)
    return getattr(node, "value", node) is not None


def _new(result: Result, key: str) -> list[str] | dict[str, int]:
    """The items, or counts, as they came out."""
    case, outcome = result.case, result.outcome
    if key == "updates":
        by, at = _asked(case.updates)
        return [e.line(by=by, at=at) for e in outcome.updates]
    if key == "net":
        by, at = _asked(case.net)
        return [e.line(op=False, by=by, at=at) for e in outcome.net]
    if key == "late":
        return [late.line() for late in outcome.late]
    counts = counted(outcome)
    asked = case.counts or [name for name, n in counts.items() if n and name not in SUMS]
    return {name: counts[name] for name in asked}


def _asked(items: Sequence[Item] | None) -> tuple[bool, bool]:
    """Return whether causes, and times, are expected."""
    expected = [i.expected for i in items or ()]
    return any(e.by is not None for e in expected), any(e.at is not None for e in expected)


def _replace(lines: list[str], begin: int, key: str, new: list[str] | dict[str, int], file: File) -> None:
    """Writes the key that stands in a line anew, with all that it holds."""
    head = re.fullmatch(rf"(\s*(?:- +)?){key}:([^\n]*)\n?", lines[begin])
    if head is None:
        where = f"{file.path}:{begin + 1}"
        raise Unwritable(f"{where}: give '{key}' a line of its own, and it can be written anew")
    indent = len(head[1])
    end = begin + 1
    for n in range(begin + 1, len(lines)):
        text = lines[n].strip()
        if not text or text.startswith("#"):
            continue
        deep = len(lines[n]) - len(lines[n].lstrip())
        if deep > indent or (deep == indent and text.startswith("- ") and not head[1].endswith("- ")):
            end = n + 1
        else:
            break
    # In quotes it may be something else.
    comment = None if {'"', "'"} & set(head[2]) else _COMMENT.search(head[2])
    said = "" if comment is None else comment[0]
    if isinstance(new, dict):
        shown = ", ".join(f"{name}: {n}" for name, n in new.items())
        lines[begin:end] = [f"{head[1]}{key}: {{{shown}}}{said}\n"]
    elif not new:
        lines[begin:end] = [f"{head[1]}{key}: []{said}\n"]
    else:
        kept = {_item(line): line for line in lines[begin + 1 : end]}
        deep = next(
            (len(i) - len(i.lstrip()) for i in kept.values() if i.lstrip().startswith("- ")), indent + 2
        )
        written = [kept.get(item) or f"{' ' * deep}- {_scalar(item)}\n" for item in new]
        lines[begin:end] = [f"{head[1]}{key}:{said}\n", *written]


def _item(line: str) -> str:
    """The text of an item, without its comment."""
    return _COMMENT.sub("", line).strip().removeprefix("- ").strip()


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else to_json(text).decode()
