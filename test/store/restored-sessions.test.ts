/** Who is signed in after a restore. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { copyDatabase } from "../../src/store/backup.ts";
import { openDatabase } from "../../src/store/database.ts";
import { migrations } from "../../src/store/migrations.ts";
import { restoreCopy } from "../../src/store/restore.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const token = {
  name: "agent",
  role: "owner",
  expiresAt: 1_000_000,
  allowFrom: [],
  operations: [],
  freed: [],
  readsTexts: false,
  createdAt: 1,
} as const;

const restored = { now: 2_000, release: true };

test("a restore signs everybody out, so that sessions ended since the copy do not come back", async () => {
  const store = openMigratedStore({ folder: folder.path, now: 1 });
  const tokenHash = Buffer.from("token");
  await store.write(({ users, sessions, userTokens }) => {
    const userId = users.insert({ name: "sara", role: "owner", accountId: null, createdAt: 1 }).id;
    sessions.insert({ tokenHash, userId, isConfirmed: true, address: "", createdAt: 1, seenAt: 1 });
    userTokens.insert({ ...token, userId, tokenHash });
    users.setLink({ userId, tokenHash, expiresAt: 1_000_000 });
  });
  const copy = join(folder.path, "copy.db");
  copyDatabase(folder.path, copy);
  await store.write(({ sessions }) => sessions.removeOf(1));
  store.close();
  restoreCopy(folder.path, copy, restored);
  const after = openMigratedStore({ folder: folder.path, now: 2_000 });
  expect(after.tables.sessions.byToken(tokenHash)).toBeNull();
  expect(after.tables.userTokens.byHash(tokenHash)).toBeNull();
  expect(after.tables.users.link(tokenHash)).toBeNull();
  expect(after.tables.users.byName("sara")).not.toBeNull();
  after.close();
});

test("a copy from before there were users is restored as well", () => {
  openDatabase(folder.path, 1, migrations.slice(0, 19)).close();
  const copy = join(folder.path, "copy.db");
  copyDatabase(folder.path, copy);
  expect(restoreCopy(folder.path, copy, restored).kept).not.toBeNull();
});
