"""What goes out and what comes back: paths, keys, and answers made into objects."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
import urllib.parse
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any


def new_key() -> str:
    return str(uuid.uuid4())


def segment(value: str) -> str:
    """Raises ValueError for a value that would make another path."""
    if value in ("", ".", ".."):
        raise ValueError(f"Not a code or id: {value!r}")
    return urllib.parse.quote(value, safe="")


def camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)


def to_answer(value: Any) -> Any:
    """As JSON has it: a field that may be absent is, where it is None."""
    if dataclasses.is_dataclass(value):
        fields = [(field, getattr(value, field.name)) for field in dataclasses.fields(value)]
        return to_answer({camel(field.name): one for field, one in fields if one is not None or field.default is not None})
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("A time wants a time zone: datetime.now(timezone.utc)")
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: to_answer(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [to_answer(one) for one in value]
    return value


def to_request(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What is None is left out, which is the same to the service."""
    return {name: to_answer(value) for name, value in fields.items() if value is not None}


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def from_json(kind: Any, value: Any) -> Any:
    """Fields that this version does not know are left out."""
    if typing.get_origin(kind) in (types.UnionType, typing.Union):
        return None if value is None else from_json(typing.get_args(kind)[0], value)
    if typing.get_origin(kind) is list:
        return [from_json(typing.get_args(kind)[0], one) for one in value]
    if not isinstance(kind, type) or not dataclasses.is_dataclass(kind):
        return value
    return kind(**{name: from_json(hint, value.get(camel(name))) for name, hint in _hints(kind).items()})
