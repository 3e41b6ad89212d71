/**
 * Fills a stopped server's folder with thousands of everything an operator can list, directly through the store's
 * tables.
 */
import { systemRandom } from "../../src/platform/random.ts";
import { openStore } from "../../src/store/store.ts";

/** How many of each; they belong to the first account unless stated otherwise. */
export interface Crowd {
  accounts: number;
  /** Each account has a sender and a quota of zero and, if there is a price list, is prepaid with a balance of zero. */
  areLimited: boolean;
  /** Every second one was switched off by the service, and the others are failing. */
  webhooks: number;
  keys: number;
  senders: number;
  lines: number;
  /** With texts of maximum length. */
  patterns: number;
  /** Users with the customer role, for the first account. */
  users: number;
  /** In one list, called `world`. */
  prices: number;
}

export async function crowdFolder(folder: string, crowd: Partial<Crowd>): Promise<void> {
  const now = Date.now();
  const store = openStore({ folder, now });
  const made = { createdAt: now, updatedAt: now };
  const numbers = (count = 0) => Array.from({ length: count }, (_, index) => index + 1);
  await store.write((tables) => {
    for (const number of numbers(crowd.accounts)) {
      const { id } = tables.accounts.insert({ name: `Clinic ${number}`, status: "active", createdAt: now });
      if (crowd.areLimited !== true) continue;
      const sender = String(60_000_000 + number);
      tables.senders.insert({ accountId: id, sender, active: true, createdAt: now, removedAt: null, routeIds: [] });
      tables.quotas.set({ subject: "account", subjectId: id }, { day: 0, month: 0 });
    }
    for (const number of numbers(crowd.webhooks)) {
      const row = tables.webhooks.insert({
        publicId: systemRandom.uuid(),
        accountId: 1,
        url: `https://hooks-${number}.example.com/peyk`,
        events: ["message.status"],
        active: true,
        sealedSecret: new Uint8Array(32),
        ...made,
      });
      if (number % 2 === 0) tables.webhooks.switchOff(row, now);
      else tables.webhooks.setHealth(row.id, { isSlow: true, failingSince: now, failedAt: now });
    }
    for (const number of numbers(crowd.keys)) {
      const secretHash = Buffer.from(systemRandom.bytes(32));
      tables.keys.insert({
        accountId: 1,
        name: `Key ${number}`,
        secretHash,
        permissions: "messages:send",
        createdAt: now,
      });
    }
    for (const number of numbers(crowd.senders)) {
      const sender = String(30_000_000 + number);
      tables.senders.insert({ accountId: 1, sender, active: true, createdAt: now, removedAt: null, routeIds: [] });
    }
    for (const number of numbers(crowd.lines)) {
      tables.lines.insert({ number: String(50_000_000 + number), accountId: 1, createdAt: now });
    }
    for (const number of numbers(crowd.patterns)) {
      const text = `Dear {{name}}, order ${number} ${"is ready and waits for you until the evening. ".repeat(40)}`;
      tables.patterns.insert({
        accountId: 1,
        code: `p-${number}`,
        name: `Pattern ${number}`,
        text,
        variables: [{ name: "name", maxLength: 30 }],
        sender: null,
        templateId: null,
        status: "approved",
        approvedAt: now,
        approvedBy: "owner",
        ...made,
      });
    }
    for (const number of numbers(crowd.users)) {
      tables.users.insert({ name: `user-${number}`, role: "customer", accountId: 1, createdAt: now });
    }
    if (crowd.prices !== undefined) {
      const versionId = tables.priceLists.unusedVersion();
      tables.priceLists.put({ versionId, prefix: "", validFrom: now, amount: 100 });
      for (const number of numbers(crowd.prices - 1)) {
        tables.priceLists.put({ versionId, prefix: String(100_000 + number), validFrom: now, amount: number });
      }
      const { id: listId } = tables.priceLists.use("world", versionId, { now, currency: "IRR" });
      if (crowd.areLimited === true) {
        for (const accountId of numbers(crowd.accounts)) tables.priceLists.bill(accountId, { mode: "prepaid", listId });
      }
    }
  });
  store.close();
}
