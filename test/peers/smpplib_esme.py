"""A customer of smpplib: PORT SYSTEM_ID PASSWORD MODE COUNT HEX... (see smpp-customers.test.ts)"""
import json
import os
import sys
import threading
import time

import smpplib.client

port, system_id, password, mode, count = sys.argv[1:6]
items = [(f"part-{n}", bytes.fromhex(octets), 0x40) for n, octets in enumerate(sys.argv[6:])]
items += [(f"item-{n}", f"item {n}".encode("utf-16-be"), 0) for n in range(int(count))]


def told(kind, **fields):
    os.write(1, (json.dumps({"kind": kind, **fields}) + "\n").encode())


def received(pdu):
    octets = pdu.short_message or b""
    if pdu.esm_class & 0x04:
        fields = dict(part.split(":", 1) for part in octets.decode("latin-1").split(" ") if ":" in part)
        told("receipt", id=fields["id"], state=fields["stat"])
    else:
        told("text", source=pdu.source_addr.decode(), octets=octets.hex())
    return 0


def tell_refusal():
    client = smpplib.client.Client("127.0.0.1", int(port), timeout=5)
    client.connect()
    try:
        client.bind_transceiver(system_id=system_id, password=password)
        told("refused", words="")
    except Exception as refusal:
        told("refused", words=repr(refusal))
    os._exit(0)


def closed(client):
    try:
        client.disconnect()
    except Exception:
        pass


def bound(bind):
    while True:
        client = smpplib.client.Client("127.0.0.1", int(port), allow_unknown_opt_params=True, timeout=5)
        try:
            client.set_message_received_handler(received)
            client.connect()
            getattr(client, bind)(system_id=system_id, password=password)
            return client
        except Exception:
            closed(client)
            time.sleep(0.1)


def receive():
    while True:
        client = bound("bind_receiver")
        try:
            while True:
                client.read_once()
        except Exception:
            closed(client)


def run():
    waiting = dict((key, (octets, esm_class)) for key, octets, esm_class in items)
    while True:
        client = bound("bind_transmitter" if mode == "apart" else "bind_transceiver")
        sent = {}

        def answered(pdu):
            key = sent.pop(pdu.sequence, None)
            if key is not None and pdu.status == 0:
                waiting.pop(key, None)
                told("submitted", key=key, id=pdu.message_id.decode())

        client.set_message_sent_handler(answered)
        try:
            while True:
                for key in [key for key in waiting if key not in sent.values()][: 10 - len(sent)]:
                    octets, esm_class = waiting[key]
                    pdu = client.send_message(
                        source_addr_ton=2, source_addr_npi=1, source_addr="30001234",
                        dest_addr_ton=1, dest_addr_npi=1, destination_addr="989121234500",
                        short_message=octets, data_coding=8, esm_class=esm_class, registered_delivery=True,
                    )
                    sent[pdu.sequence] = key
                client.read_once()
        except Exception:
            closed(client)


if mode == "refused":
    tell_refusal()
if mode == "apart":
    threading.Thread(target=receive, daemon=True).start()
threading.Thread(target=run, daemon=True).start()
sys.stdin.read()
told("ended")
os._exit(0)
