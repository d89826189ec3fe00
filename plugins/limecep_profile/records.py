"""The records of a file, as a source of a pipeline decodes them."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

from limecep.clock import ManualClock
from limecep.contracts.codec import Undecodable
from limecep.contracts.context import Context
from limecep.embedding.documents import Block, Listing
from limecep.embedding.pipelines import Assembly, load_dict
from limecep.intake.payload import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from limecep.contracts.codec import Decoded
    from limecep.embedding.documents import Node
    from limecep.embedding.pipelines import PipelineConfig, Registry

BATCH_MESSAGES = 1024
_POLL_SECONDS = 0.1
#: How deep the names of attributes go: `a.b.c`.
DEEPEST = 3

#: An attribute's values by its name, those of objects inside by their path.
Flat = dict[str, Any]


class Records:
    """The records of one file.

    Args:
        path: The file: JSON lines, CSV, or what `format` names; plain or gzip.
        registry: The components there are.
        logger: The logger.
        format: The codec, as a source names it; None: by the file's name.

    Raises:
        ConfigurationError: There is no such file, or no codec for it.
    """

    def __init__(self, path: Path, registry: Registry, logger: Any, format: Any = None) -> None:
        source = {"type": "file", "channel": str(path.absolute()), "as": "Event"}
        document = {
            "version": 1,
            "name": "profile",
            "sources": {"data": source | ({} if format is None else {"format": format})},
            "patterns": {"any": {"query": "PATTERN SEQ(Event e) WITHIN 1 second"}},
        }
        self._folder = f"{path.absolute().parent}{os.sep}"
        self._config: PipelineConfig = load_dict(document, registry).checked()
        self._registry = registry
        self._logger = logger
        (source_config,) = self._config.sources
        assert source_config.codec is not None
        #: The codec, by name, and whether its values are text whatever they mean.
        self.format: str = source_config.codec.spec.name
        self._spec, self._options = source_config.codec.spec, source_config.codec.options
        self.unreadable = 0
        self.first_error = ""

    def __iter__(self) -> Iterator[Flat]:
        """Each record; those that cannot be read are counted, in each pass anew.

        Raises:
            RunFailure: The file cannot be read.
        """
        self.unreadable = 0
        (feed,) = Assembly(self._config, self._registry, ManualClock(), self._logger).feeds()
        context = Context(label="sources.data", clock=ManualClock(), counters=Counter(), logger=self._logger)
        context.lines = "lines" in self._config.sources[0].connector.spec.capabilities
        codec = self._registry.make(self._spec, self._options, context)
        feed.open()
        try:
            for part in feed.parts:
                while not part.source.ended:
                    messages = part.source.poll(BATCH_MESSAGES, _POLL_SECONDS)
                    yield from self._records(codec.decode(messages), untyped=codec.untyped)
            yield from self._records(codec.finish(), untyped=codec.untyped)
        finally:
            feed.close()

    def _records(self, decoded: Sequence[Decoded], *, untyped: bool) -> Iterator[Flat]:
        for message, record in decoded:
            if isinstance(record, Undecodable):
                self.unreadable += 1
                where = message.position.removeprefix(self._folder)
                self.first_error = self.first_error or f"{where}: {record.error}"
                continue
            flat: Flat = {}
            _flatten(record, "", 1, flat)
            yield {k: plain(v) if type(v) is str else v for k, v in flat.items()} if untyped else flat


def _flatten(record: dict[str, Any], above: str, depth: int, into: Flat) -> None:
    for name, value in record.items():
        path = f"{above}{name}"
        if isinstance(value, dict) and value and depth < DEEPEST:
            _flatten(value, f"{path}.", depth + 1, into)
        else:
            into[path] = value


def plain_value(node: Node) -> Any:
    """The Python value of a node."""
    if isinstance(node, Block):
        return {name: plain_value(entry.value) for name, entry in node.entries.items()}
    if isinstance(node, Listing):
        return [plain_value(item) for item in node.items]
    return node.value
