"""All that the author of a plugin imports from limecep, in one place that lasts.

    from limecep.api import ComponentSpec, Context, LatenessPolicy, Verdict, hookimpl, option

A name is imported when it is asked for, so that listing plugins stays cheap. Optional abilities of a kind are
protocols beside its contract (`limecep.contracts.engine.Sharing`), those of options stand in
`limecep.contracts.options`, suites in `limecep.testing`, and what hosts of the kernel need in
`limecep.embedding`.

docs/plugins.md says how contracts change, and how long an old version is understood.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from limecep import API_VERSION as API_VERSION
    from limecep import hookimpl as hookimpl
    from limecep.clock import Clock as Clock
    from limecep.clock import ManualClock as ManualClock
    from limecep.clock import Stopwatch as Stopwatch
    from limecep.clock import SystemClock as SystemClock
    from limecep.clock import pause as pause
    from limecep.contracts.changes import Change as Change
    from limecep.contracts.changes import Known as Known
    from limecep.contracts.changes import Moment as Moment
    from limecep.contracts.codec import Codec as Codec
    from limecep.contracts.codec import Decoded as Decoded
    from limecep.contracts.codec import Encoder as Encoder
    from limecep.contracts.codec import Undecodable as Undecodable
    from limecep.contracts.command import Command as Command
    from limecep.contracts.context import Context as Context
    from limecep.contracts.engine import Engine as Engine
    from limecep.contracts.lateness import LatenessPolicy as LatenessPolicy
    from limecep.contracts.lateness import Verdict as Verdict
    from limecep.contracts.observer import Figures as Figures
    from limecep.contracts.observer import Observer as Observer
    from limecep.contracts.recompute import RecomputePolicy as RecomputePolicy
    from limecep.contracts.remembering import Remembering as Remembering
    from limecep.contracts.results import EVERYTHING as EVERYTHING
    from limecep.contracts.results import Emit as Emit
    from limecep.contracts.results import Promise as Promise
    from limecep.contracts.results import ResultPolicy as ResultPolicy
    from limecep.contracts.results import Skip as Skip
    from limecep.contracts.results import Step as Step
    from limecep.contracts.runner import Progress as Progress
    from limecep.contracts.runner import Runner as Runner
    from limecep.contracts.sink import Sink as Sink
    from limecep.contracts.slack import SlackPolicy as SlackPolicy
    from limecep.contracts.source import Message as Message
    from limecep.contracts.source import Source as Source
    from limecep.contracts.state import Row as Row
    from limecep.contracts.state import StateStore as StateStore
    from limecep.contracts.table import ReferenceTable as ReferenceTable
    from limecep.contracts.table import RowReader as RowReader
    from limecep.contracts.tables import Tables as Tables
    from limecep.contracts.time import TimeFormat as TimeFormat
    from limecep.contracts.transform import Transform as Transform
    from limecep.errors import ContractBreach as ContractBreach
    from limecep.errors import LimecepError as LimecepError
    from limecep.errors import RunFailure as RunFailure
    from limecep.errors import Stopped as Stopped
    from limecep.local import component as component
    from limecep.model.event import Event as Event
    from limecep.model.event import sort_key as sort_key
    from limecep.model.match import Match as Match
    from limecep.output.record import Record as Record
    from limecep.plan.plan import Alternative as Alternative
    from limecep.plan.plan import NegatedStep as NegatedStep
    from limecep.plan.plan import Plan as Plan
    from limecep.plan.values import dig as dig
    from limecep.problems import Place as Place
    from limecep.problems import Problem as Problem
    from limecep.problems import suggestion as suggestion
    from limecep.registry import Registry as Registry
    from limecep.spec import CONTRACTS as CONTRACTS
    from limecep.spec import KINDS as KINDS
    from limecep.spec import ComponentSpec as ComponentSpec
    from limecep.spec import NoOptions as NoOptions
    from limecep.spec import option as option
    from limecep.statistics import Statistics as Statistics
    from limecep.store.lane import Lane as Lane
    from limecep.store.view import View as View

#: Where each name stands.
_WHERE: dict[str, str] = {
    # What a plugin says of what it brings.
    "API_VERSION": "limecep",
    "hookimpl": "limecep",
    "CONTRACTS": "limecep.spec",
    "KINDS": "limecep.spec",
    "ComponentSpec": "limecep.spec",
    "NoOptions": "limecep.spec",
    "option": "limecep.spec",
    "component": "limecep.local",
    "Place": "limecep.problems",
    "Problem": "limecep.problems",
    "suggestion": "limecep.problems",
    "ContractBreach": "limecep.errors",
    "LimecepError": "limecep.errors",
    "RunFailure": "limecep.errors",
    "Stopped": "limecep.errors",
    # What components are given.
    "Clock": "limecep.clock",
    "ManualClock": "limecep.clock",
    "Stopwatch": "limecep.clock",
    "SystemClock": "limecep.clock",
    "pause": "limecep.clock",
    "Context": "limecep.contracts.context",
    "Remembering": "limecep.contracts.remembering",
    "Tables": "limecep.contracts.tables",
    "Event": "limecep.model.event",
    "sort_key": "limecep.model.event",
    "Match": "limecep.model.match",
    "Record": "limecep.output.record",
    "Alternative": "limecep.plan.plan",
    "NegatedStep": "limecep.plan.plan",
    "Plan": "limecep.plan.plan",
    "dig": "limecep.plan.values",
    "Registry": "limecep.registry",
    "Statistics": "limecep.statistics",
    "Lane": "limecep.store.lane",
    "View": "limecep.store.view",
    # Contracts, by kind, with what they speak of.
    "Message": "limecep.contracts.source",
    "Source": "limecep.contracts.source",
    "Sink": "limecep.contracts.sink",
    "Codec": "limecep.contracts.codec",
    "Decoded": "limecep.contracts.codec",
    "Encoder": "limecep.contracts.codec",
    "Undecodable": "limecep.contracts.codec",
    "Engine": "limecep.contracts.engine",
    "LatenessPolicy": "limecep.contracts.lateness",
    "Verdict": "limecep.contracts.lateness",
    "SlackPolicy": "limecep.contracts.slack",
    "RecomputePolicy": "limecep.contracts.recompute",
    "ResultPolicy": "limecep.contracts.results",
    "EVERYTHING": "limecep.contracts.results",
    "Emit": "limecep.contracts.results",
    "Promise": "limecep.contracts.results",
    "Step": "limecep.contracts.results",
    "Skip": "limecep.contracts.results",
    "Change": "limecep.contracts.changes",
    "Known": "limecep.contracts.changes",
    "Moment": "limecep.contracts.changes",
    "TimeFormat": "limecep.contracts.time",
    "ReferenceTable": "limecep.contracts.table",
    "RowReader": "limecep.contracts.table",
    "Transform": "limecep.contracts.transform",
    "Figures": "limecep.contracts.observer",
    "Observer": "limecep.contracts.observer",
    "Row": "limecep.contracts.state",
    "StateStore": "limecep.contracts.state",
    "Progress": "limecep.contracts.runner",
    "Runner": "limecep.contracts.runner",
    "Command": "limecep.contracts.command",
}

__all__ = tuple(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module 'limecep.api' has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted(_WHERE)
