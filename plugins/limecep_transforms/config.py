"""Options of the transforms."""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - looked up at run time
from dataclasses import dataclass
from typing import Any

from limecep import option
from limecep.contracts.transform import IDENTITY


@dataclass(frozen=True, slots=True, kw_only=True)
class MaskOptions:
    """Options of `mask`."""

    fields: tuple[str, ...] = option(
        help="Attributes of events, by name: their values are hidden wherever a record has them, in the "
        "payload of an event at any depth and in the key.",
        example=["user"],
    )
    value: str = option("***", help="What stands in their place.")

    def __post_init__(self) -> None:
        if not self.fields:
            raise ValueError("'fields' names nothing to hide")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddOptions:
    """Options of `add`."""

    fields: Mapping[str, Any] = option(
        help="Fields that every record gets besides, with their values.", example={"site": "athens"}
    )

    def __post_init__(self) -> None:
        if taken := [name for name in self.fields if name in IDENTITY]:
            raise ValueError(f"'fields' cannot change '{taken[0]}', which tells records apart")
