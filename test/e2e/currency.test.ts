/** The currency is chosen once, with the first price or top-up: otherwise stored amounts would change their meaning. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadSettings } from "../../src/config/settings.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { type RunningServer, startServer } from "../../src/server/server.ts";
import { runCli } from "../support/cli.ts";
import { PeykProcess, peykCommand, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** In this process, since starting another takes a second. */
async function start(currency: string): Promise<RunningServer> {
  const flags = { data_dir: folder.path, listen: "127.0.0.1:0", console_listen: "127.0.0.1:0" };
  const loaded = loadSettings({ flags, env: { PEYK_CURRENCY: currency }, readFile: () => null });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const environment = { clock: systemClock, random: systemRandom, log: silentLog, settingsSource: loaded };
  return await startServer(loaded.settings, environment);
}

const kept = () => rowsIn<{ code: string }>(folder.path, "SELECT code FROM currency").map(({ code }) => code);
const cli = (currency: string, ...words: string[]) =>
  runCli([...words, "--data-dir", folder.path], { env: { PEYK_CURRENCY: currency } });
const refusal =
  "The setting currency is EUR (environment PEYK_CURRENCY), but the amounts in this database are in USD, and Peyk " +
  'converts none. Set currency = "USD" again; amounts in EUR need a data folder of their own.';

/** Runs commands against a service with this currency, the first of which creates an account. */
async function entering(currency: string, ...words: readonly string[]): Promise<void> {
  const server = await start(currency);
  const commands = [["account", "create", "--name", "Customer"], words].filter(({ length }) => length > 0);
  for (const command of commands) expect(await cli(currency, ...command)).toMatchObject({ code: 0 });
  await server.stop();
}

const topUp = ["account", "topup", "acc_1", "--amount", "5"];
const price = ["price", "set", "retail", "--prefix", "*", "--price", "7"];
const amounts: Record<string, () => readonly string[]> = {
  "a price": () => price,
  "a file of prices": () => ["price", "import", "retail", "--csv", join(folder.path, "prices.csv")],
  "a top-up": () => topUp,
  "a correction": () => ["account", "correct", "acc_1", "--amount=-5", "--note", "entered twice"],
};

for (const [name, amount] of Object.entries(amounts)) {
  test(`${name} fixes the currency, which may change before and not after`, async () => {
    writeFileSync(join(folder.path, "prices.csv"), "prefix,price\n*,7\n");
    await entering("EUR");
    expect(kept()).toEqual([]);
    await entering("USD", ...amount());
    expect(kept()).toEqual(["USD"]);
    await expect(start("EUR")).rejects.toThrow(refusal);
    await (await start("USD")).stop();
  });
}

test("a start with another currency exits with 1 and changes nothing", async () => {
  await entering("USD", ...topUp);
  const run = Bun.spawnSync([...peykCommand, "serve", "--data-dir", folder.path, "--listen", "127.0.0.1:0"], {
    env: { ...process.env, PEYK_CURRENCY: "EUR" },
  });
  expect({ code: run.exitCode, err: run.stderr.toString() }).toEqual({ code: 1, err: `peyk: ${refusal}\n` });
  expect(kept()).toEqual(["USD"]);
});

test("config check and doctor report it before a start does, running or not, and leave nothing in the folder", async () => {
  const file = join(folder.path, "peyk.toml");
  writeFileSync(file, 'currency = "EUR"\n');
  const inFile = refusal.replace("environment PEYK_CURRENCY", `${file} line 1`);
  expect(await cli("EUR", "config", "check")).toMatchObject({ code: 0 });
  await entering("USD", ...topUp);
  const names = readdirSync(folder.path).sort();
  expect(await cli("EUR", "config", "check")).toEqual({ code: 1, out: "", err: `peyk: ${refusal}\n` });
  const checked = await runCli(["config", "check", "--json", "--data-dir", folder.path]);
  expect(checked).toMatchObject({ code: 1 });
  expect(JSON.parse(checked.err)).toMatchObject({ code: "currency_changed", message: inFile });
  expect(await cli("USD", "config", "check")).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(folder.path).sort()).toEqual(names);

  const served = await PeykProcess.start({ folder: folder.path, env: { PEYK_CURRENCY: "USD" } });
  expect(await cli("EUR", "config", "check")).toMatchObject({ code: 1, err: `peyk: ${refusal}\n` });
  const findings = async (currency: string) => JSON.parse((await cli(currency, "doctor", "--json")).out);
  expect(await findings("EUR")).toContainEqual({
    check: "currency",
    grade: "bad",
    says: refusal,
    do: "correct currency; until then the next start is refused",
  });
  expect(await findings("USD")).toContainEqual({
    check: "currency",
    grade: "ok",
    says: "USD, as the database keeps it",
    do: null,
  });
  expect(await served.stop()).toBe(0);
});

test("a database with amounts from an earlier release keeps the currency of its settings", async () => {
  await entering("USD", ...price);
  const database = new Database(join(folder.path, "peyk.db"));
  database.run("DELETE FROM currency");
  database.close();
  await (await start("GBP")).stop();
  expect(kept()).toEqual(["GBP"]);
  await expect(start("USD")).rejects.toThrow("are in GBP");
});
