/** Messages received over SMPP are deleted by retention, and erased with their recipients. */
import { afterEach, expect, test } from "bun:test";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { openStore } from "../../src/store/store.ts";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const countOf = (table: string) =>
  rowsIn<{ n: number }>(server.folder, `SELECT count(*) AS n FROM ${table}`)[0]?.n ?? 0;
const segment = { sar_msg_ref_num: 1, sar_total_segments: 3, sar_segment_seqnum: 1 };

test("retention deletes submits, unacknowledged receipts and incomplete messages, and keeps the newest ids", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound("transmitter");
  for (let index = 0; index < 3; index += 1) await customer.submitted();
  await eventually(() => countOf("credential_delivery") === 3);
  await customer.request("cancel_sm", { message_id: await customer.submitted(segment) });
  await server.halt();
  const store = openStore({ folder: server.folder, now: Date.now() });
  const later = Date.now() + 100 * 24 * 3_600_000;
  await forgetOld(store, later, { messageDays: 90, idempotencyDays: 30, rollupDays: 730 });
  store.close();
  expect(["credential_delivery", "smpp_assembly", "smpp_segment"].map(countOf)).toEqual([0, 0, 0]);
  expect(rowsIn(server.folder, "SELECT id FROM smpp_submit ORDER BY id")).toEqual([{ id: 3 }, { id: 4 }]);
  await server.startAgain();
});

test("a submit's key outlives its message, and one without a key leaves nothing", async () => {
  server = await CustomerServer.start([{ options: { repeats: 0x1500 } }]);
  const key = Buffer.from([0x15, 0x00, 0, 2, 0x6b, 0x31]);
  let customer = await server.bound("transmitter");
  const id = await customer.submitWithTlv({ text: "a" }, key);
  for (let sent = 0; sent < 2; sent += 1) await customer.submitted();
  await eventually(() => countOf("message WHERE state = 'delivered'") === 3);
  await server.halt();
  const store = openStore({ folder: server.folder, now: Date.now() });
  const later = Date.now() + 100 * 24 * 3_600_000;
  await forgetOld(store, later, { messageDays: 3, idempotencyDays: 365, rollupDays: 730 });
  store.close();
  expect(["message", "message_stub"].map(countOf)).toEqual([1, 1]);
  await server.startAgain();
  customer = await server.bound("transmitter");
  expect(await customer.submitWithTlv({ text: "a" }, key)).toBe(id);
  expect(countOf("message")).toBe(1);
});

test("erasing a recipient removes segments that wait for others", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  await customer.submitted(segment);
  expect(countOf("smpp_segment")).toBe(1);
  const { code, err } = await runCli(["recipient", "erase", "989121234500", "--yes", "--data-dir", server.folder]);
  expect({ code, err }).toMatchObject({ code: 0 });
  expect([countOf("smpp_segment"), countOf("smpp_assembly")]).toEqual([0, 0]);
});
