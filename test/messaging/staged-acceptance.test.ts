/** Very large requests: what is asked and checked before their messages are stored, and which repeats are recognised. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { type AcceptOptions, Acceptor } from "../../src/messaging/messages/accept.ts";
import { StagedAcceptor, type StagedRequest } from "../../src/messaging/messages/staged-acceptance.ts";
import { Stager } from "../../src/messaging/messages/staging.ts";
import { type Demand, TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { silentLog } from "../../src/platform/log.ts";
import { LoopTurns } from "../../src/platform/loop-turns.ts";
import { callerAt } from "../support/caller.ts";
import { until } from "../support/manual-clock.ts";
import { noTrafficRules } from "../support/no-rules.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let stager: Stager;
let [released, codes] = [0, 0];
beforeEach(async () => {
  server = await createTestServer();
  [released, codes] = [0, 0];
  const { store, clock } = server;
  const accepted = ({ length }: { length: number }) => {
    released += length;
  };
  stager = new Stager({ store, clock, log: silentLog, accepted });
});
afterEach(async () => {
  await stager.stop();
  await server.stop();
});

/** More than two slices of those that are asked about, and of those that are stored. */
const count = 600;
const caller = () => callerAt(server.clock.now());
const request = (key: string, payloadHash = new Uint8Array([1]), operation = "a") => ({ key, operation, payloadHash });
const numberAt = (position: number) => `+98912${String(position).padStart(7, "0")}`;
const draftsFrom = (position: number, wanted: number) =>
  Array.from({ length: wanted }, (_, index) => ({
    ...{ sender: senderOf(1), recipient: numberAt(position + index), text: "سلام", clientReference: null },
    ...{ class: messageClasses.bulk, sendAt: null },
  }));

function staged(options: Partial<AcceptOptions> = {}): StagedAcceptor {
  const next = () => {
    codes += 1;
    return `T${codes}`;
  };
  const acceptor = new Acceptor({
    ...{ store: server.store, directory: server.directory, trackingCodes: { next }, rules: noTrafficRules },
    ...{ validityMs: 3_600_000, mismatch: "replay", accepted: () => {}, mismatched: () => {} },
    ...options,
  });
  return new StagedAcceptor({ acceptor, stager, turns: new LoopTurns() });
}

const accept = (own: StagedAcceptor, identity: StagedRequest, draftCount = count) =>
  own.accept(caller(), identity, draftCount, draftsFrom);
const recipients = () => server.store.tables.messages.run(1, 10_000).length;

test("all messages are stored in order under consecutive ids, and a repeat of the key gets the same", async () => {
  const own = staged();
  const first = await accept(own, request("k"));
  expect(first).toEqual({ firstMessageId: 1, messageCount: count, payloadMismatch: false, duplicate: false });
  const { messages } = server.store.tables;
  for (const position of [0, 255, 256, 511, 512, count - 1])
    expect(messages.byId(1 + position)).toMatchObject({ recipient: numberAt(position), accountId: 1, apiKeyId: 1 });
  await until(() => released === count);
  expect(own.registered(server.store.tables, caller(), request("k"))).toMatchObject({ messageCount: count });
  expect(await accept(own, request("k"))).toEqual({ ...first, duplicate: true });
  expect(await accept(own, request("k", new Uint8Array([2])))).toMatchObject({
    ...{ duplicate: true, payloadMismatch: true },
  });
  await expect(accept(own, request("k", new Uint8Array([1]), "b"))).rejects.toMatchObject({
    code: "idempotency_key_conflict",
  });
  await stager.settled();
  expect(recipients()).toBe(count);
});

test("what recognises repeats otherwise is stored with the messages, and asked before them", async () => {
  const runs: { firstMessageId: number; messageCount: number }[] = [];
  let known: { firstMessageId: number; messageCount: number; payloadMismatch: boolean } | null = null;
  const repeats = { name: "r", registered: () => known, store: (_: unknown, run: (typeof runs)[0]) => runs.push(run) };
  const own = staged();
  const also: number[] = [];
  await own.accept(caller(), repeats, count, draftsFrom, (_, firstId) => void also.push(firstId));
  expect(runs).toEqual([{ firstMessageId: 1, messageCount: count }]);
  expect(also).toEqual([1]);
  known = { firstMessageId: 1, messageCount: count, payloadMismatch: false };
  expect(await accept(own, repeats)).toEqual({ ...known, duplicate: true });
  expect(own.registered(server.store.tables, caller(), repeats)).toBe(known);
  expect(runs).toHaveLength(1);
  const revoked = staged({ directory: { sender: () => ({ id: 1, active: true }), isRevoked: () => true } });
  await expect(accept(revoked, repeats)).rejects.toMatchObject({ code: "api_key_invalid" });
  await stager.settled();
  expect(recipients()).toBe(count);
});

test("the whole demand is checked before anything is stored, and reserved with the acceptance", async () => {
  const checked: Pick<Demand, "messages" | "price">[] = [];
  const reserved: Pick<Demand, "messages" | "price">[] = [];
  let isLimiting = true;
  let room = count;
  const rules = new TrafficRules(
    [{ apply: (_, decision) => ({ ...decision, price: 2 }) }],
    [
      {
        isLimiting: () => isLimiting,
        check: (_, { messages, price }) => {
          checked.push({ messages, price });
          if (messages > room) throw new ApiError("quota_exceeded");
        },
        reserve: (_, __, { messages, price }) => {
          if (messages > room) throw new ApiError("quota_exceeded");
          reserved.push({ messages, price });
          room -= messages;
        },
      },
    ],
  );
  const own = staged({ rules });
  await accept(own, request("k"));
  expect([checked, reserved]).toEqual([[{ messages: 600, price: 1_200 }], [{ messages: 600, price: 1_200 }]]);
  await stager.settled();
  await expect(accept(own, request("l"), 501)).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(checked.at(-1)).toEqual({ messages: 501, price: 1_002 });
  expect(server.store.tables.stagedRuns.all()).toEqual([]);
  // Another request took the room meanwhile: what was staged is removed.
  isLimiting = false;
  await expect(accept(own, request("l"))).rejects.toMatchObject({ code: "quota_exceeded" });
  await stager.settled();
  expect([checked.length, reserved.length, recipients()]).toEqual([2, 1, count]);
});

test("networks are asked for in slices of 250, each number once, and only where the key's account wants it", async () => {
  const asked: number[] = [];
  const lookups = {
    asksFor: (apiKeyId: number) => apiKeyId === 1,
    isKnown: () => false,
    ask: async (_: unknown, numbers: ReadonlySet<string>) => void asked.push(numbers.size),
  };
  const rules = new TrafficRules([{ apply: (_, decision) => decision, needsNetwork: () => true }], []);
  const own = staged({ lookups, rules });
  await accept(own, request("k"));
  expect(asked).toEqual([250, 250, 100]);
  await own.accept(callerAt(server.clock.now(), 1, 2), request("k"), 250, draftsFrom);
  expect(asked).toHaveLength(3);
  await accept(own, request("l"), 250);
  expect(asked).toEqual([250, 250, 100, 250]);
});
