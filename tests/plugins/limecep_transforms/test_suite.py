"""The built-in transforms do what every transform must do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limecep.testing.plugin import PluginConformance
from limecep.testing.transform import TransformConformance
from limecep_transforms.add import Add
from limecep_transforms.config import AddOptions, KeepOptions, MaskOptions, MessageOptions
from limecep_transforms.keep import Keep
from limecep_transforms.mask import Mask
from limecep_transforms.message import Message

if TYPE_CHECKING:
    from limecep.contracts.context import Context


class TestMask(TransformConformance):
    def make_transform(self, context: Context) -> Mask:
        return Mask(MaskOptions(fields=("user", "tags")), context)


class TestAdd(TransformConformance):
    def make_transform(self, context: Context) -> Add:
        return Add(AddOptions(fields={"site": "athens", "latency": None}), context)


class TestKeep(TransformConformance):
    def make_transform(self, context: Context) -> Keep:
        return Keep(KeepOptions(fields=("key", "values", "event")), context)


class TestMessage(TransformConformance):
    def make_transform(self, context: Context) -> Message:
        return Message(MessageOptions(text="{op} {pattern}: {a.v} {count(b)}"), context)


class TestPlugin(PluginConformance):
    module = "limecep_transforms.plugin"
