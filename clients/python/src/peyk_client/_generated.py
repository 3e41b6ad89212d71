"""The types and operations of the public API. Made by `bun run clients` from openapi.json. Do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeVar

from ._call import new_key, segment

__all__ = [
    "ErrorCode",
    "BatchMessage",
    "FieldError",
    "SendResult",
    "ScheduledSendResult",
    "CampaignSendResult",
    "MessageRecord",
    "MessageError",
    "HistoryEntry",
    "StatusSummary",
    "CancelResult",
    "Sender",
    "ApprovedGroup",
    "Pattern",
    "PatternVariable",
    "OtpChallenge",
    "OtpVerification",
    "InboundMessagePage",
    "InboundMessage",
    "CreatedWebhook",
    "Webhook",
    "QueuedTestEvent",
    "MessageStatusEvent",
    "MessageStatusChange",
    "InboundReceivedEvent",
    "ReceivedMessage",
    "WebhookTestEvent",
    "WebhookTest",
]

ErrorCode = Literal[
    "malformed_json",
    "validation_failed",
    "idempotency_key_required",
    "idempotency_key_invalid",
    "unknown_variable",
    "personalisation_unavailable",
    "api_key_required",
    "api_key_invalid",
    "permission_denied",
    "sender_not_permitted",
    "account_suspended",
    "quota_exceeded",
    "balance_exhausted",
    "not_found",
    "message_not_found",
    "group_not_found",
    "pattern_not_found",
    "webhook_not_found",
    "otp_challenge_not_found",
    "method_not_allowed",
    "message_not_cancellable",
    "group_not_sendable",
    "pattern_not_sendable",
    "idempotency_key_conflict",
    "webhook_limit_reached",
    "webhook_inactive",
    "otp_challenge_expired",
    "otp_challenge_locked",
    "otp_challenge_used",
    "request_timeout",
    "payload_too_large",
    "unsupported_media_type",
    "rate_limit_exceeded",
    "otp_rate_limited",
    "internal_error",
    "service_unavailable",
]


@dataclass(frozen=True)
class BatchMessage:
    recipient: str
    message: str
    client_reference: str | None = None


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one field, parameter or header."""

    field: str
    code: Literal["required", "invalid_type", "too_short", "too_long", "too_few", "too_many", "invalid_format",
        "invalid_phone_number", "out_of_range", "duplicate", "unknown"]
    message: str


@dataclass(frozen=True)
class SendResult:
    """What was accepted."""

    tracking_code: str
    status: Literal["queued"]
    encoding: Literal["Latin", "Persian", "Unicode"]
    character_count: int
    part_count: int
    submitted_at: str
    duplicate: bool


@dataclass(frozen=True)
class ScheduledSendResult:
    """What was accepted, and when it will be sent."""

    tracking_code: str
    status: Literal["queued"]
    encoding: Literal["Latin", "Persian", "Unicode"]
    character_count: int
    part_count: int
    submitted_at: str
    duplicate: bool
    send_at: str


@dataclass(frozen=True)
class CampaignSendResult:
    """What was accepted, and its campaign."""

    tracking_code: str
    status: Literal["queued"]
    encoding: Literal["Latin", "Persian", "Unicode"]
    character_count: int
    part_count: int
    submitted_at: str
    duplicate: bool
    campaign: str | None = None


@dataclass(frozen=True)
class MessageRecord:
    """A message with its public history."""

    tracking_code: str
    client_reference: str | None
    sender: str
    recipient: str
    message: str
    encoding: Literal["Latin", "Persian", "Unicode"]
    character_count: int
    part_count: int
    status: Literal["queued", "processing", "sent", "delivered", "failed", "cancelled"]
    error: MessageError | None
    submitted_at: str
    updated_at: str
    send_at: str | None
    sent_at: str | None
    delivered_at: str | None
    history: list[HistoryEntry]


@dataclass(frozen=True)
class MessageError:
    """Why the message failed; null unless its status is failed."""

    code: Literal["rejected_by_network", "recipient_unreachable", "recipient_invalid", "expired", "blocked",
        "undeliverable", "route_unavailable", "internal"]
    message: str


@dataclass(frozen=True)
class HistoryEntry:
    """One public step."""

    status: Literal["queued", "processing", "sent", "delivered", "failed", "cancelled"]
    note: str
    changed_at: str


