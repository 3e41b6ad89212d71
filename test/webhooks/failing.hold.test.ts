/** Failing or disabled webhooks are found among many without blocking the event loop. */
import { afterEach, expect, test } from "bun:test";
import { DeliveryService } from "../../src/webhooks/delivery-service.ts";
import { callbackFixtures, createCleanUp, ok, urlOf } from "../support/callbacks.ts";
import { expectNoHold } from "../support/longest-turn.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

test("failing webhooks are found without reading every healthy one", async () => {
  const receiver = await startReceiver(ok);
  const { store, clock, deliverer, register } = await startServer([receiver]);
  const deliveryService = new DeliveryService({
    store,
    clock,
    wake: (webhookIds) => deliverer.wake(webhookIds),
    paceOf: (webhookId) => deliverer.paceOf(webhookId),
  });
  const webhook = await register(urlOf(receiver));
  await store.write(({ webhooks }) => {
    const one = webhooks.byId(webhook.rowId);
    if (one === null) throw new Error("There is no webhook");
    for (let count = 0; count < 30_000; count += 1) webhooks.insert({ ...one, publicId: crypto.randomUUID() });
    webhooks.setHealth(webhook.rowId, { isSlow: false, failingSince: 1, failedAt: 1 });
  });
  // Reading all of them twice took 116 ms.
  await expectNoHold(async () => {
    expect(deliveryService.failing()).toMatchObject([{ webhook: { publicId: webhook.id }, waiting: 0 }]);
    expect(deliveryService.switchedOff(10)).toEqual([]);
  });
});
