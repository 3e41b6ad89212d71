"""Peyk in memory, for the tests of a program that sends: it takes every operation, sends nothing and needs no server."""

from __future__ import annotations

import json
import re
import secrets
import time
import urllib.parse
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Literal

from ._call import to_answer
from ._async_client import AsyncPeyk
from ._client import Peyk
from ._generated import (
    ApprovedGroup,
    CreatedWebhook,
    HistoryEntry,
    InboundMessage,
    MessageError,
    MessageRecord,
    Pattern,
    Sender,
)
from ._transport import Request, Response, TransportError


@dataclass(frozen=True)
class FakeFailure:
    """How a request fails. `lost`: it is carried out, and its answer never arrives. `broken`: neither."""

    kind: Literal["lost", "broken", "refused"] = "refused"
    status: int = 503
    code: str = "service_unavailable"
    retry_after: int | None = None


@dataclass
class _Challenge:
    id: str
    code: str
    recipient: str
    expires_at: float
    attempts: int = 5
    state: Literal["live", "expired", "used"] = "live"


class _Refusal(Exception):
    def __init__(self, status: int, code: str, errors: list[dict[str, str]] | None = None) -> None:
        self.status, self.code, self.errors = status, code, errors


def _check(condition: bool, name: str, code: str) -> None:
    if not condition:
        raise _Refusal(400, "validation_failed", [{"field": name, "code": code, "message": code}])


def _e164(number: str) -> str:
    return re.sub(r"^0?(?=9\d{9}$)", "+98", re.sub(r"^00", "+", number))


