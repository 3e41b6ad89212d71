/** How a repeated request is recognised: by a header, or the field that its credential names; and by nothing else. */
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { forgetOld } from "../../src/messaging/messages/retention.ts";
import { openStore } from "../../src/store/store.ts";
import { DropInServer } from "../support/drop-in-server.ts";
import { eventually } from "../support/peyk-process.ts";
import { reportReceiver } from "../support/report-receiver.ts";

// A server each on a busy machine.
setDefaultTimeout(30_000);

let server: DropInServer | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

const good = { username: "shop", password: "password-of-shop", from: "30001234", to: "09121234567", text: "hello" };

async function start(more: object = {}, env: Record<string, string> = {}): Promise<DropInServer> {
  server = await DropInServer.start([{ kind: "kannel", name: "shop", password: "password-of-shop", ...more }], env);
  return server;
}

async function sendsms(fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({ ...good, ...fields });
  const answer = await fetch(`${server?.url}/cgi-bin/sendsms?${query}`, { headers });
  return `${answer.status} ${await answer.text()}`;
}

const accepted = "202 0: Accepted for delivery";
const count = () => server?.messages().length ?? 0;

test("without a key each request is a new message, even if identical", async () => {
  await start();
  for (let sent = 0; sent < 3; sent += 1) expect(await sendsms()).toBe(accepted);
  expect(count()).toBe(3);
  expect(server?.count("credential_request")).toBe(0);
});

test("racing requests with one Idempotency-Key header become one message, also after a restart", async () => {
  const running = await start();
  const key = { "Idempotency-Key": "order-1" };
  expect(await Promise.all(Array.from({ length: 8 }, () => sendsms({}, key)))).toEqual(Array(8).fill(accepted));
  expect(count()).toBe(1);
  await running.halt();
  await running.startAgain();
  expect(await sendsms({}, key)).toBe(accepted);
  expect(count()).toBe(1);
  expect(await sendsms({}, { "Idempotency-Key": "order-2" })).toBe(accepted);
  expect(count()).toBe(2);
  expect(await sendsms({}, { "Idempotency-Key": "x".repeat(101) })).toStartWith("400");
});

test("a credential names a field as its key, in a scope apart from the API's and other credentials' keys", async () => {
  const running = await start({ requestKey: { from: "query", name: "binfo" } });
  await running.addCredential({
    kind: "kannel",
    name: "other",
    password: "password-of-other",
    requestKey: { from: "query", name: "binfo" },
  });
  for (let sent = 0; sent < 2; sent += 1) expect(await sendsms({ binfo: "order-1" })).toBe(accepted);
  expect(count()).toBe(1);
  expect(await sendsms({ binfo: "order-1", username: "other", password: "password-of-other" })).toBe(accepted);
  expect(count()).toBe(2);
  const body = JSON.stringify({ sender: "30001234", recipient: "09121234567", message: "hello" });
  const headers = { "X-API-Key": running.apiKey, "Idempotency-Key": "order-1", "Content-Type": "application/json" };
  const answer = await fetch(`${running.running.url}/v1/messages`, { method: "POST", headers, body });
  expect([answer.status, count()]).toEqual([202, 3]);
  // Without the field it is a new one.
  await sendsms();
  await sendsms();
  expect(count()).toBe(5);
});

test("a repeat gets the first answer whatever happened to the message, and a refusal leaves its key free", async () => {
  const running = await start();
  const key = { "Idempotency-Key": "order-1" };
  expect(await sendsms({ to: "12" }, key)).toStartWith("400");
  expect(await sendsms({}, key)).toBe(accepted);
  await running.operate("PATCH", `/accounts/${running.accountId}/senders/30001234`, { active: false });
  expect(await sendsms({}, { "Idempotency-Key": "order-2" })).toStartWith("400");
  expect(await sendsms({}, key)).toBe(accepted);
  expect(count()).toBe(1);
});

test("another payload under a used key counts as the first, or is refused if the settings say so", async () => {
  await start({}, { PEYK_IDEMPOTENCY_MISMATCH: "reject" });
  const key = { "Idempotency-Key": "order-1" };
  expect(await sendsms({}, key)).toBe(accepted);
  expect(await sendsms({ text: "another" }, key)).toStartWith("400");
  expect(await sendsms({}, key)).toBe(accepted);
  expect(count()).toBe(1);
});

test("a key lasts as long as its credential says at the time of the repeat", async () => {
  await start({ requestKeySeconds: 1 });
  const key = { "Idempotency-Key": "order-1" };
  await sendsms({}, key);
  await sendsms({}, key);
  expect(count()).toBe(1);
  await eventually(async () => {
    await sendsms({}, key);
    return count() === 2;
  });
});

