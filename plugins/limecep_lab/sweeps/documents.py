"""A pipeline's YAML as plain dicts and lists, in which values are put in, and which is written again."""

from __future__ import annotations

import os
import sys
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from limecep.embedding.documents import Block, Findings, Listing, override, parse, read_text, resolve
from limecep.embedding.pipelines import load
from limecep.encoding import to_json
from limecep.problems import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limecep.embedding.documents import Node
    from limecep.embedding.pipelines import Registry

#: A pipeline as its YAML has it.
Document = dict[str, Any]

#: Keys of a pipeline at which a path may begin; other paths are about each pattern.
_TOP = ("params", "connectors", "sources", "patterns", "retention")


class Quoted(str):
    """Text that stays text, whatever is put into it from the environment."""


def read_document(
    path: str | os.PathLike[str], registry: Registry, overrides: Sequence[str] = ()
) -> Document:
    """The pipeline of a file, with what stands in it for the environment left as it is.

    Args:
        path: The file.
        registry: The components there are.
        overrides: Values instead of those in the file, each `path=value`.

    Raises:
        ConfigurationError: Everything that is wrong with it.
    """
    load(path, registry, overrides=overrides).checked()
    findings = Findings()
    root = read_yaml(path, findings)
    # That it can be read has just been seen.
    assert root is not None
    document: Document = plain(override(root, overrides, findings))
    return document


def read_yaml(path: str | os.PathLike[str], findings: Findings) -> Node | None:
    """The nodes of a file of YAML; None where it cannot be read."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        place = Place(file=os.fspath(path), line=0, column=0)
        findings.error("unreadable-file", f"cannot be read: {error.strerror or error}", place)
        return None
    source = read_text(data, os.fspath(path), findings)
    return None if source is None else parse(source, findings)


def plain(node: Node) -> Any:
    """What nodes stand for, as dicts, lists and scalars."""
    if isinstance(node, Block):
        return {name: plain(entry.value) for name, entry in node.entries.items()}
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    if isinstance(node.value, str) and "${" in node.value and not node.plain:
        return Quoted(node.value)
    return node.value


def with_values(document: Document, values: Mapping[str, Any]) -> Document:
    """A document with values put in.

    Args:
        document: The pipeline; it stays as it is.
        values: By path: `lateness.factor` is that of each pattern, `patterns.fire.lateness.factor` that of
            one, `params.limit` what it says.
    """
    changed = deepcopy(document)
    for path, value in sorted(values.items(), key=lambda item: item[0].count(".")):
        names = path.split(".")
        if names[0] in _TOP:
            _put(changed, names, value)
        else:
            for pattern in (changed.get("patterns") or {}).values():
                _put(pattern, names, value)
    return changed


def _put(block: Any, names: list[str], value: Any) -> None:
    for name in names[:-1]:
        below = block.get(name)
        if not isinstance(below, dict):
            # A component that is but named becomes a block with options.
            below = block[name] = {} if below is None else {"type": below}
        block = below
    block[names[-1]] = deepcopy(value)


def written(document: Document) -> str:
    """The YAML of a document."""
    return yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100, default_flow_style=False
    )


def flow(value: Any) -> str:
    """A value in one line of YAML, as it would be given on the command line."""
    if isinstance(value, (list, dict)):
        return yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=sys.maxsize).strip()
    return value if isinstance(value, str) else to_json(value).decode()


class _Dumper(yaml.SafeDumper):
    """Text of several lines as a block, short lists in brackets."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
    style = "|" if "\n" in value else None
    # PyYAML takes 1e5 for text, the pipeline's reader for a number.
    if style is None and (isinstance(value, Quoted) or not isinstance(resolve(value), str)):
        style = "'"
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)


def _list(dumper: yaml.SafeDumper, value: list[Any]) -> yaml.Node:
    short = not any(isinstance(item, (dict, list)) for item in value)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=short)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(Quoted, _text)
_Dumper.add_representer(list, _list)
