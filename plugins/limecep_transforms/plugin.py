"""What this package brings."""

from __future__ import annotations

from limecep import ComponentSpec, hookimpl
from limecep_transforms.config import AddOptions, MaskOptions


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
    ]
