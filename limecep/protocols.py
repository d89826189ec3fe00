"""Which contract a component of each kind implements."""

from __future__ import annotations

#: The contract of each kind, in `limecep.contracts`. A function is none of a class.
PROTOCOLS: dict[str, str] = {
    "source": "limecep.contracts.source.Source",
    "sink": "limecep.contracts.sink.Sink",
    "codec": "limecep.contracts.codec.Codec",
    "time": "limecep.contracts.time.TimeFormat",
    "engine": "limecep.contracts.engine.Engine",
    "lateness": "limecep.contracts.lateness.LatenessPolicy",
    "slack": "limecep.contracts.slack.SlackPolicy",
    "recompute": "limecep.contracts.recompute.RecomputePolicy",
    "results": "limecep.contracts.results.ResultPolicy",
    "table": "limecep.contracts.table.ReferenceTable",
    "transform": "limecep.contracts.transform.Transform",
    "state": "limecep.contracts.state.StateStore",
    "observer": "limecep.contracts.observer.Observer",
    "runner": "limecep.contracts.runner.Runner",
    "command": "limecep.contracts.command.Command",
}
