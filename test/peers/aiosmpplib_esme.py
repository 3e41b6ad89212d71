"""A customer of aiosmpplib that tells what is said about its bind: PORT SYSTEM_ID PASSWORD MODE COUNT (see refused-binds.test.ts)"""
import asyncio
import json
import logging
import sys

from aiosmpplib import ESME
from aiosmpplib.state import SmppError

port, system_id, password = sys.argv[1:4]


async def run():
    esme = ESME(
        smsc_host="127.0.0.1", smsc_port=int(port), system_id=system_id, password=password,
        log_handler=logging.StreamHandler(sys.stderr), log_level="CRITICAL", socket_timeout=5.0,
    )
    try:
        await esme.connect()
        words = ""
    except SmppError as refusal:
        words = refusal.command_status.name
    except Exception as failure:
        words = repr(failure)
    print(json.dumps({"kind": "refused", "words": words}), flush=True)


asyncio.run(run())
