/** Shares by weight compared with a model: whatever is accepted, refused or cut off by a crash, each target has its share of what was accepted. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { trackingCodes } from "../../src/domain/tracking-code.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { Acceptor, type Draft } from "../../src/messaging/messages/accept.ts";
import { Stager } from "../../src/messaging/messages/staging.ts";
import { openRoutingPlans } from "../../src/messaging/routing/routing-plans.ts";
import { type Reservation, TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import type { Store } from "../../src/store/store.ts";
import { callerAt } from "../support/caller.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

/** Parts of the messages of one request. */
interface Request {
  parts: readonly number[];
  isRefused: boolean;
}

type Step =
  /** At the same time, so that they share a commit. */
  | { do: "send"; requests: readonly Request[] }
  /** As in a send to a group. */
  | ({ do: "run" } & Request)
  | { do: "restart" | "crash" };

const caller = callerAt(new ManualClock().now(), 1, 0);
/** A refused one has this many messages of one part more than a request may have. */
const messagesMax = 20;

const refuses: Reservation = {
  reserve(_, __, { messages }) {
    if (messages > messagesMax) throw new ApiError("quota_exceeded");
  },
};

function open(folder: string) {
  const clock = new ManualClock();
  const store = openMigratedStore({ folder, now: clock.now() });
  const directory = new Directory(store.tables, clock);
  const routingPlans = openRoutingPlans({ store, directory, clock });
  const deps = { store, clock, log: silentLog, accepted: () => {} };
  const acceptor = new Acceptor({
    ...deps,
    directory,
    trackingCodes: trackingCodes(clock, systemRandom),
    rules: new TrafficRules([routingPlans.rules.plan], [refuses]),
    validityMs: 3_600_000,
    mismatch: "replay",
    mismatched: () => {},
  });
  return { store, routingPlans, acceptor, stager: new Stager(deps) };
}

async function prepare(store: Store, weights: readonly number[]): Promise<void> {
  await store.write((tables) => {
    const createdAt = 1;
    tables.accounts.insert({ name: "Clinic", status: "active", defaultSender: null, createdAt });
    const route = { kind: "simulator" as const, enabled: true, options: "{}", sealedSecrets: null, removedAt: null };
    const { id } = tables.routes.insert({ name: "a", ...route, createdAt, updatedAt: createdAt });
    const plan = tables.plans.insert("iran", createdAt);
    const match = { countries: [], ranges: [], networks: [], classes: [], accounts: [] };
    tables.plans.insertRule(plan, 0, { match, targets: weights.map((weight) => ({ weight, routeIds: [id] })) });
    const sender = { accountId: 1, sender: "30001", active: true, createdAt, removedAt: null };
    tables.senders.insert({ ...sender, planId: plan.id, routeIds: [] });
  });
}

const draftOf = (parts: number): Draft => ({
  sender: "30001",
  recipient: "+989121234567",
  text: "س".repeat(parts === 1 ? 70 : 67 * parts),
  clientReference: null,
  class: messageClasses.bulk,
  sendAt: null,
});

const draftsOf = ({ parts, isRefused }: Request): Draft[] =>
  [...parts, ...(isRefused ? Array<number>(messagesMax + 1).fill(1) : [])].map(draftOf);

class World {
  #folder = temporaryFolder();
  #keys = 0;
  #server = open(this.#folder.path);

  async begin(weights: readonly number[]): Promise<void> {
    await prepare(this.#server.store, weights);
    await this.#restart();
  }

  async take(step: Step): Promise<void> {
    if (step.do === "send") await Promise.all(step.requests.map((request) => this.#send(request)));
    else if (step.do === "run") await this.#run(step);
    else if (step.do === "restart") await this.#restart();
    else await this.#crash();
  }

  /** Parts of the messages that were accepted, by target. */
  given(weights: readonly number[]): number[] {
    using database = new Database(join(this.#folder.path, "peyk.db"), { readonly: true });
    const sum = database.query<{ parts: number }, [number]>(
      "SELECT coalesce(sum(part_count), 0) AS parts FROM message WHERE target_id = ?",
    );
    return weights.map((_, index) => sum.get(index + 1)?.parts ?? 0);
  }

  end(): void {
    this.#server.store.close();
    this.#folder.remove();
  }

  async #send(request: Request): Promise<void> {
    const sent = this.#server.acceptor.accept(caller, this.#idempotent(), draftsOf(request));
    await this.#ends(sent, request);
  }

  async #run(request: Request): Promise<void> {
    const { acceptor, stager } = this.#server;
    const drafts = draftsOf(request);
    const build = (position: number, count: number) =>
      drafts.slice(position, position + count).map((draft) => acceptor.rowOf(caller, draft));
    const stored = stager.store(drafts.length, caller, build, () => {
      if (request.isRefused) throw new ApiError("quota_exceeded");
      return null;
    });
    await this.#ends(stored, request);
    await stager.settled();
  }

  async #ends(sent: Promise<unknown>, { isRefused }: Request): Promise<void> {
    const refused = await sent.then(
      () => false,
      (reason: unknown) => reason instanceof ApiError && reason.code === "quota_exceeded",
    );
    expect(refused).toBe(isRefused);
  }

  #idempotent() {
    this.#keys += 1;
    return { key: String(this.#keys), operation: "POST /v1/messages", payloadHash: new Uint8Array(32) };
  }

  async #restart(): Promise<void> {
    this.#server.store.close();
    this.#server = open(this.#folder.path);
  }

  /** The state on disk at this moment continues elsewhere. */
  async #crash(): Promise<void> {
    const other = temporaryFolder();
    for (const name of ["peyk.db", "peyk.db-wal", "peyk.id"]) {
      cpSync(join(this.#folder.path, name), join(other.path, name), { force: true });
    }
    this.end();
    this.#folder = other;
    this.#server = open(other.path);
  }
}

const request = fc.record({
  parts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 }),
  isRefused: fc.boolean(),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("send" as const), requests: fc.array(request, { maxLength: 4 }) }),
  },
  { weight: 2, arbitrary: request.map((one) => ({ do: "run" as const, ...one })) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("restart" as const, "crash" as const) }) },
);

test(
  "across refused requests, restarts and crashes no target gets more than one message too many",
  async () => {
    const weighed = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 2, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(weighed, fc.array(step, { minLength: 5, maxLength: 25 }), async (weights, steps) => {
        const world = new World();
        await world.begin(weights);
        const sum = weights.reduce((a, b) => a + b, 0);
        for (const one of steps) {
          await world.take(one);
          const given = world.given(weights);
          const total = given.reduce((a, b) => a + b, 0);
          for (const [index, weight] of weights.entries()) {
            expect((given[index] ?? 0) - (total * weight) / sum).toBeLessThan(4);
          }
        }
        world.end();
      }),
      { numRuns: 15 },
    );
  },
  { timeout: 120_000 },
);

test("single messages, each after a restart, go to the targets in turn", async () => {
  const world = new World();
  await world.begin([2, 1]);
  for (let count = 0; count < 9; count += 1) {
    await world.take({ do: "send", requests: [{ parts: [1], isRefused: false }] });
    await world.take({ do: "restart" });
  }
  expect(world.given([2, 1])).toEqual([6, 3]);
  world.end();
});
