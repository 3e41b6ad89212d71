/** The end of the reading thread: from then on nothing of it is in the way of a checkpoint. */
import { expect, test } from "bun:test";
import { systemClock } from "../../src/platform/clock.ts";
import { ReadThread } from "../../src/reports/read-thread.ts";
import { openDatabase } from "../../src/store/database.ts";
import { temporaryFolder } from "../support/test-server.ts";

const rounds = 6;
const looks = 50;
const everything = {
  from: 0,
  to: 900_000,
  by: [],
  period: "all",
  timeZone: "UTC",
  calendar: "gregory",
  filter: {},
} as const;

test("a reading thread that has ended holds no lock, and every later checkpoint reports how much was moved", async () => {
  const folder = temporaryFolder();
  const opened = openDatabase(folder.path, 1);
  try {
    const checkpoint = opened.database.prepare<{ log: number }, []>("PRAGMA wal_checkpoint(PASSIVE)");
    for (let round = 0; round < rounds; round += 1) {
      opened.database.run("UPDATE migration SET applied_at = applied_at + 1");
      const thread = new ReadThread(opened.path, systemClock);
      await thread.ask("figures", everything);
      await thread.stop();
      for (let look = 0; look < looks; look += 1) expect(checkpoint.get()?.log).toBeGreaterThanOrEqual(0);
    }
  } finally {
    opened.close();
    folder.remove();
  }
});
