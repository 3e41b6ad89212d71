/** The installer's roll-back, cut off before each of its steps: the previous database is in place and complete, or a start is refused. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/store/database.ts";
import { DatabaseMissing } from "../../src/store/installation.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let state: string;
beforeEach(() => {
  area = temporaryFolder();
  state = join(area.path, "state");
});
afterEach(() => area.remove());

const installer = readFileSync(join(import.meta.dir, "..", "..", "install.sh"), "utf8");
const restoreData = /^restore_data\(\) \{(?:.|\n)*?^\}/m.exec(installer)?.[0] ?? "";

/** Runs it up to the command before number `stop`; true if it finished. */
function runUntil(stop: number): boolean {
  const commands = ["rm", "mv", "sync", "rmdir"].map((name) => `${name}() { step; command ${name} "$@"; }`);
  const script = [
    `state=${state} previous_data=${state}/before-upgrade steps=0`,
    `step() { steps=$((steps + 1)); [ $steps -lt ${stop} ] || exit 9; }`,
    ...commands,
    restoreData,
    "restore_data",
  ];
  const code = Bun.spawnSync(["sh", "-eu", "-c", script.join("\n")]).exitCode;
  expect([0, 9]).toContain(code);
  return code === 0;
}

async function addAccount(store: ReturnType<typeof openStore>, name: string): Promise<void> {
  await store.write((tables) =>
    tables.accounts.insert({ name, status: "active", defaultSender: null, createdAt: 1, countries: null }),
  );
}

/** The newest account of the previous database is only in the log, and so is that of the new build's. */
async function switched(): Promise<void> {
  const store = openStore({ folder: state, now: 1 });
  await addAccount(store, "before");
  const kept = join(area.path, "kept");
  mkdirSync(kept);
  for (const name of ["peyk.db", "peyk.db-wal"]) cpSync(join(state, name), join(kept, name));
  await addAccount(store, "by the new build");
  const left = join(area.path, "left");
  cpSync(state, left, { recursive: true });
  store.close();
  rmSync(state, { recursive: true });
  cpSync(left, state, { recursive: true });
  cpSync(kept, join(state, "before-upgrade"), { recursive: true });
}

test("an installer's roll-back cut off at any step leaves the previous database complete, or a start is refused", async () => {
  await switched();
  const untouched = join(area.path, "untouched");
  cpSync(state, untouched, { recursive: true });
  const outcomes = new Set<string>();
  for (let stop = 1, ended = false; !ended; stop += 1) {
    rmSync(state, { recursive: true });
    cpSync(untouched, state, { recursive: true });
    ended = runUntil(stop);
    let accounts = "refused";
    try {
      const { database, close } = openDatabase(state, 2);
      accounts = database
        .query<{ name: string }, []>("SELECT name FROM account ORDER BY id")
        .all()
        .map(({ name }) => name)
        .join();
      close();
    } catch (reason) {
      expect(reason).toBeInstanceOf(DatabaseMissing);
    }
    expect(["before,by the new build", "refused", "before"]).toContain(accounts);
    outcomes.add(accounts);
    if (ended) expect(accounts).toBe("before");
    expect(stop).toBeLessThan(20);
  }
  expect(outcomes.size).toBe(3);
});
