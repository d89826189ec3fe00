"""The courier of a sink: posts in a thread of its own, one request after the other, until each is taken."""

from __future__ import annotations

import random
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

import urllib3
from urllib3.exceptions import HTTPError, SSLError

from limecep.errors import RunFailure
from limecep_http.address import masked
from limecep_http.answers import Refused, refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limecep.contracts.context import Context
    from limecep_http.config import HttpSinkOptions

#: The first wait before a new try, in seconds.
FIRST_WAIT_SECONDS = 0.5
#: How often it is looked whether the run has to end, in seconds.
GLANCE_SECONDS = 0.1
#: How many posts wait at most.
WAITING_POSTS = 100
#: How much of an answer is read, in bytes.
ANSWER_BYTES = 2048
#: Words of headers that are no secrets.
_SCHEMES = ("basic", "bearer", "digest", "token")
#: How long is waited for the thread to end, in seconds.
FAREWELL_SECONDS = 1.0


class Post(NamedTuple):
    """A request to make.

    Attributes:
        channel: What stands behind the path of the url.
        body: Its body.
        content_type: What that is.
        key: What tells it from others, the same whenever it is made again.
        records: How many records it has.
    """

    channel: str
    body: bytes
    content_type: str
    key: str
    records: int


class Courier:
    """Makes the requests of a sink in order, and knows how many were not taken yet.

    Args:
        options: The connector's options.
        context: Of the sink.

    Raises:
        RunFailure: The certificates cannot be used.
    """

    def __init__(self, options: HttpSinkOptions, context: Context) -> None:
        self._options = options
        self._address = address = options.address
        self._context = context
        self._pool = _pool(options, context)
        self._headers = {"User-Agent": "limecep", **options.headers}
        if address.user:
            self._headers |= urllib3.make_headers(basic_auth=f"{address.user}:{address.password}")
        self._secrets = [*address.secrets, *_secrets(options.headers)]
        self._changed = threading.Condition()
        self._posts: deque[Post] = deque()
        self._failure = ""
        self._ending = False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins to post."""
        if self._thread is None:
            name = f"limecep {self._context.label}"
            self._thread = threading.Thread(target=self._run, name=name, daemon=True)
            self._thread.start()

    def post(self, post: Post) -> None:
        """Takes a post, when not too many others wait.

        Raises:
            RunFailure: The server refuses, or cannot be reached and is not to be waited for.
        """
        self._wait(WAITING_POSTS - 1)
        with self._changed:
            self._posts.append(post)
            self._changed.notify_all()

    def flush(self) -> None:
        """Returns when the server has taken everything.

        Raises:
            RunFailure: The server refuses, or cannot be reached and is not to be waited for.
        """
        self._wait(0)

    def close(self) -> None:
        """Flushes, and ends. May be called twice, and without `start`.

        Raises:
            RunFailure: Not everything was taken.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            if not self._failure:
                self.flush()
        finally:
            with self._changed:
                self._ending = True
                self._changed.notify_all()
            # Where it waits for an answer, the end of the process ends it.
            thread.join(FAREWELL_SECONDS)
            self._pool.close()

    def _wait(self, most: int) -> None:
        """Returns when at most so many posts are not taken."""
        with self._changed:
            while len(self._posts) > most and not self._failure:
                left = sum(post.records for post in self._posts)
                self._context.raise_if_stopped(f"{self._address} did not take the last {left} records")
                self._changed.wait(GLANCE_SECONDS)
            if self._failure:
                raise RunFailure(self._failure)

    # -- in its own thread ---------------------------------------------------------------------------------

    def _run(self) -> None:
        tries = 0
        while (post := self._next()) is not None:
            try:
                refused = self._made(post)
            except Exception as error:
                # Of a bug, too, the sink is to know: it would wait for ever.
                self._fail(f"{self._address.shown(post.channel)}: {type(error).__name__}")
                return
            if refused is None:
                if tries:
                    self._context.logger.info("records are taken again", url=str(self._address))
                tries = 0
                with self._changed:
                    self._posts.popleft()
                    self._changed.notify_all()
                continue
            where = self._address.shown(post.channel)
            if not refused.again:
                self._fail(f"{where} refused a record: {refused.words}")
                return
            if self._options.on_unavailable == "fail":
                self._fail(f"{where} does not take records: {refused.words}")
                return
            tries += 1
            self._context.counters["retries"] += 1
            wait = max(refused.wait, self._backoff(tries))
            if tries == 1:
                self._context.logger.warning(
                    "a record is not taken, and tried again",
                    url=where,
                    error=refused.words,
                    wait=round(wait, 1),
                )
            with self._changed:
                self._changed.wait_for(lambda: self._ending, wait)

    def _next(self) -> Post | None:
        with self._changed:
            self._changed.wait_for(lambda: self._posts or self._ending)
            return None if self._ending else self._posts[0]

    def _fail(self, words: str) -> None:
        with self._changed:
            self._failure = words
            self._changed.notify_all()

    def _backoff(self, tries: int) -> float:
        longest: float = self._options.retry_max / 1_000_000
        wait = min(longest, FIRST_WAIT_SECONDS * 2.0 ** min(tries - 1, 16))
        # Not all that a server has lost come back at once.
        return wait * random.uniform(0.8, 1.0)

    def _made(self, post: Post) -> Refused | None:
        """Makes a request; says why it was not taken, if it was not."""
        headers = {**self._headers, "Content-Type": post.content_type, "Idempotency-Key": post.key}
        seconds = self._options.timeout / 1_000_000
        try:
            answer = self._pool.urlopen(
                "POST",
                self._address.target(post.channel),
                body=post.body,
                headers=headers,
                retries=False,
                redirect=False,
                timeout=urllib3.Timeout(connect=seconds, read=seconds),
                preload_content=False,
            )
            body = _beginning(answer)
        except SSLError as error:
            return Refused(self._words(error), "certificate" not in str(error).lower())
        except (HTTPError, OSError) as error:
            return Refused(self._words(error), True)
        retry_after = answer.headers.get("Retry-After", "")
        now = self._context.clock.now() / 1_000_000
        return refusal(answer.status, answer.reason or "", retry_after, body, now, self._secrets)

    def _words(self, error: Exception) -> str:
        """What broke, without the address in it, which the library says."""
        cause = error.__cause__ or error.__context__ or error
        text = str(cause.args[-1] if cause.args else cause) or type(cause).__name__
        return masked(text.rpartition("): ")[2] or text, self._secrets)


