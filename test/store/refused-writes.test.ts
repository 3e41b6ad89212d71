/** Writes that refuse beside others: each caller is told what is stored, memory agrees with the disk, and a group commits once. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import { type MessageState, messageClasses } from "../../src/domain/message.ts";
import { WeightedShares } from "../../src/domain/weighted-shares.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { isDatabaseError } from "../../src/store/group-transaction.ts";
import { checkLog } from "../../src/store/log-check.ts";
import type { Store, Tables } from "../../src/store/store.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { moneyIn } from "../support/money.ts";
import { figuresIn } from "../support/rollups.ts";
import { temporaryFolder } from "../support/test-server.ts";

const now = Date.UTC(2026, 10, 20);
const price = 10;
const weights = [2, 1];
const account = { subject: "account", subjectId: 1 } as const;
const range = { accountId: 1, range: "+98912123", hourStart: 3_600_000 };

let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
/** Messages that the metrics were told to have a new status, and parts that the quota's listener was told of. */
let told: { codes: string[]; parts: number };
let codes: number;

beforeEach(begin);
afterEach(end);

async function begin(): Promise<void> {
  folder = temporaryFolder();
  codes = 0;
  told = { codes: [], parts: 0 };
  open();
  await store.write((tables) => {
    const targets = weights.map((weight) => ({ weight, routeIds: [] }));
    const match = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };
    tables.plans.insertRule(tables.plans.insert("any", now), 0, { match, targets });
    tables.quotas.set(account, { day: empty.limit });
  });
}

function end(): void {
  store.close();
  folder.remove();
}

function open(): void {
  const reached = (messages: readonly { trackingCode: string }[]) =>
    void told.codes.push(...messages.map(({ trackingCode }) => trackingCode));
  store = openMigratedStore({ folder: folder.path, now, reached });
  store.tables.ledger.bookBy(() => ({ at: now, bookedAt: now }));
  store.tables.quotas.onUsed((before, after) => {
    told.parts += after.partsUsed - before.partsUsed;
  });
}

/** What is stored, kept apart from the code under test. */
interface Model {
  waiting: string[];
  cancelled: string[];
  sent: string[];
  /** Messages in the order in which the metrics are told of their new statuses. */
  reached: string[];
  toppedUp: number;
  used: number;
  limit: number;
  otpSends: number;
  carrierRefusals: number;
  lacks: readonly number[];
}

const empty: Model = {
  waiting: [],
  cancelled: [],
  sent: [],
  reached: [],
  toppedUp: 0,
  used: 0,
  limit: 1_000,
  otpSends: 0,
  carrierRefusals: 0,
  lacks: weights.map(() => 0),
};

/** What a write does to the store and to the model; `appends` if it may share `Store.append`. */
interface Step {
  appends: boolean;
  change(tables: Tables): void;
  expected(model: Model): Model;
}

const messageOf = (trackingCode: string) => ({
  trackingCode,
  accountId: 1,
  senderId: 1,
  class: messageClasses.single,
  sender: "3000",
  recipient: "+989120000010",
  text: "x",
  clientReference: null,
  encoding: "Latin" as const,
  characterCount: 1,
  partCount: 1,
  submittedAt: now,
  sendAt: null,
  validUntil: now + 1,
  price,
  apiKeyId: 1,
  targetId: 1,
});

/** As an acceptance does: the reservations first, then everything that belongs to the message. */
function accept(tables: Tables, trackingCode: string): void {
  for (const quota of tables.quotas.of("account", 1)) tables.quotas.use(quota, now, 1);
  tables.ledger.reserve(1, price);
  const message = messageOf(trackingCode);
  tables.targetShares.take(message);
  const messageId = tables.messages.append(message);
  const request = { operation: "POST /v1/messages", payloadHash: new Uint8Array(32), firstMessageId: messageId };
  tables.idempotency.append(1, trackingCode, { ...request, messageCount: 1 }, now);
  const submit = { credentialId: 1, messageId, code: trackingCode, registeredDelivery: 0 };
  tables.smppSubmits.append({ ...submit, repeatKey: null, payloadHash: new Uint8Array(32), createdAt: now });
}

function accepting(): Step {
  codes += 1;
  const code = `RW${codes}`;
  return {
    appends: true,
    change: (tables) => accept(tables, code),
    expected(model) {
      const shares = new WeightedShares(weights, model.lacks);
      shares.take(1);
      return { ...model, waiting: [...model.waiting, code], used: model.used + 1, lacks: shares.lacks };
    },
  };
}

