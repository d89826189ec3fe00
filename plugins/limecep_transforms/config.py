"""Options of the transforms."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping  # noqa: TC003 - looked up at run time
from dataclasses import dataclass
from typing import Any

from limecep import option
from limecep.contracts.transform import IDENTITY


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskOptions:
    """Options of `mask`."""

    fields: tuple[str, ...] = option(
        help="Attributes of events, by name: their values are hidden wherever a record has them, in the "
        "payload of an event at any depth and in the key; and values of RETURN that have this name.",
        example=["user"],
    )
    value: str = option("***", help="What stands in their place.")

    def __post_init__(self) -> None:
        if not self.fields:
            raise ValueError("'fields' names nothing to hide")

    @property
    def added(self) -> tuple[str, ...]:
        """`limecep.contracts.options.AddingFields`."""
        return ()

    @property
    def hidden(self) -> tuple[str, ...]:
        """`limecep.contracts.options.Hiding`."""
        return self.fields


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOptions:
    """Options of `keep`."""

    fields: tuple[str, ...] = option(
        help="The fields of the record that go out, besides those that tell records apart.",
        example=["key", "values"],
    )

    @property
    def added(self) -> tuple[str, ...]:
        """`limecep.contracts.options.AddingFields`."""
        return ()

    def unknown(self, fields: Collection[str], variables: Collection[str]) -> list[str]:
        """`limecep.contracts.options.NamingFields`."""
        return [name for name in self.fields if name not in fields or name.startswith("key.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions:
    """Options of `add`."""

    fields: Mapping[str, Any] = option(
        help="Fields that every record gets besides, with their values.", example={"site": "athens"}
    )

    def __post_init__(self) -> None:
        if taken := [name for name in self.fields if name in IDENTITY]:
            raise ValueError(f"'fields' cannot change '{taken[0]}', which tells records apart")

    @property
    def added(self) -> Collection[str]:
        """`limecep.contracts.options.AddingFields`."""
        return self.fields


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageOptions:
    """Options of `message`."""

    text: str = option(
        help="The text. In braces stand fields of the record ({pattern}, {op}, {key.room}, {values.mean}), "
        "attributes of its events ({a.room}; of a group {b[1].v}, {last(b).v} or {b.v}, which is the last "
        "one's) and {count(b)}, with a format of Python behind a colon where that is wanted ({b.v:.1f}). "
        "Where there is nothing, there stands -.",
        example="{a.room} is at {last(b).celsius:.1f} degrees",
    )
    field: str = option("message", help="The field of the record that has the text.")

    def __post_init__(self) -> None:
        from limecep_transforms.message import parts

        if self.field in IDENTITY:
            raise ValueError(f"'field' cannot be '{self.field}', which tells records apart")
        try:
            list(parts(self.text))
        except ValueError as error:
            raise ValueError(f"'text' {error}") from None

    @property
    def added(self) -> tuple[str, ...]:
        """`limecep.contracts.options.AddingFields`."""
        return (self.field,)

    @property
    def values(self) -> list[str]:
        """The values of RETURN in the text (`limecep.contracts.options.ShowingValues`)."""
        return re.findall(r"(?<!\{)\{\s*values\.(\w+)", self.text)

    def untold(self, variables: Collection[str], *, ids: bool) -> list[str]:
        """The gaps that records without events leave (`limecep.contracts.options.ShowingEvents`)."""
        from limecep_transforms.message import of_events

        return of_events(self.text, variables, ids=ids)

    def unknown(self, fields: Collection[str], variables: Collection[str]) -> list[str]:
        """The gaps that nothing fills (`limecep.contracts.options.NamingFields`)."""
        from limecep_transforms.message import of_nothing

        return of_nothing(self.text, fields, variables)
