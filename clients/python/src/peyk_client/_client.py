"""The client: one key for each call, kept over its retries."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar

from ._attempts import Attempts, setting
from ._generated import InboundMessage, InboundMessagePage, Operations
from ._transport import Request, Response, Transport, TransportError, urllib_transport

T = TypeVar("T")


class Peyk(Operations):
    """A client of one server and API key. Threads may share it. All times are seconds."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries_max: int = 6,
        timeout: float = 30,
        wait_max: float = 60,
        transport: Transport = urllib_transport,
        sleep: Callable[[float], object] = time.sleep,
        fraction: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`base_url`, `api_key`: PEYK_URL and PEYK_API_KEY of the environment unless given. Raises ValueError without.

        `wait_max`: a longer `Retry-After` is not waited for, but raised. The last three are for tests.
        """
        url = setting(base_url, "PEYK_URL", "base_url").rstrip("/")
        key = setting(api_key, "PEYK_API_KEY", "api_key")
        self._attempts = Attempts(url, key, retries_max, timeout, wait_max, fraction, now)
        self._transport = transport
        self._sleep = sleep

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
        self, answer: type[T], method: str, path: str, correlation_id: str | None, **call: Any
    ) -> T:
        steps = self._attempts.steps(answer, method, path, correlation_id, **call)
        outcome: Response | TransportError | None = None
        while True:
            try:
                step = steps.send(outcome)
            except StopIteration as end:
                result: T = end.value
                return result
            if isinstance(step, Request):
                outcome = self._outcome(step)
            else:
                outcome = None
                self._sleep(step)

    def _outcome(self, request: Request) -> Response | TransportError:
        try:
            return self._transport(request)
        except TransportError as error:
            return error
