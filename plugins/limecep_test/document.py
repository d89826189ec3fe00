"""A test file: read like a pipeline, with every problem at its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from limecep.config.units import DURATIONS
from limecep.embedding.documents import (
    Block,
    Findings,
    Listing,
    Scalar,
    SourceText,
    check_keys,
    described,
    keys,
    parse,
    read,
    read_text,
)
from limecep.embedding.pipelines import OUTCOMES
from limecep.encoding import to_json
from limecep.intake.times import Unreadable as UnreadableTime
from limecep.intake.times import time_reader
from limecep.problems import Place, suggestion
from limecep_test import entries
from limecep_test.blocks import CaseBlock, ExpectBlock, FileBlock, OrdersBlock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from limecep.embedding.documents import Node
    from limecep_test.entries import Expected

T = TypeVar("T")

#: What the times of events count from where a file does not say: noon, far from what zones do.
START = 1_767_268_800_000_000
REASONS = ("invalid", "extremely_late", "future", "evicted")
#: What `counts` knows besides the outcomes of events.
SUMS: dict[str, tuple[str, ...]] = {
    "accepted": ("in_order", "out_of_order"),
    "late": ("extremely_late",),
}
FATES = {"emitted": "emit", "corrected": "correct", "retracted": "retract"}
COUNTS = ("read", *OUTCOMES, *SUMS, *FATES, "live")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """An expectation with the node that it was read from."""

    node: Scalar
    expected: Expected


@dataclass(frozen=True, slots=True, kw_only=True)
class LateItem:
    """A refused event that is expected, by id, reason, or both."""

    node: Scalar
    reason: str | None
    id: str | None

    @property
    def text(self) -> str:
        """As written."""
        return self.node.text

    def fits(self, got: Any) -> bool:
        """Return whether a refusal is this one."""
        return self.reason in (None, got.reason) and self.id in (None, got.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One test.

    Attributes:
        place: Where it stands.
        block, expect: What it was read from.
        overrides: Values of the pipeline, as of `--set`.
        tables: The rows of tables, by their names.
        attributes: Those that all events of the short form have.
        data: The files that sources read, by their names, with where they are named.
        events: What arrives: texts of the short form, and blocks.
        updates, net, late, counts: What is expected; None where nothing is.
        orders: Which orders of arrival are tried besides; None for no others.
    """

    name: str
    place: Place
    block: Block
    expect: Block | None
    overrides: tuple[str, ...]
    tables: dict[str, list[dict[str, Any]]]
    attributes: dict[str, Any]
    data: dict[str, tuple[Path, Node]]
    events: tuple[Node, ...]
    ends: bool
    updates: tuple[Item, ...] | None
    net: tuple[Item, ...] | None
    late: tuple[LateItem, ...] | None
    counts: dict[str, int] | None
    orders: OrdersBlock | None


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """A test file.

    Attributes:
        path, text: The file.
        pipeline: The file of its pipeline.
        start: What the times of events count from, in microseconds.
        unit: How many microseconds their unit has.
    """

    path: Path
    text: SourceText
    pipeline: Path
    start: int
    unit: int
    cases: tuple[Case, ...]


