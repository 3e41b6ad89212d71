/** Sending to an approved group: everybody or nobody, each with their own text and code, whatever happens meanwhile. */
import { afterEach, describe, expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { keyService } from "../../src/messaging/directory/account-service.ts";
import type { GroupAcceptance, GroupMessage } from "../../src/messaging/groups/group-send.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { openStore } from "../../src/store/store.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createSendingServer, numbersCsv, requestOf, type SendingServer } from "../support/sending-server.ts";
import { senderOf, temporaryFolder } from "../support/test-server.ts";

let server: SendingServer;
let route: ScriptedProvider | undefined;
afterEach(() => server.stop());

async function withGroup(csv: string, start = true): Promise<void> {
  server = await createSendingServer({
    build: (_, events) => {
      route = new ScriptedProvider(events, { window: 10_000 });
      return route;
    },
  });
  if (start) await server.start();
  await server.approvedGroup("spring", csv);
}

const operation = "POST /v1/approved-groups/spring/messages";

function send(message: Partial<GroupMessage> = {}, key?: string, account = 1): Promise<GroupAcceptance> {
  const whole = { sender: senderOf(account), message: "Hello", ...message };
  return server.groupSender.send(server.caller(account), requestOf(operation, key), "spring", whole);
}

async function resultsOf(acceptance: GroupAcceptance) {
  const results = [];
  for await (const slice of server.groupSender.results(acceptance, 1)) results.push(...slice);
  return results;
}

/** The data folder as a crash at this moment would leave it. */
function imageOf(folder: string): string {
  const image = temporaryFolder().path;
  for (const file of ["peyk.db", "peyk.db-wal"]) copyFileSync(join(folder, file), join(image, file));
  return image;
}

const messageCount = () => server.store.tables.messageSearch.slice({}, 0, 1_000_000, 1_000_000).length;

test("every member gets a message of its own, in member order, and each can be tracked", async () => {
  await withGroup(numbersCsv(700));
  const acceptance = await send({ clientReference: "spring-1" });
  expect(acceptance).toMatchObject({ messageCount: 700, duplicate: false, payloadMismatch: false });
  const results = await resultsOf(acceptance);
  expect(new Set(results.map(({ trackingCode }) => trackingCode)).size).toBe(700);
  expect(results.every(({ status, duplicate }) => status === "queued" && !duplicate)).toBe(true);
  const rows = results.map(({ trackingCode }) => server.store.tables.messages.byCode(1, trackingCode));
  const recipients = rows.map((row) => row?.recipient);
  expect(recipients).toEqual(Array.from({ length: 700 }, (_, index) => `+98912${1_000_000 + index}`));
  expect(rows.every((row) => row?.clientReference === "spring-1")).toBe(true);
  await until(() => route?.submissions.length === 700);
  await settleLoop();
  expect(results.map(({ trackingCode }) => server.statusOf(trackingCode))).toEqual(results.map(() => "sent"));
});

test("each text is filled in, encoded and counted individually", async () => {
  const long = "م".repeat(60);
  await withGroup(`mobile,firstName,lastName\n09121234567,Ali,Karimi\n09121234568,${long},کریمی\n`);
  const results = await resultsOf(await send({ message: "Dear {{ fullName }} {{mobile}}" }));
  expect(results.map(({ encoding, characterCount, partCount }) => [encoding, characterCount, partCount])).toEqual([
    ["Latin", 27, 1],
    ["Persian", 83, 2],
  ]);
  await until(() => route?.submissions.length === 2);
  expect(route?.texts).toEqual(["Dear Ali Karimi 09121234567", `Dear ${long} کریمی 09121234568`]);
});

test("a name that looks like a variable is sent unchanged", async () => {
  await withGroup("mobile,firstName\n09121234567,{{lastName}}\n");
  await send({ message: "Dear {{firstName}}" });
  await until(() => route?.submissions.length === 1);
  expect(route?.texts).toEqual(["Dear {{lastName}}"]);
});

