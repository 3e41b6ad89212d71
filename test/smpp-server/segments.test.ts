/** Customers send long texts in segments: each has its own id, together they become one message, and incomplete ones are refunded. */
import { afterEach, expect, test } from "bun:test";
import { incompleteMax } from "../../src/smpp-server/segments.ts";
import { runCli } from "../support/cli.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const ucs2 = (text: string) => Buffer.from(text, "utf16le").swap16();
const long = "سلام و درود فراوان به شما مشتری گرامی. ".repeat(5).slice(0, 180);
const shares = [long.slice(0, 67), long.slice(67, 134), long.slice(134)];

const udh8 = (index: number, reference = 7) => ({
  esm_class: 0x40,
  short_message: Buffer.concat([Buffer.from([5, 0, 3, reference, 3, index + 1]), ucs2(shares[index] ?? "")]),
});
const udh16 = (index: number, reference = 777) => ({
  esm_class: 0x40,
  short_message: Buffer.concat([
    Buffer.from([6, 8, 4, reference >> 8, reference & 0xff, 3, index + 1]),
    ucs2(shares[index] ?? ""),
  ]),
});
const sar = (index: number, reference = 9) => ({
  sar_msg_ref_num: reference,
  sar_total_segments: 3,
  sar_segment_seqnum: index + 1,
  short_message: ucs2(shares[index] ?? ""),
});

const messages = () =>
  rowsIn<{ code: string; text: string; parts: number }>(
    server.folder,
    "SELECT tracking_code AS code, text, part_count AS parts FROM message ORDER BY id",
  );

test.each([
  ["UDH of 8 bits", udh8],
  ["UDH of 16 bits", udh16],
  ["SAR", sar],
])(
  "segments by %s, out of order and over two binds, are one message, and each gets its receipt",
  async (_, segment) => {
    server = await CustomerServer.start();
    const [first, second] = [await server.bound(), await server.bound()];
    const ids = [
      await first.submitted(segment(2)),
      await second.submitted(segment(0)),
      await first.submitted(segment(1)),
    ];
    expect(new Set(ids).size).toBe(3);
    expect(messages()).toEqual([{ code: ids[0] ?? "", text: long, parts: 3 }]);
    const receipts = () => [...first.receipts, ...second.receipts];
    await eventually(() => receipts().length === 3);
    expect(
      receipts()
        .map((text) => /^id:(\S+) .* stat:DELIVRD/.exec(text)?.[1] ?? text)
        .sort(),
    ).toEqual([...ids].sort());
    for (const id of ids) {
      const { frame, status } = await first.request("query_sm", { message_id: id });
      expect({ status, state: frame[frame.length - 2] }).toEqual({ status: 0, state: 2 });
    }
  },
);

test("a repeated segment gets its first id, before and after completion, and after a restart", async () => {
  server = await CustomerServer.start();
  let customer = await server.bound();
  const first = await customer.submitted(udh8(0));
  expect(await customer.submitted(udh8(0))).toBe(first);
  await server.halt();
  await server.startAgain();
  customer = await server.bound();
  expect(await customer.submitted(udh8(0))).toBe(first);
  const [second, third] = [await customer.submitted(udh8(1)), await customer.submitted(udh8(2))];
  expect(await customer.submitted(udh8(2))).toBe(third);
  expect(await customer.submitted(udh8(1))).toBe(second);
  expect(messages()).toHaveLength(1);
});

test("a repeated segment gets its first id also when the first used up the quota", async () => {
  server = await CustomerServer.start();
  const { code } = await runCli(["quota", "set", "acc_1", "--day", "1", "--data-dir", server.folder]);
  expect(code).toBe(0);
  const customer = await server.bound();
  const first = await customer.submitted(udh8(0));
  expect(await customer.submitted(udh8(0))).toBe(first);
  expect((await customer.submit(udh8(1))).status).toBe(0x45);
});

