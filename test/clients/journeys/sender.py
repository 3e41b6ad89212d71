"""Sends one message after the other until the file STOP is there, and at least so many as are wanted; prints the tracking code of each."""

import json
import os
import sys
import time

from blocking import Blocking
from peyk_client import AsyncPeyk, Peyk, httpx_transport

if "--asyncio" in sys.argv:
    peyk = Blocking(lambda options: AsyncPeyk(retries_max=30, **options))
elif "--httpx" in sys.argv:
    import httpx

    peyk = Peyk(retries_max=30, transport=httpx_transport(httpx.Client(trust_env=False)))
else:
    peyk = Peyk(retries_max=30)
codes = []
while not os.path.exists(os.environ["PEYK_STOP"]) or len(codes) < int(os.environ["PEYK_MESSAGES"]):
    reference = f"{os.environ['PEYK_NAME']}-{len(codes)}-"
    result = peyk.send_message(sender="30001234", recipient="09121234567", message="سلام", client_reference=reference)
    codes.append(result.tracking_code)
    time.sleep(0.005)
print(json.dumps(codes))
