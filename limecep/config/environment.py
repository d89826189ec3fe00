"""`${X}` in scalars: values from the environment and from files, put in after YAML parsing.

    ${X}            the variable X; a problem if it is not set
    ${X:-default}   the default if X is not set or empty; it may hold ${...} again
    ${X:?message}   a problem with that message if X is not set or empty
    ${file:PATH}    what a file holds, without the line break at its end; for secrets
    $${             the two characters ${

A bare `$x` belongs to the pattern and stays. Keys stay as they are. A plain scalar is read again afterwards,
so `port: ${PORT:-1883}` is a number; what is in quotes stays text.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.config.nodes import Block, Entry, Listing, Node, Scalar
from limecep.config.scalars import resolve
from limecep.config.secrets import Secrets
from limecep.config.text import ShiftedOrigin
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

    from limecep.config.findings import Findings

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
#: How many defaults may stand in each other.
_DEEPEST = 20
#: A character of the new text, and the offset in the old one that it stands for.
_Char = tuple[str, int]


def substitute(
    node: Node,
    environment: Mapping[str, str],
    root: Path,
    findings: Findings,
    params: Collection[str] = (),
) -> Node:
    """The node with every `${...}` in its scalars replaced. Paths of files are below `root`; `params` are the
    names for which `$name` may have been meant."""
    if isinstance(node, Block):
        entries = {
            name: Entry(key=entry.key, value=substitute(entry.value, environment, root, findings, params))
            for name, entry in node.entries.items()
        }
        return replace(node, entries=entries)
    if isinstance(node, Listing):
        items = tuple(substitute(item, environment, root, findings, params) for item in node.items)
        return replace(node, items=items)
    if not isinstance(node.value, str) or "${" not in node.text:
        return node
    substitution = _Substitution(node, environment, root, findings, params)
    chars = list(substitution.chars(0, len(node.text)))
    text = "".join(c for c, _ in chars)
    return Scalar(
        value=resolve(text) if node.plain and not substitution.failed else text,
        text=text,
        origin=ShiftedOrigin(node.origin, [offset for _, offset in chars]),
        plain=node.plain,
        substituted=True,
        failed=substitution.failed,
    )


class _Substitution:
    """The replacement of what one scalar holds."""

    def __init__(
        self,
        node: Scalar,
        environment: Mapping[str, str],
        root: Path,
        findings: Findings,
        params: Collection[str],
    ) -> None:
        self.failed = False
        self._params = params
        self._node = node
        self._text = node.text
        self._environment = environment
        self._root = root
        self._findings = findings

    def chars(self, start: int, stop: int, depth: int = 0) -> Iterator[_Char]:
        """The new characters for those from `start` to `stop`."""
        at = start
        while at < stop:
            if self._text.startswith("$${", at):
                yield from (("$", at), ("{", at + 2))
                at += 3
            elif self._text.startswith("${", at):
                end = self._closing(at, stop)
                if end is None:
                    self._error(at, stop, "'${' is not closed", "add '}', or write $${ for the characters ${")
                    return
                yield from self._reference(at, end, depth)
                at = end + 1
            else:
                yield self._text[at], at
                at += 1

    def _closing(self, at: int, stop: int) -> int | None:
        """Where the brace is that closes the one after `at`."""
        depth = 0
        for n in range(at + 1, stop):
            depth += {"{": 1, "}": -1}.get(self._text[n], 0)
            if depth == 0:
                return n
        return None

    def _reference(self, at: int, end: int, depth: int) -> Iterator[_Char]:
        inner = self._text[at + 2 : end]
        if inner.startswith("file:"):
            yield from ((c, at) for c in self._file(at, end, inner.removeprefix("file:").strip()))
            return
        match = _NAME.match(inner)
        name = match.group() if match else ""
        rest = inner[len(name) :]
        if not name or rest[:2] not in ("", ":-", ":?"):
            self._error(
                at,
                end + 1,
                f"'${{{inner}}}' is no reference to the environment",
                "write ${NAME}, ${NAME:-default}, ${NAME:?message}, ${file:PATH}, or $${ for a mere ${",
            )
            return
        value = self._environment.get(name)
        if value or (value is not None and not rest):
            self._keep(value, f"${{{name}}}")
            yield from ((c, at) for c in value)
        elif rest.startswith(":-") and depth < _DEEPEST:
            yield from self.chars(at + 2 + len(name) + 2, end, depth + 1)
        elif rest.startswith(":-"):
            self._error(at, end + 1, "defaults stand in defaults too deeply")
        elif rest.startswith(":?"):
            self._unset(at, end, f"{name}: {rest[2:].strip() or 'must be set'}")
        elif name in self._params:
            self._unset(at, end, f"{name} is not set", f"write ${name} for the parameter '{name}'")
        else:
            hint = f"set it, or give a default: ${{{name}:-default}}"
            close = suggestion(name, self._environment)
            self._unset(
                at, end, f"{name} is not set", f"{hint}; {close}" if close.startswith("did") else hint
            )

    def _unset(self, at: int, end: int, said: str, hint: str = "") -> None:
        self._error(at, end + 1, f"environment variable {said}", hint, code="unset-variable")

    def _file(self, at: int, end: int, path: str) -> str:
        try:
            value = (self._root / path).read_text("utf-8").rstrip("\r\n")
        except (OSError, ValueError) as e:
            reason = e.strerror if isinstance(e, OSError) and e.strerror else "it is not UTF-8 text"
            self._error(at, end + 1, f"the file '{path}' cannot be read: {reason}", code="unreadable-file")
            return ""
        self._keep(value, f"${{file:{path}}}")
        return value

    def _keep(self, value: str, reference: str) -> None:
        if self._findings.secrets is None:
            self._findings.secrets = Secrets()
        self._findings.secrets.add(value, reference)

    def _error(
        self, start: int, stop: int, message: str, hint: str = "", *, code: str = "bad-reference"
    ) -> None:
        self.failed = True
        self._findings.error(code, message, self._node.origin.place(start, stop), hint)
