"""What a configuration says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from limecep import ComponentSpec
from limecep.config.model import ComponentConfig, PipelineConfig, SourceConfig, TimeConfig, is_live
from limecep.spec import NoOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    live: bool


def spec(*capabilities: str, levels: str = "/") -> ComponentSpec:
    return ComponentSpec(
        kind="source",
        name="s",
        factory="nowhere:Nothing",
        summary="For tests.",
        capabilities=frozenset(capabilities),
        levels=levels,
    )


def source(of: ComponentSpec | None = None, **more: Any) -> SourceConfig:
    return SourceConfig(
        name="s", connector=ComponentConfig(spec=of or spec(), options=NoOptions()), channel="c", **more
    )


@pytest.mark.parametrize(
    ("capabilities", "settings", "live"),
    [
        ((), NoOptions(), True),
        (("finite",), NoOptions(), False),
        (("finite",), None, False),
        (("finite",), Following(live=True), True),
        (("finite",), Following(live=False), False),
        ((), Following(live=False), True),
    ],
)
def test_a_source_is_live_unless_it_ends_by_itself(
    capabilities: tuple[str, ...], settings: object, live: bool
) -> None:
    assert is_live(spec(*capabilities), settings) is live
    assert source(spec(*capabilities), settings=settings).live is live


def test_the_levels_of_a_channel_are_those_of_its_transport() -> None:
    assert source(spec(levels=".")).levels == "."


def test_a_time_may_be_made_of_several_fields() -> None:
    assert TimeConfig(field="date", joined=("time", "zone")).paths == ("date", "time", "zone")


@pytest.mark.parametrize(
    ("sources", "sequenced"),
    [
        ([], False),
        ([{}], False),
        ([{}, {"order": "n"}], True),
        ([{"rank": 0}], True),
    ],
)
def test_events_of_one_time_have_an_order_where_a_source_declares_one(
    sources: list[dict[str, Any]], sequenced: bool
) -> None:
    config = PipelineConfig(name="p", root=Path(), sources=tuple(source(**s) for s in sources))
    assert config.sequenced is sequenced
