/** The page of backups and the status tell what is in the bucket, why the newest copy is not, and what is on its way. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { targetLacks, writeTargetState } from "../../src/platform/target-state.ts";
import { type ConsoleProcess, signedInAs, startConsole } from "../support/console.ts";
import { eventually } from "../support/peyk-process.ts";
import { smallS3, smallS3Key } from "../support/small-s3.ts";
import { TargetFolder } from "../support/target-folder.ts";

const madeAt = Date.now() - 5 * 3_600_000;
const copies = { nightly: { name: "peyk-20261120T031700Z.db", madeAt, bytes: 1 } };
const failure = "s3.example.com does not take part 1 (QuotaExceeded: It is full.).";

let server: ConsoleProcess;
beforeAll(async () => {
  const place = { endpoint: "https://s3.example.com", bucket: "copies", keyFile: "/nowhere", publicKey: "age1" };
  server = await startConsole(({ backupTarget }) => ({ backupTarget: { ...backupTarget, ...place } }));
});
afterAll(() => server.stop());

test("a bucket that failed is told with its reason and age, on the page and as a condition", async () => {
  writeTargetState(server.folder, { copies, failure, lacks: ["delete"], upload: null });
  const client = await signedInAs(server, "owner");
  const page = async (language: string) => (await client.get("/backups", { "Accept-Language": language })).text();
  const shown = await page("en");
  for (const words of [
    "https://s3.example.com/copies/peyk/",
    failure,
    targetLacks.delete,
    "The newest copy did not arrive:",
  ])
    expect(shown).toContain(words);
  const persian = await page("fa");
  for (const words of ["تازه‌ترین نسخه نرسید:", "کلید دسترسی اجازهٔ پاک کردن ندارد"]) expect(persian).toContain(words);
  const { conditions, backup } = await server.api("GET /status");
  const words = `The newest copy in the bucket is 5 h old: ${failure.slice(0, -1)}`;
  expect(conditions).toMatchObject([{ code: "BackupTargetFails", words, todo: "peyk backup upload" }]);
  expect(backup).toMatchObject({ shippedAt: new Date(madeAt).toISOString() });
});

test("one that was cut off is not told as being on its way, and a damaged file as no failure of the service", async () => {
  const upload = { name: "recent-20261120T120000Z.db", id: "1", sentBytes: 1, bytes: 2, begunAt: madeAt };
  writeTargetState(server.folder, { copies, failure: null, lacks: [], upload });
  expect(await server.api("GET /backups")).toMatchObject({ target: { failure: null, lacks: [], upload: null } });
  await Bun.write(`${server.folder}/backup-target.json`, "{");
  expect(await server.api("GET /backups")).toMatchObject({
    target: { failure: expect.stringContaining("is damaged") },
  });
});

test("a service brings each frequent copy there, as its settings say, and metrics tell when", async () => {
  const s3 = smallS3();
  using own = new TargetFolder({ endpoint: s3.endpoint }, smallS3Key);
  const { bucket, keyFile, publicKey } = own.settings;
  const service = await startConsole(({ backup, backupTarget }) => ({
    backup: { ...backup, everyMinutes: 15 },
    backupTarget: { ...backupTarget, endpoint: s3.endpoint, bucket, keyFile, publicKey },
  }));
  // The upload is a process of its own, which reads the settings again.
  const lines = Object.entries({ endpoint: s3.endpoint, bucket, key_file: keyFile, public_key: publicKey });
  const text = lines.map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`).join("");
  await Bun.write(`${service.folder}/peyk.toml`, `[backup_target]\n${text}`);
  const isThere = async () => (await service.api("GET /backups")).target?.newestAt != null;
  await eventually(isThere);
  expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^peyk\/recent-\d{8}T\d{6}Z\.db\.age$/)]);
  expect(await service.api("GET /backups")).toMatchObject({ target: { failure: null, lacks: [], upload: null } });
  const metrics = await (await fetch(`${service.consoleUrl}/metrics`)).text();
  expect(metrics).toMatch(/^peyk_last_target_backup_timestamp_seconds 1\d{9}$/m);
  await service.stop();
  await s3.stop();
});
