/** Money compared with a model: whatever happens to messages, in any order, and wherever the process dies. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { expire } from "../../src/dispatch/claim.ts";
import { applyLateOutcome, applyOutcome, type OutcomeContext, unanswered } from "../../src/dispatch/submit-outcome.ts";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { isFinal } from "../../src/domain/status.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { defaultUncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import { openBilling } from "../../src/messaging/billing/billing.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { Acceptor, type Draft } from "../../src/messaging/messages/accept.ts";
import { Networks } from "../../src/messaging/routing/networks.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import type { MessageRow } from "../../src/store/messages.ts";
import type { Tables } from "../../src/store/store.ts";
import { believedBy } from "../support/booking.ts";
import { callerAt } from "../support/caller.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { moneyOf } from "../support/money.ts";
import { temporaryFolder } from "../support/test-server.ts";

const account = 1;
const pricePerPart = 10;
/** Of route 1 and route 2. */
const costsPerPart = [3, 5];

const reason = { code: "provider_threw", words: "" } as const;
const outcomes = {
  accepted: { kind: "accepted", partIds: [] },
  rejected: { kind: "rejected", error: "rejected_by_network", reason },
  temporary: { kind: "temporary", reason },
  throttled: { kind: "throttled", pause: "message", retryAfterMs: 0, reason },
  notSent: { kind: "not_sent", reason },
  unanswered: { kind: "uncertain", lateAnswer: false, reason },
  waitsForAnswer: { kind: "uncertain", lateAnswer: true, reason },
} satisfies Record<string, SubmitOutcome>;
type OutcomeName = keyof typeof outcomes;
const handedOver: readonly OutcomeName[] = ["accepted", "unanswered", "waitsForAnswer"];

/** What happens to a message: `late` is a late answer, `cut` a crash between claim and answer. */
type Change =
  | { do: "submit" | "late"; message: number; outcome: OutcomeName; routeId: number }
  | { do: "cancel" | "expire" | "cut"; message: number };

type Step =
  | { do: "send"; parts: readonly number[] }
  | { do: "topUp" | "correct"; amount: number }
  | { do: "crash" }
  | Change;

/** The model's view of a message. */
interface Known {
  id: number;
  price: number;
  captured: boolean;
}

async function open(folder: string, clock: ManualClock) {
  const store = openMigratedStore({ folder, now: clock.now() });
  const directory = new Directory(store.tables, clock);
  const { rule, guard, prices, balances } = openBilling({
    store,
    clock,
    bookingClock: believedBy(clock),
    log: silentLog,
    directory,
    networks: new Networks(store.tables),
    timeZone: "UTC",
    currency: "IRR",
  });
  const acceptor = new Acceptor({
    store,
    directory,
    trackingCodes: trackingCodes(clock, systemRandom),
    rules: new TrafficRules([rule], [guard]),
    validityMs: 3_600_000,
    mismatch: "replay",
    accepted: () => {},
    mismatched: () => {},
  });
  return { store, prices, balances, acceptor };
}

class World {
  readonly #folder = temporaryFolder();
  readonly #clock = new ManualClock();
  readonly #known: Known[] = [];
  #reader: Database | null = null;
  #entered = 0;
  #keys = 0;
  #server: Awaited<ReturnType<typeof open>> | null = null;

  async begin(): Promise<void> {
    this.#server = await open(this.#folder.path, this.#clock);
    const { store } = this.#server;
    const createdAt = this.#clock.now();
    await store.write((tables) => {
      tables.accounts.insert({ name: "Clinic", status: "active", defaultSender: null, createdAt });
      const sender = { accountId: account, sender: "30001", active: true, createdAt, removedAt: null };
      tables.senders.insert({ ...sender, routeIds: [] });
      for (const index of costsPerPart.keys()) {
        const options = { kind: "simulator" as const, enabled: true, options: "{}", sealedSecrets: null };
        tables.routes.insert({
          name: `route-${index + 1}`,
          ...options,
          createdAt,
          updatedAt: createdAt,
          removedAt: null,
        });
      }
    });
    await this.#reopen();
    await this.#running().prices.set("retail", { prefix: "*", price: String(pricePerPart), from: "" });
    await this.#running().prices.charge(account, { list: "retail", mode: "prepaid" });
    for (const [index, price] of costsPerPart.entries()) {
      await this.#running().prices.set(`route-${index + 1}`, { prefix: "98", price: String(price), from: "" });
      await this.#running().prices.setCosts(`route-${index + 1}`, `route-${index + 1}`);
    }
  }

