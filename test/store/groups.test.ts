/** Unused lists of members are found however many groups there are. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

const now = new ManualClock().now();
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
beforeEach(() => {
  folder = temporaryFolder();
  store = openMigratedStore({ folder: folder.path, now });
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** With two lists each: more lists than one statement of SQLite takes values. */
const many = 126_000;

const numbers = `WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${many})`;

test("lists without a group are found among more lists than one statement accepts values", async () => {
  await store.write(({ accounts }) => accounts.insert({ name: "Clinic", status: "active", createdAt: now }));
  using database = new Database(store.path);
  database.transaction(() => {
    database.run(
      `${numbers} INSERT INTO approved_group (id, account_id, code, name, status, created_at, updated_at)
       SELECT n, 1, 'g-' || n, 'Group', 'approved', 0, 0 FROM number`,
    );
    for (const from of [0, many]) {
      database.run(
        `${numbers} INSERT INTO member_list (id, group_id, member_count, created_at) SELECT ${from} + n, n, 0, 0 FROM number`,
      );
    }
    database.run(`UPDATE approved_group SET approved_list_id = id, draft_list_id = ${many} + id`);
    // A group that was just created names no list; another has no draft.
    database.run("UPDATE approved_group SET approved_list_id = NULL, draft_list_id = NULL WHERE id = 7");
    database.run("UPDATE approved_group SET draft_list_id = NULL WHERE id = 9");
  })();
  expect(store.tables.groups.looseLists()).toEqual([7, many + 7, many + 9]);
}, 180_000);
