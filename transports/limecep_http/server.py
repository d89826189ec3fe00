"""The server: takes POSTs in a thread of its own, and answers when what they brought is done with."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from typing import TYPE_CHECKING, Any

import uvicorn

from limecep.clock import Stopwatch, pause
from limecep.encoding import to_json
from limecep.errors import RunFailure
from limecep_http.desk import REQUEST_BYTES, Desk, Slip
from limecep_http.paths import named
from limecep_http.reading import (
    Declined,
    admitted,
    complaint,
    length_of,
    messages_of,
    of_lines,
    passed_on,
    too_long,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from limecep.contracts.context import Context
    from limecep_http.config import HttpOptions

    Part = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Part]]
    Send = Callable[[Part], Awaitable[None]]

#: The most connections at a time; the server answers 503 to others. Each takes one of the files that a
#: process may have open, of which there often are 1024.
MOST_CONNECTIONS = 500
#: How long it may take to begin to listen, and to give the last answers, in seconds.
START_SECONDS = 10.0
FAREWELL_SECONDS = 2
#: When clients are to come again where there is no room, in seconds.
RETRY_AFTER = (b"retry-after", b"1")


class Server:
    """Listens for all sources of a connector.

    Args:
        options: The connector's options.
        context: Of the first of its sources.
    """

    def __init__(self, options: HttpOptions, context: Context) -> None:
        self.desk = Desk(options.queue, context.clock)
        self._options = options
        self._context = context
        self._open: set[int] = set()
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self._failed = False

    def open(self, source: object) -> None:
        """Listens for a source; with the first one it begins to.

        Raises:
            RunFailure: It cannot: the address is in use, a certificate cannot be read.
        """
        self._open.add(id(source))
        if self._thread is not None:
            return
        options, root = self._options, self._context.root
        tls: dict[str, Any] = {}
        if options.tls_certificate:
            tls = {"ssl_certfile": root / options.tls_certificate, "ssl_keyfile": root / options.tls_key}
        config = uvicorn.Config(
            self._answer,
            # It takes a method for an application of another kind.
            interface="asgi3",
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            # What goes wrong is told by this module; what clients do wrong they are told.
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=FAREWELL_SECONDS,
            **tls,
        )
        try:
            config.load()
        except OSError as error:
            raise RunFailure(f"{options.listen}: the certificate cannot be used: {error}") from None
        host, port = options.place
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            listener = socket.create_server((host, port), family=family, backlog=config.backlog)
        except OSError as error:
            said = error.strerror or str(error)
            raise RunFailure(f"cannot listen at {options.listen}: {said}") from None
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._serve, args=[listener], name="limecep http", daemon=True)
        self._thread.start()
        watch = Stopwatch()
        while not self._server.started:
            if not self._thread.is_alive() or watch.seconds > START_SECONDS:
                raise RunFailure(f"cannot listen at {options.listen}: the server does not start")
            pause(0.005)
        scheme = "https" if tls else "http"
        at = f"{scheme}://{options.listen.rpartition(':')[0]}:{listener.getsockname()[1]}"
        self._context.logger.info("listening", url=at)

    def check(self) -> None:
        """Raises what has ended the server.

        Raises:
            RunFailure: It listens no more.
        """
        if self._failed:
            raise RunFailure(f"the server at {self._options.listen} has ended")

    def close(self, source: object) -> bool:
        """A source is closed; with the last one the server ends. Says whether it was the last one."""
        self._open.discard(id(source))
        if self._open:
            return False
        left = self.desk.close()
        thread, self._thread = self._thread, None
        if thread is not None and self._server is not None:
            for slip in left:
                slip.answer()
            self._server.should_exit = True
            thread.join(2.0 * FAREWELL_SECONDS)
        return True

    # -- in its own thread ---------------------------------------------------------------------------------

    def _serve(self, listener: socket.socket) -> None:
        server = self._server
        assert server is not None
        try:
            server.run(sockets=[listener])
        except BaseException as error:
            self._context.logger.error("the server has ended", error=f"{type(error).__name__}: {error}")
        finally:
            self._failed = not server.should_exit
            listener.close()

    async def _answer(self, scope: Part, receive: Receive, send: Send) -> None:
        """Answers a request (ASGI)."""
        status, headers, body = 204, list[tuple[bytes, bytes]](), b""
        try:
            await self._take(scope, receive)
        except Declined as declined:
            status, headers = declined.status, [*declined.headers, (b"content-type", b"application/json")]
            body = to_json(declined.said)
        except Exception as error:
            self._context.logger.error("a request failed", error=f"{type(error).__name__}: {error}")
            status = 500
        if status != 204:
            self._context.counters[f"answers_{status}"] += 1
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _take(self, scope: Part, receive: Receive) -> None:
        """Takes a request, and returns when all that it brought is done with.

        Raises:
            Declined: It was not taken, or not all of it.
        """
        options, desk, seconds = self._options, self.desk, self._options.timeout / 1_000_000
        pairs = [(name.decode("latin-1").lower(), value) for name, value in scope["headers"]]
        headers = dict(pairs)
        if not admitted(headers, options.token):
            raise Declined(401, "a valid token is needed", (b"www-authenticate", b"Bearer"))
        name = named(scope["path"])
        takers = desk.takers(name)
        if not takers:
            raise Declined(404, "no source listens at this path")
        if scope["method"] != "POST":
            raise Declined(405, "events are posted", (b"allow", b"POST"))
        length = length_of(headers, options.max_body)
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def settled() -> None:
            # The loop may have ended meanwhile.
            with contextlib.suppress(RuntimeError):
                loop.call_soon_threadsafe(_resolve, done)

        slip = Slip(length + REQUEST_BYTES, settled)
        if not desk.reserve(slip):
            raise Declined(503, "too much waits to be worked on", RETRY_AFTER)
        lines, bodies = of_lines(headers), list[bytes]()
        try:
            body = await _body(receive, options.max_body, seconds)
            bodies = messages_of(body, lines=lines)
        finally:
            if not bodies:
                desk.release(slip)
        if not bodies:
            return
        desk.put(name, bodies, passed_on(pairs), takers, slip)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await done
        if slip.waiting:
            raise Declined(503, "what was sent may not be kept yet: send it again", RETRY_AFTER)
        if slip.errors:
            raise complaint(slip.errors, slip.invalid, lines=lines)


async def _body(receive: Receive, most: int, seconds: float) -> bytes:
    """The body of a request.

    Raises:
        Declined: It is too long, or did not come.
    """
    body, more = bytearray(), True
    try:
        async with asyncio.timeout(seconds):
            while more:
                part = await receive()
                if part["type"] != "http.request":
                    # Nobody is there any more to be answered.
                    raise Declined(400, "the body did not come whole")
                body += part.get("body", b"")
                more = part.get("more_body", False)
                if len(body) > most:
                    raise too_long(most)
    except TimeoutError:
        raise Declined(408, "the body did not come in time", (b"connection", b"close")) from None
    return bytes(body)


def _resolve(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
