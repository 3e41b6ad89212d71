/** The currency is chosen once, with the first price or top-up: what is stored would be called by another name. */
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { NeverServed, PeykProcess, peykCommand, rowsIn } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const start = (currency: string) => PeykProcess.start({ folder: folder.path, env: { PEYK_CURRENCY: currency } });
const kept = () => rowsIn<{ code: string }>(folder.path, "SELECT code FROM currency").map(({ code }) => code);
const cli = (currency: string, ...words: string[]) =>
  runCli([...words, "--data-dir", folder.path], { env: { PEYK_CURRENCY: currency } });
const refusal =
  "The setting currency is EUR (environment PEYK_CURRENCY), but the amounts in this database are in USD, and Peyk " +
  'converts none. Set currency = "USD" again; amounts in EUR need a data folder of their own.';

async function entering(currency: string, amount: (peyk: PeykProcess) => Promise<unknown>): Promise<void> {
  const peyk = await start(currency);
  await peyk.operate("POST", "/accounts", { name: "Customer" });
  await amount(peyk);
  await peyk.stop();
}

const amounts: Record<string, (peyk: PeykProcess) => Promise<unknown>> = {
  "a price": (peyk) => peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" }),
  "a file of prices": (peyk) => peyk.operate("POST", "/prices/retail/import", { csv: "prefix,price\n*,7\n" }),
  "a top-up": (peyk) => peyk.operate("POST", "/accounts/acc_1/topup", { amount: 5 }),
  "a correction": (peyk) => peyk.operate("POST", "/accounts/acc_1/correct", { amount: -5, note: "entered twice" }),
};

for (const [name, amount] of Object.entries(amounts)) {
  test(`${name} keeps the currency, which may change until then and not after`, async () => {
    await entering("EUR", () => Promise.resolve());
    expect(kept()).toEqual([]);
    await entering("USD", amount);
    expect(kept()).toEqual(["USD"]);
    await expect(start("EUR")).rejects.toThrow(NeverServed);
    await expect(start("EUR")).rejects.toThrow(refusal);
    const again = await start("USD");
    expect(await again.stop()).toBe(0);
  });
}

test("another currency ends a start with exit code 1, and changes nothing", async () => {
  await entering("USD", (peyk) => peyk.operate("POST", "/accounts/acc_1/topup", { amount: 5 }));
  const run = Bun.spawnSync([...peykCommand, "serve", "--data-dir", folder.path, "--listen", "127.0.0.1:0"], {
    env: { ...process.env, PEYK_CURRENCY: "EUR" },
  });
  expect({ code: run.exitCode, err: run.stderr.toString() }).toEqual({ code: 1, err: `peyk: ${refusal}\n` });
  expect(kept()).toEqual(["USD"]);
});

test("config check and doctor say it before a start does, served or not, and leave nothing in the folder", async () => {
  const file = join(folder.path, "peyk.toml");
  writeFileSync(file, 'currency = "EUR"\n');
  const inFile = refusal.replace("environment PEYK_CURRENCY", `${file} line 1`);
  expect(await cli("EUR", "config", "check")).toMatchObject({ code: 0 });
  await entering("USD", (peyk) => peyk.operate("POST", "/accounts/acc_1/topup", { amount: 5 }));
  const names = readdirSync(folder.path).sort();
  expect(await cli("EUR", "config", "check")).toEqual({ code: 1, out: "", err: `peyk: ${refusal}\n` });
  const checked = await runCli(["config", "check", "--json", "--data-dir", folder.path]);
  expect(checked).toMatchObject({ code: 1 });
  expect(JSON.parse(checked.err)).toMatchObject({ code: "currency_changed", message: inFile });
  expect(await cli("USD", "config", "check")).toMatchObject({ code: 0, err: "" });
  expect(readdirSync(folder.path).sort()).toEqual(names);

  const served = await start("USD");
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

test("a database that an earlier release left keeps the currency of its settings, if it has amounts", async () => {
  await entering("USD", (peyk) => peyk.operate("POST", "/prices/retail", { prefix: "*", price: "7" }));
  const database = new Database(join(folder.path, "peyk.db"));
  database.run("DELETE FROM currency");
  database.close();
  await (await start("GBP")).stop();
  expect(kept()).toEqual(["GBP"]);
  await expect(start("USD")).rejects.toThrow("are in GBP");
});
