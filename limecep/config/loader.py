"""A pipeline's YAML, or a dict like it -> its configuration, or everything that is wrong with it.

Opens no channel, and imports no component but those of other distributions.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.config import advice
from limecep.config.blocks import PipelineBlock, RetentionBlock, StateBlock
from limecep.config.components import Components
from limecep.config.connectors import Connectors, check_name
from limecep.config.document import from_object, parse, read_text
from limecep.config.findings import Findings
from limecep.config.model import PipelineConfig
from limecep.config.nodes import Block, Entry, Node, Scalar, deepest, described, holds
from limecep.config.options import check_keys, keys, read
from limecep.config.patterns import Patterns
from limecep.config.sinks import Sinks
from limecep.config.sources import Sources
from limecep.errors import ConfigurationError
from limecep.problems import Place
from limecep.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.config.model import ComponentConfig, ObserverConfig, PatternConfig, SinkConfig, SourceConfig
    from limecep.intake.tables import TableConfig
    from limecep.model.table import Table
    from limecep.problems import Problem

    Made = PatternConfig | SourceConfig | SinkConfig | ObserverConfig | TableConfig
    Placed = Callable[[Block, Findings], Block]

#: The version of the format that this limecep reads.
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What loading gave.

    Attributes:
        config: The configuration, None where there is an error.
        problems: All problems, by place.
        registry: The components there are, with those that the pipeline brings along.
        document: The document that it was read from; None where it could not be read.
    """

    config: PipelineConfig | None
    problems: list[Problem]
    registry: Registry = field(default_factory=Registry)
    document: Block | None = None

    def checked(self) -> PipelineConfig:
        """The configuration.

        Raises:
            ConfigurationError: All that is wrong with it.
        """
        if self.config is None:
            raise ConfigurationError([p for p in self.problems if p.severity == "error"])
        return self.config

    def place(self, path: Sequence[str], start: int = 0, end: int = 0) -> Place | None:
        """Where something stands in the document.

        Args:
            path: The keys that lead to it.
            start, end: The offsets meant in the text that stands there; the key itself if they are equal.
        """
        if self.document is None:
            return None
        node: Node | None = self.document
        for name in path if end > start else ():
            node = node.get(name) if isinstance(node, Block) else None
        if end > start and isinstance(node, Scalar):
            return node.origin.place(start, end)
        return deepest(self.document, path).origin.place()


def load(
    path: str | os.PathLike[str],
    registry: Registry,
    *,
    overrides: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
    runner: str | None = None,
    placed: Placed | None = None,
) -> Loaded:
    """Reads a pipeline's file.

    Args:
        path: The file. Relative paths in it are below its folder.
        registry: The components there are.
        overrides: Values instead of those in the file, each `path=value`: `patterns.fire.select=stam`.
        environment: What `${X}` is taken from.
        runner: The runner instead of the one in the file.
        placed: Puts into the document what is not in the file.
    """
    findings = Findings()
    file = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
        findings.error("unreadable-file", f"cannot be read: {reason}", Place(file=file, line=0, column=0))
        return Loaded(config=None, problems=findings.sorted(), registry=registry)
    source = read_text(data, file, findings)
    root = parse(source, findings) if source is not None else None
    return _load(root, Path(path), registry, overrides, environment, findings, runner, placed)


def load_dict(
    document: Mapping[str, Any],
    registry: Registry,
    *,
    root: Path | None = None,
    overrides: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
    placed: Placed | None = None,
) -> Loaded:
    """Reads a pipeline given as a dict, of the form that its YAML has. Problems have paths for places.

    Args:
        document: The pipeline.
        registry: The components there are.
        root: The folder that relative paths are below; by default the current one.
        overrides: As for `load`.
        environment, placed: As for `load`.
    """
    findings = Findings()
    node = from_object(document, findings)
    file = (root or Path.cwd()) / "pipeline.yaml"
    return _load(node, file, registry, overrides, environment, findings, placed=placed)


