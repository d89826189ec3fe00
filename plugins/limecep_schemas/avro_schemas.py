"""Schemas of Avro: read from a file or from text, and tried whether messages can be read by them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, final

import msgspec
from fastavro import _read_py, parse_schema
from fastavro.read import SchemaResolutionError, schemaless_reader
from fastavro.schema import SchemaParseException, UnknownType

from limecep_schemas.unfit import Unfit, Unreadable, unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    #: A schema as fastavro has parsed it.
    Parsed = dict[str, Any] | list[Any] | str

#: What a message must be, to be a record or several.
_OF_RECORDS = ("record", "error", "map", "array")
#: How deeply the JSON of a schema may be nested. A record in a record takes three levels.
_DEEPEST = 200
#: Longer reasons are two schemas as they stand in memory, in characters.
_LONGEST_REASON = 200


@final
class Schema:
    """How messages are read.

    Args:
        text: The schema that they were written with, as JSON.
        references: Schemas whose types it names, each after those that it names itself.

    Attributes:
        parsed: The schema.
        name: What its messages are called.

    Raises:
        Unfit: It is none, or one whose messages cannot be read.
    """

    def __init__(self, text: bytes | str, references: Iterable[str] = ()) -> None:
        named: dict[str, Any] = {}
        for reference in references:
            _parsed(reference, named)
        self.parsed = _parsed(text, named)
        known = self.parsed.get("name") if isinstance(self.parsed, dict) else None
        self.name = str(known or "a message without a name")
        if not _may_be_record(self.parsed, named):
            raise Unfit("a message of this schema is no record, and no list of records")
        shape = _Shape(named)
        shape.look(self.parsed)
        # Compiled code follows a message that is nested as deeply as it is long, and overruns the stack.
        self._read = _read_py.schemaless_reader if shape.recursive else schemaless_reader

    def value(self, data: bytes, reader: Schema | None = None) -> Any:
        """What a message holds, as fastavro gives it.

        Args:
            data: The message.
            reader: The schema to turn it into.

        Raises:
            Unreadable: It is no message of this schema.
        """
        stream = io.BytesIO(data)
        try:
            value = self._read(stream, self.parsed, None if reader is None else reader.parsed)
        except SchemaResolutionError as error:
            why = _line(error)
            why = f": {why}" if len(why) <= _LONGEST_REASON else ""
            other = "" if reader is None else reader.name
            raise Unreadable(f"{self.name} does not turn into {other}, the schema of 'schema'{why}") from None
        except Exception as error:
            # It raises whatever it runs into.
            why = next((said for kind, said in _SAID if isinstance(error, kind)), "")
            why = why or f"a value in it is none of its type ({_line(error)})"
            raise Unreadable(f"no message of its schema: {why}") from None
        if left := len(data) - stream.tell():
            raise Unreadable(f"no message of its schema: {left} of its {len(data)} bytes are left over")
        return value


#: What fastavro raises, in words for the user.
_SAID: tuple[tuple[type[Exception], str], ...] = (
    (EOFError, "it ends too early"),
    (UnicodeDecodeError, "a text in it is not UTF-8"),
    (IndexError, "it names a branch of a union, or a symbol of an enum, that there is not"),
    (OverflowError, "a time in it is out of range"),
    (RecursionError, "it is nested too deeply"),
)


def of_file(path: Path) -> Schema:
    """The schema of a file.

    Raises:
        Unfit: The file cannot be read, or holds no schema.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    try:
        return Schema(text)
    except Unfit as error:
        raise Unfit(f"{path}: {error}", error.hint) from None


def _parsed(text: bytes | str, named: dict[str, Any]) -> Parsed:
    try:
        schema = msgspec.json.decode(text)
        _check_depth(schema, _DEEPEST)
    except (msgspec.MsgspecError, ValueError) as error:
        raise Unfit(f"no schema: it is not JSON ({_line(error)})") from None
    except RecursionError:
        raise Unfit("no schema: it is nested too deeply") from None
    try:
        parsed: Parsed = parse_schema(schema, named_schemas=named)
    except UnknownType as error:
        hint = "a file holds the definitions of all its types: write it where it is first named"
        raise Unfit(f"no schema: type {_line(error)} is not defined", hint) from None
    except SchemaParseException as error:
        raise Unfit(f"no schema: {_line(error)}") from None
    except Exception as error:
        raise Unfit(f"no schema ({type(error).__name__}: {_line(error)})") from None
    return parsed


def _check_depth(value: Any, levels: int) -> None:
    """Raises RecursionError where the parser, which is compiled, would go too deep."""
    if levels == 0:
        raise RecursionError
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(inner, levels - 1)


def _may_be_record(schema: Parsed, named: Mapping[str, Any]) -> bool:
    if isinstance(schema, list):
        return any(_may_be_record(branch, named) for branch in schema)
    if isinstance(schema, str):
        return schema in named and _may_be_record(named[schema], named)
    if isinstance(schema["type"], dict | list):
        return _may_be_record(schema["type"], named)
    return schema["type"] in _OF_RECORDS


class _Shape:
    """What is dangerous about a schema.

    Attributes:
        recursive: Whether a value may hold one of its own type.
    """

    def __init__(self, named: Mapping[str, Any]) -> None:
        self.recursive = False
        self._named = named
        self._around: list[str] = []
        self._empty: dict[str, bool] = {}

    def look(self, schema: Parsed) -> bool:
        """Looks at a schema, and those in it; says whether a value may take no bytes.

        Raises:
            Unfit: A message of few bytes may hold any number of values.
        """
        if isinstance(schema, list):
            # The branch is written, too.
            for branch in schema:
                self.look(branch)
            return False
        if isinstance(schema, str):
            return self.look(self._named[schema]) if schema in self._named else schema == "null"
        kind = schema["type"]
        if isinstance(kind, dict | list):
            return self.look(kind)
        if kind == "array":
            if self.look(schema["items"]):
                raise Unfit("a schema with an array whose items take no bytes: a few bytes would fill memory")
            return False
        if kind == "map":
            self.look(schema["values"])
            return False
        if kind == "fixed":
            return bool(schema["size"] == 0)
        return self._look_in(schema) if kind in ("record", "error") else bool(kind == "null")

    def _look_in(self, record: dict[str, Any]) -> bool:
        name = record["name"]
        if name in self._around:
            self.recursive = True
            return False
        if name not in self._empty:
            self._around.append(name)
            empty = [self.look(field["type"]) for field in record["fields"]]
            self._empty[name] = all(empty)
            self._around.pop()
        return self._empty[name]


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
