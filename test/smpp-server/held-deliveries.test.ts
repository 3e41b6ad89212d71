/** Receipts that bound customers do not get yet: a node that takes over would not know of them, or a copy was restored. */
import { afterEach, expect, test } from "bun:test";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { CustomerServer } from "../support/customer-server.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";
import type { SmppCustomer } from "../support/smpp-customer.ts";

let server: CustomerServer;
afterEach(() => server.stop());

/** A cluster's log that keeps commits at once, and a gate that its test opens. */
class HeldGate {
  passing: Promise<void> | null = null;
  asked = 0;

  readonly leading = {
    replication: {
      committed: (_: unknown, kept: () => void) => queueMicrotask(kept),
      isDrained: true,
      refusal: () => null,
      onDrained: () => {},
      checkpointed: () => {},
      closed: () => true,
    },
    gate: {
      pass: () => {
        this.asked += 1;
        return this.passing;
      },
      within: <T>(answer: Promise<T>) => answer,
    },
    turn: () => null,
    onLease: () => {},
    facts: () => null,
    failed: () => {},
    serves: () => {},
    stops: () => {},
  };
}

const waiting = () => rowsIn(server.folder, "SELECT 1 FROM credential_delivery").length;

/** What is on its way arrives before the answer. */
const receiptsOf = async (customer: SmppCustomer) => {
  await customer.request("enquire_link");
  return customer.receipts;
};

test("a receipt waits until the cluster has its commit, also where that takes too long at first", async () => {
  server = await CustomerServer.start();
  const id = await (await server.bound("transmitter")).submitted();
  await eventually(() => waiting() === 1);
  await server.halt();
  const gate = new HeldGate();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gate.passing = first.promise;
  server.environment = { leading: gate.leading };
  await server.startAgain();
  const receiver = await server.bound("receiver");
  expect(await receiptsOf(receiver)).toEqual([]);
  const { asked } = gate;
  gate.passing = second.promise;
  first.reject(new StoreUnavailable("the log of the cluster does not answer"));
  await eventually(() => gate.asked > asked);
  expect(await receiptsOf(receiver)).toEqual([]);
  gate.passing = null;
  second.resolve();
  await eventually(() => receiver.receipts.length === 1 && waiting() === 0);
  expect(receiver.receipts).toEqual([expect.stringContaining(`id:${id} `)]);
});

test("after a restore receipts and mails wait until an operator releases the queue", async () => {
  const mailed: string[] = [];
  server = await CustomerServer.start();
  server.environment = { sendMail: async (to) => void mailed.push(to) };
  const id = await (await server.bound("transmitter")).submitted();
  await eventually(() => waiting() === 1);
  await server.halt();
  const store = openMigratedStore({ folder: server.folder, now: Date.now() });
  await store.write(({ restoreHold, inbound, inboundRules, users, balanceWatches }) => {
    restoreHold.hold(Date.now());
    const { id: userId } = users.insert({
      name: "shop",
      role: "customer",
      accountId: 1,

      createdAt: 0,
    });
    const mail = "shop@example.com";
    balanceWatches.saveWatch({ userId, below: 1, mail, toldAt: null, tokenHash: null, expiresAt: null });
    const text = { trackingCode: "IN1", sender: "+989120000010", receiver: "30001", text: "hello", octets: null };
    inbound.insert({ ...text, routeId: 1, partCount: 1, partsReceived: 1, receivedAt: 0 });
    inboundRules.addMail({ trackingCode: "IN1", accountId: 1, mail, dueAt: 0 });
  });
  store.close();
  await server.startAgain();
  const receiver = await server.bound("receiver");
  expect(await receiptsOf(receiver)).toEqual([]);
  expect(mailed).toEqual([]);
  await server.operate("POST", "/queue/release");
  await eventually(() => receiver.receipts.length === 1 && mailed.length === 1);
  expect(receiver.receipts).toEqual([expect.stringContaining(`id:${id} `)]);
});
