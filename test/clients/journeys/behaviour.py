"""Which calls the Python library repeats and when, what it raises, and which callbacks it takes."""

import asyncio
import json
import os
import threading
import unittest
import unittest.mock
from http.server import BaseHTTPRequestHandler, HTTPServer

from peyk_client import (
    AsyncPeyk,
    FakePeyk,
    Peyk,
    PeykApiError,
    PeykConnectionError,
    PeykSignatureError,
    Response,
    TransportError,
    is_authentic,
    verify_webhook,
)
from peyk_client.fake import FakeFailure

TEXT = {"sender": "30001234", "recipient": "09121234567", "message": "سلام"}
WEBHOOK = {"url": "https://hooks.example.com/sms", "events": ["message.status"]}


class Redirecting(BaseHTTPRequestHandler):
    paths = []

    def do_GET(self):
        self.paths.append(self.path)
        self.send_response(302)
        self.send_header("Location", "/elsewhere")
        self.end_headers()

    def log_message(self, *_):
        pass


class Observed:
    """A client whose pauses are written down in place of waiting, and which always draws the longest jitter."""

    def __init__(self, transport=None, **options):
        self.fake, self.waits, self.requests = FakePeyk(), [], []
        self.transport = transport or self.fake.transport
        options = {"fraction": lambda: 1.0, "sleep": self.waits.append, **options}
        self.peyk = Peyk("http://peyk.test/", "pk_secret", transport=self.send, **options)

    def send(self, request):
        self.requests.append(request)
        return self.transport(request)


