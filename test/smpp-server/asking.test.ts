/** Customers repeat, schedule, query and cancel over SMPP. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import type { SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const count = () => rowsIn<{ n: number }>(server.folder, "SELECT count(*) AS n FROM message")[0]?.n ?? 0;

test("with the repeats option an identical submit under one reference is a repeat, and without it a new message", async () => {
  server = await CustomerServer.start([
    { options: { repeats: "reference" } },
    { systemId: "plain", sender: "30005678" },
  ]);
  const customer = await server.bound();
  const same = { user_message_reference: 5, text: "a" };
  const id = await customer.submitted(same);
  expect(await Promise.all([customer.submitted(same), customer.submitted(same)])).toEqual([id, id]);
  expect(await customer.submitted({ ...same, text: "b" })).not.toBe(id);
  expect(await customer.submitted({ ...same, user_message_reference: 6 })).not.toBe(id);
  expect(count()).toBe(3);
  const [, plain] = server.customers;
  const other = await server.bound("transceiver", plain);
  const own = { ...same, source_addr: "30005678" };
  expect(await other.submitted(own)).not.toBe(await other.submitted(own));
});

test("a vendor's TLV as the key gives racing repeats one id, also after a restart and for another text", async () => {
  server = await CustomerServer.start([{ options: { repeats: 0x1500, messageIds: "decimal" } }]);
  let customer = await server.bound();
  const keyed = (key: string, text: string) => {
    const tlv = Buffer.alloc(4 + key.length);
    tlv.writeUInt16BE(0x1500, 0);
    tlv.writeUInt16BE(key.length, 2);
    tlv.write(key, 4);
    return { text, tlv };
  };
  const submit = async ({ text, tlv }: { text: string; tlv: Buffer }) => customer.submitWithTlv({ text }, tlv);
  const ids = await Promise.all([submit(keyed("k1", "a")), submit(keyed("k1", "a")), submit(keyed("k1", "a"))]);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^\d{19}$/);
  await server.halt();
  await server.startAgain();
  customer = await server.bound();
  expect(await submit(keyed("k1", "a"))).toBe(ids[0] ?? "");
  expect(await submit(keyed("k1", "b"))).toBe(ids[0] ?? "");
  expect(await submit(keyed("k2", "a"))).not.toBe(ids[0] ?? "");
  expect(count()).toBe(2);
  const { status, frame } = await customer.request("query_sm", { message_id: ids[0] ?? "" });
  expect([status, frame.toString("latin1", 16, 35)]).toEqual([0, ids[0] ?? ""]);
});

const relative = (seconds: number) => `0000000000${String(seconds).padStart(2, "0")}000R`;

test("a message is scheduled, queried and cancelled; a second cancel succeeds, and a late one is refused", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  expect((await customer.submit({ schedule_delivery_time: relative(29) })).status).toBe(0x61);
  expect((await customer.submit({ schedule_delivery_time: "nonsense" })).status).toBe(0x61);
  expect((await customer.submit({ validity_period: "200101000000000+" })).status).toBe(0x62);
  const id = await customer.submitted({ schedule_delivery_time: "000001000000000R" });
  const [row] = rowsIn<{ ahead: number }>(server.folder, "SELECT send_at - submitted_at AS ahead FROM message");
  expect(row?.ahead).toBe(24 * 3_600_000);
  const cancel = () => customer.request("cancel_sm", { message_id: id });
  expect((await cancel()).status).toBe(0);
  expect((await cancel()).status).toBe(0);
  await eventually(() => customer.receipts.length === 1);
  expect(customer.receipts[0]).toContain("stat:DELETED err:000");
  const sent = await customer.submitted();
  await eventually(() => customer.receipts.length === 2);
  expect((await customer.request("cancel_sm", { message_id: sent })).status).toBe(0x11);
});

test("refused requests are counted per account, however many credentials it has", async () => {
  server = await CustomerServer.start([{}, { systemId: "other", sender: "30005678" }], {
    PEYK_SMPP_SERVER_FREE_REQUESTS_PER_SECOND: "10",
  });
  const more = { key: `key_${server.customer.keyId}`, kind: "smpp", name: "second", traffic: "single" };
  const second = await server.operate<{ password: string }>("POST", "/credentials", more);
  const [first, sibling, other] = [
    await server.bound(),
    await server.bound("transceiver", { ...server.customer, systemId: "second", password: second.password }),
    await server.bound("transceiver", server.customers[1]),
  ];
  const unknown = (customer: SmppCustomer) => customer.request("query_sm", { message_id: "none" });
  for (let asked = 0; asked < 10; asked += 1) expect((await unknown(first)).status).toBe(0x0c);
  // The one more that is read before the pause.
  await unknown(sibling);
  let isAnswered = false;
  const paused = unknown(sibling).then(() => {
    isAnswered = true;
  });
  for (let asked = 0; asked < 3; asked += 1) await unknown(other);
  expect(isAnswered).toBe(false);
  await paused;
});

test("another account's id is answered like an unknown one, and data_sm is a submit", async () => {
  server = await CustomerServer.start([{}, { systemId: "other", sender: "30005678" }]);
  const customer = await server.bound();
  const other = await server.bound("transceiver", server.customers[1]);
  const id = await customer.submitted();
  expect((await other.request("query_sm", { message_id: id })).status).toBe(0x0c);
  expect((await other.request("cancel_sm", { message_id: id })).status).toBe(0x0c);
  const answer = await customer.request("data_sm", {
    source_addr: "30001234",
    destination_addr: "09121234500",
    data_coding: 8,
    message_payload: Buffer.from("سلام", "utf16le").swap16(),
  });
  expect([answer.commandId, answer.status]).toEqual([0x80000103, 0]);
  for (const command of ["submit_multi", "replace_sm"]) {
    const refused = await customer.request(command, {});
    expect([refused.commandId, refused.status]).toEqual([0x80000000, 0x03]);
  }
});
