/** The acceptor alone: which repeats it recognises, what it asks before, and what is stored of a draft. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { type AcceptOptions, Acceptor, type Draft, type QueuedMessage } from "../../src/messaging/messages/accept.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import type { Store } from "../../src/store/store.ts";
import { callerAt } from "../support/caller.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { noTrafficRules } from "../support/no-rules.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let codes = 0;
let queued: QueuedMessage[][] = [];
let mismatched: string[] = [];
let revoked: number[] = [];
beforeEach(async () => {
  server = await createTestServer();
  [codes, queued, mismatched, revoked] = [0, [], [], []];
});
afterEach(() => server.stop());

const hourMs = 3_600_000;

function acceptor(options: Partial<AcceptOptions> = {}): Acceptor {
  return new Acceptor({
    store: server.store,
    trackingCodes: {
      next: () => {
        codes += 1;
        return `T${codes}`;
      },
    },
    directory: {
      sender: (accountId, sender) => server.directory.sender(accountId, sender),
      isRevoked: (id) => revoked.includes(id),
    },
    rules: noTrafficRules,
    validityMs: hourMs,
    mismatch: "replay",
    accepted: (waiting) => void queued.push([...waiting]),
    mismatched: (caller, { key }) => void mismatched.push(`${caller.apiKeyId} ${key}`),
    ...options,
  });
}

const caller = (account = 1, key = account) => callerAt(server.clock.now(), account, key);
const draft = (changes: Partial<Draft> = {}): Draft => ({
  sender: senderOf(1),
  recipient: "+989120000010",
  text: "سلام",
  clientReference: null,
  class: messageClasses.single,
  sendAt: null,
  ...changes,
});
const bytes = (...values: number[]) => new Uint8Array(values);
const request = (key: string, payloadHash = bytes(1, 2), operation = "POST /v1/messages") => ({
  key,
  operation,
  payloadHash,
});
const stored = () => {
  const { messages } = server.store.tables;
  return messages.run(1, 100).map(({ id }) => messages.byId(id));
};
/** The code of what it throws at once. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (reason) {
    return reason instanceof ApiError ? reason.code : String(reason);
  }
  return "none";
}

test("a key stands for its first request: the same again is a duplicate, another payload is told", async () => {
  const own = acceptor();
  expect(own.replay(caller(), request("k"))).toBeNull();
  const first = await own.accept(caller(), request("k"), [draft(), draft({ text: "دوم" })]);
  expect(first).toMatchObject({ duplicate: false, payloadMismatch: false });
  expect(first.results.map(({ trackingCode, duplicate }) => [trackingCode, duplicate])).toEqual([
    ["T1", false],
    ["T2", false],
  ]);
  const again = own.replay(caller(), request("k"));
  expect(again).toMatchObject({ duplicate: true, payloadMismatch: false });
  expect(again?.results).toEqual(first.results.map((one) => ({ ...one, duplicate: true })));
  expect(again?.campaign?.()).toBeNull();
  expect(mismatched).toEqual([]);
  // Of another length, though one begins as the other.
  for (const hash of [bytes(1, 3), bytes(1), bytes(1, 2, 3)])
    expect(own.replay(caller(), request("k", hash))).toMatchObject({ payloadMismatch: true });
  expect(mismatched).toEqual(["1 k", "1 k", "1 k"]);
  const former = { ...request("k", bytes(9)), formerHash: () => bytes(1, 2) };
  expect(own.replay(caller(), former)).toMatchObject({ payloadMismatch: false });
  expect(own.replay(caller(), { ...former, formerHash: () => bytes(1) })).toMatchObject({ payloadMismatch: true });
  // Of another API key, and another key of the same.
  expect(own.replay(caller(1, 2), request("k"))).toBeNull();
  expect(own.replay(caller(), request("K"))).toBeNull();
  expect(refusalOf(() => own.replay(caller(), request("k", bytes(1, 2), "POST /v1/otp")))).toBe(
    "idempotency_key_conflict",
  );
  expect(stored()).toHaveLength(2);
});

test("where the settings say so, another payload under a known key is refused", async () => {
  const own = acceptor({ mismatch: "reject" });
  await own.accept(caller(), request("k"), [draft()]);
  const again = own.accept(caller(), request("k", bytes(3)), [draft()]);
  await expect(again).rejects.toMatchObject({
    code: "idempotency_key_conflict",
    message: "The Idempotency-Key already stands for a request with another payload.",
  });
  expect(mismatched).toEqual(["1 k"]);
  expect(await own.accept(caller(), request("k"), [draft()])).toMatchObject({ duplicate: true });
  expect(stored()).toHaveLength(1);
});

test("of requests at once with one key, one creates its messages and the others get its result", async () => {
  const own = acceptor();
  const all = await Promise.all([1, 2, 3].map(() => own.accept(caller(), request("k"), [draft()])));
  expect(all.map(({ duplicate }) => duplicate)).toEqual([false, true, true]);
  expect(new Set(all.map(({ results }) => results[0]?.trackingCode)).size).toBe(1);
  expect(queued).toHaveLength(1);
  const other = own.accept(caller(), request("k", bytes(1, 2), "POST /v1/otp"), [draft()]);
  await expect(other).rejects.toMatchObject({ code: "idempotency_key_conflict" });
});

test("a revoked key gets nothing accepted, neither with a key nor without", async () => {
  const own = acceptor();
  await own.accept(caller(), request("k"), [draft()]);
  revoked = [1];
  for (const identity of [request("k"), request("new"), null, { replayed: () => null }]) {
    expect(refusalOf(() => own.replay(caller(), identity))).toBe("api_key_invalid");
    await expect(own.accept(caller(), identity, [draft()])).rejects.toMatchObject({ code: "api_key_invalid" });
  }
  expect(stored()).toHaveLength(1);
  expect(await own.accept(caller(1, 2), null, [draft()])).toMatchObject({ duplicate: false });
});

test("a protocol may recognise repeats by itself; what it finds is the answer, and nothing is stored", async () => {
  const own = acceptor();
  const { results } = await own.accept(caller(), { replayed: () => null }, [draft()]);
  expect(own.replay(caller(), null)).toBeNull();
  const known = { results, duplicate: true, payloadMismatch: false };
  expect(own.replay(caller(), { replayed: () => known })).toBe(known);
  expect(await own.accept(caller(), { replayed: () => known }, [draft()])).toBe(known);
  const refusing = {
    replayed: () => {
      throw new ApiError("idempotency_key_conflict");
    },
  };
  await expect(own.accept(caller(), refusing, [draft()])).rejects.toMatchObject({ code: "idempotency_key_conflict" });
  expect(stored()).toHaveLength(1);
  const broken = {
    replayed: () => {
      throw new TypeError("a defect");
    },
  };
  await expect(own.accept(caller(), broken, [draft()])).rejects.toThrow("a defect");
});

test("a draft is stored as written but for tabs, with its measure, times and decisions", async () => {
  const own = acceptor();
  const at = server.clock.now();
  const sendAt = at + 600_000;
  const { results } = await own.accept(caller(), null, [
    draft({ text: "a\tb", clientReference: "r\t1", class: messageClasses.bulk, priority: 2, sendAt }),
    draft({ text: "code 123456", storedText: "code ******", validityMs: 60_000 }),
    draft({ validityMs: 2 * hourMs }),
  ]);
  expect(results).toEqual([
    {
      ...{ trackingCode: "T1", status: "queued", encoding: "Latin", characterCount: 3, partCount: 1 },
      ...{ submittedAt: at, sendAt, duplicate: false },
    },
    {
      ...{ trackingCode: "T2", status: "queued", encoding: "Latin", characterCount: 11, partCount: 1 },
      ...{ submittedAt: at, sendAt: null, duplicate: false },
    },
    {
      ...{ trackingCode: "T3", status: "queued", encoding: "Persian", characterCount: 4, partCount: 1 },
      ...{ submittedAt: at, sendAt: null, duplicate: false },
    },
  ]);
  expect(stored()).toMatchObject([
    {
      ...{ text: "a b", clientReference: "r 1", class: messageClasses.bulk, priority: 2, sendAt, dueAt: sendAt },
      ...{ validUntil: sendAt + hourMs, apiKeyId: 1, accountId: 1, senderId: 1, sender: senderOf(1), isTest: 0 },
    },
    { text: "code ******", clientReference: null, priority: 0, validUntil: at + 60_000 },
    { validUntil: at + hourMs },
  ]);
  expect(queued).toEqual([
    [
      { id: 1, dueAt: sendAt, senderId: 1, class: messageClasses.bulk, targetId: 0, priority: 2, submittedAt: at },
      { id: 2, dueAt: at, senderId: 1, class: messageClasses.single, targetId: 0, priority: 0, submittedAt: at },
      { id: 3, dueAt: at, senderId: 1, class: messageClasses.single, targetId: 0, priority: 0, submittedAt: at },
    ],
  ]);
});

test("a message that is due later by a rule is valid from then on, and one of a test key is marked", () => {
  const dueAt = server.clock.now() + 1_000;
  const late = new TrafficRules([{ apply: (_, decision) => ({ ...decision, dueAt, isTest: true }) }], []);
  const row = acceptor({ rules: late }).rowOf(caller(), draft({ sendAt: dueAt - 500 }));
  expect(row).toMatchObject({ dueAt, sendAt: dueAt - 500, validUntil: dueAt + hourMs, isTest: 1 });
});

test("only an active sender of the account is taken", async () => {
  const own = acceptor();
  for (const sender of ["3000", senderOf(2)])
    expect(refusalOf(() => own.rowOf(caller(), draft({ sender })))).toBe("sender_not_permitted");
  await expect((async () => own.rowOf(caller(), draft({ sender: "3000" })))()).rejects.toMatchObject({
    sender: "3000",
  });
  const resting = acceptor({ directory: { sender: () => ({ id: 1, active: false }), isRevoked: () => false } });
  expect(refusalOf(() => resting.rowOf(caller(), draft()))).toBe("sender_not_permitted");
  expect(refusalOf(() => own.accept(caller(), null, [draft(), draft({ sender: "3000" })]))).toBe(
    "sender_not_permitted",
  );
  expect(stored()).toEqual([]);
});

test("what else belongs to a request is stored with it, or refuses all of it", async () => {
  const own = acceptor();
  await own.accept(caller(), null, [draft()]);
  const seen: number[] = [];
  await own.accept(caller(), request("k"), [draft(), draft()], (_, firstId) => void seen.push(firstId));
  expect(seen).toEqual([2]);
  const refused = own.accept(caller(), request("l"), [draft()], () => {
    throw new ApiError("quota_exceeded");
  });
  await expect(refused).rejects.toMatchObject({ code: "quota_exceeded" });
  expect(stored()).toHaveLength(3);
  expect(own.replay(caller(), request("l"))).toBeNull();
});

test("a payer without room is refused before anything is stored, but a repeat is answered", async () => {
  let room = 2;
  const rules = new TrafficRules(
    [],
    [
      {
        check: (_, { messages }) => {
          if (messages > room) throw new ApiError("quota_exceeded");
        },
        reserve: (_, __, { messages }) => {
          room -= messages;
        },
      },
    ],
  );
  const own = acceptor({ rules });
  await own.accept(caller(), request("k"), [draft(), draft()]);
  expect(room).toBe(0);
  expect(refusalOf(() => own.accept(caller(), request("l"), [draft()]))).toBe("quota_exceeded");
  expect(await own.accept(caller(), request("k"), [draft(), draft()])).toMatchObject({ duplicate: true });
  expect([stored().length, room]).toEqual([2, 0]);
});

test("the answer to a repeat without room waits until the commits before it are kept", async () => {
  let room = 1;
  const check = () => {
    if (room === 0) throw new ApiError("balance_exhausted");
  };
  const reserve = () => {
    room = 0;
  };
  const kept = Promise.withResolvers<void>();
  const append: Store["append"] = (change, committed) =>
    server.store.append(change, committed).then((told) => kept.promise.then(() => told));
  const rules = new TrafficRules([], [{ check, reserve }]);
  const own = acceptor({ rules, store: { ...server.store, append } });
  let answers = 0;
  const first = own.accept(caller(), request("k"), [draft()]).finally(() => (answers += 1));
  await settleLoop();
  expect([stored().length, room]).toEqual([1, 0]);
  const repeat = own.accept(caller(), request("k"), [draft()]).finally(() => (answers += 1));
  await settleLoop();
  expect(answers).toBe(0);
  kept.resolve();
  expect(await Promise.all([first, repeat])).toMatchObject([{ duplicate: false }, { duplicate: true }]);
});

test("networks are asked for where a rule needs them, the key's account wants it, and nothing is known", async () => {
  const asked: string[][] = [];
  const needed: number[] = [];
  let answer: Promise<void> = Promise.resolve();
  const rules = new TrafficRules(
    [
      {
        apply: (_, decision) => decision,
        needsNetwork: ({ senderId, recipient }) => {
          needed.push(senderId);
          return recipient !== "+989120000013";
        },
      },
    ],
    [],
  );
  const lookups = {
    asksFor: (apiKeyId: number) => apiKeyId === 1,
    isKnown: (e164: string) => e164 === "+989120000012",
    ask: (_: unknown, numbers: ReadonlySet<string>) => {
      asked.push([...numbers]);
      return answer;
    },
  };
  const own = acceptor({ rules, lookups });
  const to = (last: number, sender = senderOf(1)) => draft({ recipient: `+98912000001${last}`, sender });
  expect([1, 2].map((key) => own.looksUp({ apiKeyId: key }))).toEqual([true, false]);
  expect(acceptor({ rules }).looksUp({ apiKeyId: 1 })).toBe(false);
  await own.accept(caller(), null, [to(0), to(1, senderOf(1)), to(2), to(3), to(0)]);
  expect(asked).toEqual([["+989120000010", "+989120000011"]]);
  expect(own.unknownNumbers(caller(), [to(0, "nobody")])).toEqual(new Set(["+989120000010"]));
  expect(needed.at(-1)).toBe(0);
  expect(needed[0]).toBe(1);
  expect(own.lookUp(caller(), [to(2), to(3)])).toBeNull();
  expect(own.lookUp(caller(1, 2), [to(0)])).toBeNull();
  expect(own.unknownNumbers(caller(1, 2), [to(0)])).toEqual(new Set());
  expect(asked).toHaveLength(1);
  answer = Promise.reject(new ApiError("service_unavailable"));
  await expect(own.accept(caller(), request("k"), [to(0)])).rejects.toMatchObject({ code: "service_unavailable" });
  expect(stored()).toHaveLength(5);
});
