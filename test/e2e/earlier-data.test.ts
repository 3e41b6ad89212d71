/** Data folders and settings that earlier builds left, opened by this one. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings } from "../../src/config/settings.ts";
import { LocalCalendar } from "../../src/domain/local-calendar.ts";
import { type EarlierBuild, earlierBuilds } from "../support/earlier-build.ts";
import {
  assertCallbacks,
  assertFeatures,
  assertReplays,
  assertSent,
  assertSettings,
  type EarlierData,
} from "../support/earlier-data.ts";
import { createEarlierService, type EarlierService } from "../support/earlier-service.ts";
import { laterTests } from "../support/later-data.ts";
import { temporaryFolder } from "../support/test-server.ts";

/** How long after the start the scheduled message is due. */
const scheduledAfterMs = 5_000;

/** As if the build had just stopped, with this run's carrier and receiver. */
function restore(commit: EarlierBuild, { data: path, files, carrierPort, receiverPort }: EarlierService): EarlierData {
  const fixture = (ending: string) =>
    readFileSync(join(import.meta.dir, `../fixtures/data-of-${commit}.${ending}`), "utf8").replaceAll("FILES", files);
  const { secretKey, ...left }: EarlierData & { secretKey: string } = JSON.parse(fixture("json"));
  const dueAt = Date.now() + scheduledAfterMs;
  const shiftMs = dueAt - Date.parse(left.scheduled.sendAt);
  const sql = fixture("sql")
    // Epoch milliseconds of these years.
    .replaceAll(/\b1[6-9]\d{11}\b/g, (time) => String(Number(time) + shiftMs))
    .replaceAll("CARRIER", String(carrierPort))
    .replaceAll("RECEIVER", String(receiverPort));
  const database = new Database(join(path, "peyk.db"), { create: true });
  database.exec(sql);
  if (left.later !== undefined) beginQuotasToday(database);
  database.close();
  writeFileSync(join(path, "secret.key"), secretKey, { mode: 0o600 });
  return { ...left, scheduled: { ...left.scheduled, sendAt: new Date(dueAt).toISOString() } };
}

/** A day or a month cannot be moved by hours. */
function beginQuotasToday(database: Database): void {
  const { defaultTimeZone, defaultCalendar } = defaultSettings();
  const calendar = new LocalCalendar(defaultTimeZone, defaultCalendar);
  for (const period of ["day", "month"] as const) {
    const { startsAt } = calendar[period](Date.now());
    database.run("UPDATE quota SET starts_at = ? WHERE period = ?", [startsAt, period]);
  }
}

for (const commit of earlierBuilds) {
  describe(`data folder and settings of ${commit}, opened by this build`, () => {
    const folder = temporaryFolder();
    let service: EarlierService;
    let data: EarlierData;

    beforeAll(async () => {
      service = await createEarlierService(folder.path, commit);
      data = restore(commit, service);
      rmSync(join(service.files, "closed"));
      await service.start();
    });
    afterAll(async () => {
      await service.stop();
      folder.remove();
    });
    const left = () => ({ service: service.installation, files: service.files, data });

    test("keep the meaning of every setting", () =>
      assertSettings(service.installation, `--config ${service.data}/peyk.toml`));
    test("keep patterns, groups and one-time passwords working", () => assertFeatures(service.installation, data));
    if (commit !== "553085a") laterTests.beforeSent(left);
    test("send waiting and scheduled messages once each", () => assertSent(service.installation, data), 60_000);
    test("repeat failed deliveries, signed as before", () => assertCallbacks(service.installation, data), 60_000);
    test("replay stored Idempotency-Keys, and recognize another payload", () =>
      assertReplays(service.installation, data));
    if (commit !== "553085a") laterTests.onceSent(left);
  });
}
