/** Why a copy of the database cannot be made or used: every code has its words in both languages, and the page says them in the reader's. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { sentenceOf } from "../../src/domain/coded.ts";
import { type CodedCopyProblem, englishCopyProblems } from "../../src/platform/copy-problem.ts";
import { persianCopyProblems } from "../../src/words/fa/copy-problem.ts";
import { type ConsoleProcess, signedInAs, startConsole } from "../support/console.ts";
import { latinTexts } from "../support/latin-texts.ts";
import { replyOf } from "../support/reply.ts";

const folder = "/var/lib/peyk/backups";
const file = `${folder}/peyk-20261121T031700Z.db`;

const problems: readonly CodedCopyProblem[] = [
  { code: "copy_absent", values: { file } },
  { code: "copy_unreadable", values: { file, reason: "permission is denied" } },
  { code: "no_database", values: { file, reason: "file is not a database" } },
  { code: "other_database", values: { file } },
  { code: "never_set_up", values: { file } },
  { code: "newer_schema", values: { file, schema: 90, known: 80 } },
  { code: "wrong_sum", values: { file } },
  { code: "damaged", values: { file, findings: ["row 7 missing from index message_due"] } },
  { code: "damaged", values: { file, findings: ["Page 9: never used", "Page 10: never used"] } },
  { code: "no_room", values: { folder, freeMib: 12, wantedMib: 1_240 } },
  { code: "not_made", values: { file, reason: "permission is denied" } },
  { code: "source_unreadable", values: { folder, reason: "permission is denied" } },
  { code: "folder_unusable", values: { folder, reason: "it does not exist" } },
  { code: "closed_to_owner", values: { folder, closed: "/root" } },
  { code: "stray_rows", values: { file, rows: 1, tables: ["message"] } },
  { code: "stray_rows", values: { file, rows: 3, tables: ["message", "sender"] } },
];

/** Names and SQLite's own words are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;

describe("the reason why a backup cannot be made or used", () => {
  test("has a sample in this test for every code", () => {
    expect(new Set(problems.map(({ code }) => String(code)))).toEqual(new Set(Object.keys(englishCopyProblems)));
  });

  test("is a sentence in both languages", () => {
    for (const problem of problems) {
      expect(sentenceOf(problem, englishCopyProblems)).toContain(folder);
      const told = sentenceOf(problem, persianCopyProblems);
      expect(told).toMatch(/^[\u0600-\u06ff].*\.$/);
      expect(told.replace(isolated, "")).not.toMatch(/[A-Za-z0-9]/);
    }
  });
});

describe("the backups page", () => {
  let server: ConsoleProcess;

  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server.stop());

  test("shows the reason in Persian to a Persian reader", async () => {
    const name = "peyk-20260105T120000Z.db";
    await Bun.write(join(server.folder, "backups", name), "no database at all");
    const operator = await signedInAs(server, "operator");
    await operator.post("/preferences", { language: "fa" });
    await operator.post(`/backups/${name}/check`);
    const state = async () => (await replyOf(server.api("GET /backups"))).data?.copies[0]?.check?.state;
    while ((await state()) === "running") await Bun.sleep(20);
    const page = await (await operator.get("/backups")).text();
    expect(page).toContain("این فایل نسخهٔ کاملی از پایگاه داده نیست");
    expect(page).not.toContain("is no whole copy");
  });

  test("says in Persian why a backup was not made", async () => {
    const backups = join(server.folder, "backups");
    rmSync(backups, { recursive: true, force: true });
    // There is no room for anything on it.
    symlinkSync("/proc", backups);
    const operator = await signedInAs(server, "operator", { name: "second" });
    await operator.post("/preferences", { language: "fa" });
    await operator.post("/backups");
    const answer = async () => (await replyOf(server.api("GET /backups"))).data;
    while ((await answer())?.makingSince !== null) await Bun.sleep(20);
    rmSync(backups);
    expect(await answer()).toMatchObject({
      failure: expect.stringContaining(`${backups} has 0 MiB left, and a copy may need`),
      failureProblem: { code: "no_room", values: { folder: backups, freeMib: 0 } },
    });
    const page = await (await operator.get("/backups")).text();
    expect(page).toContain("جا مانده و نسخه ممکن است");
    expect(await latinTexts(page)).toEqual([]);
  });
});
