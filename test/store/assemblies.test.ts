/** Long messages in segments: their cost does not grow with how many others there are. */
import { afterAll, expect, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const { path: folder, remove } = temporaryFolder();
const store: Store = openMigratedStore({ folder, now: 0 });
afterAll(() => {
  store.close();
  remove();
});

const phone = { sender: "30001234", reference: 7, partCount: 2 };
const smppKey = (recipient: string) => ({ ...phone, credentialId: 1, recipient });
const inboundKey = (receiver: string) => ({ ...phone, routeId: 1, receiver });
const digest = new Uint8Array(16);
const crowded = 10_000;
const lone = "+989121234500";
const busy = "+989121234501";

/** Each has its first segment; every second one of the customer's is complete. */
function leaveOpen(to: string, count: number): Promise<void> {
  return store.write(({ smppAssemblies, inboundParts }) => {
    for (let at = 0; at < count; at += 1) {
      const opened = { trackingCode: `${to}-${at}`, openedAt: at };
      const sent = { ...smppKey(to), ...opened, accountId: 1, apiKeyId: 1, sendAt: null, validityMs: null };
      const assembly = smppAssemblies.open(sent);
      const ownDigest = Buffer.from(`digest of ${String(at).padStart(6, "0")}`);
      const segment = { text: digest, parts: 1, price: 0, createdAt: 0, submitId: at + 1, digest: ownDigest };
      smppAssemblies.add({ assemblyId: assembly.id, number: 1, ...segment });
      if (at % 2 === 1) smppAssemblies.end(assembly, "whole");
      const { id } = inboundParts.open({ ...inboundKey(to), ...opened, receivedAt: at });
      inboundParts.add(id, { number: 1, content: digest, isBinary: true });
    }
  });
}

/** The least of ten, in milliseconds. */
function leastOf(work: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const startedAt = performance.now();
    for (let turn = 0; turn < 20; turn += 1) work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

test("finding a segment's message, or that there is none, costs the same beside ten thousand others", async () => {
  await leaveOpen(lone, 20);
  await leaveOpen(busy, crowded);
  const { smppAssemblies, inboundParts } = store.tables;
  const lookups = {
    "a message that lacks the second": (to: string) => smppAssemblies.lacking(smppKey(to), 2),
    "none lacks the first": (to: string) => smppAssemblies.lacking(smppKey(to), 1),
    "none brought the same": (to: string) => smppAssemblies.repeated(smppKey(to), 1, digest, -1),
    "the oldest": () => smppAssemblies.firstOpenedAt(),
    "one more for the recipient": (to: string) =>
      smppAssemblies.fullFor(1, smppKey(to), { account: 100_000, credential: 100_000, recipient: 100 }),
    "a phone's message that lacks the second": (to: string) => inboundParts.lacking(inboundKey(to), 2),
    "none of the phone's lacks the first": (to: string) => inboundParts.lacking(inboundKey(to), 1),
  };
  for (const [what, look] of Object.entries(lookups)) {
    const ratio = leastOf(() => look(busy)) / leastOf(() => look(lone));
    expect({ what, ratio: Math.round(ratio), isMore: ratio > 20 }).toMatchObject({ what, isMore: false });
  }
  const newest = `digest of ${String(crowded - 1).padStart(6, "0")}`;
  expect(smppAssemblies.repeated(smppKey(busy), 1, Buffer.from(newest), -1)).toBe(crowded);
  expect(smppAssemblies.lacking(smppKey(busy), 2)?.trackingCode).toBe(`${busy}-${crowded - 2}`);
  expect(smppAssemblies.lacking(smppKey(busy), 1)).toBeNull();
});

test("old messages of many segments are deleted a few per transaction", async () => {
  const [count, partCount, firstSubmit] = [20, 255, 1_000_000];
  await store.write(({ smppAssemblies }) => {
    for (let at = 0; at < count; at += 1) {
      const opened = { accountId: 1, apiKeyId: 1, trackingCode: `m${at}`, sendAt: null, validityMs: null, openedAt: 0 };
      const assembly = smppAssemblies.open({ ...smppKey(lone), ...opened, partCount });
      const segment = { assemblyId: assembly.id, digest, text: digest, parts: 1, price: 0, createdAt: 0 };
      for (let number = 1; number <= partCount; number += 1)
        smppAssemblies.add({ ...segment, number, submitId: firstSubmit + at * partCount + number });
      smppAssemblies.end(assembly, "incomplete");
    }
  });
  const left = () => {
    const firsts = Array.from({ length: count }, (_, at) =>
      store.tables.smppAssemblies.ofSubmit(firstSubmit + at * partCount + 1),
    );
    return firsts.filter((assembly) => assembly !== null).length;
  };
  const prune = () => store.write(({ smppAssemblies }) => smppAssemblies.prune("incomplete", 1, 200));
  expect(await prune()).toBe(true);
  expect([count - 5, count - 4, count - 3]).toContain(left());
  while (await prune());
  expect(left()).toBe(0);
});
