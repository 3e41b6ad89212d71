/** The counts of the fraud guard: memory and disk agree, whatever happens to the counting transactions. */
import { afterEach, expect, test } from "bun:test";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
afterEach(folder.remove);

const key = { accountId: 1, range: "+98912123", hourStart: 3_600_000 };
const other = { ...key, range: "+98912124" };

test("a refused write counts nothing, the others of its commit count once, and a restart finds the same", async () => {
  const store = openMigratedStore({ folder: folder.path, now: 1 });
  const { otpRanges } = store.tables;
  expect(otpRanges.counts(key)).toEqual({ sends: 0, challenges: 0, verified: 0, held: 0 });
  const within: number[] = [];
  const writes = [
    store.write((tables) => tables.otpRanges.add(key, { sends: 1, challenges: 1 })),
    store.write((tables) => {
      tables.otpRanges.add(key, { sends: 1 });
      within.push(tables.otpRanges.counts(key).sends);
    }),
    store.write((tables) => {
      tables.otpRanges.add(key, { held: 5 });
      throw new Error("refused");
    }),
    store.write((tables) => tables.otpRanges.add(other, { verified: 1 })),
  ];
  const outcomes = await Promise.allSettled(writes);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  // Together with the refused one, and then in its own transaction.
  expect(within).toEqual([2, 2]);
  await store.write((tables) => tables.otpRanges.add(key, { verified: 1 }));
  const counted = { sends: 2, challenges: 1, verified: 1, held: 0 };
  expect(otpRanges.counts(key)).toEqual(counted);
  expect(otpRanges.busiest(0, 9)).toEqual([
    { ...key, ...counted },
    { ...other, sends: 0, challenges: 0, verified: 1, held: 0 },
  ]);
  store.close();

  const started = openMigratedStore({ folder: folder.path, now: 1 });
  expect(started.tables.otpRanges.counts(key)).toEqual(counted);
  await started.write((tables) => tables.otpRanges.prune(key.hourStart + 1));
  expect(started.tables.otpRanges.counts(key).sends).toBe(0);
  started.close();
});
