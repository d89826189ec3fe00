"""Brokers with access control lists refuse a user things: a run says which, and what to do."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from confluent_kafka.admin import (
    AclBinding,
    AclOperation,
    AclPermissionType,
    ResourcePatternType,
    ResourceType,
)

from limecep.testing.kafka import GUEST, PASSWORD, KafkaBroker

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from conftest import Hands

pytestmark = pytest.mark.kafka

#: How long what must happen may take, in seconds.
PATIENCE_SECONDS = 40.0
#: What the user may do, by the beginning of names.
ALLOWED = [
    (ResourceType.TOPIC, "read", AclOperation.READ),
    (ResourceType.TOPIC, "written", AclOperation.WRITE),
    # A transaction keeps there how far it is.
    (ResourceType.TOPIC, "written", AclOperation.READ),
    (ResourceType.TOPIC, "only", AclOperation.WRITE),
    (ResourceType.TOPIC, "described", AclOperation.DESCRIBE),
    (ResourceType.GROUP, "free", AclOperation.READ),
    (ResourceType.TRANSACTIONAL_ID, "free", AclOperation.WRITE),
    (ResourceType.TRANSACTIONAL_ID, "atomic", AclOperation.WRITE),
]
#: What a pipeline does differently from one that may do all it does, and what its run says of that.
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "password": ({"password": "guess"}, r"the user 'guest': .*'sasl.password' .*right"),
    "group": (
        {"group": "closed"},
        r"the group 'closed': .*; the user 'guest' needs READ on it, or 'group' names another",
    ),
    "topic": ({"topic": "closed"}, r"the topic 'closed': .*; the user 'guest' needs READ on it"),
    "topic that is seen": ({"topic": "described"}, r"the topic 'described': .* needs READ on it"),
    "dead letters": ({"dead_letter": "closed"}, r"the topic 'closed': .* needs WRITE on it"),
    "sink": ({"to": "closed"}, r"the topic 'closed': .*; the user 'guest' needs WRITE on it"),
    "sink with transactions": (
        {"to": "closed", "transactional": True},
        r"the topic 'closed': .* needs WRITE on it",
    ),
    "transactional id": (
        {"transactional": True, "name": "closed"},
        r"the transactional id 'closed\.sinks\.out': .*; the user 'guest' needs WRITE on it",
    ),
    "topic of transactions": (
        {"to": "only", "transactional": True, "state": {"dir": "state"}},
        r"the topic 'only': .*; the user 'guest' needs READ and WRITE on it",
    ),
    "group of transactions": (
        {"transactional": True, "name": "atomic", "state": {"dir": "state"}},
        r"the group 'atomic\.sinks\.out': .*; the user 'guest' needs READ on it$",
    ),
}


def client(broker: KafkaBroker, password: str) -> dict[str, str]:
    return {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": "PLAIN",
        "sasl.username": GUEST,
        "sasl.password": password,
        "ssl.ca.location": str(broker.certificate),
    }


def pipeline(
    broker: KafkaBroker,
    number: int,
    *,
    name: str = "",
    topic: str = "read",
    group: str = "",
    to: str = "written",
    dead_letter: str = "",
    transactional: bool = False,
    password: str = PASSWORD,
    **more: Any,
) -> dict[str, Any]:
    connector = {"type": "kafka", "brokers": broker.guarded, "start": "earliest"}
    source = {"from": "broker", "channel": topic, "as": {"field": "type"}, "id": "id"}
    return {
        "version": 1,
        "name": name or f"free{number}",
        "connectors": {
            "broker": {
                **connector,
                "group": group or f"free{number}",
                "client": client(broker, password),
            }
        },
        "sources": {
            "s": {**source, "time": {"field": "t", "format": "epoch_s"}, "dead_letter": dead_letter},
        },
        "patterns": {"p": {"query": "PATTERN SEQ(A a, B b) WITHIN 10 s"}},
        "sinks": {"out": {"to": "broker", "channel": to, "transactional": transactional}},
        **more,
    }


def started(folder: Path, document: Mapping[str, Any]) -> subprocess.Popen[str]:
    folder.mkdir()
    (folder / "pipeline.yaml").write_text(json.dumps(document))
    command = [sys.executable, "-m", "limecep", "run", "pipeline.yaml", "--quiet", "--for", "30s"]
    return subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)


def test_a_run_names_what_it_is_refused_and_ends(tmp_path: Path, new_hands: type[Hands]) -> None:
    with KafkaBroker(tmp_path / "broker", guarded=True) as broker:
        hands = new_hands(broker.address)
        acls = [
            AclBinding(
                kind, name, ResourcePatternType.PREFIXED, f"User:{GUEST}", "*", does, AclPermissionType.ALLOW
            )
            for kind, name, does in ALLOWED
        ]
        for made in hands.admin.create_acls(acls).values():
            made.result()
        for topic in ("read", "written", "written.free", "only", "described", "closed"):
            hands.topic(1, name=topic)
        events = [b'{"type": "%c", "id": "%d", "t": %d}' % (kind, n, n) for n, kind in enumerate(b"AB")]
        hands.publish("read", [*events, b"no event"])
        # All at once: most of the time of a run is its start.
        runs = {
            case: started(tmp_path / str(number), pipeline(broker, number, **given))
            for number, (case, (given, _)) in enumerate(REFUSED.items())
        }
        # The broker refuses none of that to whoever may do it.
        free = {"to": "written.free", "transactional": True, "state": {"dir": "state"}}
        allowed = started(tmp_path / "free", pipeline(broker, len(REFUSED), **free))
        assert len(hands.read("written.free", 1, PATIENCE_SECONDS)) == 1
        allowed.terminate()
        assert "limecep: " not in allowed.communicate(timeout=PATIENCE_SECONDS)[1]
        assert allowed.returncode == 0
        said = {case: run.communicate(timeout=PATIENCE_SECONDS)[1] for case, run in runs.items()}
    for case, (_, expected) in REFUSED.items():
        refused = rf"^limecep: the brokers {broker.guarded} refuse {expected}"
        assert re.search(refused, said[case], re.MULTILINE), (case, said[case])
        assert runs[case].returncode == 3, case
