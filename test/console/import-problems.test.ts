/** What is wrong with a line of an import: every code has its words in both languages, and the pages say them in the reader's. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { importProblemSentence } from "../../src/console/page/import-problem.ts";
import { englishImportProblems, type ImportProblem, importProblemOf } from "../../src/domain/import-problem.ts";
import { memberColumns } from "../../src/domain/member-columns.ts";
import {
  type ConsoleProcess,
  chooseFile,
  type FormClient,
  importChosen,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

const now = Date.UTC(2026, 10, 21, 18, 5);
const english = createLocale({ language: "en", zone: "Asia/Tehran", now });
const persian = createLocale({ language: "fa", zone: "Asia/Tehran", now });

const samples: readonly (readonly [ImportProblem, string])[] = [
  [importProblemOf("not_utf8", {}), "is not UTF-8; save the file as “CSV UTF-8” and try again"],
  [
    importProblemOf("zero_byte", {}),
    "holds a zero byte, so the file is not text; save it as “CSV UTF-8” and try again",
  ],
  [
    importProblemOf("line_too_long", { max: 65_536 }),
    "has more than 65536 characters; each line of the file holds one number",
  ],
  [importProblemOf("empty_file", {}), "the file is empty; its first line must name the columns"],
  [importProblemOf("unreadable_line", { reason: "Max Record Size" }), "Max Record Size"],
  [importProblemOf("quote_not_closed", {}), "a quotation mark opens and never closes"],
  [importProblemOf("text_after_quote", {}), "text follows the closing quotation mark of a field"],
  [importProblemOf("field_over_lines", {}), "a field goes on over the line's end; is a quotation mark not closed?"],
  [importProblemOf("column_named_twice", { column: "mobile" }), "two columns of the header are the mobile"],
  [importProblemOf("column_chosen_twice", { column: "lastName" }), "two columns were chosen as the lastName"],
  [
    importProblemOf("mobile_not_named", { found: ["City", "Tel."], known: memberColumns }),
    "the header names no column “mobile” (or “موبایل”), only “City”, “Tel.”; known are mobile, firstName, lastName, fullName",
  ],
  [importProblemOf("mobile_not_chosen", {}), "no column was chosen as the mobile number"],
  [importProblemOf("too_many_fields", { fields: 4, columns: 2 }), "has 4 fields, and the header 2"],
  [importProblemOf("no_mobile_number", {}), "has no mobile number"],
  [importProblemOf("not_mobile", { value: "0912 34" }), "“0912 34” is no mobile number"],
  [importProblemOf("name_too_long", { column: "firstName", max: 100 }), "the firstName has more than 100 characters"],
  [importProblemOf("name_control_character", { column: "fullName" }), "the fullName holds a control character"],
  [importProblemOf("name_not_utf8", { column: "fullName" }), "the fullName holds letters that were not UTF-8"],
  [importProblemOf("too_many_digits", { number: "+1234567890123456" }), "+1234567890123456 has too many digits"],
  [importProblemOf("too_many_members", { max: 50_000 }), "a group may have 50000 members (setting groups.members_max)"],
  [importProblemOf("no_members", {}), "the file holds no member"],
  [importProblemOf("no_numbers", {}), "the file holds no number"],
];

/** Names and cells are between these marks. */
const isolated = /\u2068[^\u2069]*\u2069/g;

describe("a wrong line of an import", () => {
  test("has a sample in this test for every code", () => {
    expect(new Set(samples.map(([{ code }]) => String(code)))).toEqual(new Set(Object.keys(englishImportProblems)));
  });

  test("is explained in both languages", () => {
    for (const [problem, words] of samples) {
      expect(importProblemSentence(problem, english)).toBe(words);
      const told = importProblemSentence(problem, persian);
      expect(told).toMatch(/[\u0600-\u06ff].*[.؟]$/);
      expect(told.replace(isolated, "")).not.toMatch(/[A-Za-z0-9]/);
    }
  });
});