describe("a group send is refused and leaves nothing behind", () => {
  test("if the text uses a variable that groups do not have", async () => {
    await withGroup(numbersCsv(2));
    const sending = send({ message: "{{firstname}} {{ code }}" });
    await expect(sending).rejects.toMatchObject({ code: "unknown_variable" });
    await expect(sending).rejects.toThrow("{{firstname}}, {{code}}");
    expect(messageCount()).toBe(0);
  });

  test("if members lack a value, and the refusal says how many of how many", async () => {
    await withGroup("mobile,firstName\n09121234567,Ali\n09121234568,\n09121234569,\n");
    const sending = send({ message: "{{firstName}}" });
    await expect(sending).rejects.toMatchObject({ code: "personalisation_unavailable" });
    await expect(sending).rejects.toThrow("2 of 3 members");
    expect(messageCount()).toBe(0);
    expect((await send({ message: "{{mobile}}" })).messageCount).toBe(3);
  });

  test("if a filled-in text has more than 2000 characters, counted with the number as spelled", async () => {
    await withGroup("mobile,firstName\n09121234567,Ali\n");
    const fits = `${"x".repeat(2000 - 11 - 3)}{{mobile}}{{firstName}}`;
    await expect(send({ message: `x${fits}` })).rejects.toMatchObject({
      code: "validation_failed",
      problems: [{ field: "message", code: "too_long" }],
    });
    expect(messageCount()).toBe(0);
    const [result] = await resultsOf(await send({ message: fits }));
    expect(result?.characterCount).toBe(2000);
  });

  test("if the group is another account's, a draft, suspended or empty", async () => {
    await withGroup(numbersCsv(2));
    await expect(send({}, undefined, 2)).rejects.toMatchObject({ code: "group_not_found" });
    await server.groups.suspend({ code: "spring" }, "x");
    await expect(send()).rejects.toMatchObject({ code: "group_not_sendable" });
    await server.groups.create(2, "spring", "Draft");
    await expect(send({}, undefined, 2)).rejects.toMatchObject({ code: "group_not_sendable" });
    await server.groups.approve({ code: "spring", accountId: 2 }, "x");
    await expect(send({}, undefined, 2)).rejects.toMatchObject({ code: "group_not_sendable" });
    expect(messageCount()).toBe(0);
  });

  test("if its key is revoked meanwhile", async () => {
    await withGroup(numbersCsv(700));
    const keys = keyService({ ...server, random: systemRandom });
    await keys.create(1, { name: "leaked", permissions: [], requestsPerMinute: null, expiresAt: null });
    const sending = send();
    const revoking = keys.revoke(server.caller().apiKeyId);
    await expect(sending).rejects.toMatchObject({ code: "api_key_invalid" });
    await revoking;
    await until(() => server.store.tables.stagedRuns.all().length === 0);
    expect(messageCount()).toBe(0);
  });

  test("if there is no sender to use, or one that is not the account's", async () => {
    await withGroup(numbersCsv(2));
    await expect(send({ sender: null })).rejects.toMatchObject({
      code: "validation_failed",
      problems: [{ field: "sender", code: "required" }],
    });
    await expect(send({ sender: senderOf(2) })).rejects.toMatchObject({ code: "sender_not_permitted" });
    const account = server.directory.account(1);
    if (account !== null) server.directory.putAccount({ ...account, defaultSender: senderOf(1) });
    expect((await send({ sender: null })).messageCount).toBe(2);
  });
});

describe("the Idempotency-Key of a group send", () => {
  test("returns the whole array again with duplicate true, even after the group changed or was suspended", async () => {
    await withGroup(numbersCsv(600));
    const first = await resultsOf(await send({}, "one"));
    await server.groups.suspend({ code: "spring" }, "x");
    const again = await send({ message: "{{nonsense}}" }, "one");
    expect(again.duplicate).toBe(true);
    expect(await resultsOf(again)).toEqual(first.map((result) => ({ ...result, duplicate: true })));
    expect(messageCount()).toBe(600);
  });

  test("detects another payload, and belongs to one operation only", async () => {
    await withGroup(numbersCsv(2));
    await send({}, "one");
    const other = server.groupSender.send(server.caller(), requestOf(operation, "one", 9), "spring", {
      message: "Other",
    });
    expect(await other).toMatchObject({ duplicate: true, payloadMismatch: true });
    const elsewhere = server.groupSender.send(server.caller(), requestOf("POST /v1/messages", "one"), "spring", {
      message: "x",
    });
    await expect(elsewhere).rejects.toMatchObject({ code: "idempotency_key_conflict" });
  });

  test("creates one run for ten racing requests, and all get its results", async () => {
    await withGroup(numbersCsv(300));
    const racing = await Promise.all(Array.from({ length: 10 }, () => send({}, "raced")));
    expect(racing.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(racing.map(({ firstMessageId }) => firstMessageId)).size).toBe(1);
    expect(messageCount()).toBe(300);
  });

  test("refuses the run if a single message takes the key meanwhile", async () => {
    await withGroup(numbersCsv(2_000));
    const sending = send({}, "taken");
    await settleLoop(2);
    await server.send({ key: "taken" });
    await expect(sending).rejects.toMatchObject({ code: "idempotency_key_conflict" });
    await server.settled();
    expect(messageCount()).toBe(1);
    expect(server.store.tables.stagedRuns.all()).toEqual([]);
  });
});