test("an incomplete message is not sent: its receipts say EXPIRED, and quota and balance are returned", async () => {
  server = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_REASSEMBLY_TIMEOUT_SECONDS: "2" });
  const peyk = async (...argv: string[]) => {
    const { code, err } = await runCli([...argv, "--data-dir", server.folder]);
    if (code !== 0) throw new Error(err);
  };
  await peyk("quota", "set", "acc_1", "--day", "3");
  await peyk("price", "set", "retail", "--prefix", "*", "--price", "100");
  await peyk("price", "assign", "retail", "--account", "acc_1", "--billing", "prepaid");
  await peyk("account", "topup", "acc_1", "--amount", "300");
  const taken = () => [
    rowsIn<{ used: number }>(server.folder, "SELECT parts_used AS used FROM quota")[0]?.used,
    rowsIn<{ reserved: number }>(
      server.folder,
      "SELECT reserved_after AS reserved FROM ledger ORDER BY number DESC LIMIT 1",
    )[0]?.reserved,
  ];
  const customer = await server.bound();
  const ids = [await customer.submitted(udh8(0)), await customer.submitted(udh8(1))];
  const asked = await customer.request("query_sm", { message_id: ids[1] ?? "" });
  expect(asked.frame[asked.frame.length - 2]).toBe(1);
  expect(taken()).toEqual([2, 200]);
  await eventually(() => customer.receipts.length === 2);
  expect(customer.receipts.map((text) => /id:(\S+) .* stat:(\w+) err:(\d+)/.exec(text)?.slice(1))).toEqual(
    ids.map((id) => [id, "EXPIRED", "004"]),
  );
  expect(messages()).toEqual([]);
  const [{ status, frame }] = [await customer.request("query_sm", { message_id: ids[0] ?? "" })];
  expect([status, frame[frame.length - 2]]).toEqual([0, 3]);
  expect(taken()).toEqual([0, 0]);
  // The same reference is now a new message, and uses the refunded parts; a fourth part exceeds the quota.
  const again = [
    await customer.submitted(udh8(0)),
    await customer.submitted(udh8(1)),
    await customer.submitted(udh8(2)),
  ];
  expect(again).not.toContain(ids[0]);
  expect((await customer.submit(udh8(0, 8))).status).toBe(0x45);
  await eventually(() => customer.receipts.length === 5);
  expect(taken()).toEqual([3, 0]);
});

test("a long message with keys that stayed incomplete is sent when it is repeated, and once", async () => {
  server = await CustomerServer.start([{ options: { repeats: 0x1500 } }], {
    PEYK_SMPP_SERVER_REASSEMBLY_TIMEOUT_SECONDS: "2",
  });
  const customer = await server.bound();
  const key = Buffer.from([0x15, 0x00, 0, 1, 0x61]);
  const sent = async (...parts: number[]) => {
    const ids: string[] = [];
    for (const part of parts) ids.push(await customer.submitWithTlv(udh8(part), key));
    return ids;
  };
  const cut = await sent(0, 1);
  await eventually(() => customer.receipts.length === 2);
  const whole = await sent(0, 1, 2);
  expect(whole).not.toContain(cut[0]);
  expect(await sent(0, 1, 2)).toEqual(whole);
  expect(messages()).toEqual([{ code: whole[0] ?? "", text: long, parts: 3 }]);
});

test("cancelling any segment withdraws the message that waits for others", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const [first, second] = [await customer.submitted(udh8(0)), await customer.submitted(udh8(1))];
  expect((await customer.request("cancel_sm", { message_id: second })).status).toBe(0);
  expect((await customer.request("cancel_sm", { message_id: first })).status).toBe(0);
  await eventually(() => customer.receipts.length === 2);
  expect(customer.receipts.every((text) => text.includes("stat:DELETED"))).toBe(true);
  await customer.submitted(udh8(2));
  expect(messages()).toEqual([]);
});

