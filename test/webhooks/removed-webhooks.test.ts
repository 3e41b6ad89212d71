/** Webhooks that are registered and removed without end do not pile up. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { removedMax } from "../../src/webhooks/webhook-service.ts";
import { createWebhookServer } from "../support/webhook-server.ts";

const dayMs = 24 * 3_600_000;
let server: Awaited<ReturnType<typeof createWebhookServer>>;
beforeEach(async () => {
  server = await createWebhookServer({ trusted: ["127.0.0.1:9443"] });
});
afterEach(() => server.stop());

const wanted = { url: "https://127.0.0.1:9443/", events: ["message.status"] as const };
const register = async () => (await server.service.create(1, wanted)).webhook.id;
const rowOf = (id: string) => server.store.tables.webhooks.byPublicIdAnywhere(id);

test("one that was never called leaves nothing, one with a delivery stays until that is gone", async () => {
  const [uncalled, called, kept] = [await register(), await register(), await register()];
  // The newest event is always kept.
  for (const id of [called, kept]) await server.service.test(1, id);
  for (const id of [uncalled, called]) await server.service.remove(1, id);
  expect([rowOf(uncalled), rowOf(called)?.removedAt]).toEqual([null, server.clock.now()]);
  expect(server.service.list(1).map(({ id }) => id)).toEqual([kept]);
  const pruned = () => server.store.write(({ webhooks }) => webhooks.pruneQueues(server.clock.now() + dayMs, 10));
  expect(await pruned()).toBe(0);
  await server.store.write(({ eventRetention }) => eventRetention.prune(0, server.clock.now() + dayMs, 10));
  expect(await pruned()).toBe(1);
  expect(rowOf(called)).toBeNull();
});

test("an account that has removed a thousand with deliveries registers one more when they are gone", async () => {
  const kept = await register();
  await server.store.write(({ webhooks, outbox }) => {
    const { sealedSecret } = webhooks.byPublicId(1, kept) ?? { sealedSecret: Buffer.alloc(0) };
    for (let index = 0; index < removedMax; index += 1) {
      const at = { createdAt: server.clock.now(), updatedAt: server.clock.now() };
      const made = { publicId: crypto.randomUUID(), accountId: 1, url: wanted.url, events: [...wanted.events] };
      const row = webhooks.insert({ ...made, active: true, sealedSecret, ...at });
      const event = { publicId: crypto.randomUUID(), accountId: 1, kind: "webhook.test", subject: null, step: "" };
      outbox.record({ ...event, body: "{}", createdAt: server.clock.now() }, [row.id]);
      webhooks.remove(row, server.clock.now());
    }
  });
  const reason: unknown = await register().catch((error: unknown) => error);
  expect(reason instanceof ApiError ? reason.code : reason).toBe("webhook_limit_reached");
  await server.store.write(({ eventRetention }) => eventRetention.prune(0, server.clock.now() + dayMs, removedMax));
  await server.store.write(({ webhooks }) => webhooks.pruneQueues(server.clock.now() + dayMs, removedMax));
  expect(await register()).toBeString();
});