def _measured(text: str) -> tuple[Any, int]:
    """Encoding and parts, near enough for tests: the service counts by the alphabet of GSM."""
    is_latin = re.fullmatch(r"[\n\r\x20-\x7e]*", text) is not None
    single, part = (160, 153) if is_latin else (70, 67)
    units = len(text.encode("utf-16-le")) // 2
    encoding = "Latin" if is_latin else "Persian" if re.search("[\u0600-\u06ff]", text) else "Unicode"
    return encoding, 1 if units <= single else -(-units // part)


def _duplicate(body: Any) -> Any:
    return [_duplicate(one) for one in body] if isinstance(body, list) else {**body, "duplicate": True}


@dataclass
class FakePeyk:
    """Put senders, groups and patterns into its lists; read what was accepted from `messages`."""

    now: Callable[[], float] = time.time
    messages: list[MessageRecord] = field(default_factory=list)
    codes: dict[str, str] = field(default_factory=dict)
    """The one-time passwords that were sent, by tracking code; their messages mask them."""
    inbound: list[InboundMessage] = field(default_factory=list)
    senders: list[Sender] = field(default_factory=lambda: [Sender("30001234", True)])
    groups: list[ApprovedGroup] = field(default_factory=list)
    members: dict[str, list[str]] = field(default_factory=dict)
    """The recipients of each group, by its code."""
    patterns: list[Pattern] = field(default_factory=list)
    webhooks: list[CreatedWebhook] = field(default_factory=list)
    _failures: list[FakeFailure] = field(default_factory=list)
    _challenges: dict[str, _Challenge] = field(default_factory=dict)
    _replays: dict[str, tuple[str, Any]] = field(default_factory=dict)

    def client(self, **options: Any) -> Peyk:
        """A client of this fake. It does not wait between its attempts."""
        defaults: dict[str, Any] = {"base_url": "http://peyk.test", "api_key": "fake", "sleep": lambda _: None}
        return Peyk(**{**defaults, **options, "transport": self.transport})

    def async_client(self, **options: Any) -> AsyncPeyk:
        """The same for asyncio."""

        async def sleep(_: float) -> None: ...

        async def transport(request: Request) -> Response:
            return self.transport(request)

        defaults: dict[str, Any] = {"base_url": "http://peyk.test", "api_key": "fake", "sleep": sleep}
        return AsyncPeyk(**{**defaults, **options, "transport": transport})

    def fail_next(self, *failures: FakeFailure | Literal["lost", "broken"]) -> None:
        """The next requests fail, one for each of these."""
        self._failures += [FakeFailure(one) if isinstance(one, str) else one for one in failures]

    def receive(self, sender: str, receiver: str, message: str) -> InboundMessage:
        """A text from a phone, as `inbound_messages` will show it."""
        received = InboundMessage(self._code(), sender, receiver, message, self._time())
        self.inbound.append(received)
        return received

    def set_status(self, tracking_code: str, status: Any, error: MessageError | None = None) -> None:
        """What the network would have answered."""
        index, record = self._message(tracking_code)
        at = self._time()
        changes: dict[str, Any] = {"status": status, "error": error, "updated_at": at}
        if status in ("sent", "delivered"):
            changes["sent_at"] = record.sent_at or at
        if status == "delivered":
            changes["delivered_at"] = at
        history = [*record.history, HistoryEntry(status, status, at)]
        self.messages[index] = MessageRecord(**{**vars(record), **changes, "history": history})

    def transport(self, request: Request) -> Response:
        failure = self._failures.pop(0) if self._failures else FakeFailure("refused", 0)
        if failure.kind == "broken":
            raise TransportError("The connection broke")
        headers = {"x-correlation-id": request.headers["X-Correlation-Id"]}
        if failure.kind == "refused" and failure.status:
            if failure.retry_after is not None:
                headers["retry-after"] = str(failure.retry_after)
            return self._refused(headers, _Refusal(failure.status, failure.code))
        try:
            status, body = self._answer(request)
            answer = Response(status, headers, b"" if body is None else json.dumps(to_answer(body)).encode())
        except _Refusal as refusal:
            answer = self._refused(headers, refusal)
        if failure.kind == "lost":
            raise TransportError("The connection broke before the answer")
        return answer

    def _refused(self, headers: dict[str, str], refusal: _Refusal) -> Response:
        body = {"code": refusal.code, "message": refusal.code, "correlationId": headers["x-correlation-id"]}
        errors = {} if refusal.errors is None else {"errors": refusal.errors}
        return Response(refusal.status, headers, json.dumps({**body, **errors}).encode())

    def _answer(self, request: Request) -> tuple[int, Any]:
        url = urllib.parse.urlsplit(request.url)
        operation = f"{request.method} {url.path}"
        key = request.headers.get("Idempotency-Key")
        if key in self._replays:
            earlier, body = self._replays[key]
            if earlier != operation:
                raise _Refusal(409, "idempotency_key_conflict")
            return 200, _duplicate(body)
        fields = json.loads(request.body or b"{}")
        query = dict(urllib.parse.parse_qsl(url.query))
        segments = [urllib.parse.unquote(one) for one in url.path.split("/")[2:]]
        match [request.method, *segments]:
            case ["POST", "messages"]:
                answer: tuple[int, Any] = 202, self._accept(fields)
            case ["POST", "messages", "scheduled"]:
                answer = 202, self._schedule(fields)
            case ["POST", "messages", "batch"]:
                items = [{**one, "sender": fields["sender"]} for one in fields["messages"]]
                for index, one in enumerate(items):
                    self._check_message(one, f"messages[{index}].")
                answer = 202, [self._accept(one) for one in items]
            case ["POST", "messages", "status"]:
                wanted = dict.fromkeys(fields["trackingCodes"])
                answer = 200, [one for code in wanted for one in self.messages if one.tracking_code == code]
            case ["GET", "messages", code]:
                answer = 200, self._message(code)[1]
            case ["POST", "messages", code, "cancel"]:
                answer = 200, self._cancel(code)
            case ["GET", "senders"]:
                answer = 200, self.senders
            case ["GET", "approved-groups"]:
                answer = 200, self.groups
            case ["POST", "approved-groups", code, "messages"]:
                self._known(self.groups, "code", code, "group_not_found")
                if not self.members.get(code):
                    raise _Refusal(409, "group_not_sendable")
                answer = 202, [self._accept({**fields, "recipient": one}) for one in self.members[code]]
            case ["GET", "patterns"]:
                answer = 200, self.patterns
            case ["POST", "patterns", code, "messages"]:
                answer = 202, self._accept_pattern(code, fields)
            case ["POST", "otp", "challenges"]:
                answer = 202, self._challenge(fields)
            case ["POST", "otp", "challenges", challenge, "verify"]:
                answer = 200, self._verify(challenge, fields["code"])
            case ["POST", "otp", "codes"]:
                answer = 202, self._accept_code(fields, fields["code"])
            case ["GET", "inbound-messages"]:
                answer = 200, self._inbound_page(query)
            case [method, "webhooks", *rest]:
                answer = self._webhook(method, rest[0] if rest else "", fields, is_test=len(rest) > 1)
            case _:
                raise _Refusal(404, "not_found")
        if key is not None:
            self._replays[key] = operation, to_answer(answer[1])
        return answer

    def _check_message(self, fields: dict[str, Any], at: str = "") -> None:
        _check(re.fullmatch(r"\+\d{8,15}", _e164(fields["recipient"])) is not None, f"{at}recipient", "invalid_phone_number")
        _check(fields["message"] != "", f"{at}message", "too_short")
        _check(len(fields["message"]) <= 2000, f"{at}message", "too_long")
        if not any(one.active and one.sender == fields["sender"] for one in self.senders):
            raise _Refusal(403, "sender_not_permitted")

    def _accept(self, fields: dict[str, Any], send_at: str | None = None) -> dict[str, Any]:
        sender = fields.get("sender") or next((one.sender for one in self.senders if one.active), None)
        self._check_message({**fields, "sender": sender})
        message, at = fields["message"], self._time()
        encoding, parts = _measured(message)
        record = MessageRecord(
            tracking_code=self._code(),
            client_reference=fields.get("clientReference"),
            sender=str(sender),
            recipient=_e164(fields["recipient"]),
            message=message,
            encoding=encoding,
            character_count=len(message),
            part_count=parts,
            status="queued",
            error=None,
            submitted_at=at,
            updated_at=at,
            send_at=send_at,
            sent_at=None,
            delivered_at=None,
            history=[HistoryEntry("queued", "queued", at)],
        )
        self.messages.append(record)
        names = ("trackingCode", "status", "encoding", "characterCount", "partCount", "submittedAt")
        answer = to_answer(record)
        return {**{name: answer[name] for name in names}, "duplicate": False}

    def _schedule(self, fields: dict[str, Any]) -> dict[str, Any]:
        at = datetime.fromisoformat(fields["sendAt"]).timestamp()
        _check(30 <= at - self.now() <= 30 * 86_400, "sendAt", "out_of_range")
        send_at = self._time(at - self.now())
        return {**self._accept(fields, send_at), "sendAt": send_at}

    def _accept_pattern(self, code: str, fields: dict[str, Any]) -> dict[str, Any]:
        pattern = self._known(self.patterns, "code", code, "pattern_not_found")
        if not pattern.is_active:
            raise _Refusal(409, "pattern_not_sendable")
        text = pattern.text
        for variable in pattern.variables:
            _check(variable.name in fields["variables"], f"variables.{variable.name}", "required")
            text = text.replace("{{" + variable.name + "}}", fields["variables"][variable.name])
        return self._accept({**fields, "sender": fields.get("sender") or pattern.sender, "message": text})

    def _accept_code(self, fields: dict[str, Any], code: str) -> dict[str, Any]:
        _check(re.fullmatch(r"[^\W_]{4,10}", code) is not None, "code", "invalid_format")
        result = self._accept({**fields, "message": "•" * len(code)})
        self.codes[result["trackingCode"]] = code
        return result

    def _challenge(self, fields: dict[str, Any]) -> dict[str, Any]:
        code = "".join(secrets.choice("0123456789") for _ in range(fields.get("codeLength") or 6))
        tracking_code = self._accept_code(fields, code)["trackingCode"]
        recipient = _e164(fields["recipient"])
        for one in self._challenges.values():
            if one.recipient == recipient and one.state == "live":
                one.state = "expired"
        ttl = fields.get("ttlSeconds") or 300
        made = _Challenge(str(uuid.uuid4()), code, recipient, self.now() + ttl)
        self._challenges[made.id] = made
        times = {"expiresAt": self._time(ttl), "resendAvailableAt": self._time(60)}
        ids = {"challengeId": made.id, "trackingCode": tracking_code}
        return {**ids, "status": "pending", **times, "attemptsRemaining": made.attempts, "duplicate": False}

    def _verify(self, challenge_id: str, code: str) -> dict[str, Any]:
        challenge = self._challenges.get(challenge_id)
        if challenge is None:
            raise _Refusal(404, "otp_challenge_not_found")
        if challenge.state == "used":
            raise _Refusal(409, "otp_challenge_used")
        if challenge.state == "expired" or challenge.expires_at <= self.now():
            raise _Refusal(409, "otp_challenge_expired")
        if challenge.attempts == 0:
            raise _Refusal(409, "otp_challenge_locked")
        challenge.attempts -= 1
        is_right = code == challenge.code
        if is_right:
            challenge.state = "used"
        answer = {"challengeId": challenge_id, "status": "verified" if is_right else "pending"}
        return {**answer, "verifiedAt": self._time() if is_right else None, "attemptsRemaining": challenge.attempts}

    def _cancel(self, tracking_code: str) -> dict[str, Any]:
        status = self._message(tracking_code)[1].status
        if status not in ("queued", "cancelled"):
            raise _Refusal(409, "message_not_cancellable")
        if status == "queued":
            self.set_status(tracking_code, "cancelled")
        at = self._message(tracking_code)[1].updated_at
        return {"trackingCode": tracking_code, "status": "cancelled", "cancelledAt": at}

    def _inbound_page(self, query: dict[str, str]) -> dict[str, Any]:
        after = int(query.get("after", "0"))
        end = min(after + int(query.get("limit", "100")), len(self.inbound))
        first, last = (datetime.fromisoformat(query.get(name, at)) for name, at in _EVER.items())
        items = [
            one
            for one in self.inbound[after:end]
            if query.get("receiver", one.receiver) == one.receiver
            and _e164(query.get("sender", one.sender)) == _e164(one.sender)
            and first <= datetime.fromisoformat(one.received_at) < last
        ]
        return {"items": items, "nextCursor": str(end), "hasMore": end < len(self.inbound)}

    def _webhook(self, method: str, webhook_id: str, fields: dict[str, Any], is_test: bool) -> tuple[int, Any]:
        if method == "GET":
            return 200, [_without_secret(one) for one in self.webhooks]
        if webhook_id == "":
            if len(self.webhooks) >= 5:
                raise _Refusal(409, "webhook_limit_reached")
            _check(fields["url"].startswith("https://"), "url", "invalid_format")
            secret = f"whsec_{secrets.token_urlsafe(32)}"
            made = CreatedWebhook(
                str(uuid.uuid4()), fields["url"], fields["events"], True, self._time(), self._time(), secret
            )
            self.webhooks.append(made)
            return 201, made
        webhook = self._known(self.webhooks, "id", webhook_id, "webhook_not_found")
        if is_test:
            if not webhook.is_active:
                raise _Refusal(409, "webhook_inactive")
            return 202, {"eventId": str(uuid.uuid4()), "status": "queued"}
        index = self.webhooks.index(webhook)
        if method == "DELETE":
            del self.webhooks[index]
            return 204, None
        changes = {"events": fields.get("events", webhook.events), "is_active": fields.get("isActive", webhook.is_active)}
        self.webhooks[index] = CreatedWebhook(**{**vars(webhook), **changes, "updated_at_utc": self._time()})
        return 200, _without_secret(self.webhooks[index])

    def _message(self, tracking_code: str) -> tuple[int, MessageRecord]:
        found = [(index, one) for index, one in enumerate(self.messages) if one.tracking_code == tracking_code]
        if not found:
            raise _Refusal(404, "message_not_found")
        return found[0]

    def _known(self, rows: list[Any], name: str, value: str, code: str) -> Any:
        found = next((one for one in rows if getattr(one, name) == value), None)
        if found is None:
            raise _Refusal(404, code)
        return found

    def _code(self) -> str:
        return f"01FAKE{len(self.messages) + len(self.inbound) + 1:020d}"

    def _time(self, in_seconds: float = 0) -> str:
        at = datetime.fromtimestamp(self.now() + in_seconds, timezone.utc)
        return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_EVER = {"from": "0001-01-01T00:00:00Z", "to": "9999-01-01T00:00:00Z"}


def _without_secret(webhook: CreatedWebhook) -> dict[str, Any]:
    answer: dict[str, Any] = to_answer(webhook)
    del answer["signingSecret"]
    return answer
