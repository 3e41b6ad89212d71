/** Large files of suppressed numbers do not block the event loop. */
import { expect, test } from "bun:test";
import { SuppressionService } from "../../src/messaging/suppression/suppression-service.ts";
import { silentLog } from "../../src/platform/log.ts";
import { expectNoHold } from "../support/longest-turn.ts";
import { createTestServer } from "../support/test-server.ts";

const count = 250_000;

/** A file with other numbers at each attempt. */
function fileOf(attempt: number) {
  const mobile = (_: unknown, index: number) => `09${12 + attempt}${1_000_000 + ((index * 7_919) % 9_000_000)}`;
  return new TextEncoder().encode(`mobile\n${Array.from({ length: count }, mobile).join("\n")}\n`);
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

test("a file is read, sorted and stored in any pieces without blocking the event loop", async () => {
  const server = await createTestServer();
  const { store, clock } = server;
  const told = { problem: () => {}, progress: () => {} };
  const numbers = { recipients: "valid", extraRanges: [] } as const;
  const suppression = new SuppressionService({ store, clock, log: silentLog, defaultRegion: "IR", numbers });
  let file = new Uint8Array();
  const importing = async () => {
    const imported = await suppression.import(1, "list.csv", inOnePiece(file), told);
    expect(imported).toMatchObject({ added: count, known: 0 });
  };
  const before = (attempt: number) => {
    file = fileOf(attempt);
  };
  // Read as it arrived, a hundred thousand lines took one turn of 300 ms.
  await expectNoHold(importing, { before });
  await server.stop();
}, 180_000);