describe("wrong lines in the console", () => {
  let server: ConsoleProcess;
  let operator: FormClient;

  beforeAll(async () => {
    server = await startConsole();
    await server.api("POST /accounts", { name: "Shop" });
    await server.api("POST /groups", { account: "acc_1", code: "spring", name: "Spring" });
    operator = await signedInAs(server, "operator");
    await operator.post("/preferences", { language: "fa" });
  });
  afterAll(() => server.stop());

  /** What is shown with the wrong lines: of the preview, and of the import that is started anyway. */
  async function wrongLines(chooseAt: string, importAt: string): Promise<string[][]> {
    const form = new FormData();
    form.set("file", new File(["mobile,firstName\n0912 34,Ali\n,Sara\n09121234567,Reza,more\n"], "spring.csv"));
    const preview = (await operator.postForm(chooseAt, form)).headers.get("location") ?? "";
    const previewed = await (await operator.get(preview)).text();
    const [, file = ""] = /preview\/([^?]+)/.exec(preview) ?? [];
    const run = (await operator.post(importAt.replace(":file", file), {})).headers.get("location") ?? "";
    let page = "";
    do page = await (await operator.get(run)).text();
    while (page.includes('hx-trigger="every 1s"'));
    return [previewed, page].map(refusedIn);
  }

  function refusedIn(page: string): string[] {
    const [list = ""] = /<ul class="refused">.*?<\/ul>/s.exec(page) ?? [];
    return [...list.matchAll(/<li>.*?<\/li>/gs)].map(([item]) =>
      item
        .replace(/<[^>]*>/g, " ")
        .replace(/ +/g, " ")
        .trim(),
    );
  }

  const reasons = ["\u20680912 34\u2069 شمارهٔ همراه نیست.", "شمارهٔ همراه ندارد.", "۳ خانه دارد و سطر نخست ۲."];
  const cells = ["0912 34,Ali", ",Sara", "09121234567,Reza,more"];
  const told = (values: readonly string[]) =>
    reasons.map((reason, at) => ["سطر", "۲۳۴"[at], values[at], reason].filter(Boolean).join(" "));

  test("of a group are explained in Persian, before and after the import", async () => {
    expect(
      await wrongLines("/groups/spring/preview?account=acc_1", "/groups/spring/import/:file?account=acc_1"),
    ).toEqual([told([]), told(cells)]);
  });

  test("are left out of an import of numbers, and offered as CSV with the reasons in the reader's language", async () => {
    const preview = await chooseFile(
      operator,
      "/suppression/preview",
      "mobile,firstName\n0912 34,\n09121234567,Ali\n09121234568,\n",
    );
    const page = await (await operator.get(preview)).text();
    expect(page).toContain("وارد کردن بدون ۱ سطر نادرست");
    expect([...page.matchAll(/<option value="([^"]+)" selected/g)].map(([, column]) => column)).toEqual([
      "mobile",
      "-",
    ]);
    const { html, path } = await importChosen(operator, preview, {
      "column-0": "mobile",
      "column-1": "-",
      header: "yes",
      leaveOut: "1",
    });
    expect(html).toContain("۲ شماره افزوده شد؛ ۰ شماره از پیش بود. ۱ سطر نادرست کنار گذاشته شد");
    expect(await (await operator.get(`${path}/refused`)).text()).toBe(
      'line,value,reason\r\n2,"0912 34,",\u20680912 34\u2069 شمارهٔ همراه نیست.\r\n',
    );
    const { data } = await replyOf(server.api("GET /suppressions", {}));
    expect(data?.numbers.map(({ number }) => number)).toEqual(["+989121234567", "+989121234568"]);
  });

  test("of a suppression list are explained in Persian, too", async () => {
    expect(await wrongLines("/suppression/preview", "/suppression/import/:file")).toEqual([told([]), told(cells)]);
  });
});
