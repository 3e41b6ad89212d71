"""Callbacks of the service: who sent them, and what they say."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence

from ._call import from_json
from ._errors import PeykSignatureError
from ._generated import InboundReceivedEvent, MessageStatusEvent, WebhookTestEvent

WebhookEvent = MessageStatusEvent | InboundReceivedEvent | WebhookTestEvent
_KINDS: dict[str, type[WebhookEvent]] = {
    "message.status": MessageStatusEvent,
    "inbound.received": InboundReceivedEvent,
    "webhook.test": WebhookTestEvent,
}


def is_authentic(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> bool:
    """Whether the service signed it, within the tolerance. Compares in constant time."""
    lower = {name.lower().replace("_", "-").removeprefix("http-"): value for name, value in headers.items()}
    timestamp = lower.get("x-service-timestamp", "")
    signature = lower.get("x-service-signature", "")
    current = time.time() if now is None else now
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(current - int(timestamp)) > tolerance_seconds:
        return False
    if not re.fullmatch(r"v1=[0-9a-f]{64}", signature):
        return False
    secrets = [secret] if isinstance(secret, str) else secret
    return any([hmac.compare_digest(_sign(one, timestamp, body), signature) for one in secrets])


def verify_webhook(
    body: bytes,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """The event of a callback. The same `id` may come more than once. Raises PeykSignatureError.

    `body`: the bytes as they came, before any JSON parser. `headers`: in any case, or the `HTTP_…` of WSGI.
    `secret`: the webhook's signing secret; the old and the new one while it is replaced.
    """
    if not is_authentic(body, headers, secret, tolerance_seconds=tolerance_seconds, now=now):
        raise PeykSignatureError("The callback's signature or time is wrong")
    event = json.loads(body)
    kind = _KINDS.get(event["type"])
    if kind is None:
        raise ValueError(f"An event of an unknown type: {event['type']}")
    result: WebhookEvent = from_json(kind, event)
    return result


def sign_webhook(secret: str, body: bytes, now: float | None = None) -> dict[str, str]:
    """The headers of a callback as the service sends them, for tests of a receiver."""
    event = json.loads(body)
    timestamp = str(int(time.time() if now is None else now))
    return {
        "X-Service-Event-Id": event["id"],
        "X-Service-Event": event["type"],
        "X-Service-Timestamp": timestamp,
        "X-Service-Signature": _sign(secret, timestamp, body),
    }


def _sign(secret: str, timestamp: str, body: bytes) -> str:
    return "v1=" + hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
