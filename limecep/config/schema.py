"""The JSON Schema of pipeline files, for editors: made from the blocks and the specs, with all they say.

What it refuses, the loader refuses; the loader finds much more (names, queries, times).
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

from limecep.config import blocks
from limecep.config.nodes import Block, Listing, Scalar
from limecep.config.observers import ObserverBlock
from limecep.config.options import OFF
from limecep.config.tables import TableBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limecep.registry import Registry
    from limecep.spec import ComponentSpec

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_NULL: Schema = {"type": "null"}
#: A value from the environment may stand wherever a value of another type is meant.
_REFERENCE: Schema = {"type": "string", "pattern": r"\$\{"}
_SCALARS: dict[Any, Schema] = {
    str: _TEXT,
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
}
_UNITS: dict[str, Schema] = {
    "duration": {"type": "string", "pattern": r"^\s*\+?[0-9.]+\s*[A-Za-z]+\s*$"},
    "bytes": {"type": ["string", "integer"]},
    "percent": {"type": ["string", "number"]},
}

#: A parameter, or one of a list.
_PLAIN = {"type": ["string", "number", "boolean", "null"]}


def schema(registry: Registry) -> Schema:
    """The schema (draft 7, which editors know) of pipelines that use the components of a registry."""
    return _Maker(registry).pipeline()


class _Maker:
    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    def pipeline(self) -> Schema:
        made = self._block(blocks.PipelineBlock)
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "limecep pipeline",
            **made,
            "definitions": {
                "param": {"anyOf": [_PLAIN, {"type": "array", "items": _PLAIN}]},
                "connector": self._connector(),
                "source": self._transport("source", blocks.SourceBlock, "from"),
                "pattern": self._block(blocks.PatternBlock),
                "sink": self._transport("sink", blocks.SinkBlock, "to"),
                "observer": self._observer(),
                "table": self._table(),
            },
        }

    # Blocks

    def _block(self, cls: type, more: Mapping[str, Schema] = types.MappingProxyType({})) -> Schema:
        """A block with the keys of a class, and others."""
        properties, required = self._keys(cls)
        made: Schema = {
            "type": "object",
            "properties": {**more, **properties},
            "required": required,
            "additionalProperties": False,
        }
        for field in dataclasses.fields(cls):
            if instead := field.metadata.get("instead"):
                made["oneOf"] = [{"required": [field.name]}, {"required": [instead]}]
        return made

    def _keys(self, *classes: type) -> tuple[dict[str, Schema], list[str]]:
        """What may stand under each key of these classes, and the keys that must be there."""
        properties: dict[str, Schema] = {}
        required = []
        for cls in classes:
            hints = get_type_hints(cls)
            for field in dataclasses.fields(cls):
                key = str(field.metadata.get("name", field.name))
                made = self._field(field, hints[field.name])
                if made is None:
                    continue
                properties[key] = made
                default = (field.default, field.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
                if not default or field.metadata.get("required"):
                    required.append(key)
        return properties, list(dict.fromkeys(required))

    def _field(self, field: dataclasses.Field[Any], hint: Any) -> Schema | None:
        """What may stand under the key of a field; None for one that nothing here makes use of."""
        meta = field.metadata
        holds = meta.get("holds")
        if isinstance(holds, str) and not self._registry.names(holds) and not meta.get("text"):
            return None
        kinds = _kinds(hint)
        if "names" in meta:
            inner = {"$ref": f"#/definitions/{meta['names']}"}
            made: Schema = {"type": ["object", "null"], "additionalProperties": inner}
        elif isinstance(holds, str):
            made = self._component(holds, meta.get("adds"), meta.get("capable"))
            if meta.get("text"):
                made = _any([_TEXT, made])
            if meta.get("several"):
                made = {"type": "array", "items": made}
        elif holds is not None:
            made = _any([*([_TEXT] if Scalar in kinds else []), self._block(holds), _NULL])
        elif meta.get("choices") and Scalar not in kinds and Block in kinds:
            chosen = _or_reference({"enum": list(meta["choices"])})
            made = _any([_list(_TEXT), {"type": "object", "additionalProperties": chosen}, _NULL])
        elif meta.get("choices"):
            made = _or_reference({"enum": list(meta["choices"])})
        elif Block in kinds:
            return None
        else:
            made = self._value(hint, meta.get("unit"))
        if meta.get("required"):
            made = _there(made)
        if "least" in meta:
            made = _at_least(made, meta["least"])
        return {"description": meta["help"], **made, **_shown(field)}

    def _value(self, hint: Any, unit: str | None) -> Schema:
        kinds = _kinds(hint)
        if len(kinds) > 1:
            made = [self._value(k, unit) for k in kinds if k is not types.NoneType]
            if len(made) < len(kinds):
                made += [{"enum": ["off", None]} if unit in OFF else _NULL]
            return _any(made)
        base = get_origin(hint) or hint
        if base is Literal:
            choices = list(get_args(hint))
            quoted = [str(c) for c in choices if type(c) is int]
            return _or_reference({"enum": [*choices, *quoted]})
        if unit in _UNITS and base in (int, float):
            return _or_reference(_UNITS[unit])
        if base in _SCALARS:
            return _or_reference(_SCALARS[base])
        if base is Listing:
            return _list(_TEXT)
        if isinstance(base, type) and issubclass(base, Mapping):
            return {"type": "object", "additionalProperties": self._value(get_args(hint)[1], unit)}
        if isinstance(base, type) and issubclass(base, (Sequence, set, frozenset)) and base is not str:
            return self._items(hint, base, unit)
        if dataclasses.is_dataclass(base) and base is not Scalar:
            return self._block(base)  # type: ignore[arg-type]
        return {} if base in (Any, object) else _TEXT

    def _items(self, hint: Any, base: type, unit: str | None) -> Schema:
        items = get_args(hint) or (Any,)
        made = _list(self._value(items[0], unit))
        if base is tuple and Ellipsis not in items:
            made |= {"minItems": len(items), "maxItems": len(items)}
        return made

    # Components

    def _component(self, kind: str, adds: type | None, capable: str | None) -> Schema:
        """The name of a component of a kind, or a block with its options."""
        specs = [(n, s) for n, s in self._named(kind) if capable is None or capable in s.capabilities]
        more = self._keys(adds)[0] if adds else {}
        named = [_typed(name, spec) for name, spec in specs]
        variants = [self._variant(name, spec, more) for name, spec in specs]
        return {"anyOf": [*named, _REFERENCE, *variants, _NULL]}

    def _named(self, kind: str) -> Iterator[tuple[str, ComponentSpec]]:
        """The components of a kind by the names that tell them apart."""
        for name in self._registry.names(kind):
            brought = self._registry.brought(kind, name)
            for plugin, spec in brought:
                yield name if len(brought) == 1 else plugin.qualified(name), spec

    def _variant(self, name: str, spec: ComponentSpec, more: Mapping[str, Schema]) -> Schema:
        properties, required = self._keys(spec.options)
        # What a source's channel tells is known only to the loader.
        implied = spec.default or spec.kind == "codec"
        return {
            "type": "object",
            "description": spec.summary,
            "properties": {"type": _typed(name, spec), **more, **properties},
            "required": required if implied else ["type", *required],
            "additionalProperties": False,
        }

    def _connector(self) -> Schema:
        """A connector of any type. It may serve sources and sinks."""
        by_name: dict[str, list[ComponentSpec]] = {}
        for name, spec in (*self._named("source"), *self._named("sink")):
            by_name.setdefault(name, []).append(spec)
        made = []
        for name, specs in by_name.items():
            properties, required = self._keys(*(s.options for s in specs))
            if len(specs) > 1:
                required = [k for k in required if all(k in self._keys(s.options)[1] for s in specs)]
            made.append(_object({"type": _typed(name, specs[0]), **properties}, ["type", *required]))
        return {"anyOf": [*made, _elsewhere("type")]}

    def _observer(self) -> Schema:
        """An observer of any type."""
        own, _ = self._keys(ObserverBlock)
        made = [self._variant(name, spec, own) for name, spec in self._named("observer")]
        return {"anyOf": [*made, _elsewhere("type")]}

    def _table(self) -> Schema:
        """A table, whatever brings its rows."""
        own, required = self._keys(TableBlock)
        del own["from"]
        made = []
        for name, spec in self._named("table"):
            keys, needed = self._keys(spec.options)
            channel = ["channel"] if "channel" in spec.capabilities else []
            must = dict.fromkeys([*required, *needed, *channel])
            made.append(_object({"from": _typed(name, spec), **own, **keys}, must))
        return {"anyOf": [*made, _elsewhere("from")]}

    def _transport(self, kind: str, cls: type, by: str) -> Schema:
        """A source or a sink: of a connector that is named, or with one written inline."""
        specs = list(self._named(kind))
        own, required = self._keys(cls)
        # Which transport a name stands for is written elsewhere, so a key of any may be right.
        possible, _ = self._keys(*(s.settings for _, s in specs))
        made = [_object({**possible, **own}, [by, *required])]
        del own[by]
        for name, spec in specs:
            keys, needed = self._keys(spec.options, spec.settings)
            # Of a key that both have, what is written inline has it.
            one = _object({"type": _typed(name, spec), **own, **keys}, ["type", *needed, *required])
            if kind == "sink" and "channel" in spec.capabilities:
                names = [k for k in ("channel", "path") if k in own or k in keys]
                one["oneOf"] = [{"required": [k]} for k in names]
            made.append(one)
        for one in made if kind == "source" else ():
            # Some formats say what an event is.
            one["required"].remove("as")
            one["anyOf"] = [{"required": ["as"]}, {"required": ["format"]}]
        return {"anyOf": [*made, _elsewhere("type")]}


def _there(made: Schema) -> Schema:
    """Without null, empty text and empty blocks: for what must be given."""
    if "anyOf" in made:
        return made | {"anyOf": [_there(m) for m in made["anyOf"] if m != _NULL]}
    if made == _TEXT:
        return made | {"minLength": 1}
    return made | {"type": "object", "minProperties": 1} if made.get("type") == ["object", "null"] else made


def _at_least(made: Schema, least: int) -> Schema:
    if "anyOf" in made:
        return made | {"anyOf": [_at_least(m, least) for m in made["anyOf"]]}
    return made | {"minItems": least} if made.get("type") == "array" else made


def _kinds(hint: Any) -> tuple[Any, ...]:
    base = get_origin(hint)
    if base is not Union and base is not types.UnionType:
        return (hint,)
    return tuple(k for arg in get_args(hint) for k in _kinds(arg))


def _typed(name: str, spec: ComponentSpec) -> Schema:
    return {"const": name, "description": spec.summary}


def _object(properties: Mapping[str, Schema], required: Iterable[str]) -> Schema:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def _elsewhere(key: str) -> Schema:
    """A block whose `key` comes from the environment, so that nobody can say what else belongs there."""
    return {"type": "object", "properties": {key: _REFERENCE}, "required": [key]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_reference(made: Schema) -> Schema:
    return made if made is _TEXT else {"anyOf": [made, _REFERENCE]}


def _any(made: Sequence[Schema]) -> Schema:
    """One of several, each told once."""
    flat = [inner for m in made for inner in (m["anyOf"] if set(m) == {"anyOf"} else [m])]
    return {"anyOf": [m for n, m in enumerate(flat) if m not in flat[:n]]}


def _shown(field: dataclasses.Field[Any]) -> Schema:
    """The default and the example, where they are written as they are."""
    shown: Schema = {}
    plain = field.metadata.get("unit") is None and field.default is not dataclasses.MISSING
    if plain and field.default not in (None, "", ()):
        shown["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    if field.metadata.get("example") is not None:
        shown["examples"] = [field.metadata["example"]]
    return shown