  async take(step: Step): Promise<void> {
    await this.#clock.advance(1_000);
    switch (step.do) {
      case "send":
        return this.#send(step.parts);
      case "topUp":
        this.#entered += step.amount;
        await this.#running().balances.topUp(account, {
          amount: step.amount,
          note: null,
          actor: "test",
          reference: null,
        });
        return;
      case "correct":
        this.#entered -= step.amount;
        await this.#running().balances.correct(account, {
          amount: -step.amount,
          note: "less",
          actor: "test",
          reference: null,
        });
        return;
      case "crash":
        return this.#reopen();
      default:
        return this.#change(step);
    }
  }

  /** The ledger's figures, and those of the model and the messages. */
  check(): void {
    const captured = this.#sum(({ captured: is }) => is);
    const open = this.#sum((known) => !known.captured && !this.#hasEnded(known));
    const model = { settled: this.#entered - captured, reserved: open };
    expect(this.#running().balances.balanceOf(account)).toMatchObject(model);
    this.#reader ??= new Database(join(this.#folder.path, "peyk.db"), { readonly: true, strict: true });
    const { balances, charged, cost, isWhole } = moneyOf(this.#reader, account);
    expect(balances).toEqual({ byMessages: model, byLines: model, last: model });
    expect(charged).toEqual({ ledger: captured, charges: captured });
    expect(cost.charges).toBe(cost.messages);
    expect(isWhole).toBe(true);
  }

  end(): void {
    this.#reader?.close();
    this.#running().store.close();
    this.#folder.remove();
  }

  async #send(parts: readonly number[]): Promise<void> {
    const { acceptor, balances } = this.#running();
    const price = parts.reduce((sum, count) => sum + count, 0) * pricePerPart;
    const { settled, reserved } = balances.balanceOf(account);
    this.#keys += 1;
    const request = { key: `key-${this.#keys}`, operation: "POST /v1/messages", payloadHash: new Uint8Array(32) };
    const drafts = parts.map(
      (count): Draft => ({
        sender: "30001",
        recipient: "+989121234567",
        text: "x".repeat(count === 1 ? 10 : 153 * count),
        clientReference: null,
        class: messageClasses.bulk,
        sendAt: null,
      }),
    );
    try {
      const { results } = await acceptor.accept(callerAt(this.#clock.now(), account), request, drafts);
      expect(settled - reserved).toBeGreaterThanOrEqual(price);
      for (const { trackingCode, partCount } of results) {
        const row = this.#running().store.tables.messages.byCodeAnywhere(trackingCode);
        expect(row).toMatchObject({ price: partCount * pricePerPart, cost: null });
        this.#known.push({ id: row?.id ?? 0, price: partCount * pricePerPart, captured: false });
      }
    } catch (refusal) {
      if (!(refusal instanceof ApiError)) throw refusal;
      expect([refusal.code, settled - reserved < price]).toEqual(["balance_exhausted", true]);
    }
  }

  async #change(step: Change): Promise<void> {
    const known = this.#known[step.message % Math.max(1, this.#known.length)];
    if (known === undefined) return;
    await this.#running().store.write((tables) => {
      const row = tables.messages.byId(known.id);
      if (row === null || isFinal(row.state)) return;
      this.#changeIn(tables, row, known, step);
    });
  }

  #changeIn(tables: Tables, row: MessageRow, known: Known, step: Change): void {
    const at = this.#clock.now();
    const routeId = "routeId" in step ? step.routeId : 1;
    const context: OutcomeContext = {
      routeId,
      routeCount: 1,
      policy: defaultUncertainPolicy,
      now: at,
      jitter: 0,
      firstQueryAt: null,
    };
    const isWaiting = ["ready", "retry_wait", "uncertain"].includes(row.state);
    const claimed = () => {
      const moved = tables.messages.move(row, { to: "submitting", at, routeId, attempts: row.attempts + 1 });
      if (moved === null) throw new Error("Nobody else writes");
      return moved;
    };
    if (step.do === "cancel" && row.state === "ready") tables.messages.move(row, { to: "cancelled", at });
    if (step.do === "expire" && isWaiting) expire(tables, row, at);
    if (step.do === "late" && row.state === "uncertain") {
      applyLateOutcome(tables, row.id, outcomes[step.outcome], context);
    }
    if (step.do === "submit" && isWaiting) {
      applyOutcome(tables, claimed(), outcomes[step.outcome], context);
      known.captured ||= handedOver.includes(step.outcome);
    }
    if (step.do === "cut" && isWaiting) {
      unanswered(tables, claimed(), context);
      known.captured = true;
    }
  }

  #sum(counts: (known: Known) => boolean): number {
    return this.#known.filter(counts).reduce((sum, { price }) => sum + price, 0);
  }

  #hasEnded({ id }: Known): boolean {
    const row = this.#running().store.tables.messages.byId(id);
    return row === null || isFinal(row.state);
  }

  async #reopen(): Promise<void> {
    this.#reader?.close();
    this.#reader = null;
    this.#running().store.close();
    this.#server = await open(this.#folder.path, this.#clock);
  }

  #running() {
    if (this.#server === null) throw new Error("begin() comes first");
    return this.#server;
  }
}

const message = fc.nat(12);
const routeId = fc.constantFrom(1, 2);
const outcome = fc.constantFrom(...(Object.keys(outcomes) as OutcomeName[]));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("send" as const),
      parts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("topUp" as const, "correct" as const),
      amount: fc.integer({ min: 1, max: 200 }),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("submit" as const), message, outcome, routeId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("late" as const), message, outcome, routeId }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "expire" as const, "cut" as const), message }),
  },
  { weight: 1, arbitrary: fc.constant({ do: "crash" as const }) },
);

test(
  "the balance is top-ups minus captures and open reservations, and nothing is captured twice",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
        const world = new World();
        await world.begin();
        await world.take({ do: "topUp", amount: 300 });
        for (const one of steps) {
          await world.take(one);
          world.check();
        }
        world.end();
      }),
      { numRuns: 15 },
    );
  },
  { timeout: 120_000 },
);
