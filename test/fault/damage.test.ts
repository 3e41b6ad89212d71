/** Damaged pages: the read that hits one, or the nightly check, makes the service not ready and names the newest good copy. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { DamageWatch } from "../../src/platform/damage-watch.ts";
import { runPeyk } from "../../src/platform/peyk-process.ts";
import { eventually, NeverServed, PeykProcess, peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";

const pageBytes = 4_096;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const run = (args: readonly string[]) => runPeyk(args, peykCommand);
const backups = () => join(folder.path, "backups");
const goodCopy = () => join(backups(), "peyk-20260101T031700Z.db");

/** Damages every page that contains `text`. */
function damagePagesWith(file: string, text: string): void {
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at)) {
    const start = at - (at % pageBytes);
    bytes.fill(0xff, start, start + pageBytes);
  }
  writeFileSync(file, bytes);
}

/** A stopped service with a delivered message on a damaged page, a good copy, and a newer one that is damaged as well. */
async function damagedService() {
  const peyk = await PeykProcess.start({ folder: folder.path });
  const customer = await peyk.customer();
  const others = (count: number) =>
    Promise.all(Array.from({ length: count }, () => peyk.send(customer, { message: "y".repeat(600) })));
  await others(40);
  const { body } = await peyk.send(customer, { message: `find-me-${"x".repeat(600)}` });
  // A start reads the acceptance times of the newest thousand; the damaged page is older.
  for (let hundreds = 0; hundreds < 11; hundreds += 1) await others(100);
  const code = body.trackingCode ?? "";
  await eventually(async () => (await peyk.statusOf(customer, code)) === "delivered");
  mkdirSync(backups(), { recursive: true });
  await run(["backup", "create", goodCopy(), "--data-dir", folder.path]).done;
  await peyk.stop();
  const newer = join(backups(), "peyk-20260102T031700Z.db");
  copyFileSync(goodCopy(), newer);
  damagePagesWith(newer, "find-me-");
  damagePagesWith(join(folder.path, "peyk.db"), "find-me-");
  return { customer, code };
}

test(
  "a read that hits a damaged page makes the service not ready, is reported once, and names the newest good copy",
  async () => {
    const { customer, code } = await damagedService();
    const peyk = await PeykProcess.start({ folder: folder.path });
    expect((await fetch(`${peyk.url}/readyz`)).status).toBe(200);
    for (let count = 0; count < 3; count += 1) {
      expect((await peyk.request(customer, `/v1/messages/${code}`)).status).toBe(500);
    }
    expect((await fetch(`${peyk.url}/readyz`)).status).toBe(503);
    await eventually(() => peyk.log.includes("the newest good copy"), 90_000);
    expect(peyk.log.split("the database is damaged").length - 1).toBe(1);
    const { warnings } = await peyk.operate("GET", "/status");
    expect(JSON.stringify(warnings)).toContain(`peyk backup restore ${goodCopy()}`);
    await peyk.stop();
  },
  { timeout: 180_000 },
);

test(
  "the nightly check finds damage that nobody has read, and none in a healthy database",
  async () => {
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    await damagedService();
    const watch = new DamageWatch({ dataDir: folder.path, log, run });
    await watch.check();
    expect(watch.damage()?.reason).toContain("damaged");
    await eventually(() => watch.damage()?.copy === goodCopy(), 90_000);
    expect(lines.join("")).toContain("a copy cannot be restored from");
    const whole = temporaryFolder();
    const peyk = await PeykProcess.start({ folder: whole.path });
    const again = new DamageWatch({ dataDir: whole.path, log, run });
    await again.check();
    expect(again.damage()).toBeNull();
    await peyk.stop();
    whole.remove();
  },
  { timeout: 180_000 },
);

test("a start on a damaged database is refused with the newest copy and the command to restore it", async () => {
  mkdirSync(backups());
  for (const file of [join(folder.path, "peyk.db"), goodCopy()]) writeFileSync(file, "no database".repeat(1_000));
  const refusal: unknown = await PeykProcess.start({ folder: folder.path }).catch((reason: unknown) => reason);
  expect(refusal).toBeInstanceOf(NeverServed);
  expect(String(refusal)).toContain(`The database in ${folder.path} is damaged: `);
  expect(String(refusal)).toContain(`Bring it back:             peyk backup restore ${goodCopy()}`);
});
