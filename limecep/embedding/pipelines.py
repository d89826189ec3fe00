"""A pipeline made ready somewhere else than in `limecep.Pipeline`."""

from __future__ import annotations

from limecep.cli.accounting import accounting
from limecep.cli.logs import configure as configure_logs
from limecep.config.advice import event_types
from limecep.config.keyed import decides_across_keys, waits_for_time
from limecep.config.levels import parted
from limecep.config.loader import Loaded, load, load_dict
from limecep.config.model import ComponentConfig, PatternConfig, PipelineConfig, SinkConfig, SourceConfig
from limecep.config.returned import returned_kinds
from limecep.contracts.codec import Plain
from limecep.contracts.runner import Progress
from limecep.contracts.state import Row
from limecep.detection.detection import Detection
from limecep.detection.event_time import SourceTraits
from limecep.diagnosis.report import diagnose
from limecep.host import Host
from limecep.intake.fields import absent, exact
from limecep.intake.reader import Batch, Invalid, Reader
from limecep.model.instants import rfc3339
from limecep.model.time import FOREVER
from limecep.output.late_records import late_record, refused_record
from limecep.output.outlets import Demand, Outlet
from limecep.output.render import Renderer, match_record
from limecep.patterns.detector import Detector, Refusal
from limecep.patterns.timing import Timing
from limecep.plan.compiler import compile_plan
from limecep.plan.partition import compile_partition
from limecep.registry import Registry
from limecep.runtime.assembly import Assembly
from limecep.runtime.detecting import Divided, WaysOut
from limecep.runtime.feeds import Fed, Feed
from limecep.runtime.given_tables import GivenTables
from limecep.runtime.listening import listen
from limecep.runtime.memory import peak_rss
from limecep.runtime.retrieval import Retrieval
from limecep.runtime.run_end import RunEnd
from limecep.state.book import Book, Numbers
from limecep.state.checkpoint import Checkpoint
from limecep.state.fingerprint import differences, fingerprint
from limecep.state.json_values import decode, encode
from limecep.state.looking import Looked, look
from limecep.state.part import Kept, PartKeeper, joined
from limecep.statistics import OUTCOMES
from limecep.store.share import Share

__all__ = [  # noqa: RUF022 - by what they are for
    # The components there are, and a configuration: checked, and told from another.
    "ComponentConfig",
    "Host",
    "Loaded",
    "PatternConfig",
    "PipelineConfig",
    "Registry",
    "SinkConfig",
    "SourceConfig",
    "decides_across_keys",
    "differences",
    "event_types",
    "fingerprint",
    "load",
    "load_dict",
    "parted",
    "returned_kinds",
    "waits_for_time",
    # A configuration made ready: its patterns, feeds, readers and sinks.
    "Assembly",
    "GivenTables",
    "RunEnd",
    "compile_partition",
    "compile_plan",
    # Events of messages, with where they stood.
    "Batch",
    "Fed",
    "Feed",
    "Reader",
    "absent",
    "exact",
    # Events in, updates out.
    "Detector",
    "FOREVER",
    "Refusal",
    # A run of `limecep.Pipeline` whose detection is divided among processes by key.
    "Demand",
    "Detection",
    "Divided",
    "Invalid",
    "Kept",
    "PartKeeper",
    "Retrieval",
    "Share",
    "SourceTraits",
    "Timing",
    "WaysOut",
    "diagnose",
    "joined",
    "listen",
    # What is known of a detection, to go on with it later.
    "Book",
    "Checkpoint",
    "Numbers",
    "Row",
    "decode",
    "encode",
    # A state looked at, also while its pipeline runs.
    "Looked",
    "look",
    # Updates to records, and records to sinks.
    "Outlet",
    "Plain",
    "Renderer",
    "late_record",
    "match_record",
    "refused_record",
    "rfc3339",
    # The accounting of a run, and its logs.
    "OUTCOMES",
    "Progress",
    "accounting",
    "configure_logs",
    "peak_rss",
]
