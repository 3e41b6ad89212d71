"""Every operation once, through the built Python library: with a server, or without PEYK_URL with the fake. Prints what each answered."""

import json
import os
import sys
import time
import urllib.request
from datetime import datetime, timedelta, timezone

from blocking import Blocking
from peyk_client import (
    ApprovedGroup,
    AsyncPeyk,
    BatchMessage,
    FakePeyk,
    Pattern,
    PatternVariable,
    Peyk,
    PeykApiError,
    httpx_transport,
    sign_webhook,
    verify_webhook,
)
from peyk_client._call import to_answer

fake = FakePeyk() if "PEYK_URL" not in os.environ else None
if "--asyncio" in sys.argv:
    peyk = Blocking(lambda options: fake.async_client() if fake else AsyncPeyk(**options))
elif "--httpx" in sys.argv:
    import httpx

    peyk = Peyk(transport=httpx_transport(httpx.Client(trust_env=False)))
else:
    peyk = fake.client() if fake else Peyk()
digit = os.environ["PEYK_DIGIT"]
sender, recipient, message = "30001234", f"0912000000{digit}", "سلام! سفارش شما ارسال شد."
answers = {}


def ask(path):
    return urllib.request.urlopen(os.environ["PEYK_HELPER"] + path).read().decode()


def callback_of(event_id):
    if not fake:
        callback = json.loads(ask(f"/callback?of={event_id}"))
        return callback["body"].encode(), callback["headers"]
    data = {"webhookId": webhook.id, "message": "This is a test event."}
    created_at = datetime.now(timezone.utc).isoformat()
    body = json.dumps({"id": event_id, "type": "webhook.test", "createdAt": created_at, "data": data}).encode()
    return body, sign_webhook(webhook.signing_secret, body)


if fake:
    fake.groups.append(ApprovedGroup("spring", "بهار", 1, None))
    fake.members["spring"] = ["09121111111"]
    variables = [PatternVariable("name", 30)]
    fake.patterns.append(Pattern("ready", "آماده", "{{name}} عزیز", variables, None, True, None))
    for text in ["یک", "دو", "سه"]:
        fake.receive("09121234567", "30001234", text)

sent = peyk.send_message(sender=sender, recipient=recipient, message=message, client_reference="order-1042")
answers["sendMessage"], answers["trackingCode"] = sent, sent.tracking_code
later = datetime.now(timezone.utc) + timedelta(hours=1)
scheduled = peyk.schedule_message(sender=sender, recipient=recipient, message=message, send_at=later)
answers["scheduleMessage"] = scheduled
answers["sendMessageBatch"] = peyk.send_message_batch(sender=sender, messages=[BatchMessage(recipient, message)])
answers["getMessage"] = peyk.get_message(sent.tracking_code)
answers["getMessageStatuses"] = peyk.get_message_statuses(tracking_codes=[sent.tracking_code])
answers["cancelMessage"] = peyk.cancel_message(scheduled.tracking_code)
answers["listSenders"] = peyk.list_senders()
answers["listApprovedGroups"] = peyk.list_approved_groups()
answers["sendToApprovedGroup"] = peyk.send_to_approved_group("spring", sender=sender, message=message)
answers["listPatterns"] = peyk.list_patterns()
answers["sendPatternMessage"] = peyk.send_pattern_message(
    "ready", sender=sender, recipient=recipient, variables={"name": "سارا"}
)
phone = f"0912000001{digit}"
challenge = peyk.create_otp_challenge(sender=sender, recipient=phone, code_length=5)
answers["createOtpChallenge"] = challenge
code = fake.codes[challenge.tracking_code] if fake else ask(f"/code?of={phone}")
answers["verifyOtpChallenge"] = peyk.verify_otp_challenge(challenge.challenge_id, code=code)
answers["sendOtpCode"] = peyk.send_otp_code(sender=sender, recipient=f"0912000002{digit}", code="4821")
answers["listInboundMessages"] = peyk.list_inbound_messages(limit=2, from_=datetime(2020, 1, 1, tzinfo=timezone.utc))
webhook = peyk.create_webhook(url=os.environ["PEYK_RECEIVER"], events=["message.status"])
answers["createWebhook"] = webhook
answers["listWebhooks"] = peyk.list_webhooks()
answers["updateWebhook"] = peyk.update_webhook(webhook.id, events=["inbound.received"])
answers["testWebhook"] = peyk.test_webhook(webhook.id)
body, headers = callback_of(answers["testWebhook"].event_id)
answers["event"] = verify_webhook(body, headers, ["whsec_old", webhook.signing_secret], now=time.time())
answers["deleteWebhook"] = peyk.delete_webhook(webhook.id)

answers["inbound"] = [received.message for received in peyk.inbound_messages(limit=2)]
try:
    peyk.send_message(sender=sender, recipient="12", message="", correlation_id="journey")
except PeykApiError as error:
    fields = [f"{one.field}: {one.code}" for one in error.field_errors]
    call = {"status": error.status, "code": error.code, "correlationId": error.correlation_id}
    answers["error"] = {**call, "fields": fields}
print(json.dumps(to_answer(answers)))
