"""A schema registry with the API of Confluent's, asked by HTTP."""

from __future__ import annotations

import base64
import ssl
import threading
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec

from limecep.errors import RunFailure

if TYPE_CHECKING:
    from limecep.contracts.context import Context

#: The first wait before another try and the longest one, and how often it is looked whether the run is to
#: end, in seconds.
FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
_GLANCE_SECONDS = 0.1
#: Refusals that waiting may change.
_LATER = {408, 425, 429}
#: What the API says is not there: a subject, a version, a schema. What is no such API has a code of its own.
_NOT_THERE = (40401, 40402, 40403)
#: What is read of an answer at most, in bytes.
_MOST_BYTES = 16 * 1024 * 1024
#: Media types of the API; Confluent's own comes first.
_ACCEPT = "application/vnd.schemaregistry.v1+json, application/json"


class Absent(Exception):
    """The registry has no such thing, in words for the user."""


class Registry:
    """Asks a registry, and waits for it while it is away.

    Args:
        url: Its URL.
        user: The user; "" for nobody.
        password: The user's password.
        timeout: How long an answer may take, in seconds.
        context: As of the codec that asks.

    Attributes:
        url: Its URL.
    """

    def __init__(self, url: str, user: str, password: str, timeout: float, context: Context) -> None:
        self.url = url.rstrip("/")
        self._credentials = base64.b64encode(f"{user}:{password}".encode()).decode() if user else ""
        self._timeout = timeout
        self._logger = context.logger
        self._raise_if_stopped = context.raise_if_stopped

    def ask(self, path: str) -> dict[str, Any]:
        """What stands at a path. While nobody answers, it is asked again, with waits that grow.

        Raises:
            Absent: Nothing does.
            RunFailure: The registry refuses, or is none.
            Stopped: The run ends meanwhile.
        """
        wait, away = FIRST_WAIT_SECONDS, False
        while True:
            outcome = self._outcome(path)
            if isinstance(outcome, bytes):
                break
            reason = self._passing(outcome, path)
            if not away:
                away = True
                said = "the schema registry does not answer: it is tried again, and logged when it does"
                self._logger.warning(said, url=self.url, reason=reason)
            self._nap(wait)
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
        if away:
            self._logger.info("the schema registry answers again", url=self.url)
        try:
            return msgspec.json.decode(outcome, type=dict[str, Any])
        except (msgspec.MsgspecError, ValueError):
            raise RunFailure(f"{self.url} is no schema registry: {path} is no JSON object") from None

    def _outcome(self, path: str) -> bytes | Exception:
        """The answer, or why there is none. A thread waits for it, so that the run can end meanwhile."""
        found: list[bytes | Exception] = []
        answered = threading.Event()

        def fetch() -> None:
            try:
                found.append(self._fetched(path))
            except Exception as error:
                found.append(error)
            answered.set()

        threading.Thread(target=fetch, name="schema registry", daemon=True).start()
        while not answered.wait(_GLANCE_SECONDS):
            self._check()
        return found[0]

    def _nap(self, seconds: float) -> None:
        # Nothing sets it: waiting for it is a nap.
        never = threading.Event()
        for _ in range(max(1, round(seconds / _GLANCE_SECONDS))):
            self._check()
            never.wait(_GLANCE_SECONDS)

    def _check(self) -> None:
        self._raise_if_stopped(f"messages wait for the schema registry {self.url}, which does not answer")

    def _fetched(self, path: str) -> bytes:
        request = Request(self.url + path, headers={"Accept": _ACCEPT})
        if self._credentials:
            # Where an answer leads elsewhere, they are not shown there.
            request.add_unredirected_header("Authorization", f"Basic {self._credentials}")
        with urlopen(request, timeout=self._timeout) as answer:
            body: bytes = answer.read(_MOST_BYTES)
        return body

    def _passing(self, error: Exception, path: str) -> str:
        """Why there was no answer, where waiting may help."""
        if isinstance(error, HTTPError):
            with error:
                return self._refused(error, path)
        reason = error.reason if isinstance(error, URLError) else error
        if isinstance(reason, ssl.SSLCertVerificationError):
            raise RunFailure(
                f"the certificate of the schema registry {self.url} is not trusted: {reason.verify_message}; "
                "the environment variable SSL_CERT_FILE names a file of certificates to trust"
            )
        if isinstance(error, OSError | HTTPException):
            return str(reason) or type(error).__name__
        raise RunFailure(f"the schema registry {self.url} cannot be asked: {error}")

    def _refused(self, error: HTTPError, path: str) -> str:
        said = f"{error.code} {error.reason}".strip()
        if error.code == 404:
            if _error_code(error) in _NOT_THERE:
                raise Absent(f"the schema registry {self.url} does not have it ({said})")
            raise Absent(f"{self.url}{path} is not there ({said}): is that the API of a registry?")
        if error.code in (401, 403):
            who = "give 'user' and 'password'"
            if self._credentials:
                who = "is 'user' or 'password' wrong?" if error.code == 401 else "'user' may not read schemas"
            raise RunFailure(f"the schema registry {self.url} refuses: {said}; {who}")
        # 501: it cannot do what is asked for, and will not.
        if error.code == 501 or (error.code < 500 and error.code not in _LATER):
            raise RunFailure(f"the schema registry {self.url} refuses {path}: {said}")
        return said


def _error_code(error: HTTPError) -> int | None:
    try:
        return int(msgspec.json.decode(error.read(_MOST_BYTES))["error_code"])
    except (msgspec.MsgspecError, OSError, HTTPException, LookupError, TypeError, ValueError):
        return None