class Behaviour(unittest.TestCase):
    def refusal(self, call, *arguments, **named):
        with self.assertRaises(PeykApiError) as raised:
            call(*arguments, **named)
        return raised.exception

    def test_a_lost_answer_is_asked_for_again_under_the_same_key(self):
        seen = Observed()
        seen.fake.fail_next("lost", "broken", "lost")
        self.assertTrue(seen.peyk.send_message(**TEXT).duplicate)
        self.assertEqual(len(seen.fake.messages), 1)
        self.assertEqual(len({request.headers["Idempotency-Key"] for request in seen.requests}), 1)
        self.assertEqual((len(seen.requests), seen.waits), (4, [0.25, 0.5, 1.0]))

    def test_two_calls_have_two_keys_unless_the_caller_names_one(self):
        seen = Observed()
        for key in (None, None, "order-1", "order-1"):
            result = seen.peyk.send_message(**TEXT, idempotency_key=key)
        self.assertEqual((len(seen.fake.messages), result.duplicate), (3, True))

    def test_retry_after_is_waited_for_up_to_a_minute(self):
        seen = Observed()
        seen.fake.fail_next(FakeFailure(status=429, code="rate_limit_exceeded", retry_after=60))
        seen.fake.fail_next(FakeFailure(retry_after=2))
        seen.peyk.list_senders()
        self.assertEqual(seen.waits, [60.25, 2.25])
        seen.fake.fail_next(FakeFailure(status=429, code="rate_limit_exceeded", retry_after=61))
        self.assertEqual(self.refusal(seen.peyk.list_senders).retry_after_seconds, 61)

    def test_retry_after_may_be_a_date(self):
        headers = {"retry-after": "Fri, 20 Nov 2026 15:36:10 GMT"}
        answers = [Response(502, headers, b"busy"), Response(200, {}, b"[]")]
        seen = Observed(lambda _: answers.pop(0), now=lambda: 1795188960.0)
        self.assertEqual((seen.peyk.list_senders(), seen.waits), ([], [10.25]))

    def test_the_pauses_double_up_to_eight_seconds_and_end(self):
        seen = Observed(retries_max=7)
        seen.fake.fail_next(*["broken"] * 8)
        with self.assertRaises(PeykConnectionError) as raised:
            seen.peyk.send_message(**TEXT, idempotency_key="order-1")
        self.assertEqual((raised.exception.attempts, raised.exception.idempotency_key), (8, "order-1"))
        self.assertIsInstance(raised.exception.__cause__, TransportError)
        self.assertEqual(seen.waits, [0.25, 0.5, 1, 2, 4, 8, 8])

    def test_what_is_refused_for_good_is_not_repeated(self):
        refusals = [(400, "validation_failed"), (403, "quota_exceeded"), (404, "not_found"), (429, "otp_rate_limited")]
        for status, code in refusals:
            seen = Observed()
            seen.fake.fail_next(FakeFailure(status=status, code=code, retry_after=1))
            self.assertEqual(self.refusal(seen.peyk.send_message, **TEXT).code, code)
            self.assertEqual(len(seen.requests), 1)

    def test_what_must_not_be_done_twice_is_repeated_only_where_it_was_refused(self):
        seen = Observed()
        seen.fake.fail_next("lost")
        with self.assertRaises(PeykConnectionError):
            seen.peyk.create_webhook(**WEBHOOK)
        seen.fake.fail_next(FakeFailure(status=500, code="internal_error"))
        self.assertEqual(self.refusal(seen.peyk.create_webhook, **WEBHOOK).status, 500)
        self.assertEqual((len(seen.requests), len(seen.fake.webhooks)), (2, 1))
        seen.fake.fail_next(FakeFailure(status=429, code="rate_limit_exceeded", retry_after=1))
        webhook = seen.peyk.create_webhook(**WEBHOOK)
        self.assertEqual((len(seen.requests), len(seen.fake.webhooks)), (4, 2))
        seen.fake.fail_next("lost")
        seen.peyk.delete_webhook(webhook.id)
        self.assertEqual(self.refusal(seen.peyk.delete_webhook, webhook.id).code, "webhook_not_found")

    def test_an_answer_of_something_between_is_no_error_of_the_service(self):
        seen = Observed(lambda _: Response(301, {"location": "https://elsewhere"}, b"<html>"))
        error = self.refusal(seen.peyk.list_senders)
        self.assertEqual((error.status, error.code, error.field_errors), (301, "unexpected_answer", []))

    def test_the_default_transport_follows_no_redirect(self):
        Redirecting.paths.clear()
        server = HTTPServer(("127.0.0.1", 0), Redirecting)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        peyk = Peyk(f"http://127.0.0.1:{server.server_port}", "pk_secret")
        self.assertEqual(self.refusal(peyk.list_senders).status, 302)
        server.shutdown()
        server.server_close()
        self.assertEqual(Redirecting.paths, ["/v1/senders"])

    def test_an_id_that_would_make_another_path_is_refused(self):
        for value in ("", ".", ".."):
            with self.assertRaises(ValueError):
                Observed().peyk.cancel_message(value)

    def test_the_api_key_is_printed_nowhere(self):
        seen = Observed()
        seen.peyk.list_senders()
        self.assertNotIn("pk_secret", repr(seen.peyk) + repr(seen.requests))

    def test_signature_vectors(self):
        for vector in json.loads(os.environ["PEYK_VECTORS"]):
            headers = {"X-Service-Timestamp": vector["timestamp"], "X-Service-Signature": vector["signature"]}
            wsgi = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
            body, secret, now = vector["body"].encode(), vector["secret"], vector["now"]
            with self.subTest(vector["what"]):
                self.assertEqual(is_authentic(body, headers, secret, now=now), vector["valid"])
                self.assertEqual(is_authentic(body, wsgi, ["whsec_other", secret], now=now), vector["valid"])
                if not vector["valid"]:
                    with self.assertRaises(PeykSignatureError):
                        verify_webhook(body, headers, secret, now=now)


