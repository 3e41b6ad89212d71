/** How long the key of a credential stands for its first request, by the clocks. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { defaultDropInOptions } from "../../src/domain/drop-in-credential.ts";
import { KeyedRequests } from "../../src/drop-in/keyed-requests.ts";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { callerAt } from "../support/caller.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
let begunAt = 0;
beforeEach(async () => {
  server = await createTestServer();
  begunAt = server.clock.now();
});
afterEach(() => server.stop());

const hourMs = 3_600_000;
const keyed = new KeyedRequests({ hash: createKeyedHash(new Uint8Array(32)), log: silentLog, mismatch: "replay" });

/** Times in milliseconds after the first request. */
function requestAt(at: number, bookedAt = at) {
  const moment = { at: begunAt + at, bookedAt: begunAt + bookedAt };
  const options = { ...defaultDropInOptions, keySeconds: 24 * 3_600 };
  return { credentialId: 1, options, key: "order-7", payload: "a", moment };
}
const isRepeat = (at: number, bookedAt = at) => {
  const { tables } = server.store;
  const alone = keyed.of({ ...requestAt(at, bookedAt), messageCount: 1 }).finder.replayed(tables) !== null;
  const amongMany = keyed.staged(requestAt(at, bookedAt)).registered(tables) !== null;
  expect(amongMany).toBe(alone);
  return alone;
};

test("a key stands for its first request for its time, and while the wall clock is in doubt however far that jumps", async () => {
  const first = keyed.of({ ...requestAt(0), messageCount: 1 });
  const draft = { sender: "30001", recipient: "+989120000010", text: "a", clientReference: null } as const;
  await server.acceptor.accept(callerAt(begunAt), first.finder, [{ ...draft, class: 1, sendAt: null }], (tables, id) =>
    first.store(tables, id),
  );
  expect([24 * hourMs - 1, 24 * hourMs].map((at) => isRepeat(at))).toEqual([true, false]);
  // Two days ahead, and not believed: bookings stand still.
  expect(isRepeat(48 * hourMs, 1_000)).toBe(true);
  // Set back after it was believed: bookings wait for it.
  expect(isRepeat(1_000, 48 * hourMs)).toBe(true);
});