def read_file(path: Path, findings: Findings, *, update: bool = False) -> File | None:
    """A test file; None where it cannot be used.

    Args:
        path: The file.
        findings: Where problems go.
        update: Whether expectations may be left empty, to be filled in.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        place = Place(file=str(path), line=0, column=0)
        findings.error("unreadable-file", f"cannot be read: {error.strerror or error}", place)
        return None
    text = read_text(data, str(path), findings)
    if text is None:
        return None
    if not text.text.strip():
        place = Place(file=str(path), line=0, column=0)
        findings.error("tests-nothing", "there is nothing in it", place, "begin with pipeline: FILE")
        return None
    root = parse(text, findings)
    if root is not None and not isinstance(root, Block):
        findings.error("wrong-type", f"a test file is a block of keys, not {described(root)}", root)
    return _File(path, text, findings, update).read(root) if isinstance(root, Block) else None


class _File:
    def __init__(self, path: Path, text: SourceText, findings: Findings, update: bool) -> None:
        self._path = path
        self._text = text
        self._findings = findings
        self._update = update

    def read(self, root: Block) -> File | None:
        block = self._block(root, FileBlock, "the test file")
        if block is None:
            return None
        pipeline = self._pipeline(block.pipeline)
        start = self._start(block.start)
        cases: list[Case] = []
        if block.tests is not None:
            if not block.tests.items:
                self._findings.error("tests-nothing", "there are no tests in it", block.tests)
            for node in block.tests.items:
                case = self._case(node, block)
                if case is not None:
                    cases.append(case)
        if self._findings.failed or pipeline is None:
            return None
        return File(
            path=self._path,
            text=self._text,
            pipeline=pipeline,
            start=start,
            unit=DURATIONS[block.unit],
            cases=tuple(cases),
        )

    def _block(self, node: Block, cls: type[T], what: str) -> T | None:
        check_keys(node, keys(cls), what, self._findings)
        return read(node, cls, what, self._findings)

    def _pipeline(self, node: Scalar | None) -> Path | None:
        if node is None:
            return None
        path = self._path.parent / node.text
        if path.is_file():
            return path
        there = [p.name for p in self._path.parent.glob("*.y*ml") if not p.name.endswith(".test.yaml")]
        said = f"there is no pipeline '{node.text}' beside this file"
        self._findings.error("unreadable-file", said, node, suggestion(node.text, there))
        return None

    def _start(self, node: Scalar | None) -> int:
        if node is None:
            return START
        try:
            return time_reader("iso8601", "UTC")(node.text)
        except UnreadableTime as error:
            self._findings.error("bad-value", f"'start' {error}", node, "such as 2026-01-05T10:00:00Z")
            return START

    def _case(self, node: Node, file: FileBlock) -> Case | None:
        if not isinstance(node, Block):
            self._findings.error("wrong-type", f"a test is a block of keys, not {described(node)}", node)
            return None
        block = self._block(node, CaseBlock, "the test")
        if block is None:
            return None
        name = node.entries["name"].value if "name" in node.entries else node
        if block.events is None and not block.data:
            self._findings.error(
                "tests-nothing", "nothing arrives in this test", name, "give it 'events', or 'data'"
            )
        expect = None
        if block.expect is not None:
            expect = self._block(block.expect, ExpectBlock, "'expect'")
        empty = expect is None or not any(
            part is not None for part in (expect.updates, expect.net, expect.late, expect.counts)
        )
        if empty and block.any_order is None:
            open_ = self._update and block.expect is not None and block.expect.entries
            if not open_:
                self._findings.error(
                    "tests-nothing",
                    "this test expects nothing",
                    name,
                    "give it 'expect' with 'updates', 'net', 'late' or 'counts', or 'any_order'",
                )
        params = {f"params.{k}": v for k, v in (file.params | block.params).items()}
        values = params | file.set | block.set
        return Case(
            name=block.name,
            place=name.origin.place(),
            block=node,
            expect=block.expect,
            overrides=tuple(f"{path}={_flow(v)}" for path, v in values.items()),
            tables=file.tables | block.tables,
            attributes=file.attributes | block.attributes,
            data=self._data(node.get("data"), block.data),
            events=_items(block.events),
            ends=block.ends,
            updates=self._entries(None if expect is None else expect.updates, op=True),
            net=self._entries(None if expect is None else expect.net, op=False),
            late=self._late(None if expect is None else expect.late),
            counts=self._counts(block.expect, expect),
            orders=self._orders(block.any_order, node),
        )

    def _data(self, node: Node | None, data: Mapping[str, str]) -> dict[str, tuple[Path, Node]]:
        found: dict[str, tuple[Path, Node]] = {}
        for name, file in data.items():
            assert isinstance(node, Block)
            place = node.entries[name].value
            path = (self._path.parent / file).absolute()
            if not path.is_file():
                self._findings.error("unreadable-file", f"there is no file '{file}' beside this one", place)
            found[name] = path, node.entries[name].key
        return found

    def _entries(self, listing: Listing | None, *, op: bool) -> tuple[Item, ...] | None:
        if listing is None:
            return None
        items = []
        for node in listing.items:
            if not isinstance(node, Scalar) or not isinstance(node.value, str):
                self._findings.error(
                    "bad-expectation",
                    f"this is {described(node)}, not a line of text",
                    node,
                    f"write {'emit ' if op else ''}PATTERN a=g3 b=t5,t10",
                )
                continue
            try:
                items.append(Item(node=node, expected=entries.read(node.text, op=op)))
            except entries.Unreadable as error:
                place = node.origin.place(error.begin, error.end)
                self._findings.error("bad-expectation", str(error), place)
        return tuple(items)

    def _late(self, listing: Listing | None) -> tuple[LateItem, ...] | None:
        if listing is None:
            return None
        items = []
        for node in listing.items:
            said = node.text.split() if isinstance(node, Scalar) else []
            if not isinstance(node, Scalar) or not 0 < len(said) < 3 or (said[1:] and said[0] not in REASONS):
                hint = f"write the id of an event, or a reason before it: {', '.join(REASONS)}"
                self._findings.error("bad-expectation", "this is no refused event", node, hint)
                continue
            reason = said[0] if said[0] in REASONS else None
            identity = None if reason and not said[1:] else said[-1]
            items.append(LateItem(node=node, reason=reason, id=identity))
        return tuple(items)

    def _counts(self, block: Block | None, expect: ExpectBlock | None) -> dict[str, int] | None:
        if block is None or expect is None or expect.counts is None:
            return None
        node = block.get("counts")
        assert isinstance(node, Block)
        check_keys(node, COUNTS, "'counts'", self._findings)
        return expect.counts

    def _orders(self, given: int | Block | None, node: Block) -> OrdersBlock | None:
        if given is None:
            return None
        if isinstance(given, Block):
            return self._block(given, OrdersBlock, "'any_order'")
        try:
            return OrdersBlock(orders=given)
        except ValueError:
            place = node.entries["any_order"].value
            self._findings.error("bad-value", "'any_order' must be at least 1", place)
            return None


def _items(node: Scalar | Listing | None) -> tuple[Node, ...]:
    if node is None:
        return ()
    return node.items if isinstance(node, Listing) else (node,)


def _flow(value: Any) -> str:
    """A value as `--set` takes it."""
    return to_json(value).decode()
