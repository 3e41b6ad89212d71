"""Client of Peyk's public API."""

from . import _generated
from ._client import Peyk
from ._errors import PeykApiError, PeykConnectionError, PeykError, PeykSignatureError
from ._generated import *  # noqa: F403
from ._transport import Request, Response, Transport, TransportError, httpx_transport, urllib_transport
from ._webhook import WebhookEvent, is_authentic, sign_webhook, verify_webhook
from .fake import FakePeyk

__all__ = [
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
    "httpx_transport",
    "is_authentic",
    "sign_webhook",
    "urllib_transport",
    "verify_webhook",
]
__all__ += _generated.__all__
