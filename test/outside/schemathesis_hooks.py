"""Hooks for schemathesis (see reference.test.ts): what a schema cannot say, and values that every run needs."""

import itertools
import os
import re
import uuid

import schemathesis

# What the service refuses although the schema allows it, and why no schema says so.
REASONS = {
    ("recipient", "invalid_phone_number"): "libphonenumber's plans decide, by country",
    ("receiver", "invalid_phone_number"): "the same",
    ("sendAt", "out_of_range"): "30 seconds to 30 days from now",
    ("after", "invalid_format"): "a cursor that this account was given",
    ("url", "invalid_format"): "its host must resolve to public addresses at this moment",
    ("code", "invalid_format"): "letters and digits of every language, which no pattern says that all tools read",
    ("variables", "required"): "the pattern's own variables",
    ("variables", "unknown"): "the same",
}
# Of every text: a pattern with surrogates is none to most languages of generated clients.
CHARACTERS = "Must not hold control characters other than line breaks and tabs, nor lone surrogates."
# Of groups: the variables that a text names depend on the group's members.
CODES = {"unknown_variable", "personalisation_unavailable"}

addresses = itertools.count()


def is_listed(error):
    path = error["field"].split(".")
    is_reasoned = any((name, error["code"]) in REASONS for name in (path[0], path[-1]))
    return is_reasoned or error["message"] == CHARACTERS


@schemathesis.check
def valid_data_is_accepted(ctx, response, case):
    """As `positive_data_acceptance`, but for what is listed."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    answer = response.json()
    unlisted = [error for error in answer.get("errors", []) if not is_listed(error)]
    if unlisted or ("errors" not in answer and answer["code"] not in CODES):
        raise AssertionError(f"Schema-valid data is refused: {unlisted or answer['code']}")


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A key and an address of its own for each request."""
    # A few valid keys are drawn again and again: only the first request with one is more than a replay.
    if re.fullmatch(r"(?!.*, )[!-~](?:[ -~]{0,98}[!-~])?", str(case.headers.get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    # After 60 wrong keys in a minute, an address is told 429 in place of 401.
    number = next(addresses)
    case.headers["X-Forwarded-For"] = f"198.51.{number // 250 % 250}.{number % 250 + 1}"
    if isinstance(case.body, dict) and str(case.body.get("url", "")).startswith("https://hooks.example.com"):
        # The example, which no name server knows: a receiver that the operator trusts.
        case.body["url"] = os.environ["PEYK_RECEIVER"]
