import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  assertCallbacks,
  assertFeatures,
  assertReplays,
  assertSent,
  assertSettings,
  type FirstData,
} from "../support/first-data.ts";
import { createFirstService, type FirstService } from "../support/first-service.ts";
import { temporaryFolder } from "../support/test-server.ts";

const fixture = (ending: string) =>
  readFileSync(join(import.meta.dir, `../fixtures/data-of-553085a.${ending}`), "utf8");
/** How long after the start the scheduled message is due. */
const scheduledAfterMs = 5_000;

const folder = temporaryFolder();
let service: FirstService;
let data: FirstData;

/** As if the first build had left it a moment ago, beside the carrier and the receiver of this run. */
function restore({ data: path, carrierPort, receiverPort }: FirstService): FirstData {
  const { secretKey, ...left }: FirstData & { secretKey: string } = JSON.parse(fixture("json"));
  const dueAt = Date.now() + scheduledAfterMs;
  const shiftMs = dueAt - Date.parse(left.scheduled.sendAt);
  const sql = fixture("sql")
    // Epoch milliseconds of these years.
    .replaceAll(/\b1[6-9]\d{11}\b/g, (time) => String(Number(time) + shiftMs))
    .replaceAll("CARRIER", String(carrierPort))
    .replaceAll("RECEIVER", String(receiverPort));
  const database = new Database(join(path, "peyk.db"), { create: true });
  database.exec(sql);
  database.close();
  writeFileSync(join(path, "secret.key"), secretKey, { mode: 0o600 });
  return { ...left, scheduled: { ...left.scheduled, sendAt: new Date(dueAt).toISOString() } };
}

beforeAll(async () => {
  service = await createFirstService(folder.path);
  data = restore(service);
  rmSync(join(service.files, "closed"));
  await service.start();
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe("a data folder and settings of the first build, opened by this one", () => {
  test("settings keep their meaning", () => assertSettings(service.installation, `--config ${service.data}/peyk.toml`));
  test("patterns, groups and one-time passwords go on", () => assertFeatures(service.installation, data));
  test("waiting and scheduled messages go out, once each", () => assertSent(service.installation, data), 60_000);
  test("failed deliveries come again, signed as before", () => assertCallbacks(service.installation, data), 60_000);
  test("stored Idempotency-Keys replay, and tell another payload apart", () =>
    assertReplays(service.installation, data));
});
