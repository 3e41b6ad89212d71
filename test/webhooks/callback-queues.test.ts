/** Queues of callback origins: kept while a message or a delivery refers to them, and removed when none does. */
import { expect, test } from "bun:test";
import { openStore } from "../../src/store/store.ts";
import { forgetUnusedQueues } from "../../src/webhooks/events.ts";
import { temporaryFolder } from "../support/test-server.ts";

const dayMs = 86_400_000;
const credentialId = 7;

test("an origin's queue is removed once nothing refers to it, and created again when needed", async () => {
  const { path: folder, remove } = temporaryFolder();
  const store = openStore({ folder, now: 0 });
  const { webhooks } = store.tables;
  const queued = (url: string, createdAt: number) =>
    store.write((tables) => {
      const row = { publicId: `${url} ${createdAt}`, accountId: 1, url, events: [], active: true };
      const times = { createdAt, updatedAt: createdAt };
      return tables.webhooks.insertQueue({ ...row, sealedSecret: new Uint8Array(), ...times }, credentialId).id;
    });
  await store.write((tables) => tables.accounts.insert({ name: "Clinic", status: "active", createdAt: 0 }));
  const named = await queued("https://named.example.com", 0);
  const waiting = await queued("https://waiting.example.com", 0);
  const unused = await queued("https://unused.example.com", 0);
  await queued("https://young.example.com", dayMs);
  await store.write((tables) => {
    const sealed = new Uint8Array();
    tables.messageCallbacks.insert({ messageId: 1, webhookId: named, protocol: "kannel", mask: 1, sealed });
    const event = { publicId: "e", accountId: 1, kind: "callback.kannel", subject: "CODE", step: "sent", body: "{}" };
    tables.outbox.record({ ...event, createdAt: 0 }, [waiting]);
    tables.webhooks.insert({
      publicId: "customer's",
      accountId: 1,
      url: "https://customer.example.com",
      events: [],
      active: true,
      sealedSecret: new Uint8Array(),
      createdAt: 0,
      updatedAt: 0,
    });
  });
  expect(webhooks.isOfCredential(unused)).toBe(true);
  await forgetUnusedQueues(store, dayMs + 1);
  expect(webhooks.queueOf(credentialId, "https://unused.example.com")).toBeNull();
  expect(webhooks.isOfCredential(unused)).toBe(false);
  expect(webhooks.countQueues(credentialId)).toBe(3);
  expect(webhooks.ofAccount(1)).toHaveLength(1);
  expect(await queued("https://unused.example.com", dayMs + 2)).toBeGreaterThan(unused);
  store.close();
  remove();
});