def _load(
    root: Node | None,
    path: Path,
    registry: Registry,
    overrides: Sequence[str],
    environment: Mapping[str, str],
    findings: Findings,
    runner: str | None = None,
    placed: Placed | None = None,
) -> Loaded:
    config = node = None
    if isinstance(root, Block):
        changed: Node = root
        if runner is not None or "runner" in root.entries:
            # Most pipelines run in this process.
            from limecep.config.runners import with_runner

            changed = with_runner(root, runner)
        if overrides:
            # Most files are run as they are.
            from limecep.config.overrides import override

            changed = override(changed, overrides, findings)
        if placed is not None and isinstance(changed, Block):
            changed = placed(changed, findings)
        if holds(changed, "${"):
            # Most files stand as they are.
            from limecep.config.environment import substitute

            params = changed.get("params") if isinstance(changed, Block) else None
            names = params.entries if isinstance(params, Block) else ()
            changed = substitute(changed, environment, path.parent, findings, names)
        assert isinstance(changed, Block)
        node = changed
        if "plugins" in node.entries:
            # Most pipelines bring none along.
            from limecep.config.plugins import plugins_of

            registry = registry.extended(plugins_of(node.get("plugins"), path.parent, findings))
        config = _Pipeline(node, path, registry, findings).read()
    elif root is not None:
        findings.error(
            "wrong-type",
            f"a pipeline is a block of keys, not {described(root)}",
            root,
            "begin with version: 1",
        )
    config = None if findings.failed else config
    return Loaded(config=config, problems=findings.sorted(), registry=registry, document=node)


def _entries(block: Block | None) -> Mapping[str, Entry]:
    return block.entries if block else {}


def _is_empty(node: Node | None) -> bool:
    """Whether nothing is there, or nothing that could be read."""
    return node is None or (isinstance(node, Scalar) and (node.value is None or node.failed))


def _given(node: Block, key: str) -> bool:
    """Whether something stands under a key."""
    there = node.get(key)
    return there is not None and not (isinstance(there, Scalar) and there.value is None)


