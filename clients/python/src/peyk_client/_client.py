"""The client: one key for each call, kept over its retries."""

from __future__ import annotations

import json
import random
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ._call import from_json, new_key, to_request
from ._errors import PeykApiError, PeykConnectionError, PeykError
from ._generated import InboundMessage, InboundMessagePage, Operations
from ._transport import Request, Response, Transport, TransportError, urllib_transport

_FIRST_DELAY = 0.25
_DELAY_MAX = 8.0


class Peyk(Operations):
    """A client of one server and API key. Threads may share it. All times are seconds."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        retries_max: int = 6,
        timeout: float = 30,
        wait_max: float = 60,
        transport: Transport = urllib_transport,
        sleep: Callable[[float], object] = time.sleep,
        fraction: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`wait_max`: a longer `Retry-After` is not waited for, but raised. The last three are for tests."""
        self._base_url = base_url.rstrip("/")
        self.__api_key = api_key
        self._retries_max = retries_max
        self._timeout = timeout
        self._wait_max = wait_max
        self._transport = transport
        self._sleep = sleep
        self._fraction = fraction
        self._now = now

    def inbound_pages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
    ) -> Iterator[InboundMessagePage]:
        """Store `next_cursor` once a page is dealt with, and go on `after` it later."""
        while True:
            page = self.list_inbound_messages(
                after=after, limit=limit, receiver=receiver, sender=sender, from_=from_, to=to
            )
            yield page
            if not page.has_more:
                return
            after = page.next_cursor

    def inbound_messages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
    ) -> Iterator[InboundMessage]:
        """Every received message, page by page, until none is left."""
        for page in self.inbound_pages(
            after=after, limit=limit, receiver=receiver, sender=sender, from_=from_, to=to
        ):
            yield from page.items

    def _call(
        self,
        answer: Any,
        method: str,
        path: str,
        correlation_id: str | None,
        *,
        key: str | None = None,
        is_repeatable: bool = True,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        correlation = correlation_id or new_key()
        request = self._request(method, path, correlation, key, body, query or {})
        was_lost = False
        attempts = 0
        while True:
            attempts += 1
            call = {"correlation_id": correlation, "idempotency_key": key, "attempts": attempts}
            refusal: PeykError
            try:
                response = self._transport(request)
                if 200 <= response.status < 300:
                    # An answer that was cut short is none.
                    return from_json(answer, json.loads(response.body)) if response.body else None
                refusal = PeykApiError(response.status, response.body, self._retry_after(response), **call)
                # An earlier attempt has removed it, and its answer was lost.
                if was_lost and method == "DELETE" and response.status == 404:
                    return None
            except (TransportError, json.JSONDecodeError) as error:
                refusal = PeykConnectionError(f"No answer after {attempts} attempts", **call)
                refusal.__cause__ = error
            delay = self._delay_after(refusal, is_repeatable, attempts) if attempts <= self._retries_max else None
            if delay is None:
                raise refusal
            was_lost = was_lost or not isinstance(refusal, PeykApiError) or refusal.status >= 500
            self._sleep(delay)

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
            "X-API-Key": self.__api_key,
            "X-Correlation-Id": correlation_id,
            "Accept": "application/json",
            **({} if key is None else {"Idempotency-Key": key}),
            **({} if body is None else {"Content-Type": "application/json"}),
        }
        parameters = urllib.parse.urlencode(to_request(query))
        url = f"{self._base_url}{path}{'?' if parameters else ''}{parameters}"
        content = None if body is None else json.dumps(to_request(body)).encode()
        return Request(method, url, headers, content, self._timeout)

    def _retry_after(self, response: Response) -> float | None:
        text = response.headers.get("retry-after", "")
        if text.isascii() and text.isdigit():
            return float(text[:9])
        try:
            return max(0.0, parsedate_to_datetime(text).timestamp() - self._now())
        except ValueError:
            return None

    def _delay_after(self, refusal: PeykError, is_repeatable: bool, attempts: int) -> float | None:
        """None: the call is not repeated."""
        backoff = min(_FIRST_DELAY * 2 ** (attempts - 1), _DELAY_MAX) * (0.5 + self._fraction() / 2)
        if not isinstance(refusal, PeykApiError):
            return backoff if is_repeatable else None
        # A code a minute for a recipient is a rule for people: waiting here would only hold them up.
        is_busy = refusal.status == 429 and refusal.code != "otp_rate_limited"
        is_refused = is_busy or refusal.code == "service_unavailable"
        if not is_refused and not (is_repeatable and (refusal.status == 408 or refusal.status >= 500)):
            return None
        wait = refusal.retry_after_seconds or 0.0
        if wait > self._wait_max:
            return None
        # Whoever was told the same second does not come back in the same moment.
        return max(wait + self._fraction() * _FIRST_DELAY if wait else 0.0, backoff)