@dataclass(frozen=True)
class StatusSummary:
    """A message in short."""

    tracking_code: str
    client_reference: str | None
    sender: str
    recipient: str
    status: Literal["queued", "processing", "sent", "delivered", "failed", "cancelled"]
    part_count: int
    submitted_at: str
    updated_at: str


@dataclass(frozen=True)
class CancelResult:
    """A cancelled message."""

    tracking_code: str
    status: Literal["cancelled"]
    cancelled_at: str


@dataclass(frozen=True)
class Sender:
    """A sender of the account."""

    sender: str
    active: bool


@dataclass(frozen=True)
class ApprovedGroup:
    """A group that the account may send to."""

    code: str
    name: str
    recipient_count: int
    approved_at: str | None


@dataclass(frozen=True)
class Pattern:
    """An approved text with variables."""

    code: str
    name: str
    text: str
    variables: list[PatternVariable]
    sender: str | None
    is_active: bool
    approved_at: str | None


@dataclass(frozen=True)
class PatternVariable:
    """One variable."""

    name: str
    max_length: int


@dataclass(frozen=True)
class OtpChallenge:
    """A code that was sent to its recipient."""

    challenge_id: str
    tracking_code: str
    status: Literal["pending"]
    expires_at: str
    resend_available_at: str
    attempts_remaining: int
    duplicate: bool


@dataclass(frozen=True)
class OtpVerification:
    """The result of a verification."""

    challenge_id: str
    status: Literal["verified", "pending"]
    verified_at: str | None
    attempts_remaining: int


@dataclass(frozen=True)
class InboundMessagePage:
    """A page of received messages."""

    items: list[InboundMessage]
    next_cursor: str
    has_more: bool


@dataclass(frozen=True)
class InboundMessage:
    """A received message."""

    tracking_code: str
    sender: str
    receiver: str
    message: str
    received_at: str


@dataclass(frozen=True)
class CreatedWebhook:
    """A webhook, with its signing secret."""

    id: str
    url: str
    events: list[Literal["message.status", "inbound.received"]]
    is_active: bool
    created_at_utc: str
    updated_at_utc: str
    signing_secret: str


@dataclass(frozen=True)
class Webhook:
    """A webhook."""

    id: str
    url: str
    events: list[Literal["message.status", "inbound.received"]]
    is_active: bool
    created_at_utc: str
    updated_at_utc: str


@dataclass(frozen=True)
class QueuedTestEvent:
    """A queued test event."""

    event_id: str
    status: Literal["queued"]


@dataclass(frozen=True)
class MessageStatusEvent:
    """A message has a new public status."""

    id: str
    type: Literal["message.status"]
    created_at: str
    data: MessageStatusChange


@dataclass(frozen=True)
class MessageStatusChange:
    """The message as it is by now."""

    tracking_code: str
    client_reference: str | None
    sender: str
    recipient: str
    status: Literal["queued", "processing", "sent", "delivered", "failed", "cancelled"]
    changed_at: str


@dataclass(frozen=True)
class InboundReceivedEvent:
    """A message was received for the account."""

    id: str
    type: Literal["inbound.received"]
    created_at: str
    data: ReceivedMessage


@dataclass(frozen=True)
class ReceivedMessage:
    """The received message."""

    tracking_code: str
    sender: str
    receiver: str
    message: str
    received_at: str


@dataclass(frozen=True)
class WebhookTestEvent:
    """The answer to POST /v1/webhooks/{id}/test."""

    id: str
    type: Literal["webhook.test"]
    created_at: str
    data: WebhookTest


@dataclass(frozen=True)
class WebhookTest:
    """What was tested."""

    webhook_id: str
    message: str


T = TypeVar("T")


