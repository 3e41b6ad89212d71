/** Who watches a balance is told once each time it falls below the amount, and only at a confirmed address. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { BalanceWatcher } from "../../src/server/balance-watcher.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
let mails: string[];
let isReachable: boolean;
let watcher: BalanceWatcher;

beforeEach(async () => {
  server = await createOperatorServer();
  [mails, isReachable] = [[], true];
  const { store, clock, directory, accounts, users } = server;
  watcher = new BalanceWatcher({
    store,
    clock,
    directory,
    billingOf: () => ({ mode: "prepaid" }),
    portalMails: {
      isSet: true,
      below: async (mail, { account, left, amount }) => {
        if (isReachable) mails.push(`${mail}: ${account} ${left} ${amount}`);
        return isReachable;
      },
    },
    currency: "IRR",
    portalUrl: "https://portal.example.com",
  });
  await accounts.create("Clinic");
  const { user } = await users.add("nasrin", "customer", 1);
  await watched({ userId: user.id });
});
afterEach(() => server.close());

const watched = (change: { userId: number; tokenHash?: Buffer | null }) =>
  server.store.write((tables) =>
    tables.balanceWatches.saveWatch({
      below: 5_000,
      mail: "nasrin@example.com",
      tokenHash: null,
      expiresAt: null,
      toldAt: null,
      ...change,
    }),
  );
let entries = 0;
async function moved(amount: number) {
  entries += 1;
  const entry = { amount, note: null, reference: `entry ${entries}`, actor: "tester" };
  await server.balances[amount < 0 ? "correct" : "topUp"](1, { ...entry, note: "test" });
}

test("once for each fall, and again only after it was higher in between", async () => {
  await moved(10_000);
  await watcher.look();
  expect(mails).toEqual([]);
  await moved(-6_000);
  await watcher.look();
  await watcher.look();
  await moved(-1_000);
  await watcher.look();
  expect(mails).toEqual(["nasrin@example.com: Clinic 4,000 IRR 5,000 IRR"]);
  await moved(10_000);
  await server.clock.advance(3_600_000);
  await watcher.look();
  await moved(-10_000);
  await watcher.look();
  expect(mails.length).toBe(2);
});

test("a mail that could not be sent is sent at a later look, and a balance that trembles fills no mailbox", async () => {
  isReachable = false;
  await watcher.look();
  isReachable = true;
  await watcher.look();
  expect(mails.length).toBe(1);
  for (let turn = 0; turn < 5; turn += 1) {
    await moved(6_000);
    await watcher.look();
    await moved(-6_000);
    await watcher.look();
  }
  expect(mails.length).toBe(1);
});

test("an unconfirmed address and a removed user are told nothing", async () => {
  const [user] = server.users.ofAccount(1);
  const userId = user?.id ?? 0;
  await watched({ userId, tokenHash: Buffer.from("unused") });
  await watcher.look();
  await watched({ userId });
  await server.users.disable("nasrin");
  await watcher.look();
  expect(mails).toEqual([]);
});
