"""The `tables` block, which most pipelines do without."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from limecep.clock import SystemClock
from limecep.config.blocks import TimeBlock
from limecep.config.connectors import named_blocks, vet
from limecep.config.fields import Fields
from limecep.config.formats import vet_format
from limecep.config.nodes import Block, Listing, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.config.times import Times
from limecep.contracts.context import Context
from limecep.contracts.options import VettingFormats
from limecep.errors import RunFailure
from limecep.intake.fields import topic_level
from limecep.intake.tables import TableConfig, read_table, unread
from limecep.model.table import Table
from limecep.problems import suggestion
from limecep.spec import option

if TYPE_CHECKING:
    from pathlib import Path

    from limecep.config.components import Components
    from limecep.config.findings import Findings
    from limecep.config.model import ComponentConfig
    from limecep.registry import Registry
    from limecep.spec import ComponentSpec

#: What is read when a run begins is not known before.
CHECKED = "checked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """A table."""

    from_: Scalar | None = option(
        None, name="from", help="What brings its rows: a component of the kind table.", required=True
    )
    channel: str = option("", help="Where they are: a file's path.", example="limits.csv")
    format: Node | None = option(
        None, help="The codec; by default JSON, for files by their name.", holds="codec"
    )
    key: Scalar | Listing | None = option(
        None,
        help="The column or columns by whose values rows are looked up.",
        example="machine",
        required=True,
        least=1,
    )
    from_time: Node | None = option(
        None,
        help="The column with the time from which on a row holds, until the next one of its key; by default "
        "rows always hold.",
        example="since",
        holds=TimeBlock,
    )


class Tables:
    """Reads tables, with their rows where that takes a moment.

    Args:
        components: Looks components up.
        registry: The components there are.
        findings: Where problems go.
        root: The folder that relative paths are below.

    Attributes:
        known: The tables by their names, also those that are not configured right.
    """

    def __init__(self, components: Components, registry: Registry, findings: Findings, root: Path) -> None:
        self.known: dict[str, Table] = {}
        self._components = components
        self._registry = registry
        self._findings = findings
        self._root = root
        self._fields = Fields(findings)
        self._times = Times(self._fields, components, findings)

    def read(self, block: Block | None) -> tuple[TableConfig, ...]:
        """Every table that could be read."""
        self.known = {name: Table(name, ()) for name in (block.entries if block else ())}
        read = [self._table(*item) for item in named_blocks(block, self._findings, "from").items()]
        return tuple(t for t in read if t is not None)

    def _table(self, name: str, named: tuple[Scalar, Block]) -> TableConfig | None:
        where, node = named
        what = f"table '{name}'"
        errors = self._findings.errors
        block = read(node, TableBlock, what, self._findings, where)
        assert block is not None
        key = self._key(block.key)
        from_time = self._times.read("from_time", block.from_time)
        if from_time is not None and any(topic_level(path) is not None for path in from_time.paths):
            said = "'from_time' is a column of the table: there are no levels of a channel"
            self._findings.error("bad-field", said, block.from_time)
        component = self._component(what, node, block)
        if component is None:
            return None
        codec = self._codec(component, node, block, where)
        if codec is not None and isinstance(codec.options, VettingFormats):
            vet_format(codec, component, self._root, block.format or where, self._findings)
        if component.spec.capabilities & {"channel"} and not block.channel:
            hint = "say where its rows are, such as channel: limits.csv"
            self._findings.error("missing-key", f"{what} needs 'channel'", where, hint)
        if self._findings.errors > errors or not key:
            return None
        vet(component, None, block.channel, node.get("channel") or where, self._findings)
        self.known[name] = table = Table(name, key, from_time is not None)
        config = TableConfig(
            name=name,
            component=component,
            channel=block.channel,
            codec=codec,
            key=key,
            from_time=from_time,
            table=table,
        )
        if CHECKED in component.spec.capabilities and self._findings.errors == errors:
            self._fill(config, node, where)
        return config

    def _key(self, node: Scalar | Listing | None) -> tuple[str, ...]:
        if isinstance(node, Listing):
            named = self._fields.some("key", node)
        else:
            named = [] if node is None else [self._fields.one("key", node)]
        found = tuple(path for path in named if path is not None)
        if node is not None and any(topic_level(path) is not None for path in found):
            said = "'key' names columns of the table: there are no levels of a channel"
            self._findings.error("bad-field", said, node)
        return found if len(found) == len(named) else ()

    def _component(self, what: str, node: Block, block: TableBlock) -> ComponentConfig | None:
        names = self._components.names("table")
        source = block.from_
        if source is None:
            check_keys(node, [*keys(TableBlock), *self._any_key()], what, self._findings, needed=["from"])
            return None
        spec = None
        if isinstance(source.value, str) and not source.failed:
            spec = self._components.find("table", source.text, source)
        elif not source.failed:
            said = f"'from' must be the name of a component of the kind table, not {described(source)}"
            self._findings.error("wrong-type", said, source, suggestion("", names))
        if spec is None:
            check_keys(node, [*keys(TableBlock), *self._any_key()], what, self._findings)
            return None
        check_keys(node, [*keys(TableBlock), *keys(spec.options)], what, self._findings)
        options: Any = read(node, spec.options, what, self._findings, source)
        return None if options is None else self._components.configured(spec, options)

    def _any_key(self) -> list[str]:
        return [key for spec in self._components.specs("table") for key in keys(spec.options)]

    def _codec(
        self, component: ComponentConfig, node: Block, block: TableBlock, where: Scalar
    ) -> ComponentConfig | None:
        spec = component.spec
        if "messages" not in spec.capabilities:
            if block.format is not None:
                said = f"'format' does nothing: '{spec.name}' brings rows, and no messages"
                self._findings.error("conflict", said, block.format, "leave it out")
            return None
        default = None
        if block.format is None or (isinstance(block.format, Block) and block.format.get("type") is None):
            if not block.channel:
                return None
            default = self._components.codec_of(spec, block.channel, node.get("channel") or where)
            if default is None:
                return None
        return self._components.read("codec", block.format, where, default=default)

    def _fill(self, config: TableConfig, node: Block, where: Scalar) -> None:
        """Reads the rows, if that can be done now."""
        counters: Counter[str] = Counter()
        logger = _Told()
        context = Context(
            label=f"tables.{config.name}",
            clock=SystemClock(),
            counters=counters,
            logger=logger,
            root=self._root,
            checking=True,
        )
        place = node.get("channel") or where
        try:
            reading = read_table(config, self._make, context)
        except RunFailure as error:
            needed = getattr(config.component.options, "unread", "warn") == "fail"
            add = self._findings.error if needed else self._findings.warning
            hint = "a run ends with that, unless it is there by then"
            if config.channel and config.codec is not None:
                hint += "; paths are below the folder of this file"
            add("unread-table", unread(config, error), place, hint)
            return
        except BaseException as error:
            from limecep.config.faulty import report_of

            report_of(config.component, error, place, self._findings)
            return
        for text in logger.warnings:
            self._findings.warning("table-rows", f"table '{config.name}': {text}", place)
        for key, problem in reading.problems:
            self._findings.add(problem, node.get(key) or place)
        config.table.rows.fill(reading.rows, reading.digest)

    def _make(self, spec: ComponentSpec, context: Context, *args: Any) -> Any:
        return self._registry.make(spec, *args, context)


class _Told:
    """A logger that keeps warnings: before a run there is no log."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def debug(self, text: str, **values: Any) -> None:
        """Nothing."""

    info = debug

    def warning(self, text: str, **values: Any) -> None:
        """Keeps it."""
        self.warnings.append(text)

    error = warning


def advise_tables(tables: tuple[TableConfig, ...], used: set[str], findings: Findings, block: Block) -> None:
    """Warns of tables that no pattern looks into."""
    for table in tables:
        if table.name not in used:
            said = f"no pattern looks into table '{table.name}'"
            findings.warning("unused-table", said, block.entries[table.name].key)