describe("a group send that is not yet accepted", () => {
  test("is invisible to search, tracking and queue, and lets others run between its slices", async () => {
    await withGroup(numbersCsv(3_000));
    const sending = send();
    await settleLoop(3);
    const single = await server.send({ account: 2 });
    await until(() => server.statusOf(single) === "sent");
    const [run] = server.store.tables.stagedRuns.all();
    expect(run?.publishedAt).toBeNull();
    const staged = server.store.tables.messages.byId(run?.firstMessageId ?? 0);
    expect(staged).not.toBeNull();
    expect(server.store.tables.messages.byCode(1, staged?.trackingCode ?? "")).toBeNull();
    expect(server.store.tables.messages.byCodeAnywhere(staged?.trackingCode ?? "")).toBeNull();
    expect(messageCount()).toBe(1);
    expect(route?.submissions).toHaveLength(1);
    await sending;
    expect(messageCount()).toBe(3_001);
    await until(() => route?.submissions.length === 3_001);
  });

  test("leaves nothing after a crash, and its ids are free again", async () => {
    await withGroup(numbersCsv(3_000), false);
    const sending = send();
    await settleLoop(4);
    const [run] = server.store.tables.stagedRuns.all();
    expect(server.store.tables.messages.byId((run?.firstMessageId ?? 0) + 10)).not.toBeNull();
    const folder = imageOf(server.folder);
    await sending;
    await server.stop();
    server = await createSendingServer({ folder, clock: server.clock });
    // Before any clean-up.
    expect(messageCount()).toBe(0);
    server.resume();
    await server.settled();
    expect(server.store.tables.messages.byId((run?.firstMessageId ?? 0) + 10)).toBeNull();
    expect(server.store.tables.stagedRuns.all()).toEqual([]);
    expect((await send({}, "retried")).messageCount).toBe(3_000);
  });
});

test("a crash right after acceptance loses no message and sends none twice", async () => {
  await withGroup(numbersCsv(2_000), false);
  const acceptance = await send({}, "kept");
  const { clock } = server;
  const folder = imageOf(server.folder);
  await server.stop();
  const reopened = openStore({ folder, now: clock.now() });
  const [run] = reopened.tables.stagedRuns.all();
  expect(run?.publishedAt).not.toBeNull();
  expect(run?.releasedCount).toBeLessThan(2_000);
  reopened.close();
  server = await createSendingServer({
    folder,
    clock,
    build: (_, events) => {
      route = new ScriptedProvider(events, { window: 10_000 });
      return route;
    },
  });
  await server.start();
  server.resume();
  expect(await resultsOf(acceptance)).toHaveLength(2_000);
  await until(() => route?.submissions.length === 2_000);
  await server.settled();
  expect(new Set(route?.submissions.map(({ messageId }) => messageId)).size).toBe(2_000);
  expect(server.store.tables.stagedRuns.all()).toEqual([]);
});

test("a message cancelled before the queue has it is never sent", async () => {
  await withGroup(numbersCsv(1_500), false);
  const acceptance = await send();
  const results = await resultsOf(acceptance);
  const last = results.at(-1)?.trackingCode ?? "";
  expect((await server.canceller.cancel(1, last)).status).toBe("cancelled");
  await server.start();
  await until(() => route?.submissions.length === 1_499);
  await server.settled();
  await settleLoop();
  expect(route?.submissions.some(({ trackingCode }) => trackingCode === last)).toBe(false);
});

test("a send uses the list approved when it began, even if another is approved meanwhile", async () => {
  await withGroup(numbersCsv(2_000));
  const sending = send();
  await settleLoop(2);
  await server.import("spring", numbersCsv(3));
  await server.groups.approve({ code: "spring" }, "x");
  expect((await sending).messageCount).toBe(2_000);
  expect((await send()).messageCount).toBe(3);
  await server.groups.settled();
  expect(server.store.tables.groups.looseLists()).toEqual([]);
});

test("two sends at once take turns slice by slice, and both are complete", async () => {
  await withGroup(numbersCsv(1_000));
  const [first, second] = await Promise.all([send(), send()]);
  expect(first.firstMessageId).not.toBe(second.firstMessageId);
  expect((await resultsOf(first)).length + (await resultsOf(second)).length).toBe(2_000);
  await until(() => route?.submissions.length === 2_000);
});

test("a disk that refuses writes for a while delays what was accepted, and loses none of it", async () => {
  await withGroup(numbersCsv(1_000));
  const { store } = server;
  const write = store.write;
  let refusals = 0;
  store.write = (change) => {
    const [run] = store.tables.stagedRuns.all();
    if (run?.publishedAt == null || run.releasedCount === 0 || refusals === 3) return write(change);
    refusals += 1;
    return Promise.reject(new StoreUnavailable(new Error("full")));
  };
  const { messageCount: members } = await send();
  // Everything that is refused, including the queue, retries a second later.
  for (let second = 0; second < 10; second += 1) await server.clock.advance(1_000);
  expect([refusals, route?.submissions.length]).toEqual([3, members]);
  store.write = write;
});

test("a disk that refuses writes during a send leaves nothing of it, and the key is free again", async () => {
  await withGroup(numbersCsv(3_000));
  const { store } = server;
  const write = store.write;
  let slices = 0;
  store.write = (change) => {
    slices += 1;
    return slices === 5 ? Promise.reject(new StoreUnavailable(new Error("full"))) : write(change);
  };
  await expect(send({}, "once")).rejects.toBeInstanceOf(StoreUnavailable);
  store.write = write;
  await server.settled();
  expect(messageCount()).toBe(0);
  expect(store.tables.stagedRuns.all()).toEqual([]);
  expect((await send({}, "once")).duplicate).toBe(false);
});
