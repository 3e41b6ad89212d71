/** How long the key of a submit stands for it, by the clocks. */
import { expect, test } from "bun:test";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { SubmitRepeats } from "../../src/smpp-server/submit-repeats.ts";
import { createTestServer } from "../support/test-server.ts";

const hourMs = 3_600_000;

test("a key stands for its submit while the wall clock is in doubt; a reference ends by the wall clock, for it wraps", async () => {
  const server = await createTestServer();
  const begunAt = server.clock.now();
  const hash = createKeyedHash(new Uint8Array(32));
  const repeats = new SubmitRepeats({ hash, keyMs: 24 * hourMs, mismatch: "replay", mismatched: () => {} });
  const [key, payload] = [new Uint8Array(16).fill(1), new Uint8Array(16).fill(2)];
  await server.store.write(({ smppSubmits }) =>
    smppSubmits.append({
      ...{ credentialId: 1, messageId: null, code: "1", registeredDelivery: 0, createdAt: begunAt },
      ...{ repeatKey: key, payloadHash: payload },
    }),
  );
  const isRepeat = (holdsPayload: boolean, at: number, bookedAt = at) => {
    const repeat = { key, payload, forMs: 24 * hourMs, holdsPayload };
    const moment = { at: begunAt + at, bookedAt: begunAt + bookedAt };
    return repeats.find(server.store.tables, repeat, 1, moment) !== null;
  };
  for (const holdsPayload of [false, true])
    expect([24 * hourMs - 1, 24 * hourMs].map((at) => isRepeat(holdsPayload, at))).toEqual([true, false]);
  expect([isRepeat(false, 48 * hourMs, 1_000), isRepeat(true, 48 * hourMs, 1_000)]).toEqual([true, false]);
  await server.stop();
});
