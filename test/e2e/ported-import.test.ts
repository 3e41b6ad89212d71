/** An import of ported numbers that is killed at any moment leaves the table before it, and the next one succeeds. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { portedFilesIn } from "../../src/platform/ported-files.ts";
import { eventually, PeykProcess, peykCommand } from "../support/peyk-process.ts";
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

const argvOf = (...argv: string[]) => [...peykCommand, ...argv, "--data-dir", folder, "--json"];

function command(...argv: string[]) {
  const run = Bun.spawnSync(argvOf(...argv), { stdout: "pipe", stderr: "pipe" });
  expect({ argv, code: run.exitCode, err: run.stderr.toString() }).toEqual({ argv, code: 0, err: "" });
  return JSON.parse(run.stdout.toString());
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
  command("ported", "import", await csvOf("old.csv", 10, "Irancell"));
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
    const shown = command("ported", "show");
    // Only the last moment may come after the service took the table.
    expect([10, ...(moment === moments[3] ? [300_000] : [])]).toContain(shown.table.numbers);
  }
  expect(command("ported", "import", large)).toEqual({ numbers: 300_000, repeated: 0 });
  expect(command("ported", "find", "+989120000001")).toMatchObject({ network: "Rightel", source: "ported" });
  expect(readdirSync(folder).filter((name) => name.startsWith("ported"))).toEqual(portedFilesIn(folder));
});

test("the table is there after a kill of the service, and goes with a copy into another folder", async () => {
  command("ported", "import", await csvOf("numbers.csv", 10, "Irancell"));
  const copy = join(area.path, "copies", "copy.db");
  await Bun.write(join(area.path, "copies", "keep"), "");
  command("backup", "create", copy);
  await peyk.kill();
  peyk = await PeykProcess.start({ folder });
  expect(command("ported", "find", "+989120000001")).toMatchObject({ network: "Irancell", source: "ported" });
  await peyk.stop();
  folder = join(area.path, "other");
  command("backup", "restore", copy);
  peyk = await PeykProcess.start({ folder });
  expect(command("ported", "show").table).toMatchObject({ numbers: 10, problem: null });
  expect(command("ported", "find", "+989120000001")).toMatchObject({ network: "Irancell", source: "ported" });
  await eventually(() => portedFilesIn(folder).length === 1);
});
