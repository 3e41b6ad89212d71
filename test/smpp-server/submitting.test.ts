/** Customers send over SMPP: the answer to a submit, the outcome of its message, and the receipt. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import { bindFields, SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

test("a submit is answered with its tracking code once it is stored, and its receipt follows", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const id = await customer.submitted({ text: "سلام دنیا" });
  expect(id).toMatch(/^[0-9A-Z]{26}$/);
  const [row] = rowsIn<Record<string, unknown>>(
    server.folder,
    `SELECT tracking_code AS id, text, recipient, class FROM message`,
  );
  expect(row).toEqual({ id, text: "سلام دنیا", recipient: "+989121234500", class: 1 });
  await eventually(() => customer.receipts.length === 1);
  expect(customer.receipts[0]).toMatch(
    new RegExp(`^id:${id} sub:001 dlvrd:001 submit date:\\d{10} done date:\\d{10} stat:DELIVRD err:000 text:$`),
  );
  const [delivery] = customer.deliveries;
  expect(delivery?.fields).toMatchObject({ source_addr: "989121234500", receipted_message_id: id, message_state: 2 });
  await eventually(() => rowsIn(server.folder, "SELECT 1 FROM credential_delivery").length === 0);
  customer.close();
});

test("a number of TON 1 that begins with 0 is read as the API reads it", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  for (const destination_addr of ["989121234501", "+989121234502", "00989121234503", "09121234504"])
    await customer.submitted({ dest_addr_ton: 1, destination_addr });
  const rows = rowsIn<{ recipient: string }>(server.folder, "SELECT recipient FROM message ORDER BY id");
  expect(rows.map(({ recipient }) => recipient)).toEqual([1, 2, 3, 4].map((last) => `+98912123450${last}`));
  expect((await customer.submit({ dest_addr_ton: 1, destination_addr: "00" })).status).toBe(0x0b);
  customer.close();
});

test("data_coding 1 is Latin-1, or GSM's alphabet if the credential says so, as npm's smpp sends it by default", async () => {
  server = await CustomerServer.start([{}, { systemId: "npm", sender: "30002222", options: { ia5: "gsm7" } }]);
  const [latin = server.customer, gsm = server.customer] = server.customers;
  const newest = () => rowsIn<{ text: string }>(server.folder, "SELECT text FROM message ORDER BY id DESC")[0]?.text;
  const plain = await server.bound("transceiver", latin);
  // Without data_coding, the package chooses it with the octets.
  const chosen = { data_coding: null, short_message: "Müller" };
  await plain.submitted(chosen);
  expect(newest()).toBe("M~ller");
  const customer = await server.bound("transceiver", gsm);
  const ours = { source_addr: "30002222" };
  await customer.submitted({ ...ours, ...chosen });
  expect(newest()).toBe("Müller");
  await customer.submitted({ ...ours, data_coding: null, short_message: "[5 €]" });
  expect(newest()).toBe("[5 €]");
  await customer.submitted({ ...ours, data_coding: 1, short_message: Buffer.from("Müller", "latin1") });
  expect(newest()).toBe("Müller");
  // The escape at the end of a segment belongs to the next one.
  const cut = { ...ours, data_coding: 1, sar_msg_ref_num: 5, sar_total_segments: 2 };
  await customer.submitted({ ...cut, sar_segment_seqnum: 1, short_message: Buffer.from([0x41, 0x1b]) });
  await customer.submitted({ ...cut, sar_segment_seqnum: 2, short_message: Buffer.from([0x65]) });
  expect(newest()).toBe("A€");
  for (const one of [plain, customer]) one.close();
});

test("a wrong password, a foreign sender, an invalid number and an undecodable text each get their own status", async () => {
  server = await CustomerServer.start();
  const stranger = await SmppCustomer.connect(server.port);
  expect((await stranger.request("bind_transceiver", bindFields("customer", "wrong"))).status).toBe(0x0e);
  stranger.close();
  const customer = await server.bound();
  expect((await customer.submit({ source_addr: "30009999" })).status).toBe(0x0a);
  expect((await customer.submit({ destination_addr: "98212345" })).status).toBe(0x0b);
  expect((await customer.submit({ short_message: Buffer.from("d8", "hex") })).status).toBe(0x45);
  expect((await customer.submit({ short_message: Buffer.from("d83d", "hex") })).status).toBe(0x45);
  expect((await customer.submit({ short_message: Buffer.alloc(0) })).status).toBe(0x01);
  expect((await customer.submit({ data_coding: 4 })).status).toBe(0x45);
  expect((await customer.request("query_sm", { message_id: "nothing" })).status).toBe(0x0c);
  expect((await customer.request("cancel_sm", { message_id: "" })).status).toBe(0x11);
  customer.close();
});

test("priority_flag orders the account's waiting messages, both whole texts and segments", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const later = { schedule_delivery_time: "000001000000000R" };
  for (const priority_flag of [0, 1, 3, 200]) await customer.submitted({ ...later, priority_flag });
  for (const sar_segment_seqnum of [1, 2]) {
    const segment = { sar_msg_ref_num: 7, sar_total_segments: 2, sar_segment_seqnum };
    await customer.submitted({ ...later, ...segment, priority_flag: 2 });
  }
  const rows = rowsIn<{ priority: number }>(server.folder, "SELECT priority FROM message ORDER BY id");
  expect(rows.map(({ priority }) => priority)).toEqual([0, 1, 3, 3, 2]);
});
