"""YAML text, or a Python object, to nodes. JSON is YAML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import yaml
from yaml.composer import Composer, ComposerError
from yaml.error import MarkedYAMLError
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.resolver import BaseResolver
from yaml.scanner import Scanner

from limecep.config.nodes import Block, Entry, Listing, Node, Scalar, described
from limecep.config.scalars import Value, resolve
from limecep.config.text import PathOrigin, SourceText, TextOrigin

if TYPE_CHECKING:
    from limecep.config.findings import Findings
    from limecep.problems import Place

#: Deeper nesting, and more nodes with aliases followed, are refused: no pipeline needs them, an attack does.
DEEPEST = 50
MOST_VALUES = 50_000

_CORE = "tag:yaml.org,2002:"
_BY_CONTENT = "?"
_QUOTED = "!"
_TAGS = {"mapping": ("map",), "sequence": ("seq",), "scalar": ("str", "int", "float", "bool", "null")}

#: What PyYAML says, and what to do about it.
_ADVICE = (
    (r"'\\t'", "indent with spaces, not with tabs"),
    (r"'[`@%]' that cannot start", "put the text in quotes"),
    (
        r"mapping values are not allowed",
        "put text that contains ': ' in quotes; otherwise look at the indentation",
    ),
    (r"expected ',' or '[}\]]'", "something is not closed; text with , [ ] { } inside braces needs quotes"),
    (r"could not find expected ':'", "a key ends with ': ', also inside braces"),
    (r"expected <block end>", "look at the indentation of this line"),
    (r"found unexpected end of stream", "a quote is not closed"),
    (r"escape", "in double quotes a backslash starts an escape; single quotes have none"),
    (r"undefined alias", "text that begins with * needs quotes"),
)


class _Loader(Reader, Scanner, Parser, Composer, BaseResolver):
    """PyYAML's own parts up to nodes, without its constructors and the types of YAML 1.1."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        BaseResolver.__init__(self)
        self._depth = 0

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return _BY_CONTENT if kind is yaml.ScalarNode and implicit[0] else _QUOTED

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self._depth >= DEEPEST:
            mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
            raise ComposerError(None, None, "nested too deeply", mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def scan_to_next_token(self) -> None:
        # Between the brackets of JSON a tab is a blank like any other, which PyYAML does not know.
        super().scan_to_next_token()
        while self.flow_level and self.peek() == "\t":
            self.forward()
            super().scan_to_next_token()


def read_text(data: bytes, file: str, findings: Findings) -> SourceText | None:
    """The text of a file: UTF-8, with or without a byte order mark, or UTF-16 with one."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return SourceText(file, data.decode(encoding))
    except UnicodeDecodeError as e:
        source = SourceText(file, data.decode(encoding, "replace"))
        before = len(data[: e.start].decode(encoding, "replace"))
        findings.error(
            "not-utf8",
            f"this is not UTF-8: byte 0x{data[e.start]:02x}",
            source.place(before, before + 1),
            "save the file as UTF-8",
        )
        return None


def parse(source: SourceText, findings: Findings, *, blank: int = 0) -> Node | None:
    """The nodes of the one YAML document that a text holds; None where it cannot be read.

    Args:
        source: The text.
        findings: Where problems go.
        blank: How many characters at the beginning are not part of the document.
    """
    loader = None
    try:
        loader = _Loader(" " * blank + source.text[blank:])
        root = loader.get_single_node()
    except MarkedYAMLError as e:
        _not_yaml(e, source, findings)
        return None
    except ReaderError as e:
        findings.error(
            "not-yaml",
            f"the character U+{ord(source.text[e.position]):04X} is not allowed in YAML",
            source.place(e.position, e.position + 1),
        )
        return None
    if root is None:
        findings.error(
            "empty",
            "there is nothing here",
            source.place(len(source.text)),
            "a pipeline begins with version: 1",
        )
        return None
    return _Tree(source, findings).node(root)


def from_object(value: Any, findings: Findings, path: str = "", depth: int = 0) -> Node:
    """The nodes of a Python object made of dicts, lists and scalars. Places are paths such as
    `patterns.fire.query`."""
    if depth > DEEPEST:
        findings.error("not-data", "nested too deeply", PathOrigin(path).place())
    elif isinstance(value, Mapping):
        entries = {}
        for key, item in value.items():
            name = str(key)
            below = f"{path}.{name}" if path else name
            entries[name] = Entry(
                key=Scalar(value=name, text=name, origin=PathOrigin(below, name)),
                value=from_object(item, findings, below, depth + 1),
            )
        return Block(entries=entries, origin=PathOrigin(path))
    elif isinstance(value, (list, tuple)):
        items = [from_object(item, findings, f"{path}[{n}]", depth + 1) for n, item in enumerate(value)]
        return Listing(items=tuple(items), origin=PathOrigin(path))
    elif value is None or isinstance(value, (str, int, float, bool)):
        text = "" if value is None else str(value)
        return Scalar(value=value, text=text, origin=PathOrigin(path, text))
    else:
        findings.error(
            "not-data",
            f"a configuration cannot hold an object of type {type(value).__name__}",
            PathOrigin(path).place(),
            "use dicts, lists, text, numbers, booleans or None",
        )
    return Scalar(value=None, text="", origin=PathOrigin(path))


def _not_yaml(error: MarkedYAMLError, source: SourceText, findings: Findings) -> None:
    mark = error.problem_mark or error.context_mark
    said = (error.problem or error.context or "it cannot be read").strip()
    at = mark.index if mark else 0
    place = source.place(at, at + 1)
    hints = [next((hint for pattern, hint in _ADVICE if re.search(pattern, said)), "")]
    if error.context and error.context_mark and error.context_mark is not mark:
        begun: Place = source.place(error.context_mark.index)
        hints.append(f"{error.context.strip()} that begins at line {begun.line}, column {begun.column}")
    if "but found another document" in said:
        said, hints = "a second document begins here", ["one file holds one pipeline"]
    findings.error("not-yaml", f"this is not YAML: {said}", place, "; ".join(filter(None, hints)))


class _Tree:
    """Turns PyYAML's nodes into ours."""

    def __init__(self, source: SourceText, findings: Findings) -> None:
        self._source = source
        self._findings = findings
        self._made: dict[int, tuple[Node, int]] = {}
        self._open: set[int] = set()

    def node(self, root: yaml.Node) -> Node | None:
        made, size = self._make(root)
        if size > MOST_VALUES:
            self._error("too-large", f"more than {MOST_VALUES} values, with aliases followed", root)
            return None
        return made

    def _error(self, code: str, message: str, node: yaml.Node, hint: str = "") -> None:
        place = self._source.place(node.start_mark.index, node.end_mark.index if node.end_mark else None)
        self._findings.error(code, message, place, hint)

    def _make(self, node: yaml.Node) -> tuple[Node, int]:
        """The node, and how many there are in it with aliases followed."""
        if id(node) in self._open:
            self._error("recursive-alias", "this contains an alias to itself", node)
            return self._scalar(node, ""), 1
        if id(node) not in self._made:
            self._open.add(id(node))
            self._check_tag(node)
            if isinstance(node, yaml.MappingNode):
                self._made[id(node)] = self._block(node)
            elif isinstance(node, yaml.SequenceNode):
                made = [self._make(item) for item in node.value]
                listing = Listing(items=tuple(m for m, _ in made), origin=self._origin(node))
                self._made[id(node)] = listing, 1 + sum(size for _, size in made)
            else:
                self._made[id(node)] = self._scalar(node, node.value), 1
            self._open.discard(id(node))
        return self._made[id(node)]

    def _origin(self, node: yaml.Node, value: str | None = None) -> TextOrigin:
        style = node.style if isinstance(node, yaml.ScalarNode) else None
        return TextOrigin(self._source, node.start_mark.index, node.end_mark.index, style, value)

    def _check_tag(self, node: Any) -> None:
        known = _TAGS[node.id]
        if node.tag not in (_BY_CONTENT, _QUOTED) and node.tag.removeprefix(_CORE) not in known:
            shown = node.tag.replace(_CORE, "!!")
            self._error("unknown-tag", f"the tag {shown} means nothing here", node, "leave it out")

    def _scalar(self, node: yaml.Node, text: str) -> Scalar:
        if any("\ud800" <= c <= "\udfff" for c in text):
            # JSON writes what is beyond U+FFFF as two escapes.
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        plain = node.tag == _BY_CONTENT
        value: Value = resolve(text) if plain else text
        if node.tag.startswith(_CORE) and node.tag != _CORE + "str":
            value = resolve(text)
        return Scalar(value=value, text=text, origin=self._origin(node, text), plain=plain)

    def _block(self, node: yaml.MappingNode) -> tuple[Node, int]:
        entries: dict[str, Entry] = {}
        total = 1
        for key_node, value_node in node.value:
            key, _ = self._make(key_node)
            value, size = self._make(value_node)
            total += 1 + size
            if not isinstance(key, Scalar) or key.value is None:
                self._error(
                    "wrong-key",
                    f"a key must be text; this is {described(key)}",
                    key_node,
                    "put it in quotes if it is text",
                )
            elif key.text == "<<" and key.plain:
                self._error(
                    "merge-key", "merge keys (<<) are not part of YAML 1.2", key_node, "write the keys out"
                )
            elif key.text in entries:
                first = entries[key.text].key.origin.place()
                self._error(
                    "duplicate-key",
                    f"'{key.text}' stands here a second time",
                    key_node,
                    f"the first is at line {first.line}; remove one of them",
                )
            else:
                entries[key.text] = Entry(key=key, value=value)
        return Block(entries=entries, origin=self._origin(node)), total