/** Moves the message that waits longest, if any. */
function moving(tables: Tables, ...states: readonly MessageState[]): void {
  tables.messages.appended.flush();
  const messages = Array.from({ length: codes }, (_, index) => tables.messages.byCode(1, `RW${index + 1}`));
  let row = messages.find((message) => message?.state === "ready") ?? null;
  for (const to of states) row = row && tables.messages.move(row, { to, at: now, routeId: 1 });
}

const cancelling = (): Step => ({
  appends: false,
  change: (tables) => moving(tables, "cancelled"),
  expected(model) {
    const [first, ...waiting] = model.waiting;
    if (first === undefined) return model;
    return { ...model, waiting, cancelled: [...model.cancelled, first], reached: [...model.reached, first] };
  },
});

/** Its price is captured. */
const handingOver = (): Step => ({
  appends: false,
  change: (tables) => moving(tables, "submitting", "submitted"),
  expected(model) {
    const [first, ...waiting] = model.waiting;
    if (first === undefined) return model;
    return { ...model, waiting, sent: [...model.sent, first], reached: [...model.reached, first, first] };
  },
});

const toppingUp = (): Step => ({
  appends: false,
  change({ ledger }) {
    ledger.enter(1, { kind: "topup", amount: 7, note: null, actor: "test", reference: null, currency: "IRR" });
  },
  expected: (model) => ({ ...model, toppedUp: model.toppedUp + 7 }),
});

function limiting(): Step {
  codes += 1;
  const limit = empty.limit + codes;
  return {
    appends: false,
    change: ({ quotas }) => quotas.set(account, { day: limit }),
    expected: (model) => ({ ...model, limit }),
  };
}

const counting = (): Step => ({
  appends: true,
  change(tables) {
    tables.otpRanges.add(range, { sends: 1 });
    tables.refusals.add(1, "rejected", "0x0b", now);
  },
  expected: (model) => ({ ...model, otpSends: model.otpSends + 1, carrierRefusals: model.carrierRefusals + 1 }),
});

/** As a write of the current transaction sees it, or from outside any. */
function seenIn(tables: Tables) {
  const { settled, reserved } = tables.ledger.balanceOf(1);
  return {
    settled,
    reserved,
    used: tables.quotas.of("account", 1)[0]?.partsUsed,
    otpSends: tables.otpRanges.counts(range).sends,
    target: tables.targetShares.next(1, 1),
  };
}

const seenBy = ({ toppedUp, sent, used, otpSends, waiting, lacks }: Model) => ({
  settled: toppedUp - sent.length * price,
  reserved: waiting.length * price,
  used,
  otpSends,
  target: new WeightedShares(weights, lacks).next(1) + 1,
});

class Refusal extends Error {}
const diskFull = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

type End = "stored" | "refused" | "taken" | "disk full";

interface Write {
  steps: readonly Step[];
  end: End;
}

/** `before`: what is stored when it runs. */
function handIn({ steps, end }: Write, before: Model): Promise<unknown> {
  const change = (tables: Tables) => {
    expect(seenIn(tables)).toEqual(seenBy(before));
    for (const step of steps) step.change(tables);
    expect(seenIn(tables)).toEqual(seenBy(after({ steps, end }, before)));
    // The row is found taken when the commit's rows are inserted.
    if (end === "taken")
      for (const id of [1, 2]) tables.messages.append({ ...messageOf("TAKEN"), price: null, targetId: id });
    if (end === "refused") throw new Refusal();
    if (end === "disk full") throw diskFull();
  };
  return steps.every(({ appends }) => appends) ? store.append(change, () => null) : store.write(change);
}

const after = ({ steps }: Write, model: Model): Model => steps.reduce((one, step) => step.expected(one), model);

const commitsInLog = (): number => checkLog(`${store.path}-wal`).commits;

