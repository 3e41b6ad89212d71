/**
 * An import of ported numbers that is killed at any moment leaves the table before it, and the next one succeeds. The table
 * goes wherever the database goes: into a copy, a bucket, another folder.
 */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { portedFilesIn } from "../../src/platform/ported-files.ts";
import { eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { smallS3, smallS3Key } from "../support/small-s3.ts";
import { TargetFolder, targetKeys } from "../support/target-folder.ts";
import { temporaryFolder } from "../support/test-server.ts";

let area: ReturnType<typeof temporaryFolder>;
let folder: string;
let peyk: PeykProcess;
beforeEach(async () => {
  area = temporaryFolder();
  folder = join(area.path, "data");
  peyk = await PeykProcess.start({ folder });
});
afterEach(async () => {
  await peyk.stop();
  area.remove();
});

let environment: Record<string, string> = {};
const argvOf = (...argv: string[]) => [...peykCommand, ...argv, "--data-dir", folder, "--json"];

async function command(...argv: string[]) {
  const run = Bun.spawn(argvOf(...argv), { env: { ...process.env, ...environment }, stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()]);
  expect({ argv, code: await run.exited, err }).toEqual({ argv, code: 0, err: "" });
  return JSON.parse(out);
}

async function csvOf(name: string, numbers: number, network: string): Promise<string> {
  const path = join(area.path, name);
  const lines = Array.from(
    { length: numbers },
    (_, index) => `+${989_120_000_000 + ((index * 7_919) % numbers)},${network}`,
  );
  await Bun.write(path, `number,network\n${lines.join("\n")}\n`);
  return path;
}

const sizeOf = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;

test("killed while it reads, sorts or writes, an import changes nothing", async () => {
  await command("ported", "import", await csvOf("old.csv", 10, "Irancell"));
  const large = await csvOf("large.csv", 300_000, "Rightel");
  const moments: readonly (() => boolean)[] = [
    () => readdirSync(folder).includes("ported.sorting"),
    () => sizeOf("ported.sorting") > 0,
    () => sizeOf("ported.partial") > 0,
    () => portedFilesIn(folder).length === 2,
  ];
  for (const moment of moments) {
    const run = Bun.spawn(argvOf("ported", "import", large), { stdout: "ignore", stderr: "ignore" });
    const isOver = run.exited.then(() => true);
    while (!moment()) if (await Promise.race([isOver, Bun.sleep(1).then(() => false)])) break;
    run.kill(9);
    await run.exited;
    const shown = await command("ported", "show");
    // Only the last moment may come after the service took the table.
    expect([10, ...(moment === moments[3] ? [300_000] : [])]).toContain(shown.table.numbers);
  }
  expect(await command("ported", "import", large)).toEqual({ numbers: 300_000, repeated: 0 });
  expect(await command("ported", "find", "+989120000001")).toMatchObject({ network: "Rightel", source: "ported" });
  expect(readdirSync(folder).filter((name) => name.startsWith("ported"))).toEqual(portedFilesIn(folder));
});

test("the table is there after a kill of the service, and goes with a copy into another folder", async () => {
  await command("ported", "import", await csvOf("numbers.csv", 10, "Irancell"));
  const copy = join(area.path, "copies", "copy.db");
  await Bun.write(join(area.path, "copies", "keep"), "");
  await command("backup", "create", copy);
  await peyk.kill();
  peyk = await PeykProcess.start({ folder });
  expect(await command("ported", "find", "+989120000001")).toMatchObject({ network: "Irancell", source: "ported" });
  await peyk.stop();
  folder = join(area.path, "other");
  await command("backup", "restore", copy);
  peyk = await PeykProcess.start({ folder });
  expect((await command("ported", "show")).table).toMatchObject({ numbers: 10, problem: null });
  expect(await command("ported", "find", "+989120000001")).toMatchObject({ network: "Irancell", source: "ported" });
  await eventually(() => portedFilesIn(folder).length === 1);
});

/** By the API; resolves to what the message's page would show. */
async function messageTo(recipient: string, apiKey: string) {
  const response = await fetch(`${peyk.url}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey, "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({ sender: "30001", recipient, message: "سلام" }),
  });
  expect(response.status).toBe(202);
  const { trackingCode }: { trackingCode: string } = await response.json();
  return command("message", "show", trackingCode);
}

test("a copy in a bucket brings the table into an empty folder, and it routes the next message there", async () => {
  const s3 = smallS3();
  using target = new TargetFolder({ endpoint: s3.endpoint }, smallS3Key);
  environment = target.environment();
  try {
    await peyk.stop();
    peyk = await PeykProcess.start({ folder, env: environment });
    for (const name of ["operator-a", "operator-b"]) await command("route", "add", name, "--kind", "simulator");
    await command("plan", "create", "iran");
    await command("plan", "rule", "add", "iran", "--network", "IR-MCI", "--target", "operator-a");
    await command("plan", "rule", "add", "iran", "--network", "Irancell", "--target", "operator-b");
    const account = String((await peyk.operate("POST", "/accounts", { name: "Clinic" })).id);
    await peyk.operate("POST", `/accounts/${account}/senders`, { sender: "30001" });
    await command("plan", "use", "iran", "--account", account, "--sender", "30001");
    const apiKey = String((await peyk.operate("POST", "/keys", { account, name: "test", rate: 100 })).apiKey);
    await command("ported", "import", await csvOf("numbers.csv", 10, "Irancell"));
    const moved = { route: "operator-b", network: "Irancell", networkSource: "ported" };
    expect(await messageTo("+989120000001", apiKey)).toMatchObject(moved);

    await peyk.operate("POST", "/backups");
    const tables = () => [...s3.objects.keys()].filter((key) => key.startsWith("peyk/ported-"));
    await eventually(() => {
      peyk.hurryChildren();
      return tables().length === 1;
    }, 100_000);
    await peyk.stop();
    const key = join(folder, "secret.key");
    folder = join(area.path, "other");
    mkdirSync(folder, { mode: 0o700 });
    copyFileSync(key, join(folder, "secret.key"));
    const secret = target.write("target.key", targetKeys.secretKey);
    const restored = await command("backup", "restore", "--from", "newest", "--target-key", secret, "--release");
    expect(restored).toMatchObject({ ported: { isThere: true } });
    peyk = await PeykProcess.start({ folder });
    expect((await command("ported", "show")).table).toMatchObject({ numbers: 10, problem: null });
    expect(await messageTo("+989120000001", apiKey)).toMatchObject(moved);
    expect(await messageTo("+989120000011", apiKey)).toMatchObject({ route: "operator-a", networkSource: "prefix" });

    // The same without the table in the bucket.
    await peyk.stop();
    for (const one of tables()) s3.objects.delete(one);
    folder = join(area.path, "third");
    expect(await command("backup", "restore", "--from", "newest", "--target-key", secret)).toMatchObject({
      ported: { file: restored.ported.file, isThere: false },
    });
  } finally {
    environment = {};
    await s3.stop();
  }
}, 240_000);
