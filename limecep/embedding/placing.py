"""Has sources of a pipeline read files in the place of their own input."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from limecep.embedding.documents import Block, SourceBlock, from_object, keys
from limecep.errors import ConfigurationError
from limecep.problems import suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from limecep.embedding.documents import Findings

    #: The `placed` argument of `load`.
    Placed = Callable[[Block, Findings], Block]

#: Where a source is: what a file takes the place of.
_ELSEWHERE = frozenset({"from", "channel"})


def placing(files: Mapping[str, Path]) -> Placed | None:
    """Return the `placed` argument of `load` that has sources read files; None without files.

    Args:
        files: By the names of sources.
    """
    return None if not files else lambda root, findings: _placed(root, findings, lambda names: files)


def placing_data(given: Sequence[str]) -> Placed | None:
    """Return the same of what a command was given as `--data`; its call raises ConfigurationError where a
    file is not there, or belongs to no source.

    Args:
        given: `SOURCE=FILE` each, or `FILE` alone where the pipeline has one source.
    """
    return (
        None
        if not given
        else lambda root, findings: _placed(root, findings, lambda names: _files(given, names))
    )


def _files(given: Sequence[str], sources: Sequence[str]) -> dict[str, Path]:
    files: dict[str, Path] = {}
    for text in given:
        name, equals, file = text.partition("=")
        if not equals or (name not in sources and Path(text).is_file()):
            if len(sources) != 1:
                listed = ", ".join(f"'{s}'" for s in sources)
                raise ConfigurationError(
                    f"limecep: --data {text}: the pipeline has the sources {listed}: say which, as in "
                    f"--data {next(iter(sources), 'source')}={text}"
                )
            name, file = sources[0], text
        if name not in sources:
            known = suggestion(name, sources)
            raise ConfigurationError(f"limecep: --data {text}: the pipeline has no source '{name}': {known}")
        if not Path(file).is_file():
            raise ConfigurationError(f"limecep: --data {text}: there is no file '{file}'")
        if name in files:
            raise ConfigurationError(
                f"limecep: --data {text}: source '{name}' reads '{files[name]}' already: put them into one "
                "file, in the order in which they came"
            )
        files[name] = Path(file).absolute()
    return files


def _placed(
    root: Block, findings: Findings, files_of: Callable[[Sequence[str]], Mapping[str, Path]]
) -> Block:
    sources = root.get("sources")
    if not isinstance(sources, Block):
        return root
    own = frozenset(keys(SourceBlock)) - _ELSEWHERE
    entries = dict(sources.entries)
    for name, path in files_of(tuple(entries)).items():
        block = sources.get(name)
        if not isinstance(block, Block):
            continue
        made = from_object({"type": "file", "channel": str(path)}, findings)
        assert isinstance(made, Block)
        kept = {key: entry for key, entry in block.entries.items() if key in own}
        changed = Block(entries=made.entries | kept, origin=block.origin)
        entries[name] = type(entries[name])(key=entries[name].key, value=changed)
    changed = Block(entries=entries, origin=sources.origin)
    entry = type(root.entries["sources"])(key=root.entries["sources"].key, value=changed)
    return Block(entries={**root.entries, "sources": entry}, origin=root.origin)
