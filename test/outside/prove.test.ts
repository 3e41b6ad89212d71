/** `peyk prove` on a folder beside live data, with a PostgreSQL of its own: what it tries, what it tells, and what it leaves alone. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFileOrNull } from "../../src/cli/io.ts";
import { prove } from "../../src/cli/prove.ts";
import { PeykProcess } from "../support/peyk-process.ts";
import { type PostgresPair, startPostgres } from "../support/postgres.ts";
import { programAt } from "../support/programs.ts";
import { temporaryFolder } from "../support/test-server.ts";

const hasPostgres = programAt("initdb") !== null;
const folder = temporaryFolder();
const elsewhere = temporaryFolder();
const minutes = 0.25;
let postgres: PostgresPair | null = null;

beforeAll(async () => {
  postgres = hasPostgres ? await startPostgres() : null;
  await postgres?.primary.createDatabase("peyk");
  const peyk = await PeykProcess.start({ folder: folder.path });
  await peyk.send(await peyk.customer());
  await peyk.stop();
}, 180_000);
afterAll(async () => {
  await postgres?.remove();
  folder.remove();
  elsewhere.remove();
});

const contentOf = () =>
  readdirSync(folder.path).map((name) => {
    const { mtimeMs } = statSync(join(folder.path, name));
    return { name, mtimeMs, sum: Bun.hash(readFileSync(join(folder.path, name))) };
  });

test("kills, a full disk, a restore and a take-over lose nothing, and leave the live data as it is", async () => {
  const before = contentOf();
  const engineFile = join(elsewhere.path, "engine");
  writeFileSync(engineFile, `${postgres?.primary.address("peyk") ?? ""}\n`, { mode: 0o600 });
  const said: Record<"out" | "err", string[]> = { out: [], err: [] };
  const io = {
    env: hasPostgres ? { PEYK_CLUSTER_ENGINE_FILE: engineFile } : {},
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    readFile: readFileOrNull,
    stream: async () => {},
    readStdin: async () => "",
    errIsTerminal: false,
    outIsTerminal: false,
  };
  await prove(io, { dataDir: folder.path, json: true }, minutes);
  const told = JSON.parse(said.out.join(""));
  expect(told).toMatchObject({
    isProved: true,
    findings: [],
    control: { isRemovalFound: true, isAmountFound: true },
    callbacks: { findings: [], isControlFound: true },
    fsync: expect.stringContaining("ms"),
  });
  expect(told.acknowledged).toBeGreaterThan(100);
  expect(told.restored).toBeGreaterThan(50);
  expect(told.callbacks.events).toBeGreaterThan(told.acknowledged);
  expect(told.callbacks.refused).toBeGreaterThan(0);
  expect(told.kills).toBeGreaterThan(0);
  if (programAt("prlimit") !== null) expect(told.fullDisk.refusals).toBeGreaterThan(0);
  if (hasPostgres) expect(told.takeOver).toMatchObject({ findings: [] });
  expect(said.err.join("")).toContain("killed");
  expect(contentOf()).toEqual(before);
  const databases = await postgres?.primary.run("SELECT datname FROM pg_database WHERE datname LIKE 'peyk_prove%'");
  expect(databases ?? []).toEqual([]);
}, 300_000);
