"""Client of Peyk's public API."""

from . import _generated
from ._async_client import AsyncPeyk
from ._client import Peyk
from ._errors import PeykApiError, PeykConnectionError, PeykError, PeykSignatureError
from ._generated import *  # noqa: F403
from ._transport import (
    AsyncTransport,
    Request,
    Response,
    Transport,
    TransportError,
    async_httpx_transport,
    httpx_transport,
    thread_transport,
    urllib_transport,
)
from ._webhook import WebhookEvent, is_authentic, sign_webhook, verify_webhook
from .fake import FakePeyk

__all__ = [
    "AsyncPeyk",
    "AsyncTransport",
    "FakePeyk",
    "Peyk",
    "PeykApiError",
    "PeykConnectionError",
    "PeykError",
    "PeykSignatureError",
    "Request",
    "Response",
    "Transport",
    "TransportError",
    "WebhookEvent",
    "async_httpx_transport",
    "httpx_transport",
    "is_authentic",
    "sign_webhook",
    "thread_transport",
    "urllib_transport",
    "verify_webhook",
]
__all__ += _generated.__all__
