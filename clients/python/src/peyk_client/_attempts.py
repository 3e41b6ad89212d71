"""One call over its attempts, for both clients: what to send, how long to pause, and what it ends with."""

from __future__ import annotations

import json
import os
import urllib.parse
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from ._call import from_json, new_key, to_request
from ._errors import PeykApiError, PeykConnectionError, PeykError
from ._transport import Request, Response, TransportError

_FIRST_DELAY = 0.25
_DELAY_MAX = 8.0

T = TypeVar("T")

Steps = Generator[Request | float, Response | TransportError | None, T]
"""Yields a request, to be sent its outcome, or seconds to pause; returns the answer. Raises PeykError."""


def setting(given: str | None, variable: str, parameter: str) -> str:
    """Raises ValueError where neither the parameter nor the environment has it."""
    value = os.environ.get(variable, "") if given is None else given
    if value == "":
        raise ValueError(f"Set {variable}, or give {parameter}")
    return value


@dataclass(frozen=True, repr=False)
class Attempts:
    base_url: str
    api_key: str
    retries_max: int
    timeout: float
    wait_max: float
    fraction: Callable[[], float]
    now: Callable[[], float]

    def steps(
        self,
        answer: type[T],
        method: str,
        path: str,
        correlation_id: str | None,
        *,
        key: str | None = None,
        is_repeatable: bool = True,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Steps[T]:
        correlation = correlation_id or new_key()
        request = self._request(method, path, correlation, key, body, query or {})
        was_lost = False
        attempts = 0
        while True:
            attempts += 1
            outcome = yield request
            if outcome is None:
                raise RuntimeError("A request wants its outcome")
            refusal: PeykError
            lost: Exception | None = None
            call: dict[str, Any] = {"correlation_id": correlation, "idempotency_key": key, "attempts": attempts}
            if isinstance(outcome, TransportError):
                lost = outcome
            elif 200 <= outcome.status < 300:
                try:
                    return _answer(answer, outcome.body)
                except json.JSONDecodeError as error:
                    # An answer that was cut short is none.
                    lost = error
            if lost is None and isinstance(outcome, Response):
                refusal = PeykApiError(outcome.status, outcome.body, self._retry_after(outcome), **call)
                # An earlier attempt has removed it, and its answer was lost.
                if was_lost and method == "DELETE" and outcome.status == 404:
                    return _answer(answer, b"")
            else:
                refusal = PeykConnectionError(f"No answer after {attempts} attempts", **call)
                refusal.__cause__ = lost
            delay = self._delay_after(refusal, is_repeatable, attempts) if attempts <= self.retries_max else None
            if delay is None:
                raise refusal
            was_lost = was_lost or not isinstance(refusal, PeykApiError) or refusal.status >= 500
            yield delay

    def _request(
        self,
        method: str,
        path: str,
        correlation_id: str,
        key: str | None,
        body: Mapping[str, Any] | None,
        query: Mapping[str, Any],
    ) -> Request:
        headers = {
            "X-API-Key": self.api_key,
            "X-Correlation-Id": correlation_id,
            "Accept": "application/json",
            **({} if key is None else {"Idempotency-Key": key}),
            **({} if body is None else {"Content-Type": "application/json"}),
        }
        parameters = urllib.parse.urlencode(to_request(query))
        url = f"{self.base_url}{path}{'?' if parameters else ''}{parameters}"
        content = None if body is None else json.dumps(to_request(body)).encode()
        return Request(method, url, headers, content, self.timeout)

    def _retry_after(self, response: Response) -> float | None:
        text = response.headers.get("retry-after", "")
        if text.isascii() and text.isdigit():
            return float(text[:9])
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self.now())
        except ValueError:
            return None

    def _delay_after(self, refusal: PeykError, is_repeatable: bool, attempts: int) -> float | None:
        """None: the call is not repeated."""
        backoff = min(_FIRST_DELAY * 2.0 ** (attempts - 1), _DELAY_MAX) * (0.5 + self.fraction() / 2)
        if not isinstance(refusal, PeykApiError):
            return backoff if is_repeatable else None
        # A code a minute for a recipient is a rule for people: waiting here would only hold them up.
        is_busy = refusal.status == 429 and refusal.code != "otp_rate_limited"
        is_refused = is_busy or refusal.code == "service_unavailable"
        if not is_refused and not (is_repeatable and (refusal.status == 408 or refusal.status >= 500)):
            return None
        wait = refusal.retry_after_seconds or 0.0
        if wait > self.wait_max:
            return None
        # Whoever was told the same second does not come back in the same moment.
        return max(wait + self.fraction() * _FIRST_DELAY if wait else 0.0, backoff)


def _answer(kind: type[T], body: bytes) -> T:
    """None of an operation without an answer."""
    value: Any = from_json(kind, json.loads(body)) if body else None
    answer: T = value
    return answer
