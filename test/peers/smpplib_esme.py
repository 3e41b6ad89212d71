"""The same customer, of smpplib: PORT SYSTEM_ID PASSWORD PARTS HEX..."""
import json
import sys
import time

import smpplib.client

port, system_id, password, parts = sys.argv[1:5]
left = {"receipt": int(parts), "text": 1}


def told(kind, **fields):
    print(json.dumps({"kind": kind, **fields}), flush=True)


def received(pdu):
    octets = pdu.short_message or b""
    if pdu.esm_class & 0x04:
        fields = dict(part.split(":", 1) for part in octets.decode("latin-1").split(" ") if ":" in part)
        told("receipt", id=fields["id"], state=fields["stat"])
        left["receipt"] -= 1
    else:
        told("text", source=pdu.source_addr.decode(), octets=octets.hex())
        left["text"] -= 1
    return 0


client = smpplib.client.Client("127.0.0.1", int(port), allow_unknown_opt_params=True)
client.set_message_received_handler(received)
client.set_message_sent_handler(lambda pdu: told("submitted", id=pdu.message_id.decode()))
client.connect()
client.bind_transceiver(system_id=system_id, password=password)
for octets in sys.argv[5:]:
    client.send_message(
        source_addr_ton=2, source_addr_npi=1, source_addr="30001234",
        dest_addr_ton=1, dest_addr_npi=1, destination_addr="989121234500",
        short_message=bytes.fromhex(octets), data_coding=8, esm_class=0x40, registered_delivery=True,
    )
ends = time.monotonic() + 30
while (left["receipt"] > 0 or left["text"] > 0) and time.monotonic() < ends:
    client.read_once()
client.unbind()
client.disconnect()
told("ended")
