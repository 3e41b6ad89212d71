/** What customers are refused does not make the other writes of its group run again. */
import { afterEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import type { Store } from "../../src/store/store.ts";
import { callerAt } from "../support/caller.ts";
import { createTestServer, senderOf, type TestServer } from "../support/test-server.ts";
import { createWebhookServer } from "../support/webhook-server.ts";

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function served(): Promise<TestServer> {
  const server = await createTestServer();
  stops.push(() => server.stop());
  return server;
}

/** How often another write of the group ran, and what was refused. */
async function beside(store: Store, refused: () => Promise<unknown>): Promise<{ runs: number; code: unknown }> {
  let runs = 0;
  const other = store.write(() => {
    runs += 1;
  });
  const [outcome] = await Promise.allSettled([refused(), other]);
  const reason: unknown = outcome.status === "rejected" ? outcome.reason : null;
  return { runs, code: reason instanceof ApiError ? reason.code : reason };
}

test("a refused cancel of an unknown or delivered message does not run the other writes of its commit again", async () => {
  const { store, canceller, send, start, clock, statusOf } = await served();
  expect(await beside(store, () => canceller.cancel(1, "01M8000000000000000000000A"))).toEqual({
    runs: 1,
    code: "message_not_found",
  });
  const code = await send();
  await start();
  while (statusOf(code) !== "delivered") await clock.advance(1_000);
  expect(await beside(store, () => canceller.cancel(1, code))).toEqual({ runs: 1, code: "message_not_cancellable" });
});

test("a refused key of another request does not run the other writes of its commit again", async () => {
  const { store, acceptor, clock } = await served();
  const caller = callerAt(clock.now());
  const draft = {
    sender: senderOf(1),
    recipient: "+989120000010",
    text: "a",
    clientReference: null,
    class: 1 as const,
  };
  const accept = (operation: string) =>
    acceptor.accept(caller, { key: "k", operation, payloadHash: new Uint8Array(32) }, [{ ...draft, sendAt: null }]);
  await accept("POST /v1/messages");
  expect(await beside(store, () => accept("POST /v1/messages/batch"))).toEqual({
    runs: 1,
    code: "idempotency_key_conflict",
  });
});

test("a refused change of an unknown or inactive webhook does not run the other writes of its commit again", async () => {
  const { store, service, stop } = await createWebhookServer({ trusted: ["127.0.0.1:9443"] });
  stops.push(stop);
  const unknown = crypto.randomUUID();
  for (const refused of [
    () => service.remove(1, unknown),
    () => service.change(1, unknown, { isActive: false }),
    () => service.test(1, unknown),
  ])
    expect(await beside(store, refused)).toEqual({ runs: 1, code: "webhook_not_found" });
  const { webhook } = await service.create(1, { url: "https://127.0.0.1:9443/", events: ["message.status"] });
  await service.change(1, webhook.id, { isActive: false });
  expect(await beside(store, () => service.test(1, webhook.id))).toEqual({ runs: 1, code: "webhook_inactive" });
});
