/** The timeline of a message: reasons as they were added, and the sentences that older versions stored. */

import { Database } from "bun:sqlite";
import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { describeReason } from "../../src/domain/reason.ts";
import { databaseFileName } from "../../src/store/database.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
afterEach(folder.remove);

test("entries of an older version stay beside new ones, in order and with their words", async () => {
  const store = openMigratedStore({ folder: folder.path, now: 1 });
  const file = new Database(join(folder.path, databaseFileName));
  file.run(
    "INSERT INTO timeline (message_id, at, kind, route_id, detail) VALUES (7, 1, 'temporary', 1, 'the SMSC refused: ESME_RSYSERR (0x08)')",
  );
  file.close();
  await store.write(({ timeline }) =>
    timeline.add(7, { at: 2, kind: "expired", routeId: null, reason: { code: "validity_ended" } }),
  );
  const entries = store.tables.timeline.ofMessage(7);
  store.close();
  expect(entries.map(({ reason, ...entry }) => ({ ...entry, detail: describeReason(reason) }))).toEqual([
    { at: 1, kind: "temporary", routeId: 1, detail: "the SMSC refused: ESME_RSYSERR (0x08)" },
    { at: 2, kind: "expired", routeId: null, detail: "Its validity ended." },
  ]);
});