class _Pipeline:
    """Reads the whole document."""

    def __init__(self, node: Block, path: Path, registry: Registry, findings: Findings) -> None:
        self._node = node
        self._path = path
        self._findings = findings
        self._files = tuple(p.file for p in registry.plugins if p.file is not None)
        self._registry = registry
        self._components = Components(registry, findings)

    def read(self) -> PipelineConfig:
        node, findings = self._node, self._findings
        check_keys(node, keys(PipelineBlock), "a pipeline", findings)
        block = read(node, PipelineBlock, "a pipeline", findings)
        assert block is not None
        self._check_version(block.version)
        params = self._params(block.params)
        connectors = Connectors(
            block.connectors,
            self._components,
            findings,
            self._path.parent,
            unread=block.connectors is None and _given(node, "connectors"),
        )
        sources = Sources(connectors, self._components, findings)
        source_configs = sources.read(block.sources)
        if not (block.sources and block.sources.entries):
            findings.warning(
                "no-sources", "there are no sources: only a program can feed this pipeline", node, ""
            )
            sources.open = True
        unread = block.params is None and _given(node, "params")
        tables, known = self._tables(block.tables)
        patterns = Patterns(
            self._components,
            findings,
            types=None if sources.open or sources.vague else frozenset(sources.types),
            attributes=sources.attributes(),
            params=None if unread else {name: params.get(name) for name in _entries(block.params)},
            sources=source_configs,
            tables=known,
        ).read(block.patterns)
        names = _entries(block.patterns)
        if block.patterns is not None and not names:
            findings.error("missing-key", "there is no pattern in 'patterns'", node.entries["patterns"].key)
        kept = block.state is not None
        sinks = Sinks(connectors, self._components, findings, patterns=names, kept=kept).read(
            block.sinks, node
        )
        connectors.finish()
        retention = self._retention(block.retention)
        state, own = self._state(block.state)
        runner = None if _is_empty(block.runner) else self._components.read("runner", block.runner, node)
        observers = self._observers(block.observers)
        named = block.sinks is not None and any(s.channel not in ("", "-") for s in sinks)
        if block.sinks is not None and named:
            # Who writes to standard output needs no look at files and brokers.
            from limecep.config.files import check_files

            check_files(source_configs, sinks, self._path.parent, findings, block.sinks)
        if block.patterns is not None and not findings.failed:
            # After an error, what cannot be read would seem to be unused.
            advice.advise(patterns, sources, findings, pattern_block=block.patterns, params=block.params)
            if block.tables is not None and tables:
                from limecep.config.tables import advise_tables

                advise_tables(tables, {n for p in patterns for n in p.tables}, findings, block.tables)
            advice.advise_conditions(patterns, params, findings, block.patterns)
            engines = self._components.specs("engine")
            advice.advise_explosions(patterns, params, engines, findings, block.patterns)
            if block.retention is not None and isinstance(retention.time, int):
                advice.advise_retention(patterns, retention.time, findings, block.retention)
            if block.sinks is not None:
                if named:
                    from limecep.config.echoes import advise_echoes

                    advise_echoes(source_configs, sinks, findings, block.sinks)
                advice.advise_sinks(patterns, source_configs, sinks, findings, block.sinks)
        self._check_complete("table", block.tables, tables)
        self._check_complete("pattern", block.patterns, patterns)
        self._check_complete("source", block.sources, source_configs)
        self._check_complete("sink", block.sinks, sinks)
        self._check_complete("observer", block.observers, observers)
        config = PipelineConfig(
            plugins=self._files,
            name=self._name(block.name),
            root=self._path.parent,
            params=params,
            tables=tables,
            sources=source_configs,
            patterns=patterns,
            sinks=sinks,
            retention_time=None if retention.time == "auto" else retention.time,
            retention_events=retention.events,
            retention_bytes=retention.bytes,
            state=state,
            state_keep=own.keep,
            state_every=own.every,
            runner=runner,
            observers=observers,
            secrets=findings.secrets,
        )
        if runner is not None and not findings.failed:
            from limecep.config.runners import vet_runner

            vet_runner(runner, config, node, findings)
        return config

    def _check_complete(self, what: str, block: Block | None, made: Sequence[Made]) -> None:
        """Nothing that the file names is left out without a word."""
        there = {config.name for config in made}
        for name, entry in _entries(block).items():
            if name not in there and not self._findings.failed:
                self._findings.error(
                    "not-read",
                    f"{what} '{name}' could not be read",
                    entry.key,
                    "this is a mistake in limecep or in a plugin; please report it",
                )

    def _check_version(self, node: Node | None) -> None:
        if isinstance(node, Scalar) and node.failed:
            return
        if node is None or (isinstance(node, Scalar) and type(node.value) is int and node.value == VERSION):
            return
        self._findings.error(
            "wrong-version",
            f"'version' must be {VERSION}, not {described(node)}",
            node,
            f"this limecep reads version: {VERSION}",
        )

    def _name(self, given: str | None) -> str:
        """The name given, or one made of the file's."""
        if given is None:
            return re.sub(r"[^\w.-]", "_", self._path.stem) or "pipeline"
        check_name(given, self._node.entries["name"].value, self._findings)
        return given

    def _params(self, block: Block | None) -> dict[str, Any]:
        if block is None:
            return {}
        from limecep.config.params import read_params

        return read_params(block, self._findings)

    def _tables(self, block: Block | None) -> tuple[tuple[TableConfig, ...], Mapping[str, Table]]:
        """The tables, and what queries may look into."""
        if block is None:
            return (), {}
        # Most pipelines have none.
        from limecep.config.tables import Tables

        tables = Tables(self._components, self._registry, self._findings, self._path.parent)
        return tables.read(block), tables.known

    def _state(self, node: Node | None) -> tuple[ComponentConfig | None, StateBlock]:
        """The state store, if there is to be one, and what the kernel takes from its block."""
        if node is None or _is_empty(node):
            return None, StateBlock()
        if isinstance(node, Scalar):
            said = f"'state' must be a block of keys, it is {described(node)}"
            self._findings.error("wrong-type", said, node, f"write state: {{dir: {node.text}}}")
            return None, StateBlock()
        store = self._components.read("state", node, node, other=keys(StateBlock))
        own = read(node, StateBlock, "'state'", self._findings) if isinstance(node, Block) else None
        return store, own or StateBlock()

    def _observers(self, block: Block | None) -> tuple[ObserverConfig, ...]:
        if block is None:
            return ()
        # Most pipelines have none.
        from limecep.config.observers import read_observers

        return tuple(read_observers(block, self._components, self._findings))

    def _retention(self, block: Block | None) -> RetentionBlock:
        if block is None:
            return RetentionBlock()
        check_keys(block, keys(RetentionBlock), "'retention'", self._findings)
        return read(block, RetentionBlock, "'retention'", self._findings) or RetentionBlock()
