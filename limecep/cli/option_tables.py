"""Tables of options in Markdown: the pages of the docs that no hand keeps current."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from limecep.cli.option_descriptions import ANSWERS, described
from limecep.config import blocks
from limecep.config.observers import ObserverBlock
from limecep.config.tables import TableBlock
from limecep.registry import title
from limecep.spec import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.cli.option_descriptions import Described
    from limecep.registry import Registry
    from limecep.spec import ComponentSpec

#: Name, type, default, meaning.
_Row = tuple[str, str, str, str]
_BLOCKS = (
    blocks.PipelineBlock,
    blocks.SourceBlock,
    blocks.TypeBlock,
    blocks.TimeBlock,
    TableBlock,
    blocks.PatternBlock,
    blocks.ResultsBlock,
    blocks.SinkBlock,
    ObserverBlock,
    blocks.StateBlock,
    blocks.RetentionBlock,
)


def of_blocks(registry: Registry) -> str:
    """A page with the keys of a pipeline file, block by block."""
    parts = [
        "# The keys of a pipeline file",
        "Components take more keys beside these: see [components.md](components.md).",
    ]
    for block in _BLOCKS:
        parts.append(f"## {str(block.__doc__).rstrip('.')}")
        made = zip(described(block), _fields(block), strict=True)
        rows = [_key(option, field, registry) for option, field in made if _usable(field, registry)]
        parts.append(_table("key", rows))
    return "\n\n".join(parts)


def of_components(specs: Iterable[ComponentSpec]) -> str:
    """A page with components, each with its options and an example, kind by kind."""
    parts = ["# Components"]
    found = list(specs)
    for kind, meaning in KINDS.items():
        of_kind = [s for s in found if s.kind == kind]
        if of_kind:
            parts.append(f"## {kind}: {meaning}")
        if kind == "function" and of_kind:
            parts.append(_functions(of_kind))
            continue
        for spec in of_kind:
            parts += _component(spec)
    return "\n\n".join(parts)


def _component(spec: ComponentSpec) -> Iterator[str]:
    yield f"### {spec.kind}/{spec.name}"
    gives = f" Gives {ANSWERS[spec.answers]}." if spec.kind == "engine" else ""
    yield f"{spec.summary.rstrip('.')}.{gives} ({spec.stability})"
    if spec.requires:
        yield f"Needs `{spec.install}`."
    # What brings messages in or takes them out has a connector, which several sources or sinks may share.
    of = "connector" if spec.kind in ("source", "sink") else title(spec.kind)
    for what, options in ((of, spec.options), (spec.kind, spec.settings)):
        rows = [(o.name, o.type, _default(o), _meaning(o)) for o in described(options)]
        if rows:
            yield _table(f"option of the {what}", rows)
    if spec.example:
        yield f"```yaml\n{spec.example.strip()}\n```"


def _functions(specs: Iterable[ComponentSpec]) -> str:
    """A table of functions. They have no options."""
    lines = ["| function | | example |", "|---|---|---|"]
    for spec in specs:
        cells = (
            f"`{spec.name}{spec.signature or spec.takes}`",
            spec.summary.rstrip("."),
            f"`{spec.example.strip()}`",
        )
        lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)


def _key(option: Described, field: dataclasses.Field[Any], registry: Registry) -> _Row:
    holds, names = field.metadata.get("holds"), field.metadata.get("names")
    kind, default = option.type, _default(option)
    if field.default is None:
        kind, default = kind.removesuffix(" or none"), "" if option.default == "none" else default
    if field.metadata.get("required"):
        default = "required"
    if isinstance(holds, str):
        # What is left out is not always the default one.
        spec = None if holds in ("codec", "state") else registry.default(holds)
        kind, default = "name or block", f"`{spec.name}`" if spec else ""
        if field.metadata.get("text"):
            kind = "text or block"
        if field.metadata.get("several"):
            kind = "list of names or blocks"
    elif holds is not None:
        kind = "block" if kind == "block" else "text or block"
    elif names:
        kind = "block of names"
    return option.name, kind, default, _meaning(option)


def _usable(field: dataclasses.Field[Any], registry: Registry) -> bool:
    """Whether there is anything that may stand under a key."""
    meta = field.metadata
    if isinstance(meta.get("holds"), str):
        return bool(registry.names(meta["holds"])) or "text" in meta
    return "Node" not in str(field.type) or any(k in meta for k in ("holds", "names", "choices"))


def _default(option: Described) -> str:
    if option.default is None:
        return "required"
    return "" if option.default in ('""', "[]", "{}") else f"`{option.default}`"


def _meaning(option: Described) -> str:
    return f"{option.help} Example: `{option.example}`." if option.example else option.help


def _fields(cls: type) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(cls)


def _table(heading: str, rows: Iterable[_Row]) -> str:
    lines = [f"| {heading} | type | default | |", "|---|---|---|---|"]
    for name, *cells in rows:
        lines.append(f"| `{name}` | {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
    return "\n".join(lines)
