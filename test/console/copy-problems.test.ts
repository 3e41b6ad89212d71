/** Why a copy of the database cannot be used: every code has its words in both languages, and the page says them in the reader's. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { persianCopyProblems } from "../../src/console/words/fa/copy-problem.ts";
import { type CodedCopyProblem, copyProblemText, englishCopyProblems } from "../../src/platform/copy-problem.ts";
import { type ConsoleProcess, signedInAs, startConsole } from "../support/console.ts";

const file = "/var/lib/peyk/backups/peyk-20261121T031700Z.db";

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
  { code: "stray_rows", values: { file, rows: 1, tables: ["message"] } },
  { code: "stray_rows", values: { file, rows: 3, tables: ["message", "sender"] } },
];

/** Names and SQLite's own words stand between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;

describe("why a copy cannot be used", () => {
  test("has a sample here for every code", () => {
    expect(new Set(problems.map(({ code }) => String(code)))).toEqual(new Set(Object.keys(englishCopyProblems)));
  });

  test("is a sentence in both languages", () => {
    for (const problem of problems) {
      expect(copyProblemText(problem)).toContain(file);
      const told = copyProblemText(problem, persianCopyProblems);
      expect(told).toMatch(/^[\u0600-\u06ff].*\.$/);
      expect(told.replace(isolated, "")).not.toMatch(/[A-Za-z0-9]/);
    }
  });
});

describe("the page of copies", () => {
  let server: ConsoleProcess;

  beforeAll(async () => {
    server = await startConsole();
  });
  afterAll(() => server.stop());

  test("says it in Persian to who reads Persian", async () => {
    const name = "peyk-20260105T120000Z.db";
    await Bun.write(join(server.folder, "backups", name), "no database at all");
    const operator = await signedInAs(server, "operator");
    await operator.post("/preferences", { language: "fa" });
    await operator.post(`/backups/${name}/check`);
    const state = async () => (await server.api.backups.get()).data?.copies[0]?.check?.state;
    while ((await state()) === "running") await Bun.sleep(20);
    const page = await (await operator.get("/backups")).text();
    expect(page).toContain("این فایل نسخهٔ کاملی از پایگاه داده نیست");
    expect(page).not.toContain("is no whole copy");
  });
});
