"""Where a database is, and what of that may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.engine import URL

#: The driver that the extra brings, for addresses that name none.
_DRIVERS = {"postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}
#: How long a connection may take, and a network that is gone be waited for, in seconds.
CONNECT_SECONDS, GONE_SECONDS = 10, 30


def url_problem(url: str) -> str:
    """What is wrong with an address, in words for the user that quote none of it; "" if nothing is."""
    try:
        made = make_url(url)
    except (ArgumentError, ValueError):
        return "must be an address such as sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    if made.get_backend_name() == "sqlite" and made.database in (None, "", ":memory:"):
        return "must name a file: sqlite:///FILE"
    return ""


def address_of(url: str, root: Path) -> URL:
    """The address that the library connects to. A file is below `root`."""
    made = make_url(url)
    made = made.set(drivername=_DRIVERS.get(made.drivername, made.drivername))
    if made.get_backend_name() == "sqlite":
        made = made.set(database=str(root / (made.database or "")))
    return made


def arguments_of(address: URL, name: str, seconds: int = CONNECT_SECONDS) -> dict[str, Any]:
    """What the driver is told besides: how long to wait, and who connects."""
    if address.get_backend_name() == "sqlite":
        return {"timeout": seconds}
    if address.drivername != "postgresql+psycopg":
        return {}
    return {
        "connect_timeout": seconds,
        "application_name": name,
        "keepalives_idle": GONE_SECONDS // 3,
        "keepalives_interval": GONE_SECONDS // 6,
        "keepalives_count": 3,
        "tcp_user_timeout": GONE_SECONDS * 1000,
    }


def shown(url: str) -> str:
    """An address in words for the user: without user, password and settings."""
    made = make_url(url)
    if made.get_backend_name() == "sqlite":
        return str(made.database)
    port = f":{made.port}" if made.port else ""
    return f"{made.get_backend_name()}://{made.host or ''}{port}/{made.database or ''}"
