"""How a call fails."""

from __future__ import annotations

import json
from typing import Any

from ._call import from_json
from ._generated import ErrorCode, FieldError


class PeykError(Exception):
    """A call that did not succeed. Repeating it with `idempotency_key` sends nothing twice; None: it has no key."""

    def __init__(self, message: str, *, correlation_id: str, idempotency_key: str | None, attempts: int) -> None:
        super().__init__(message)
        self.correlation_id = correlation_id
        self.idempotency_key = idempotency_key
        self.attempts = attempts


class PeykConnectionError(PeykError):
    """No answer came: it is not known whether the service took the last attempt. `__cause__` says what happened."""


class PeykApiError(PeykError):
    """The service refused the call, or something between answered in its place (`unexpected_answer`)."""

    code: ErrorCode | str
    field_errors: list[FieldError]

    def __init__(self, status: int, body: bytes, retry_after: float | None, correlation_id: str, **call: Any) -> None:
        answer = _error_in(body)
        self.status = status
        self.code = answer.get("code", "unexpected_answer")
        self.field_errors = from_json(list[FieldError], answer.get("errors", []))
        self.retry_after_seconds = retry_after
        fields = "".join(f" {one.field}: {one.code}." for one in self.field_errors)
        message = answer.get("message", "An answer that is not the service's.")
        super().__init__(
            f"{status} {self.code}: {message}{fields}",
            correlation_id=answer.get("correlationId", correlation_id),
            **call,
        )


class PeykSignatureError(ValueError):
    """A callback that the service did not sign, or that is too old. Answer it with 400 and do nothing."""


def _error_in(body: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        return {}
    is_error = isinstance(answer, dict) and isinstance(answer.get("code"), str) and "message" in answer
    return answer if is_error else {}
