"""What the options of transforms refuse."""

from __future__ import annotations

import pytest

from limecep_transforms.config import AddOptions, MaskOptions


@pytest.mark.parametrize("name", ["op", "match", "revision", "content", "pattern"])
def test_what_tells_records_apart_is_not_changed(name: str) -> None:
    with pytest.raises(ValueError, match=f"'fields' cannot change '{name}'"):
        AddOptions(fields={name: 1})


def test_to_hide_nothing_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="'fields' names nothing to hide"):
        MaskOptions(fields=())
