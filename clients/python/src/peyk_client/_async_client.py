"""The client for asyncio. What it does is that of the other client, call by call."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime
from typing import Any, TypeVar

from ._attempts import Attempts, setting
from ._generated import AsyncOperations, InboundMessage, InboundMessagePage
from ._transport import AsyncTransport, Request, Response, TransportError, thread_transport

T = TypeVar("T")


class AsyncPeyk(AsyncOperations):
    """A client of one server and API key, for any number of tasks at once. All times are seconds."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        retries_max: int = 6,
        timeout: float = 30,
        wait_max: float = 60,
        transport: AsyncTransport = thread_transport,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        fraction: Callable[[], float] = random.random,
        now: Callable[[], float] = time.time,
    ) -> None:
        """As those of `Peyk`. The default transport uses threads of asyncio's own pool; `async_httpx_transport` none."""
        url = setting(base_url, "PEYK_URL", "base_url").rstrip("/")
        key = setting(api_key, "PEYK_API_KEY", "api_key")
        self._attempts = Attempts(url, key, retries_max, timeout, wait_max, fraction, now)
        self._transport = transport
        self._sleep = sleep

    async def inbound_pages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
    ) -> AsyncIterator[InboundMessagePage]:
        """Store `next_cursor` once a page is dealt with, and go on `after` it later."""
        while True:
            page = await self.list_inbound_messages(
                after=after, limit=limit, receiver=receiver, sender=sender, from_=from_, to=to
            )
            yield page
            if not page.has_more:
                return
            after = page.next_cursor

    async def inbound_messages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
    ) -> AsyncIterator[InboundMessage]:
        """Every received message, page by page, until none is left."""
        async for page in self.inbound_pages(
            after=after, limit=limit, receiver=receiver, sender=sender, from_=from_, to=to
        ):
            for received in page.items:
                yield received

    async def _call(
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
                outcome = await self._outcome(step)
            else:
                outcome = None
                await self._sleep(step)

    async def _outcome(self, request: Request) -> Response | TransportError:
        try:
            return await self._transport(request)
        except TransportError as error:
            return error
