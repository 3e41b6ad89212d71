/** A text for one number or many: its price, its class, and that it is sent once per key. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import type { TextToSend } from "../../src/messaging/messages/text-sender.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
});
afterEach(() => server.close());

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `+98912${1_000_000 + index}`);
const text = (changes: Partial<TextToSend> = {}): TextToSend => ({
  ...{ accountId: 1, sender: "30001", recipients: numbers(1), text: "سلام", clientReference: null, sendAt: null },
  ...changes,
});
const moment = () => server.bookingClock.moment();
const send = (key: string, changes: Partial<TextToSend> = {}) => server.textSender.send(key, text(changes), moment());
const priceOf = (changes: Partial<TextToSend> = {}) => server.textSender.priceOf(text(changes), moment());
const stored = () => {
  const { messages } = server.store.tables;
  return messages.run(1, 10_000).flatMap(({ id }) => messages.byId(id) ?? []);
};

test("the price of all recipients is told, if anything is charged, and nothing is stored", async () => {
  expect(await priceOf({ recipients: numbers(3) })).toBeNull();
  await server.prices.set("retail", { prefix: "*", price: "7", from: "" });
  await server.prices.set("retail", { prefix: "98912100", price: "5", from: "" });
  await server.prices.charge(1, { list: "retail", mode: "postpaid" });
  expect(await priceOf()).toBe(5);
  expect(await priceOf({ recipients: [...numbers(251), "+989350000000"] })).toBe(251 * 5 + 7);
  expect(await priceOf({ text: "س".repeat(71) })).toBe(10);
  expect(stored()).toEqual([]);
  await expect(priceOf({ sender: "30002" })).rejects.toMatchObject({ code: "sender_not_permitted" });
});

test("one text at once is a single message; several, and one for later, are bulk", async () => {
  const sendAt = server.clock.now() + 600_000;
  await send("a");
  await send("b", { recipients: numbers(2) });
  await send("c", { sendAt });
  const { single, bulk } = messageClasses;
  expect(stored().map((row) => row.class)).toEqual([single, bulk, bulk, bulk]);
  expect(stored().map((row) => row.sendAt)).toEqual([null, null, null, sendAt]);
});

for (const count of [1, 500, 501])
  test(`a key sends its text to ${count} once, and stands for nothing else`, async () => {
    const recipients = numbers(count);
    const first = await send("k", { recipients });
    expect(first).toEqual({ messageCount: count, firstTrackingCode: expect.stringMatching(/./), duplicate: false });
    expect(stored().map((row) => row.recipient)).toEqual(recipients);
    expect(stored()[0]).toMatchObject({ trackingCode: first.firstTrackingCode, sender: "30001" });
    expect(await send("k", { recipients })).toEqual({ ...first, duplicate: true });
    expect(await send("l", { recipients })).toMatchObject({ duplicate: false });
    expect(stored()).toHaveLength(2 * count);
    // The key of another account is another key.
    await server.accounts.create("School");
    await server.call("POST", "/accounts/2/senders", { sender: "30001" });
    const other = server.textSender.send("k", text({ accountId: 2, recipients }), moment());
    await expect(other).rejects.toMatchObject({ code: "idempotency_key_conflict" });
  });

test("a list is a campaign of its account, and a single text is none", async () => {
  const nameOf = (id: number) => server.store.tables.campaigns.ofMessage(id);
  await send("a");
  await send("b", { recipients: numbers(2) });
  await send("c", { recipients: numbers(501) });
  expect([1, 2, 4].map((id) => nameOf(id)?.kind ?? null)).toEqual([null, "list", "list"]);
});

test("more than the account's quota has room for is refused before anything is stored, at any size", async () => {
  await server.quotas.set({ subject: "account", subjectId: 1 }, { day: 400, month: null });
  for (const count of [401, 501])
    await expect(send(`k${count}`, { recipients: numbers(count) })).rejects.toMatchObject({ code: "quota_exceeded" });
  expect([stored(), server.store.tables.stagedRuns.all()]).toEqual([[], []]);
  expect(await send("k", { recipients: numbers(400) })).toMatchObject({ messageCount: 400 });
});
