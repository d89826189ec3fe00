"""limecep: complex event processing for small machines and untidy streams.

A plugin author needs three names from here: `hookimpl` marks a hook, `ComponentSpec` describes a
component, `option` describes one of its options; `component` marks a class of a local plugin. Somebody who
embeds limecep needs `Pipeline` and `Event`; `events` makes events of dictionaries and tables, and raises
`InvalidEvent`; `Updates` and `Refused` are what feeding gives. `expand` gives all matches from the maximal
ones.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pluggy

from limecep.compiled import prefer_sources
from limecep.spec import ComponentSpec, option

if TYPE_CHECKING:
    from limecep.expansion import expand
    from limecep.intake.given import InvalidEvent, events
    from limecep.local import component
    from limecep.model.event import Event
    from limecep.runtime.pipeline import Pipeline
    from limecep.runtime.updates import Refused, Updates

__all__ = [
    "API_VERSION", "ComponentSpec", "Event", "InvalidEvent", "Pipeline", "Refused", "Updates", "__version__",
    "component", "events", "expand", "hookimpl", "option",
]  # fmt: skip

#: The one place of the version: the build reads it here.
__version__ = "0.1.0"

#: The plugin interface this kernel speaks. A plugin module may say `limecep_api = 1`; another number is
#: refused.
API_VERSION = 1

# Before anything is imported that may be compiled.
prefer_sources()

hookimpl = pluggy.HookimplMarker("limecep")


#: Where the names are that need the whole machinery: listing plugins must stay cheap, so these are imported
#: when they are asked for.
_LAZY = {
    "Event": "limecep.model.event",
    "InvalidEvent": "limecep.intake.given",
    "Pipeline": "limecep.runtime.pipeline",
    "Refused": "limecep.runtime.updates",
    "Updates": "limecep.runtime.updates",
    "component": "limecep.local",
    "events": "limecep.intake.given",
    "expand": "limecep.expansion",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'limecep' has no attribute {name!r}")
