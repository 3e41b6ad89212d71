/** Messages of 255 segments do not hold the event loop, however many of them end, complete or are forgotten together. */
import { afterEach, expect, test } from "bun:test";
import { CustomerServer } from "../support/customer-server.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { eventually, rowsIn } from "../support/peyk-process.ts";

let server: CustomerServer;
afterEach(() => server.stop());

const messages = 100;
const partCount = 255;
const reassembly = { PEYK_SMPP_SERVER_REASSEMBLY_TIMEOUT_SECONDS: "600" };
const minuteMs = 60_000;

/** Every message lacks its last segment. */
async function leaveIncomplete(attempt: number, openedAt: number): Promise<void> {
  await server.halt();
  const store = openMigratedStore({ folder: server.folder, now: Date.now() });
  await store.write(({ smppAssemblies, smppSubmits }) => {
    for (let at = 0; at < messages; at += 1) {
      const trackingCode = `m${attempt}-${at}`;
      const key = { credentialId: 1, sender: "30001234", recipient: recipientOf(at), reference: attempt, partCount };
      const ids = { accountId: 1, apiKeyId: 1, trackingCode };
      const assembly = smppAssemblies.open({ ...key, ...ids, sendAt: null, validityMs: null, openedAt });
      for (let number = 1; number < partCount; number += 1) {
        const submit = { credentialId: 1, messageId: null, code: `${trackingCode}-${number}`, registeredDelivery: 1 };
        const submitId = smppSubmits.append({ ...submit, repeatKey: null, payloadHash: null, createdAt: openedAt });
        const text = Buffer.from("ab", "utf16le");
        const segment = { number, submitId, digest: new Uint8Array(16), text, parts: 1, price: 0 };
        smppAssemblies.add({ assemblyId: assembly.id, ...segment, createdAt: openedAt });
      }
    }
  });
  store.close();
}

const recipientOf = (at: number) => `+98912${String(1_000_000 + at)}`;
const countOf = (from: string) => rowsIn<{ n: number }>(server.folder, `SELECT count(*) AS n FROM ${from}`)[0]?.n ?? 0;

test("incomplete messages that expire together do not block the event loop", async () => {
  server = await CustomerServer.start([{}], reassembly);
  await expectNoHold(
    (attempt) => eventually(() => countOf("smpp_assembly WHERE state = 2") === (attempt + 1) * messages),
    {
      what: "the end of incomplete messages",
      async before(attempt) {
        await leaveIncomplete(attempt, Date.now() - 10 * minuteMs + 2_000);
        await server.startAgain();
        expect(countOf("smpp_assembly WHERE state = 0")).toBe(messages);
      },
    },
  );
  expect(countOf("credential_delivery")).toBe(countOf("smpp_segment"));
}, 180_000);

test("incomplete messages that are cancelled together do not block the event loop", async () => {
  server = await CustomerServer.start([{ options: { window: messages } }], reassembly);
  let customer = await server.bound();
  await expectNoHold(
    async (attempt) => {
      customer.socket.cork();
      const answers = Array.from({ length: messages }, (_, at) =>
        customer.request("cancel_sm", { message_id: `m${attempt}-${at}-1` }),
      );
      customer.socket.uncork();
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(messages).fill(0));
    },
    {
      what: "cancelling incomplete messages",
      async before(attempt) {
        customer.close();
        await leaveIncomplete(attempt, Date.now());
        await server.startAgain();
        customer = await server.bound("transmitter");
      },
    },
  );
  expect(countOf("smpp_assembly WHERE state = 0")).toBe(0);
}, 180_000);

test("messages completed together are delivered without blocking the event loop", async () => {
  server = await CustomerServer.start([{}], reassembly);
  let customer = await server.bound();
  await expectNoHold(
    async (attempt) => {
      const last = (at: number) => ({
        esm_class: 0x40,
        destination_addr: recipientOf(at).slice(1),
        data_coding: 0,
        short_message: Buffer.concat([Buffer.from([5, 0, 3, attempt, partCount, partCount]), Buffer.from("ab")]),
      });
      customer.socket.cork();
      const answers = Array.from({ length: messages }, (_, at) => customer.submit(last(at)));
      customer.socket.uncork();
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual(Array(messages).fill(0));
      // The simulator loses some.
      await eventually(() => countOf("message WHERE state = 'delivered'") > 0.8 * messages * (attempt + 1));
    },
    {
      what: "the completion of messages",
      async before(attempt) {
        customer.close();
        await leaveIncomplete(attempt, Date.now());
        await server.startAgain();
        customer = await server.bound("transmitter");
      },
    },
  );
}, 180_000);
