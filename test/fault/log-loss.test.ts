/** A log that the disk truncated or lost after an unclean end: a start is refused and says what is missing. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { NeverServed, PeykProcess } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let folder: ReturnType<typeof temporaryFolder>;
let log: string;
let mark: string;
beforeEach(() => {
  folder = temporaryFolder();
  log = join(folder.path, "peyk.db-wal");
  mark = join(folder.path, "peyk.db-synced");
});
afterEach(() => folder.remove());

const sent = 40;

/** A service that accepted messages, one commit each, and was killed. */
async function killed() {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  const codes: string[] = [];
  for (let count = 0; count < sent; count += 1) codes.push((await peyk.send(customer)).body.trackingCode ?? "");
  await peyk.kill();
  return { customer, codes };
}

async function startRefusal(): Promise<string> {
  const refusal: unknown = await PeykProcess.start({ folder: folder.path }).catch((reason: unknown) => reason);
  if (refusal instanceof PeykProcess) await refusal.kill();
  expect(refusal).toBeInstanceOf(NeverServed);
  return String(refusal);
}

test("a start refuses a log whose end is missing", async () => {
  await killed();
  // Old frames and preallocated space follow the newest frame, so the cut goes through its first third.
  truncateSync(log, Math.floor(statSync(log).size / 3));
  const before = readFileSync(log);
  expect(await startRefusal()).toMatch(
    /peyk\.db-wal is damaged: it ends after \d+ pages, but \d+ pages were committed to it/,
  );
  expect(readFileSync(log).equals(before)).toBe(true);
});

test("a start refuses a log of full length that is zeros from some frame on", async () => {
  await killed();
  const bytes = readFileSync(log);
  writeFileSync(log, bytes.fill(0, 32 + 20 * 4_120));
  expect(await startRefusal()).toMatch(/it ends after \d+ pages, but \d+ pages were committed to it/);
});

for (const [what, lose] of Object.entries({
  gone: () => rmSync(log),
  empty: () => truncateSync(log),
  "all zeros": () => writeFileSync(log, new Uint8Array(statSync(log).size)),
})) {
  test(`a start refuses a log that is ${what}`, async () => {
    await killed();
    lose();
    expect(await startRefusal()).toMatch(/peyk\.db-wal is damaged: .*\d+ pages were committed to it/);
  });
}

testWith("strace")("a stop removes the mark and syncs the removal before it removes the log", async () => {
  const trace = join(folder.path, "trace");
  const traced = ["strace", "-f", "-y", "-q", "-s", "0", "-o", trace, "-e", "trace=unlink,ftruncate,fsync"];
  const peyk = await PeykProcess.start({ folder: join(folder.path, "data"), prefix: traced });
  await peyk.send(await peyk.customer());
  expect(await peyk.stop()).toBe(0);
  const calls = readFileSync(trace, "utf8").split("\n");
  const markGone = calls.findIndex((line) => /unlink\(".*peyk\.db-synced"/.test(line));
  const synced = calls.findIndex((line, index) => index > markGone && /fsync\(\d+<\S+\/data>\)/.test(line));
  const emptied = calls.findIndex((line) => /(ftruncate\(\d+<\S+-wal>|unlink\(".*peyk\.db-wal")/.test(line));
  expect(markGone).toBeGreaterThan(-1);
  expect(synced).toBeGreaterThan(markGone);
  expect(emptied).toBeGreaterThan(synced);
});

test("a whole log is recovered, and a stop leaves neither log nor mark", async () => {
  const { customer, codes } = await killed();
  const peyk = await PeykProcess.start({ folder: folder.path });
  for (const code of codes) expect((await peyk.request(customer, `/v1/messages/${code}`)).status).toBe(200);
  expect(existsSync(mark)).toBe(true);
  expect(await peyk.stop()).toBe(0);
  expect({ log: existsSync(log), mark: existsSync(mark) }).toEqual({ log: false, mark: false });
});
