/** The template id of a message reaches the carrier that asks for it. */
import { afterEach, expect, test } from "bun:test";
import { createSmppServer, type SmppServer } from "../support/smpp-server.ts";
import { Smsc } from "../support/smsc.ts";

let closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

const laterMs = 60_000;

/** Sends two messages, the first by a pattern that is registered, and returns their TLVs. */
async function tlvsOfTwo(tlvs: Readonly<Record<string, string>>) {
  const smsc = await Smsc.start();
  const server: SmppServer = await createSmppServer(smsc, { tlvs });
  closing.push(server.stop, () => smsc.stop());
  const sendAt = server.clock.now() + laterMs;
  const registered = await server.send({ text: "registered", sendAt });
  await server.send({ text: "free", sendAt });
  await server.store.write(({ patterns, messages, messageTemplates }) => {
    const at = { createdAt: 1, updatedAt: 1, approvedAt: 1, approvedBy: "sara" };
    const pattern = { accountId: 1, code: "p", name: "P", status: "approved" as const, text: "x", sender: null, ...at };
    const { id } = patterns.insert({ ...pattern, variables: [], templateId: "1107161234567890123" });
    messageTemplates.insert(messages.byCodeAnywhere(registered)?.id ?? 0, id);
  });
  await server.passUntil(() => smsc.submits.length === 2, laterMs + 5_000);
  return Object.fromEntries(smsc.submits.map(({ text, pdu }) => [text, pdu[0x1401] ?? null]));
}

test("a message of a registered pattern carries its template id, and another carries none", async () => {
  expect(await tlvsOfTwo({ "0x1401": "{{templateId}}" })).toEqual({
    registered: Buffer.from("1107161234567890123"),
    free: null,
  });
});

test("a route without the setting sends no template id", async () => {
  expect(await tlvsOfTwo({ "0x1400": "{{account}}" })).toEqual({ registered: null, free: null });
});