class AsyncBehaviour(unittest.IsolatedAsyncioTestCase):
    """What is repeated and when is the same code as above; here, that it is reached."""

    async def test_a_lost_answer_is_asked_for_again_under_the_same_key(self):
        fake, waits, keys = FakePeyk(), [], set()

        async def transport(request):
            keys.add(request.headers["Idempotency-Key"])
            return fake.transport(request)

        async def sleep(seconds):
            waits.append(seconds)

        peyk = AsyncPeyk("http://peyk.test/", "pk_secret", transport=transport, sleep=sleep, fraction=lambda: 1.0)
        fake.fail_next("lost", "broken", FakeFailure(status=429, code="rate_limit_exceeded", retry_after=2))
        self.assertTrue((await peyk.send_message(**TEXT)).duplicate)
        self.assertEqual((len(fake.messages), len(keys), waits), (1, 1, [0.25, 0.5, 2.25]))
        fake.fail_next(*["broken"] * 7)
        with self.assertRaises(PeykConnectionError) as raised:
            await peyk.send_message(**TEXT)
        self.assertIsInstance(raised.exception.__cause__, TransportError)
        fake.fail_next(FakeFailure(status=403, code="quota_exceeded"))
        with self.assertRaises(PeykApiError) as refused:
            await peyk.send_message(**TEXT)
        self.assertEqual(refused.exception.code, "quota_exceeded")

    async def test_calls_at_once_have_a_key_each_and_pages_are_read(self):
        fake = FakePeyk()
        peyk = fake.async_client()
        results = await asyncio.gather(*[peyk.send_message(**TEXT) for _ in range(20)])
        self.assertEqual(len({result.tracking_code for result in results}), 20)
        for text in ("a", "b", "c"):
            fake.receive("09121234567", "30001234", text)
        self.assertEqual([one.message async for one in peyk.inbound_messages(limit=2)], ["a", "b", "c"])
        self.assertEqual([len(page.items) async for page in peyk.inbound_pages(limit=2)], [2, 1])

    async def test_a_call_that_is_cancelled_is_not_repeated(self):
        asked = asyncio.Event()

        async def transport(request):
            asked.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(AsyncPeyk("http://peyk.test", "k", transport=transport).list_senders())
        await asked.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def test_the_default_transport_blocks_no_other_task(self):
        Redirecting.paths.clear()
        server = HTTPServer(("127.0.0.1", 0), Redirecting)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        peyk = AsyncPeyk(f"http://127.0.0.1:{server.server_port}", "pk_secret")
        with self.assertRaises(PeykApiError) as raised:
            await peyk.list_senders()
        self.assertEqual((raised.exception.status, Redirecting.paths), (302, ["/v1/senders"]))
        await asyncio.to_thread(server.shutdown)
        server.server_close()


class Environment(unittest.TestCase):
    def urls_of(self, environment, *given):
        urls = []

        def transport(request):
            urls.append(request.url + " " + request.headers["X-API-Key"])
            return Response(200, {}, b"[]")

        with unittest.mock.patch.dict(os.environ, environment, clear=True):
            for kind in (Peyk, AsyncPeyk):
                kind(*given)
            Peyk(*given, transport=transport).list_senders()
        return urls

    def test_the_service_and_its_key_are_those_of_the_environment_unless_given(self):
        environment = {"PEYK_URL": "https://sms.example.com/", "PEYK_API_KEY": "pk_1"}
        self.assertEqual(self.urls_of(environment), ["https://sms.example.com/v1/senders pk_1"])
        self.assertEqual(self.urls_of(environment, "http://b", "pk_2"), ["http://b/v1/senders pk_2"])

    def test_without_them_the_error_names_the_variable(self):
        for environment, given, variable in (
            ({"PEYK_API_KEY": "pk_1"}, (), "PEYK_URL"),
            ({"PEYK_URL": "http://b", "PEYK_API_KEY": ""}, (), "PEYK_API_KEY"),
            ({"PEYK_API_KEY": "pk_1"}, ("", "pk_2"), "PEYK_URL"),
        ):
            with self.assertRaisesRegex(ValueError, f"^Set {variable}, or give "):
                self.urls_of(environment, *given)


unittest.main()
