"""Records of the change log and of the late output, as sinks write them."""

from __future__ import annotations

from typing import Any, Literal

#: One JSON object: a line of a file, the value of a message.
Record = dict[str, Any]
#: How much of each event a record carries.
Events = Literal["full", "ids", "none"]
