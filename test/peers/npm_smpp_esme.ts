/** A customer of the npm package `smpp` (see smpp-customers.test.ts): `PORT SYSTEM_ID PASSWORD MODE COUNT HEX…`. */
import { addTLV, connect, PDU, type Session, tlvs } from "smpp";

const [port = "", systemId = "", password = "", mode = "", count = "0", ...parts] = process.argv.slice(2);
const octetsType = tlvs.network_error_code?.type;
if (octetsType === undefined) throw new Error("The package knows no octets");
addTLV("peyk_key", { id: 0x1500, type: octetsType });

const items = [
  ...parts.map((hex, index) => ({ key: `part-${index}`, octets: Buffer.from(hex, "hex"), esmClass: 0x40 })),
  ...Array.from({ length: Number(count) }, (_, index) => ({
    key: `item-${index}`,
    octets: Buffer.from(`item ${index}`, "utf16le").swap16(),
    esmClass: 0,
  })),
];
const waiting = new Map(items.map((item) => [item.key, item]));
const told = (kind: string, fields: Readonly<Record<string, unknown>> = {}) =>
  process.stdout.write(`${JSON.stringify({ kind, ...fields })}\n`);

function take(session: Session, pdu: PDU): void {
  session.send(pdu.response());
  const content: unknown = pdu.short_message;
  const message =
    typeof content === "object" && content !== null && "message" in content ? String(content.message) : "";
  if ((Number(pdu.esm_class) & 0x04) !== 0) {
    const [, id = "", state = ""] = /^id:(\S+) .* stat:(\w+)/.exec(message) ?? [];
    told("receipt", { id, state });
  } else told("text", { source: pdu.source_addr, octets: Buffer.from(message, "utf16le").swap16().toString("hex") });
}

/** Binds again whenever the connection is gone. */
function keepBound(command: string, bound: (session: Session, isUp: () => boolean) => void): void {
  let isUp = true;
  const session = connect({ url: `smpp://127.0.0.1:${port}` }, () => {
    session.send(new PDU(command, { system_id: systemId, password, interface_version: 0x34 }), (answer) => {
      if (answer.command_status === 0) bound(session, () => isUp);
      else session.destroy();
    });
  });
  session.on("pdu", (pdu) => {
    if (pdu.command === "deliver_sm") take(session, pdu);
    if (pdu.command === "enquire_link" || pdu.command === "unbind") session.send(pdu.response());
  });
  session.on("error", () => session.destroy());
  session.on("close", () => {
    isUp = false;
    setTimeout(() => keepBound(command, bound), 50);
  });
}

function submitAll(session: Session, isUp: () => boolean): void {
  const open = new Set<string>();
  const next = () => {
    for (const { key, octets, esmClass } of waiting.values()) {
      if (open.size >= 10 || !isUp()) return;
      if (open.has(key)) continue;
      open.add(key);
      const fields = {
        source_addr: "30001234",
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: "989121234500",
        registered_delivery: 1,
        data_coding: 8,
        esm_class: esmClass,
        short_message: octets,
        peyk_key: Buffer.from(key),
      };
      session.send(new PDU("submit_sm", fields), ({ command_status, message_id }) => {
        open.delete(key);
        if (command_status === 0 && waiting.delete(key)) told("submitted", { key, id: message_id });
        next();
      });
    }
  };
  next();
}

function tellRefusal(): void {
  const session = connect({ url: `smpp://127.0.0.1:${port}` }, () => {
    session.send(new PDU("bind_transceiver", { system_id: systemId, password }), (answer) => {
      told("refused", { words: `status ${answer.command_status} of ${answer.system_id}` });
      process.exit(0);
    });
  });
  session.on("close", () => told("refused", { words: "closed" }));
}

if (mode === "refused") {
  tellRefusal();
  await new Promise(() => {});
}
if (mode === "apart") keepBound("bind_receiver", () => {});
keepBound(mode === "apart" ? "bind_transmitter" : "bind_transceiver", submitAll);
for await (const _ of Bun.stdin.stream());
told("ended");
process.exit(0);
