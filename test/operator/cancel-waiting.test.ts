/** Revoking a leaked key: its waiting messages are cancelled, and nothing else is. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { WaitingCanceller } from "../../src/messaging/messages/waiting-canceller.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import type { Store } from "../../src/store/store.ts";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
/** Every public status that was reported, as webhooks get it. */
let reported: string[];
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  await server.call("POST", "/accounts", { name: "Bank" });
  await server.call("POST", "/accounts/1/senders", { sender: "30001" });
  await server.call("POST", "/accounts/2/senders", { sender: "30002" });
  for (const account of ["1", "1", "2"]) await server.call("POST", "/keys", { account, name: `backend` });
  reported = [];
  server.store.onStatus((message, status) => reported.push(`${message.trackingCode} ${status}`));
});
afterEach(() => server.close());

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);
const revoke = async () => JSON.parse((await peyk("key", "revoke", "key_1", "--cancel-waiting", "--json")).out).waiting;

function rowOf(trackingCode: string) {
  const row = server.store.tables.messages.byCodeAnywhere(trackingCode);
  if (row === null) throw new Error(`There is no message ${trackingCode}`);
  return row;
}
const stateOf = (trackingCode: string) => rowOf(trackingCode).state;

/** As stored by a release whose messages did not have the key. */
async function olderRequest(keyId: number, trackingCodes: readonly string[]): Promise<void> {
  for (const trackingCode of trackingCodes) await server.storeMessage({ trackingCode });
  const row = { operation: "POST /v1/messages", payloadHash: new Uint8Array(32), messageCount: trackingCodes.length };
  const firstMessageId = rowOf(trackingCodes[0] ?? "").id;
  await server.store.write((tables) =>
    tables.idempotency.insert(keyId, `k-${firstMessageId}`, { ...row, firstMessageId }, server.clock.now()),
  );
}

async function storeMany(count: number): Promise<string[]> {
  const codes = Array.from({ length: count }, (_, index) => `M${index}`);
  await Promise.all(codes.map((trackingCode) => server.storeMessage({ trackingCode, apiKeyId: 1 })));
  return codes;
}

test("revoking a key cancels its ready and scheduled messages in every class, and says how many", async () => {
  const now = server.clock.now();
  await server.storeMessage({ trackingCode: "READY", apiKeyId: 1 });
  await server.storeMessage({ trackingCode: "LATER", apiKeyId: 1, sendAt: now + 86_400_000, validUntil: now + 2e8 });
  await server.storeMessage({ trackingCode: "BULK", apiKeyId: 1, class: messageClasses.bulk, targetId: 7 });
  await server.storeMessage({ trackingCode: "OTHER KEY", apiKeyId: 2 });
  await server.storeMessage({ trackingCode: "OTHER ACCOUNT", apiKeyId: 3, accountId: 2, senderId: 2, sender: "30002" });
  for (const [trackingCode, to] of [
    ["GIVEN", "submitting"],
    ["RETRY", "retry_wait"],
  ] as const) {
    await server.storeMessage({ trackingCode, apiKeyId: 1 });
    await server.store.write(({ messages }) => {
      const given = messages.move(rowOf(trackingCode), { to: "submitting", at: now });
      if (to === "retry_wait" && given !== null) messages.move(given, { to, at: now, dueAt: now + 1_000 });
    });
  }
  reported = [];
  const run = await peyk("key", "revoke", "key_1", "--cancel-waiting");
  expect(run.out).toMatch(/Status +revoked\n(?:.*\n)*\n3 waiting messages cancelled\.\n$/);
  expect(reported.sort()).toEqual(["BULK cancelled", "LATER cancelled", "READY cancelled"]);
  expect(stateOf("LATER")).toBe("cancelled");
  expect(["OTHER KEY", "OTHER ACCOUNT", "GIVEN", "RETRY"].map(stateOf)).toEqual([
    "ready",
    "ready",
    "submitting",
    "retry_wait",
  ]);
  expect((await peyk("message", "show", "READY")).out).toMatch(
    /cancelled .*its API key backend was revoked and what waited of it cancelled/,
  );
});

test("the audit records the cancelling, even for a key revoked earlier", async () => {
  await server.storeMessage({ trackingCode: "A", apiKeyId: 1 });
  await server.call("POST", "/keys/1/revoke");
  await revoke();
  const [later, first] = server.store.tables.audit.search({}, null, 2);
  expect(first).toMatchObject({ action: "key.revoke", outcome: "done", after: { status: "revoked" } });
  expect(first?.after).not.toHaveProperty("waiting");
  expect(later).toMatchObject({ action: "key.revoke", target: "key_1", outcome: "done" });
  expect(later?.after).toEqual({ waiting: { cancelled: 1, unattributed: 0 } });
});

