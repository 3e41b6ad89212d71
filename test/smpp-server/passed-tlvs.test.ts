/** TLVs of a customer's client reach the carrier whose route names them, over a restart and in long messages. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { Smsc } from "../support/smsc.ts";

let server: CustomerServer;
let smsc: Smsc;

beforeEach(async () => {
  smsc = await Smsc.start();
  server = await CustomerServer.start();
  const options = {
    host: "127.0.0.1",
    port: smsc.port,
    systemId: "peyk",
    password: "secret",
    tlvs: { "0x1401": "ours" },
    passTlvs: ["0x1400", "0x1401", "0x3fff"],
  };
  await server.operate("POST", "/routes", { name: "carrier", kind: "smpp", options });
  await server.operate("PATCH", "/accounts/acc_1/senders/30001234", { routes: ["carrier"] });
});
afterEach(async () => {
  await server.stop();
  await smsc.stop();
});

function tlv(tag: number, value: string | Buffer): Buffer {
  const octets = Buffer.from(value);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(tag, 0);
  head.writeUInt16BE(octets.length, 2);
  return Buffer.concat([head, octets]);
}

/** By tag, as text: what the last submit of the carrier carried. */
function carried(): Record<string, string> {
  const pdu = Object.entries(smsc.submits.at(-1)?.pdu ?? {});
  const vendors = pdu.filter(([name]) => /^\d+$/.test(name));
  return Object.fromEntries(vendors.map(([name, value]) => [`0x${Number(name).toString(16)}`, String(value)]));
}

test("the tags that the route names are passed on, its own values win, and the others are dropped", async () => {
  const customer = await server.bound();
  const octets = [tlv(0x1400, "entity 7"), tlv(0x1401, "theirs"), tlv(0x1402, "not named"), tlv(0x3fff, "last")];
  await customer.submitWithTlv({ text: "سلام" }, Buffer.concat(octets));
  await eventually(() => smsc.submits.length === 1);
  expect(carried()).toEqual({ "0x1400": "entity 7", "0x1401": "ours", "0x3fff": "last" });
  await customer.submitted({ text: "none" });
  await eventually(() => smsc.submits.length === 2);
  expect(carried()).toEqual({ "0x1401": "ours" });
  expect(rowsIn(server.folder, "SELECT 1 FROM message_tlvs")).toHaveLength(1);
  customer.close();
});

test("they wait with the message over a restart, and are in every part of a long message", async () => {
  const customer = await server.bound();
  await server.operate("POST", "/routes/carrier/disable");
  const long = { sar_msg_ref_num: 9, sar_total_segments: 2 };
  await customer.submitWithTlv({ ...long, sar_segment_seqnum: 1, text: "a".repeat(100) }, tlv(0x1400, "entity 8"));
  await customer.submitWithTlv({ ...long, sar_segment_seqnum: 2, text: "b".repeat(100) }, tlv(0x1400, "entity 8"));
  customer.close();
  await server.halt();
  await server.startAgain();
  await server.operate("POST", "/routes/carrier/enable");
  await eventually(() => smsc.submits.length === 2);
  for (const { pdu } of smsc.submits) expect(String(Reflect.get(pdu, `${0x1400}`))).toBe("entity 8");
});

test("values are limited to 255 octets, and to 1,024 with their heads", async () => {
  const customer = await server.bound();
  const send = (...octets: Buffer[]) => customer.submitWithTlv({ text: "a" }, Buffer.concat(octets));
  const full = Buffer.alloc(255, "x");
  await send(tlv(0x1400, full));
  await expect(send(tlv(0x1400, Buffer.alloc(256, "x")))).rejects.toThrow("refused: 0xc4");
  const nearly = [1, 2, 3].map(() => tlv(0x1400, full));
  const rest = 1_024 - 3 * 259 - 4;
  await send(...nearly, tlv(0x3fff, Buffer.alloc(rest, "x")));
  await expect(send(...nearly, tlv(0x3fff, Buffer.alloc(rest + 1, "x")))).rejects.toThrow("refused: 0xc4");
  expect(rowsIn(server.folder, "SELECT 1 FROM message")).toHaveLength(2);
  customer.close();
});

test("a route's file names tags from 0x1400 to 0x3fff", async () => {
  const options = { host: "127.0.0.1", port: smsc.port, systemId: "peyk", password: "secret" };
  const create = (passTlvs: unknown) =>
    server.operate("POST", "/routes", { name: "other", kind: "smpp", options: { ...options, passTlvs } });
  for (const wrong of [["0x13ff"], ["0x4000"], [5120], "0x1400", ["1400"], Array(33).fill("0x1400")])
    await expect(create(wrong)).rejects.toThrow("0x1400");
  await create(["0x1400", "0x3FFF"]);
});
