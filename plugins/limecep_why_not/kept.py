"""The events of a state, as what a pipeline read. Nothing is written, and the pipeline may run meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from limecep.clock import ManualClock
from limecep.embedding.pipelines import FOREVER, Assembly, differences, fingerprint, look, rfc3339
from limecep.errors import RunFailure
from limecep.model.event import DerivedEvent

if TYPE_CHECKING:
    from limecep.embedding.pipelines import PipelineConfig, Registry
    from limecep.model.event import Event

_ELSEWHERE = "ask a recording, with --data [SOURCE=]FILE"


class Kept(NamedTuple):
    """What a state has.

    Attributes:
        events: In the order in which they entered; what was withdrawn is so after all others.
        missing: What it has not, in words.
    """

    events: list[Event]
    missing: list[str]


def kept(config: PipelineConfig, registry: Registry, logger: Any) -> Kept:
    """Read the state of a pipeline.

    Raises:
        RunFailure: There is no state, it is damaged, or that of another pipeline.
    """
    assembly = Assembly(config, registry, ManualClock(), logger)
    store = assembly.state()
    assert store is not None
    where = f"the state {store.figures().get('path', config.name)}"
    try:
        looked = look(store)
    except RunFailure as failure:
        raise RunFailure(f"{failure}; {_ELSEWHERE}") from None
    except KeyboardInterrupt:
        raise
    except Exception as error:
        assembly.blame(error)
    now = fingerprint(config, assembly.detectors()) | {"workers": looked.head.get("workers", 1)}
    if other := differences(looked.head, now):
        raise RunFailure(f"{where} is that of another pipeline: {'; '.join(other)}; {_ELSEWHERE}")
    events = [msgspec.structs.replace(e, ordinal=0) for e in looked.events if not isinstance(e, DerivedEvent)]
    events += [msgspec.structs.replace(w, t_arr=looked.until) for w in looked.withdrawn]
    missing = ["events that no pattern took, such as those refused as too late: a state has none"]
    if looked.begins > -FOREVER:
        missing.append(f"events before {rfc3339(looked.begins)}: they have left the state, if there were any")
    return Kept(events, missing)
