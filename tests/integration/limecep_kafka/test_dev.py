"""`limecep dev brokers` runs a broker until it is told otherwise."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.kafka


def test_it_runs_until_it_is_terminated(kafka: Any, new_hands: Any, tmp_path: Path) -> None:
    arguments = [sys.executable, "-m", "limecep", "dev", "brokers", "kafka", "--dir", str(tmp_path)]
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        name, address = process.stdout.readline().split()
        assert name == "kafka"
        hands = new_hands(address)
        topic = hands.topic()
        hands.publish(topic, [b"1"])
        assert [m.value() for m in hands.read(topic, 1)] == [b"1"]
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()
