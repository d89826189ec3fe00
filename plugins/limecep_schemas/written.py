"""The schemas that messages were written with, of a registry, by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from limecep.clock import Stopwatch
from limecep.errors import RunFailure
from limecep_schemas.avro_schemas import Schema, Unreadable
from limecep_schemas.registry import Absent
from limecep_schemas.unfit import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limecep_schemas.registry import Registry

#: After so many seconds it is asked again for a schema that was not there: it may have been registered since.
ANEW_SECONDS = 30.0
#: So many ids that there are not are remembered. Whoever sends more sends no ids.
MOST_ABSENT = 1_000


class WrittenSchemas:
    """The schemas of a registry, each asked for once.

    Args:
        registry: The registry.
    """

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[int, Schema | str] = {}
        self._absent: dict[int, tuple[str, Stopwatch]] = {}

    def of(self, number: int) -> Schema:
        """The schema of an id.

        Raises:
            Unreadable: There is none, or none of Avro's.
            RunFailure, Stopped: As by `Registry.ask`.
        """
        known = self._known.get(number)
        if known is None:
            known = self._asked(number)
        if isinstance(known, str):
            raise Unreadable(f"schema {number}: {known}")
        return known

    def _asked(self, number: int) -> Schema | str:
        said, since = self._absent.get(number, ("", None))
        if since is not None and since.seconds < ANEW_SECONDS:
            return said
        try:
            answer = self._registry.ask(f"/schemas/ids/{number}")
        except Absent as error:
            if len(self._absent) >= MOST_ABSENT:
                self._absent.clear()
            self._absent[number] = str(error), Stopwatch()
            return str(error)
        self._absent.pop(number, None)
        self._known[number] = found = self._read(answer)
        return found

    def _read(self, answer: dict[str, Any]) -> Schema | str:
        kind = answer.get("schemaType", "AVRO")
        if kind != "AVRO":
            return f"it is of the type {kind}, not Avro"
        try:
            return Schema(self._text(answer), self._references(answer, set()))
        except (Unfit, Absent) as error:
            return str(error)

    def _references(self, answer: dict[str, Any], seen: set[tuple[str, int]]) -> Iterator[str]:
        """The texts of the schemas that a schema names, each after those that it names itself."""
        for reference in answer.get("references") or ():
            try:
                subject, version = str(reference["subject"]), int(reference["version"])
            except (LookupError, TypeError, ValueError):
                raise Unfit("it names other schemas in a way that is not known") from None
            if (subject, version) in seen:
                continue
            seen.add((subject, version))
            named = self._registry.ask(f"/subjects/{quote(subject, safe='')}/versions/{version}")
            yield from self._references(named, seen)
            yield self._text(named)

    def _text(self, answer: dict[str, Any]) -> str:
        text = answer.get("schema")
        if not isinstance(text, str):
            raise RunFailure(f"{self._registry.url} is no schema registry: its answer has no 'schema'")
        return text