class Operations:
    """Every operation of the API."""

    def _call(
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
    ) -> T:
        raise NotImplementedError

    def send_message(
        self,
        *,
        sender: str,
        recipient: str,
        message: str,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send one message."""
        return self._call(
            SendResult,
            "POST",
            "/v1/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "message": message,
                "clientReference": client_reference,
            },
        )

    def schedule_message(
        self,
        *,
        sender: str,
        recipient: str,
        message: str,
        send_at: str | datetime,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> ScheduledSendResult:
        """Send one message later."""
        return self._call(
            ScheduledSendResult,
            "POST",
            "/v1/messages/scheduled",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "message": message,
                "clientReference": client_reference,
                "sendAt": send_at,
            },
        )

    def send_message_batch(
        self,
        *,
        sender: str,
        messages: Sequence[BatchMessage],
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> list[CampaignSendResult]:
        """Send several different messages."""
        return self._call(
            list[CampaignSendResult],
            "POST",
            "/v1/messages/batch",
            correlation_id,
            key=idempotency_key or new_key(),
            body={"sender": sender, "messages": messages},
        )

    def get_message(self, tracking_code: str, *, correlation_id: str | None = None) -> MessageRecord:
        """Track one message."""
        return self._call(MessageRecord, "GET", f"/v1/messages/{segment(tracking_code)}", correlation_id)

    def get_message_statuses(
        self,
        *,
        tracking_codes: Sequence[str],
        correlation_id: str | None = None,
    ) -> list[StatusSummary]:
        """Status of several messages."""
        return self._call(
            list[StatusSummary],
            "POST",
            "/v1/messages/status",
            correlation_id,
            body={"trackingCodes": tracking_codes},
        )

    def cancel_message(self, tracking_code: str, *, correlation_id: str | None = None) -> CancelResult:
        """Cancel a queued message."""
        return self._call(CancelResult, "POST", f"/v1/messages/{segment(tracking_code)}/cancel", correlation_id)

    def list_senders(self, *, correlation_id: str | None = None) -> list[Sender]:
        """Senders of the account."""
        return self._call(list[Sender], "GET", "/v1/senders", correlation_id)

    def list_approved_groups(self, *, correlation_id: str | None = None) -> list[ApprovedGroup]:
        """Groups that the account may send to."""
        return self._call(list[ApprovedGroup], "GET", "/v1/approved-groups", correlation_id)

    def send_to_approved_group(
        self,
        group_code: str,
        *,
        message: str,
        sender: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> list[CampaignSendResult]:
        """Send to an approved group."""
        return self._call(
            list[CampaignSendResult],
            "POST",
            f"/v1/approved-groups/{segment(group_code)}/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={"sender": sender, "message": message, "clientReference": client_reference},
        )

    def list_patterns(self, *, correlation_id: str | None = None) -> list[Pattern]:
        """Patterns of the account."""
        return self._call(list[Pattern], "GET", "/v1/patterns", correlation_id)

    def send_pattern_message(
        self,
        pattern_code: str,
        *,
        recipient: str,
        variables: Mapping[str, str],
        sender: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send by a pattern."""
        return self._call(
            SendResult,
            "POST",
            f"/v1/patterns/{segment(pattern_code)}/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "variables": variables,
                "clientReference": client_reference,
            },
        )

    def create_otp_challenge(
        self,
        *,
        recipient: str,
        sender: str | None = None,
        pattern_code: str | None = None,
        client_reference: str | None = None,
        code_length: int | None = None,
        ttl_seconds: int | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> OtpChallenge:
        """Send a code and remember its hash."""
        return self._call(
            OtpChallenge,
            "POST",
            "/v1/otp/challenges",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "patternCode": pattern_code,
                "clientReference": client_reference,
                "codeLength": code_length,
                "ttlSeconds": ttl_seconds,
            },
        )

    def verify_otp_challenge(
        self,
        challenge_id: str,
        *,
        code: str,
        correlation_id: str | None = None,
    ) -> OtpVerification:
        """Verify a code."""
        return self._call(
            OtpVerification,
            "POST",
            f"/v1/otp/challenges/{segment(challenge_id)}/verify",
            correlation_id,
            is_repeatable=False,
            body={"code": code},
        )

    def send_otp_code(
        self,
        *,
        recipient: str,
        code: str,
        sender: str | None = None,
        pattern_code: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send a code of your own."""
        return self._call(
            SendResult,
            "POST",
            "/v1/otp/codes",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "patternCode": pattern_code,
                "clientReference": client_reference,
                "code": code,
            },
        )

    def list_inbound_messages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        correlation_id: str | None = None,
    ) -> InboundMessagePage:
        """Received messages."""
        return self._call(
            InboundMessagePage,
            "GET",
            "/v1/inbound-messages",
            correlation_id,
            query={
                "after": after,
                "limit": limit,
                "receiver": receiver,
                "sender": sender,
                "from": from_,
                "to": to,
            },
        )

    def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[Literal["message.status", "inbound.received"]],
        correlation_id: str | None = None,
    ) -> CreatedWebhook:
        """Register a webhook."""
        return self._call(
            CreatedWebhook,
            "POST",
            "/v1/webhooks/",
            correlation_id,
            is_repeatable=False,
            body={"url": url, "events": events},
        )

    def list_webhooks(self, *, correlation_id: str | None = None) -> list[Webhook]:
        """Webhooks of the account."""
        return self._call(list[Webhook], "GET", "/v1/webhooks/", correlation_id)

    def update_webhook(
        self,
        id: str,
        *,
        events: Sequence[Literal["message.status", "inbound.received"]] | None = None,
        is_active: bool | None = None,
        correlation_id: str | None = None,
    ) -> Webhook:
        """Change a webhook."""
        return self._call(
            Webhook,
            "PATCH",
            f"/v1/webhooks/{segment(id)}",
            correlation_id,
            body={"events": events, "isActive": is_active},
        )

    def delete_webhook(self, id: str, *, correlation_id: str | None = None) -> None:
        """Remove a webhook."""
        self._call(type(None), "DELETE", f"/v1/webhooks/{segment(id)}", correlation_id)

    def test_webhook(self, id: str, *, correlation_id: str | None = None) -> QueuedTestEvent:
        """Send a test event."""
        return self._call(
            QueuedTestEvent,
            "POST",
            f"/v1/webhooks/{segment(id)}/test",
            correlation_id,
            is_repeatable=False,
        )


class AsyncOperations:
    """The same for asyncio."""

    async def _call(
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
    ) -> T:
        raise NotImplementedError

    async def send_message(
        self,
        *,
        sender: str,
        recipient: str,
        message: str,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send one message."""
        return await self._call(
            SendResult,
            "POST",
            "/v1/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "message": message,
                "clientReference": client_reference,
            },
        )

    async def schedule_message(
        self,
        *,
        sender: str,
        recipient: str,
        message: str,
        send_at: str | datetime,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> ScheduledSendResult:
        """Send one message later."""
        return await self._call(
            ScheduledSendResult,
            "POST",
            "/v1/messages/scheduled",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "message": message,
                "clientReference": client_reference,
                "sendAt": send_at,
            },
        )

    async def send_message_batch(
        self,
        *,
        sender: str,
        messages: Sequence[BatchMessage],
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> list[CampaignSendResult]:
        """Send several different messages."""
        return await self._call(
            list[CampaignSendResult],
            "POST",
            "/v1/messages/batch",
            correlation_id,
            key=idempotency_key or new_key(),
            body={"sender": sender, "messages": messages},
        )

    async def get_message(self, tracking_code: str, *, correlation_id: str | None = None) -> MessageRecord:
        """Track one message."""
        return await self._call(MessageRecord, "GET", f"/v1/messages/{segment(tracking_code)}", correlation_id)

    async def get_message_statuses(
        self,
        *,
        tracking_codes: Sequence[str],
        correlation_id: str | None = None,
    ) -> list[StatusSummary]:
        """Status of several messages."""
        return await self._call(
            list[StatusSummary],
            "POST",
            "/v1/messages/status",
            correlation_id,
            body={"trackingCodes": tracking_codes},
        )

    async def cancel_message(self, tracking_code: str, *, correlation_id: str | None = None) -> CancelResult:
        """Cancel a queued message."""
        return await self._call(CancelResult, "POST", f"/v1/messages/{segment(tracking_code)}/cancel", correlation_id)

    async def list_senders(self, *, correlation_id: str | None = None) -> list[Sender]:
        """Senders of the account."""
        return await self._call(list[Sender], "GET", "/v1/senders", correlation_id)

    async def list_approved_groups(self, *, correlation_id: str | None = None) -> list[ApprovedGroup]:
        """Groups that the account may send to."""
        return await self._call(list[ApprovedGroup], "GET", "/v1/approved-groups", correlation_id)

    async def send_to_approved_group(
        self,
        group_code: str,
        *,
        message: str,
        sender: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> list[CampaignSendResult]:
        """Send to an approved group."""
        return await self._call(
            list[CampaignSendResult],
            "POST",
            f"/v1/approved-groups/{segment(group_code)}/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={"sender": sender, "message": message, "clientReference": client_reference},
        )

    async def list_patterns(self, *, correlation_id: str | None = None) -> list[Pattern]:
        """Patterns of the account."""
        return await self._call(list[Pattern], "GET", "/v1/patterns", correlation_id)

    async def send_pattern_message(
        self,
        pattern_code: str,
        *,
        recipient: str,
        variables: Mapping[str, str],
        sender: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send by a pattern."""
        return await self._call(
            SendResult,
            "POST",
            f"/v1/patterns/{segment(pattern_code)}/messages",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "variables": variables,
                "clientReference": client_reference,
            },
        )

    async def create_otp_challenge(
        self,
        *,
        recipient: str,
        sender: str | None = None,
        pattern_code: str | None = None,
        client_reference: str | None = None,
        code_length: int | None = None,
        ttl_seconds: int | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> OtpChallenge:
        """Send a code and remember its hash."""
        return await self._call(
            OtpChallenge,
            "POST",
            "/v1/otp/challenges",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "patternCode": pattern_code,
                "clientReference": client_reference,
                "codeLength": code_length,
                "ttlSeconds": ttl_seconds,
            },
        )

    async def verify_otp_challenge(
        self,
        challenge_id: str,
        *,
        code: str,
        correlation_id: str | None = None,
    ) -> OtpVerification:
        """Verify a code."""
        return await self._call(
            OtpVerification,
            "POST",
            f"/v1/otp/challenges/{segment(challenge_id)}/verify",
            correlation_id,
            is_repeatable=False,
            body={"code": code},
        )

    async def send_otp_code(
        self,
        *,
        recipient: str,
        code: str,
        sender: str | None = None,
        pattern_code: str | None = None,
        client_reference: str | None = None,
        idempotency_key: str | None = None,
        correlation_id: str | None = None,
    ) -> SendResult:
        """Send a code of your own."""
        return await self._call(
            SendResult,
            "POST",
            "/v1/otp/codes",
            correlation_id,
            key=idempotency_key or new_key(),
            body={
                "sender": sender,
                "recipient": recipient,
                "patternCode": pattern_code,
                "clientReference": client_reference,
                "code": code,
            },
        )

    async def list_inbound_messages(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        receiver: str | None = None,
        sender: str | None = None,
        from_: str | datetime | None = None,
        to: str | datetime | None = None,
        correlation_id: str | None = None,
    ) -> InboundMessagePage:
        """Received messages."""
        return await self._call(
            InboundMessagePage,
            "GET",
            "/v1/inbound-messages",
            correlation_id,
            query={
                "after": after,
                "limit": limit,
                "receiver": receiver,
                "sender": sender,
                "from": from_,
                "to": to,
            },
        )

    async def create_webhook(
        self,
        *,
        url: str,
        events: Sequence[Literal["message.status", "inbound.received"]],
        correlation_id: str | None = None,
    ) -> CreatedWebhook:
        """Register a webhook."""
        return await self._call(
            CreatedWebhook,
            "POST",
            "/v1/webhooks/",
            correlation_id,
            is_repeatable=False,
            body={"url": url, "events": events},
        )

    async def list_webhooks(self, *, correlation_id: str | None = None) -> list[Webhook]:
        """Webhooks of the account."""
        return await self._call(list[Webhook], "GET", "/v1/webhooks/", correlation_id)

    async def update_webhook(
        self,
        id: str,
        *,
        events: Sequence[Literal["message.status", "inbound.received"]] | None = None,
        is_active: bool | None = None,
        correlation_id: str | None = None,
    ) -> Webhook:
        """Change a webhook."""
        return await self._call(
            Webhook,
            "PATCH",
            f"/v1/webhooks/{segment(id)}",
            correlation_id,
            body={"events": events, "isActive": is_active},
        )

    async def delete_webhook(self, id: str, *, correlation_id: str | None = None) -> None:
        """Remove a webhook."""
        await self._call(type(None), "DELETE", f"/v1/webhooks/{segment(id)}", correlation_id)

    async def test_webhook(self, id: str, *, correlation_id: str | None = None) -> QueuedTestEvent:
        """Send a test event."""
        return await self._call(
            QueuedTestEvent,
            "POST",
            f"/v1/webhooks/{segment(id)}/test",
            correlation_id,
            is_repeatable=False,
        )
