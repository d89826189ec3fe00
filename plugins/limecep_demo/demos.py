"""The demos there are, by name; the first is the one that is told if none is named."""

from __future__ import annotations

from limecep_demo import gas_leak, open_door

DEMOS = {demo.name: demo for demo in (gas_leak.DEMO, open_door.DEMO)}
