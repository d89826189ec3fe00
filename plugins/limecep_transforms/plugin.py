"""What this package brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_transforms.config import AddOptions, KeepOptions, MaskOptions, MessageOptions


@hookimpl
def limecep_transforms() -> list[ComponentSpec]:
    return [
        ComponentSpec(
            kind="transform",
            name="mask",
            factory="limecep_transforms.mask:Mask",
            options=MaskOptions,
            summary="Hides the values of attributes",
            example="out: {type: stdout, through: [{type: mask, fields: [user]}]}",
        ),
        ComponentSpec(
            kind="transform",
            name="add",
            factory="limecep_transforms.add:Add",
            options=AddOptions,
            summary="Adds fields with fixed values",
            example="out: {type: stdout, through: [{type: add, fields: {site: athens}}]}",
        ),
        ComponentSpec(
            kind="transform",
            name="keep",
            factory="limecep_transforms.keep:Keep",
            options=KeepOptions,
            summary="Leaves out all other fields",
            example="out: {type: stdout, events: none, through: [{type: keep, fields: [key, values]}]}",
        ),
        ComponentSpec(
            kind="transform",
            name="message",
            factory="limecep_transforms.message:Message",
            options=MessageOptions,
            summary="Adds a text that says what the record is about",
            example="""\
out: {type: stdout, through: [{type: message, text: "{a.room} is at {last(b).celsius:.1f} degrees"}]}""",
        ),
    ]
