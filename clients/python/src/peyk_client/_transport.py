"""What carries a request: urllib unless another transport is given."""

from __future__ import annotations

import asyncio
import http.client
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None
    timeout: float


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


class TransportError(Exception):
    """No answer came."""


Transport = Callable[[Request], Response]
"""Sends one request without following redirects. Raises TransportError where no answer came."""

AsyncTransport = Callable[[Request], Awaitable[Response]]
"""The same for `AsyncPeyk`."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


_opener = urllib.request.build_opener(_NoRedirect)


def urllib_transport(request: Request) -> Response:
    sent = urllib.request.Request(
        request.url, data=request.body, headers=dict(request.headers), method=request.method
    )
    try:
        try:
            answer = _opener.open(sent, timeout=request.timeout)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return Response(answer.status, _lower(answer.headers), answer.read())
    except (OSError, http.client.HTTPException) as error:
        raise TransportError(str(error)) from error


async def thread_transport(request: Request) -> Response:
    """A request that is cancelled goes on in its thread until its timeout; its answer is not read."""
    return await asyncio.to_thread(urllib_transport, request)


def httpx_transport(client: Any) -> Transport:
    """A transport over an `httpx.Client` of yours: its connections are kept, its proxies and certificates used."""
    import httpx

    def send(request: Request) -> Response:
        try:
            answer = client.request(**_httpx_options(request))
        except httpx.TransportError as error:
            raise TransportError(str(error)) from error
        return Response(answer.status_code, _lower(answer.headers), answer.content)

    return send


def async_httpx_transport(client: Any) -> AsyncTransport:
    """The same over an `httpx.AsyncClient`, for `AsyncPeyk`."""
    import httpx

    async def send(request: Request) -> Response:
        try:
            answer = await client.request(**_httpx_options(request))
        except httpx.TransportError as error:
            raise TransportError(str(error)) from error
        return Response(answer.status_code, _lower(answer.headers), answer.content)

    return send


def _httpx_options(request: Request) -> dict[str, Any]:
    return {
        "method": request.method,
        "url": request.url,
        "headers": dict(request.headers),
        "content": request.body,
        "timeout": request.timeout,
        "follow_redirects": False,
    }