test("the key of a failed message is free again if the credential says so", async () => {
  await start({ requestKeyFreeAfterFailure: true });
  // The simulator reports such a number as undeliverable.
  const key = { "Idempotency-Key": "uuid-1" };
  const failing = { to: "09120000001" };
  expect(await sendsms(failing, key)).toBe(accepted);
  await eventually(() => server?.messages()[0]?.state === "failed");
  expect(await sendsms(failing, key)).toBe(accepted);
  expect(count()).toBe(2);
});

/** Where messages are kept for three days, all that ended 100 hours ago. */
async function forgetMessages(folder: string): Promise<void> {
  await server?.halt();
  const store = openStore({ folder, now: Date.now() });
  const later = Date.now() + 100 * 3_600_000;
  await forgetOld(store, later, { messageDays: 3, idempotencyDays: 1, rollupDays: 730 });
  store.close();
  await server?.startAgain();
}

test("a key outlives its message, and is free after a failure if the credential says so", async () => {
  const running = await start({ requestKeySeconds: 30 * 86_400, requestKeyFreeAfterFailure: true });
  const sent = { "Idempotency-Key": "sent" };
  const failed = { "Idempotency-Key": "failed" };
  const failing = { to: "09120000001" };
  expect([await sendsms({}, sent), await sendsms(failing, failed), await sendsms()]).toEqual(Array(3).fill(accepted));
  const states = () => running.messages().map(({ state }) => state);
  await eventually(() => states().join() === "delivered,failed,delivered");
  await forgetMessages(running.folder);
  // The row of the newest stays.
  expect(states()).toEqual(["delivered"]);
  expect([await sendsms({}, sent), count()]).toEqual([accepted, 1]);
  expect([await sendsms(failing, failed), count()]).toEqual([accepted, 2]);
});

test("a courier sends UTF-16 without a charset and a uuid in dlr-url as the key, and again after a failed receipt", async () => {
  const receiver = reportReceiver();
  await start({
    callbackOrigins: [receiver.origin],
    requestKey: { from: "query", name: "dlr-url" },
    requestKeyFreeAfterFailure: true,
  });
  const persian = "کد شما آماده است 🙂";
  const octets = Buffer.from(persian, "utf16le").swap16();
  const text = [...octets].map((octet) => `%${octet.toString(16).padStart(2, "0")}`).join("");
  // As nyaruka/courier v26.3.38 sends it, handlers/kannel/handler.go.
  const send = async (uuid: string, to: string) => {
    const dlr = encodeURIComponent(`${receiver.origin}/c/kn/8eb23e93/status?id=${uuid}&status=%d`);
    const query = `coding=2&dlr-mask=27&dlr-url=${dlr}&from=30001234&password=password-of-shop&priority=1&text=${text}&to=${to}&username=shop`;
    const answer = await fetch(`${server?.url}/cgi-bin/sendsms?${query}`);
    return `${answer.status} ${await answer.text()}`;
  };
  expect(await send("uuid-1", "%2B989121234567")).toBe(accepted);
  expect(await send("uuid-1", "%2B989121234567")).toBe(accepted);
  expect(server?.messages().map((message) => message.text)).toEqual([persian]);
  expect(await send("uuid-2", "%2B989121234501")).toBe(accepted);
  const targets = (await receiver.until(4)).map(({ target }) => target);
  expect(targets.toSorted()).toEqual([
    "/c/kn/8eb23e93/status?id=uuid-1&status=1",
    "/c/kn/8eb23e93/status?id=uuid-1&status=8",
    "/c/kn/8eb23e93/status?id=uuid-2&status=2",
    "/c/kn/8eb23e93/status?id=uuid-2&status=8",
  ]);
  expect(await send("uuid-2", "%2B989121234501")).toBe(accepted);
  expect(count()).toBe(3);
  await receiver.stop();
});

test("a key that is not UTF-8 is refused, since replaced octets would merge two keys", async () => {
  const running = await start({ requestKey: { from: "query", name: "smsc" } });
  const query = new URLSearchParams(good);
  const statuses = [];
  for (const key of ["%E9", "%E8"]) {
    const answer = await fetch(`${running.url}/cgi-bin/sendsms?${query}&smsc=${key}`);
    statuses.push(`${answer.status} ${await answer.text()}`);
  }
  expect(statuses).toEqual(Array(2).fill("400 Charset or body misformed, rejected"));
  expect(count()).toBe(0);
});
