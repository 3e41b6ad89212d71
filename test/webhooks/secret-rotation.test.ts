/** Rotating a signing secret: a callback is signed with one secret at any time, and the receiver knows when it changes. */
import { afterEach, expect, test } from "bun:test";
import { signCallback } from "../../src/domain/signature.ts";
import { createSealer } from "../../src/platform/seal.ts";
import { secretGraceMs } from "../../src/webhooks/secret-rotation.ts";
import { callbackFixtures, createCleanUp, headerOf, ok, urlOf } from "../support/callbacks.ts";
import { until } from "../support/manual-clock.ts";

const cleanUp = createCleanUp();
afterEach(() => cleanUp.run());
const { startReceiver, startServer } = callbackFixtures(cleanUp);

async function rotating() {
  const receiver = await startReceiver(ok);
  const server = await startServer([receiver]);
  const { id, rowId, secret } = await server.register(urlOf(receiver));
  return {
    id,
    rowId,
    secret,
    server,
    /** The one of these secrets that signed the callback of a new event. */
    async signerOf(...secrets: readonly string[]): Promise<string | undefined> {
      const before = receiver.requests.length;
      await server.addMessage(["cancelled"]);
      await until(() => receiver.requests.length > before);
      const request = receiver.requests[before];
      if (request === undefined) throw new Error("No callback came");
      const timestamp = Number(headerOf("X-Service-Timestamp", request));
      const signature = headerOf("X-Service-Signature", request);
      return secrets.find((candidate) => signCallback(candidate, timestamp, request.body) === signature);
    },
  };
}

async function next({ id, server }: Awaited<ReturnType<typeof rotating>>): Promise<string> {
  const begun = await server.secrets.begin(id);
  if (begun === null) throw new Error("The webhook is not known");
  expect(begun.signsFrom).toBe(server.clock.now() + secretGraceMs);
  return begun.signingSecret;
}

test("a new secret signs from the moment of the switch, and the old one until then", async () => {
  const webhook = await rotating();
  expect(await webhook.signerOf(webhook.secret)).toBe(webhook.secret);
  const second = await next(webhook);
  expect(second).toMatch(/^whsec_[\w-]{43}$/);
  expect(await webhook.signerOf(webhook.secret, second)).toBe(webhook.secret);
  expect(await webhook.server.secrets.switchNow(webhook.id)).toBe(true);
  expect(await webhook.signerOf(webhook.secret, second)).toBe(second);
  expect(await webhook.server.secrets.switchNow(webhook.id)).toBe(false);
});

test("a new secret signs by itself after a day, and may then be followed by another", async () => {
  const webhook = await rotating();
  const second = await next(webhook);
  webhook.server.clock.jump(secretGraceMs - 1);
  expect(await webhook.signerOf(webhook.secret, second)).toBe(webhook.secret);
  webhook.server.clock.jump(1);
  expect(await webhook.signerOf(webhook.secret, second)).toBe(second);
  const third = await next(webhook);
  expect(await webhook.signerOf(webhook.secret, second, third)).toBe(second);
  webhook.server.clock.jump(secretGraceMs);
  expect(await webhook.signerOf(webhook.secret, second, third)).toBe(third);
});

test("a new secret requested twice replaces the first one that was waiting", async () => {
  const webhook = await rotating();
  const lost = await next(webhook);
  const second = await next(webhook);
  await webhook.server.secrets.switchNow(webhook.id);
  expect(await webhook.signerOf(webhook.secret, lost, second)).toBe(second);
});

test("the new secret is sealed on disk, and a removed webhook has none", async () => {
  const webhook = await rotating();
  const second = await next(webhook);
  const { store, secrets, service } = webhook.server;
  const sealed = store.tables.webhooks.byId(webhook.rowId)?.nextSealedSecret ?? new Uint8Array();
  expect(createSealer(new Uint8Array(32)).open(sealed)).toBe(second);
  await service.remove(1, webhook.id);
  expect([await secrets.begin(webhook.id), await secrets.switchNow("unknown")]).toEqual([null, null]);
});
