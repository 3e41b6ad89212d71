/** Data of an earlier build without its key file: a start refuses before it changes anything. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { startServer } from "../../src/server/server.ts";
import { migrations } from "../../src/store/migrations.ts";
import { earlierBuilds } from "../support/earlier-build.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const inFolder = (name: string) => join(folder.path, name);
const fixture = (name: string) => readFileSync(join(import.meta.dir, "../fixtures", name), "utf8");

function inDatabase<T>(work: (database: Database) => T): T {
  using database = new Database(inFolder("peyk.db"), { create: true });
  return work(database);
}

const schema = () =>
  inDatabase((database) => database.query<{ number: number }, []>("SELECT max(number) AS number FROM migration").get())
    ?.number;

async function start(): Promise<void> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags, env: { PEYK_CURRENCY: "USD" }, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const server = await startServer(loaded.settings, { clock: systemClock, random: systemRandom, log: silentLog });
  await server.stop();
}

for (const commit of earlierBuilds) {
  test(`a start without the key leaves the database of ${commit} unchanged, and upgrades it once the key is back`, async () => {
    inDatabase((database) => database.exec(fixture(`data-of-${commit}.sql`)));
    const before = schema();
    expect(before).toBeLessThan(migrations.length);
    await expect(start()).rejects.toThrow(/secret\.key is missing, and the database holds what it sealed/);
    expect(schema()).toBe(before);
    expect(readdirSync(folder.path).filter((name) => /^before-|secret\.key/.test(name))).toEqual([]);
    writeFileSync(inFolder("secret.key"), JSON.parse(fixture(`data-of-${commit}.json`)).secretKey, { mode: 0o600 });
    await start();
    expect(schema()).toBe(migrations.length);
  });
}
