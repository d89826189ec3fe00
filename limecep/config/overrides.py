"""`--set a.b=c`: single values of a configuration changed from the command line."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from limecep.config.document import parse
from limecep.config.nodes import Block, Entry, Node, Scalar, described
from limecep.config.text import SourceText, TextOrigin
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limecep.config.findings import Findings

#: Blocks whose keys are names that the file gives. An override changes what has a name; it names nothing new.
NAMED = frozenset({"params", "connectors", "sources", "patterns", "sinks"})


def override(root: Node, overrides: Sequence[str], findings: Findings) -> Node:
    """The document with each `path=value` put in, later ones over earlier ones. The value is YAML."""
    for text in overrides:
        source = SourceText("--set", text)
        path, equals, _ = text.partition("=")
        if not equals or not all(path.split(".")):
            findings.error(
                "bad-override",
                f"'{text}' is no override",
                source.place(0),
                "write path=value: --set patterns.fire.select=stam",
            )
            continue
        begin = len(path) + 1
        value: Node | None
        if text[begin:].strip():
            value = parse(source, findings, blank=begin)
        else:
            value = Scalar(value=None, text="", origin=TextOrigin(source, 0, len(text)), plain=True)
        if value is not None:
            root = _Override(source, value, findings).put(root, 0, ())
    return root


class _Override:
    """One value on its way to its place."""

    def __init__(self, source: SourceText, value: Node, findings: Findings) -> None:
        self._source = source
        self._path = source.text.partition("=")[0]
        self._value = value
        self._findings = findings

    def put(self, node: Node, at: int, above: tuple[str, ...]) -> Node:
        """The node with the value put in at what is left of the path from offset `at`."""
        if not isinstance(node, Block):
            self._findings.error(
                "bad-override",
                f"'{'.'.join(above) or 'the document'}' is {described(node)}, not a block of keys",
                self._source.place(max(0, at - 1 - len(above[-1] if above else "")), max(1, at - 1)),
                f"set it as a whole: --set '{'.'.join(above)}={{...}}'" if above else "",
            )
            return node
        name = self._step(node, at)
        end = at + len(name)
        key = Scalar(value=name, text=name, origin=TextOrigin(self._source, at, end, None, name))
        if name not in node.entries and len(above) == 1 and above[0] in NAMED:
            self._findings.error(
                "unknown-name",
                f"there is no '{name}' in {above[0]}",
                key,
                suggestion(name, node.entries) or f"write it into the file, under '{above[0]}'",
            )
            return node
        if end == len(self._path):
            entry = Entry(key=key, value=self._value)
        else:
            old = node.entries.get(name)
            below: Node = old.value if old else Block(entries={}, origin=key.origin)
            if isinstance(below, Scalar) and below.value is None:
                below = Block(entries={}, origin=below.origin)
            entry = Entry(key=old.key if old else key, value=self.put(below, end + 1, (*above, name)))
        return replace(node, entries={**node.entries, name: entry})

    def _step(self, node: Block, at: int) -> str:
        """The next name of the path: the longest there is, as names may hold dots, or up to a dot."""
        rest = self._path[at:]
        fitting = [k for k in node.entries if k and (rest == k or rest.startswith(k + "."))]
        return max(fitting, key=len, default=rest.partition(".")[0])
