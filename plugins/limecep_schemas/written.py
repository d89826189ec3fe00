"""The schemas that messages were written with, of a registry, by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from urllib.parse import quote

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_schemas.registry import Absent
from limecep_schemas.unfit import Unfit, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_schemas.avro_schemas import Schema
    from limecep_schemas.definitions import Definitions
    from limecep_schemas.registry import Registry

T = TypeVar("T")

#: After so many seconds it is asked again for a schema that was not there: it may have been registered since.
ANEW_SECONDS = 30.0
#: So many ids that there are not are remembered. Whoever sends more sends no ids.
MOST_ABSENT = 1_000


class Written(Generic[T]):
    """The schemas of a registry, each asked for once.

    Args:
        registry: The registry.
    """

    #: What such schemas are called by the registry and by people, and how the registry is to give them.
    kind: ClassVar[str]
    called: ClassVar[str]
    form: ClassVar[str] = ""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[int, T | str] = {}
        self._absent: dict[int, tuple[str, Stopwatch]] = {}

    def of(self, number: int) -> T:
        """The schema of an id.

        Raises:
            Unreadable: There is none, or none of this kind.
            RunFailure, Stopped: As by `Registry.ask`.
        """
        known = self._known.get(number)
        if known is None:
            known = self._asked(number)
        if isinstance(known, str):
            raise Unreadable(f"schema {number}: {known}")
        return known

    def made(self, answer: dict[str, Any]) -> T:
        """What the registry's answer holds.

        Raises:
            Unfit, Absent: Nothing of use.
        """
        raise NotImplementedError

    def _asked(self, number: int) -> T | str:
        said, since = self._absent.get(number, ("", None))
        if since is not None and since.seconds < ANEW_SECONDS:
            return said
        try:
            answer = self._registry.ask(f"/schemas/ids/{number}{self.form}")
        except Absent as error:
            if len(self._absent) >= MOST_ABSENT:
                self._absent.clear()
            self._absent[number] = str(error), Stopwatch()
            return str(error)
        self._absent.pop(number, None)
        self._known[number] = found = self._read(answer)
        return found

    def _read(self, answer: dict[str, Any]) -> T | str:
        kind = answer.get("schemaType", "AVRO")
        if kind != self.kind:
            return f"it is of the type {kind}, not {self.called}"
        try:
            return self.made(answer)
        except (Unfit, Absent) as error:
            return str(error)

    def references(self, answer: dict[str, Any]) -> Iterator[tuple[str, str]]:
        """The names and texts of the schemas that a schema names, each after those that it names itself."""
        return self._references(answer, set())

    def _references(self, answer: dict[str, Any], seen: set[tuple[str, int]]) -> Iterator[tuple[str, str]]:
        for reference in answer.get("references") or ():
            try:
                subject, version = str(reference["subject"]), int(reference["version"])
            except (LookupError, TypeError, ValueError):
                raise Unfit("it names other schemas in a way that is not known") from None
            if (subject, version) in seen:
                continue
            seen.add((subject, version))
            named = self._registry.ask(f"/subjects/{quote(subject, safe='')}/versions/{version}{self.form}")
            yield from self._references(named, seen)
            yield str(reference.get("name", "")), self.text(named)

    def text(self, answer: dict[str, Any]) -> str:
        """The schema of an answer, as text."""
        text = answer.get("schema")
        if not isinstance(text, str):
            raise RunFailure(f"{self._registry.url} is no schema registry: its answer has no 'schema'")
        return text


class WrittenSchemas(Written["Schema"]):
    """Those of Avro."""

    kind: ClassVar[str] = "AVRO"
    called: ClassVar[str] = "Avro"

    def made(self, answer: dict[str, Any]) -> Schema:
        from limecep_schemas.avro_schemas import Schema

        return Schema(self.text(answer), (text for _, text in self.references(answer)))


class WrittenDefinitions(Written["Definitions"]):
    """Those of Protocol Buffers, as descriptors: a registry that knows them can write them, and nothing here
    has to read their language."""

    kind: ClassVar[str] = "PROTOBUF"
    called: ClassVar[str] = "Protocol Buffers"
    form: ClassVar[str] = "?format=serialized"

    def made(self, answer: dict[str, Any]) -> Definitions:
        from limecep_schemas.definitions import Definitions, file_of

        others = [file_of(text, name) for name, text in self.references(answer)]
        # No other may import it, so any name will do that none of them has.
        return Definitions(file_of(self.text(answer), "the schema.proto"), others)