test("messages stay unless cancelling is requested, which is possible later", async () => {
  await server.storeMessage({ trackingCode: "A", apiKeyId: 1 });
  expect((await server.call("POST", "/keys/1/revoke")).body).toMatchObject({ status: "revoked", waiting: null });
  expect(JSON.parse((await peyk("key", "revoke", "key_1", "--json")).out).waiting).toBeNull();
  expect(stateOf("A")).toBe("ready");
  expect(await revoke()).toEqual({ cancelled: 1, unattributed: 0 });
  expect(await revoke()).toEqual({ cancelled: 0, unattributed: 0 });
  expect(reported).toEqual(["A cancelled"]);
});

test("older messages without a key are found by their request, and those whose request is gone are counted", async () => {
  await olderRequest(1, ["A1", "A2", "A3"]);
  await olderRequest(2, ["B1", "B2"]);
  await olderRequest(1, ["A4"]);
  await server.storeMessage({ trackingCode: "FORGOTTEN" });
  await server.storeMessage({ trackingCode: "ELSEWHERE", accountId: 2, senderId: 2, sender: "30002" });
  const run = await peyk("key", "revoke", "key_1", "--cancel-waiting");
  expect(run.out).toContain("4 waiting messages cancelled.\nOf 1 more waiting message of the account it is not known");
  expect(["A1", "A2", "A3", "A4"].map(stateOf)).toEqual(Array(4).fill("cancelled"));
  expect(["B1", "B2", "FORGOTTEN", "ELSEWHERE"].map(stateOf)).toEqual(Array(4).fill("ready"));
  expect(await revoke()).toEqual({ cancelled: 0, unattributed: 1 });
});

test("messages that a large request stored but the queue does not have yet are cancelled", async () => {
  const { tables } = server.store;
  const published = await server.store.write(({ stagedRuns, messages }) => {
    const run = stagedRuns.reserve(250);
    const now = server.clock.now();
    for (let index = 0; index < run.messageCount; index += 1) {
      messages.insertStaged(run.firstMessageId + index, {
        ...{ trackingCode: `G${index}`, accountId: 1, senderId: 1, class: messageClasses.bulk, sender: "30001" },
        ...{ recipient: "+989121234567", text: "x", clientReference: null, encoding: "Latin", characterCount: 1 },
        ...{ partCount: 1, submittedAt: now, sendAt: null, validUntil: now + 3_600_000, apiKeyId: 1 },
      });
    }
    return stagedRuns.publish(run, now);
  });
  const { run } = await server.store.write(({ stagedRuns }) => stagedRuns.release(published, 120));
  expect(await revoke()).toEqual({ cancelled: 250, unattributed: 0 });
  const { released } = await server.store.write(({ stagedRuns }) => stagedRuns.release(run, 130));
  expect([released, tables.queue.lanes()]).toEqual([[], []]);
});

test("other writes run between the slices", async () => {
  await storeMany(1_000);
  const seen = new Set<number>();
  let isDone = false;
  const revoking = revoke().finally(() => {
    isDone = true;
  });
  while (!isDone) seen.add(await server.store.write(() => reported.length));
  expect(await revoking).toEqual({ cancelled: 1_000, unattributed: 0 });
  // Twenty slices of fifty, with another write between most of them.
  expect(seen.size).toBeGreaterThan(10);
});

test("a disk that refuses in the middle leads to a report of what was done, and a second run finishes", async () => {
  const codes = await storeMany(450);
  const key = await server.keys.revoke(1);
  let writes = 0;
  const failing: Store = {
    ...server.store,
    write: (change) => {
      writes += 1;
      return writes > 2 ? Promise.reject(new StoreUnavailable(new Error("full"))) : server.store.write(change);
    },
  };
  const canceller = new WaitingCanceller({ ...server, store: failing });
  await expect(canceller.cancel(key)).rejects.toMatchObject({
    code: "store_unavailable",
    detail: { code: "cancel_unfinished", values: { cancelled: 100 } },
  });
  expect(await revoke()).toEqual({ cancelled: 350, unattributed: 0 });
  expect(reported.toSorted()).toEqual(codes.map((code) => `${code} cancelled`).sort());
  const [code = ""] = codes;
  expect(server.store.tables.timeline.ofMessage(rowOf(code).id)).toHaveLength(1);
});
