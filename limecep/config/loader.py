"""A pipeline's YAML, or a dict like it -> its configuration, or everything that is wrong with it.

Opens no channel, and imports no component.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from limecep.config.advice import advise
from limecep.config.blocks import PipelineBlock, RetentionBlock
from limecep.config.components import Components
from limecep.config.connectors import Connectors, check_name, named_blocks
from limecep.config.document import from_object, parse, read_text
from limecep.config.environment import substitute
from limecep.config.findings import Findings
from limecep.config.model import PipelineConfig
from limecep.config.nodes import Block, Node, Scalar, described
from limecep.config.options import check_keys, keys, read
from limecep.config.overrides import override
from limecep.config.patterns import Patterns
from limecep.config.sinks import Sinks
from limecep.config.sources import Sources
from limecep.problems import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.problems import Problem
    from limecep.registry import Registry

#: The version of the format that this limecep reads.
VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What loading gave: the configuration, None where there is an error; and all problems, by place."""

    config: PipelineConfig | None
    problems: list[Problem]


def load(
    path: str | os.PathLike[str],
    registry: Registry,
    *,
    overrides: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> Loaded:
    """Reads a pipeline's file.

    Args:
        path: The file. Relative paths in it are below its folder.
        registry: The components there are.
        overrides: Values instead of those in the file, each `path=value`: `patterns.fire.select=stam`.
        environment: What `${X}` is taken from.
    """
    findings = Findings()
    file = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) and e.strerror else str(e)
        findings.error("unreadable-file", f"cannot be read: {reason}", Place(file=file, line=0, column=0))
        return Loaded(config=None, problems=findings.sorted())
    source = read_text(data, file, findings)
    root = parse(source, findings) if source is not None else None
    return _load(root, Path(path), registry, overrides, environment, findings)


def load_dict(
    document: Mapping[str, Any],
    registry: Registry,
    *,
    root: Path | None = None,
    overrides: Sequence[str] = (),
    environment: Mapping[str, str] = os.environ,
) -> Loaded:
    """Reads a pipeline given as a dict, of the form that its YAML has. Problems have paths for places.

    Args:
        document: The pipeline.
        registry: The components there are.
        root: The folder that relative paths are below; by default the current one.
        overrides: As for `load`.
        environment: As for `load`.
    """
    findings = Findings()
    node = from_object(document, findings)
    file = (root or Path.cwd()) / "pipeline.yaml"
    return _load(node, file, registry, overrides, environment, findings)


def _load(
    root: Node | None,
    path: Path,
    registry: Registry,
    overrides: Sequence[str],
    environment: Mapping[str, str],
    findings: Findings,
) -> Loaded:
    config = None
    if isinstance(root, Block):
        node = substitute(override(root, overrides, findings), environment, path.parent, findings)
        assert isinstance(node, Block)
        config = _Pipeline(node, path, registry, findings).read()
    elif root is not None:
        findings.error(
            "wrong-type",
            f"a pipeline is a block of keys, not {described(root)}",
            root,
            "begin with version: 1",
        )
    return Loaded(config=None if findings.failed else config, problems=findings.sorted())


class _Pipeline:
    """Reads the whole document."""

    def __init__(self, node: Block, path: Path, registry: Registry, findings: Findings) -> None:
        self._node = node
        self._path = path
        self._findings = findings
        self._components = Components(registry, findings)

    def read(self) -> PipelineConfig:
        node, findings = self._node, self._findings
        check_keys(node, keys(PipelineBlock), "a pipeline", findings)
        block = read(node, PipelineBlock, "a pipeline", findings)
        assert block is not None
        self._check_version(block.version)
        for key, there in (("state", block.state), ("observers", block.observers)):
            if there is not None:
                findings.error(
                    "not-available",
                    f"'{key}' is not available in this version of limecep",
                    node.entries[key].key,
                )
        params = self._params(block.params)
        connectors = Connectors(named_blocks(block.connectors, findings), self._components, findings)
        sources = Sources(connectors, self._components, findings)
        source_configs = sources.read(block.sources)
        if not (block.sources and block.sources.entries):
            findings.warning(
                "no-sources", "there are no sources: only a program can feed this pipeline", node, ""
            )
            sources.open = True
        patterns = Patterns(
            self._components,
            findings,
            types=None if sources.open or sources.vague else frozenset(sources.types),
            attributes=sources.attributes(),
            params=params,
        ).read(block.patterns)
        names = block.patterns.entries if block.patterns else {}
        if block.patterns is not None and not names:
            findings.error("missing-key", "there is no pattern in 'patterns'", node.entries["patterns"].key)
        sinks = Sinks(connectors, self._components, findings, patterns=names).read(block.sinks, node)
        connectors.finish()
        if block.patterns is not None and not findings.failed:
            # After an error, what cannot be read would seem to be unused.
            advise(patterns, sources, findings, pattern_block=block.patterns, params=block.params)
        retention = self._retention(block.retention)
        return PipelineConfig(
            name=self._name(block.name),
            root=self._path.parent,
            params=params,
            sources=source_configs,
            patterns=patterns,
            sinks=sinks,
            retention_time=None if retention.time == "auto" else retention.time,
            retention_events=retention.events,
        )

    def _check_version(self, node: Node | None) -> None:
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
        params = {}
        for name, entry in (block.entries if block else {}).items():
            if not isinstance(entry.value, Scalar):
                self._findings.error(
                    "wrong-type",
                    f"parameter '{name}' must be a number, text or a boolean, not {described(entry.value)}",
                    entry.value,
                )
            else:
                params[name] = entry.value.value
        return params

    def _retention(self, block: Block | None) -> RetentionBlock:
        if block is None:
            return RetentionBlock()
        check_keys(block, keys(RetentionBlock), "'retention'", self._findings)
        return read(block, RetentionBlock, "'retention'", self._findings) or RetentionBlock()
