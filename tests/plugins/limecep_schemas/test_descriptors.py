"""Sets of descriptors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from limecep_schemas.descriptors import Descriptors
from limecep_schemas.unfit import Unfit

if TYPE_CHECKING:
    from pathlib import Path


def test_it_knows_every_message_and_its_place(plant: Path) -> None:
    known = Descriptors(plant)
    assert known.paths == {
        "plant.Alarm": ("plant.proto", (0,)),
        "plant.Alarm.Cause": ("plant.proto", (0, 0)),
        "plant.Reading": ("plant.proto", (1,)),
    }
    assert known.at("plant.proto", (0, 0)) == "plant.Alarm.Cause"
    assert known.at("plant.proto", (9,)) == ""
    assert known.message("plant.Reading").DESCRIPTOR.full_name == "plant.Reading"


def test_a_file_that_is_none_says_so(tmp_path: Path) -> None:
    file = tmp_path / "x.pb"
    with pytest.raises(Unfit, match="cannot be read"):
        Descriptors(file)
    file.write_text("syntax = 'proto3';")
    with pytest.raises(Unfit, match="is no set of descriptors"):
        Descriptors(file)
    file.write_bytes(b"")
    with pytest.raises(Unfit, match="defines no message"):
        Descriptors(file)


def test_a_file_without_its_imports_says_so(plant: Path) -> None:
    written = FileDescriptorSet.FromString(plant.read_bytes())
    written.file[0].dependency.append("google/protobuf/timestamp.proto")
    plant.write_bytes(written.SerializeToString())
    with pytest.raises(Unfit, match=r"lacks what plant\.proto imports") as raised:
        Descriptors(plant)
    assert "--include_imports" in raised.value.hint