def _secrets(headers: Mapping[str, str]) -> list[str]:
    """What headers say, and the words of that, but for those that name a way to say a secret."""
    words = [word for value in headers.values() for word in (value, *value.split())]
    return [word for word in words if len(word) > 3 and word.lower() not in _SCHEMES]


def _beginning(answer: Any) -> bytes:
    """The beginning of an answer. A connection that is not at its end is not used again."""
    body = b""
    try:
        body = answer.read(ANSWER_BYTES, decode_content=False)
        if len(body) == ANSWER_BYTES:
            answer.close()
    except (HTTPError, OSError):
        # What it was about the status has said.
        answer.close()
    finally:
        answer.release_conn()
    return body


def _pool(options: HttpSinkOptions, context: Context) -> Any:
    """One connection, made again when it is lost."""
    address = options.address
    if address.scheme == "http":
        return urllib3.HTTPConnectionPool(address.host, address.port, maxsize=1, block=True)
    import ssl

    root = context.root
    try:
        trusted = ssl.create_default_context(cafile=str(root / options.tls_ca) if options.tls_ca else None)
        if options.tls_certificate:
            trusted.load_cert_chain(root / options.tls_certificate, root / options.tls_key)
    except (OSError, ssl.SSLError) as error:
        raise RunFailure(f"{address}: the certificates cannot be used: {error}") from None
    return urllib3.HTTPSConnectionPool(address.host, address.port, maxsize=1, block=True, ssl_context=trusted)