test("2,000 characters are sent, and more are too long, in one payload or in segments", async () => {
  server = await CustomerServer.start();
  const customer = await server.bound();
  const payload = (characters: number) => ({
    short_message: Buffer.alloc(0),
    message_payload: ucs2("س".repeat(characters)),
  });
  expect((await customer.submit(payload(2000))).status).toBe(0);
  expect((await customer.submit(payload(2001))).status).toBe(0x01);
  const share = (index: number, characters: number) => ({
    sar_msg_ref_num: 1,
    sar_total_segments: 20,
    sar_segment_seqnum: index + 1,
    short_message: ucs2("س".repeat(characters)),
  });
  for (let index = 0; index < 16; index += 1) expect((await customer.submit(share(index, 120))).status).toBe(0);
  expect((await customer.submit(share(16, 81))).status).toBe(0x01);
  expect((await customer.submit(share(16, 80))).status).toBe(0);
});

/** Opens so many messages of one credential that lack segments, each to a recipient of its own. */
async function leaveIncomplete(accountId: number, credentialId: number, messages: number, recipient?: string) {
  await server.halt();
  const store = openMigratedStore({ folder: server.folder, now: Date.now() });
  const openedAt = Date.now();
  const key = { accountId, credentialId, apiKeyId: 1, sender: "30001234", reference: 1, partCount: 2 };
  await store.write(({ smppAssemblies }) => {
    for (let at = 0; at < messages; at += 1) {
      const own = {
        recipient: recipient ?? `+98935${String(at).padStart(7, "0")}`,
        trackingCode: `${credentialId}-${at}`,
      };
      smppAssemblies.open({ ...key, ...own, sendAt: null, validityMs: null, openedAt });
    }
  });
  store.close();
  await server.startAgain();
}

test.each([
  ["a recipient", "recipient", [[1, incompleteMax.recipient - 1, "+989121234500"]]],
  ["a credential", "credential", [[1, incompleteMax.credential - 1]]],
  [
    "an account, however many credentials it has",
    "account",
    [
      [1, incompleteMax.credential - 1],
      [99, incompleteMax.account - incompleteMax.credential],
    ],
  ],
] satisfies [string, string, [number, number, string?][]][])(
  "the last allowed incomplete message is accepted, one more waits, and an ended one makes room: of %s",
  async (_, of, open) => {
    server = await CustomerServer.start([{}, { systemId: "other", sender: "30005678" }]);
    for (const [credentialId, messages, recipient] of open) await leaveIncomplete(1, credentialId, messages, recipient);
    const customer = await server.bound();
    const [first, second] = [await customer.submitted(udh8(0)), await customer.submitted(udh8(1))];
    const refused = await customer.submit(udh8(0, 8));
    expect({ of, status: refused.status }).toEqual({ of, status: 0x14 });
    // A repeat and a missing segment are no more messages.
    expect(await customer.submitted(udh8(1))).toBe(second);
    await customer.submitted(udh8(2));
    expect(messages()).toMatchObject([{ code: first, text: long }]);
    expect((await customer.submit(udh8(0, 8))).status).toBe(0);
    expect((await customer.submit(udh8(0, 9))).status).toBe(0x14);
    const other = await server.bound("transceiver", server.customers[1]);
    expect((await other.submit({ ...udh8(0), source_addr: "30005678" })).status).toBe(0);
  },
);

test("a message withdrawn, erased or never complete makes room as well", async () => {
  server = await CustomerServer.start([{}], { PEYK_SMPP_SERVER_REASSEMBLY_TIMEOUT_SECONDS: "2" });
  await leaveIncomplete(1, 1, incompleteMax.recipient - 1, "+989121234500");
  const customer = await server.bound();
  const first = await customer.submitted(udh8(0));
  expect((await customer.submit(udh8(0, 8))).status).toBe(0x14);
  await customer.request("cancel_sm", { message_id: first });
  await customer.submitted(udh8(0, 8));
  expect((await customer.submit(udh8(0, 9))).status).toBe(0x14);
  const counted = () => rowsIn<{ messages: number }>(server.folder, "SELECT messages FROM smpp_incomplete");
  await eventually(() => counted().every(({ messages }) => messages === 0));
  expect(counted()).toHaveLength(2);
  await customer.submitted(udh8(0, 9));
  const { code } = await runCli(["recipient", "erase", "+989121234500", "--yes", "--data-dir", server.folder]);
  expect(code).toBe(0);
  await eventually(() => counted().every(({ messages }) => messages === 0));
});