/** Hands in all writes at once; returns what is stored then. */
async function runGroup(group: readonly Write[], before: Model): Promise<Model> {
  const isFull = group.some(({ end }) => end === "disk full");
  const commits = commitsInLog();
  let model = before;
  const outcomes = group.map((write) => {
    const outcome = handIn(write, model);
    if (write.end === "stored") model = after(write, model);
    return outcome;
  });
  const settled = await Promise.allSettled(outcomes);
  for (const [index, outcome] of settled.entries()) {
    const end = group[index]?.end;
    const reason: unknown = outcome.status === "rejected" ? outcome.reason : null;
    if (isFull) expect(reason).toBeInstanceOf(StoreUnavailable);
    else if (end === "stored") expect(reason).toBeNull();
    else if (end === "refused") expect(reason).toBeInstanceOf(Refusal);
    else expect(isDatabaseError(reason)).toBe(true);
  }
  const kept = isFull ? before : model;
  const isCommitted = !isFull && group.some((write) => write.end === "stored");
  // A write that changes nothing leaves a commit nothing to store, unless a refused one has touched pages.
  expect(commitsInLog() - commits).toBeWithin(kept === before ? 0 : 1, isCommitted ? 2 : 1);
  expectStored(kept);
  return kept;
}

function expectStored(model: Model): void {
  const { tables } = store;
  expect(seenIn(tables)).toEqual(seenBy(model));
  expect(tables.quotas.all().map(({ partsMax, partsUsed }) => [partsMax, partsUsed])).toEqual([
    [model.limit, model.used],
  ]);
  expect(tables.refusals.ofRoute(1, 0).reduce((sum, { messages }) => sum + messages, 0)).toBe(model.carrierRefusals);
  const states = new Map([
    ...model.waiting.map((code) => [code, "ready"] as const),
    ...model.cancelled.map((code) => [code, "cancelled"] as const),
    ...model.sent.map((code) => [code, "submitted"] as const),
  ]);
  for (let number = 1; number <= codes; number += 1) {
    const code = `RW${number}`;
    const message = tables.messages.byCode(1, code);
    expect(message?.state).toBe(states.get(code));
    expect(tables.idempotency.find(1, code)?.firstMessageId).toBe(message?.id);
    expect(tables.smppSubmits.byCode(code)?.messageId).toBe(message?.id);
  }
}

const steps = fc.array(fc.constantFrom(accepting, accepting, cancelling, handingOver, toppingUp, limiting, counting), {
  minLength: 1,
  maxLength: 3,
});
const ends: readonly End[] = ["stored", "stored", "stored", "refused", "refused", "taken", "disk full"];
const group = fc.array(fc.record({ steps, end: fc.constantFrom(...ends) }), { minLength: 1, maxLength: 7 });

test("whichever writes refuse or fail, callers, memory and disk agree, and a group commits once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(group, { maxLength: 6 }), async (made) => {
      let model = empty;
      for (const group of made) {
        const writes = group.map(({ steps, end }) => ({ steps: steps.map((step) => step()), end }));
        model = await runGroup(writes, model);
      }
      // What a start reads is what memory held.
      const outcomes = store.tables.rollups.outcomes();
      expect([outcomes.cancelled, outcomes.sent]).toEqual([model.cancelled.length, model.sent.length]);
      expect(told).toEqual({ codes: model.reached, parts: model.used });
      store.close();
      const { rollups, counted } = figuresIn(folder.path);
      expect(rollups).toEqual(counted);
      const { balances, charged } = moneyIn(folder.path, 1);
      expect([balances.byMessages, balances.byLines]).toEqual([balances.last, balances.last]);
      expect(charged.charges).toBe(charged.ledger);
      open();
      expectStored(model);
      end();
      await begin();
    }),
    { numRuns: 20 },
  );
});

test("when every second write is refused, the others share one commit; a group of refusals alone makes none", async () => {
  const enter = (amount: number) => (tables: Tables) => {
    tables.ledger.enter(1, { kind: "topup", amount, note: null, actor: "test", reference: null, currency: "IRR" });
    if (amount % 2 === 0) throw new Refusal();
  };
  const amounts = Array.from({ length: 20 }, (_, index) => index + 1);
  for (const kept of [amounts, amounts.slice(0, 1), amounts.filter((amount) => amount % 2 === 0)]) {
    const commits = commitsInLog();
    const outcomes = await Promise.allSettled(kept.map((amount) => store.write(enter(amount))));
    const odd = kept.map((amount) => (amount % 2 === 0 ? "rejected" : "fulfilled"));
    expect(outcomes.map(({ status }) => status)).toEqual(odd);
    expect(commitsInLog() - commits).toBe(odd.includes("fulfilled") ? 1 : 0);
  }
  expect(store.tables.ledger.balanceOf(1).settled).toBe(101);
});
