/** Groups, patterns and the fraud guard from the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewText } from "../../src/cli/group-import.ts";
import { callerAt } from "../support/caller.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  await server.senders.add(1, "30001", true, []);
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> =>
  runCli([...argv, "--data-dir", server.folder], { env: { USER: "maryam" } });

async function json(...argv: string[]): Promise<unknown> {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out.trim().split("\n")).toHaveLength(1);
  return JSON.parse(run.out);
}

function csv(content: string | Uint8Array): string {
  const path = join(server.folder, "members.csv");
  writeFileSync(path, content);
  return path;
}

const createGroup = () => json("group", "create", "--account", "acc_1", "--code", "spring", "--name", "Spring");

describe("peyk group", () => {
  test("creates, imports, approves, lists, shows and suspends", async () => {
    expect(await createGroup()).toMatchObject({ account: "acc_1", code: "spring", status: "draft", recipientCount: 0 });
    const file = csv("موبایل;نام;شهر\n۰۹۱۲۱۲۳۴۵۶۷;علی;تهران\n09121234568;سارا;\n00989121234567;;\n");
    expect(await json("group", "import", "spring", "--csv", file)).toEqual({
      code: "spring",
      members: 2,
      merged: 1,
      ignoredColumns: ["شهر"],
      repeated: [{ line: 4, firstLine: 2, recipient: "+989121234567" }],
    });
    expect(await json("group", "approve", "spring")).toMatchObject({
      status: "approved",
      recipientCount: 2,
      approvedBy: "maryam",
      draft: null,
    });
    await json("group", "suspend", "spring", "--by", "reza");
    expect(await json("group", "list", "--account", "acc_1")).toMatchObject([{ code: "spring", status: "suspended" }]);
    expect(await json("group", "show", "spring")).toMatchObject({
      decisions: [
        { action: "approved", by: "maryam", recipientCount: 2 },
        { action: "suspended", by: "reza", recipientCount: 2 },
      ],
    });
  });

  test("an import reports merged lines, ignored columns and the next command", async () => {
    expect((await peyk("group", "list")).out).toContain("peyk group create");
    const created = await peyk("group", "create", "--account", "acc_1", "--code", "spring", "--name", "Spring");
    expect(created.out).toContain("peyk group import spring --csv FILE");
    const repeats = Array.from({ length: 25 }, () => "09121234567").join("\n");
    const run = await peyk("group", "import", "spring", "--csv", csv(`mobile,city\n${repeats}\n`));
    expect(run.out).toContain("1 member is in the draft of spring.");
    expect(run.out).toContain("24 lines repeated a number");
    expect(run.out).toContain("line 3 repeats line 2 (+989121234567)");
    expect(run.out).toContain("and 4 more");
    expect(run.out).toContain("Ignored columns: city");
    expect(run.out).toContain("peyk group approve spring");
    await peyk("group", "approve", "spring");
    expect((await peyk("group", "show", "spring")).out).toMatch(/DECISION.*\n.*approved +maryam +1\n/);
    expect((await peyk("group", "list")).out).toMatch(/acc_1 +spring +Spring +approved +1 /);
  });

  test("an import is previewed first, and columns are named when the header does not say what they hold", async () => {
    await createGroup();
    const file = csv("شهر,مشتری,تماس\nتهران,سارا,09121234567\nقم,علی,0912\n");
    const preview = await json("group", "import", "spring", "--csv", file, "--preview");
    expect(preview).toMatchObject({ columns: ["-", "-", "mobile"], header: true, members: 1, problemCount: 1 });
    const seen = await peyk("group", "import", "spring", "--csv", file, "--preview", "--columns", "-,fullName,mobile");
    expect(seen.out).toMatch(/- +fullName +mobile *\nتهران +سارا +09121234567 *\n/);
    expect(seen.out).toContain(
      "1 number, 0 lines repeated, 1 wrong. Nothing was imported.\nline 3: “0912” is no mobile number\n",
    );
    const bare = csv("09121234567,سارا\n09127654321,علی\n");
    const chosen = ["--columns", "mobile,firstName", "--no-header"];
    expect(await json("group", "import", "spring", "--csv", bare, ...chosen)).toMatchObject({ members: 2 });
    const wrong = await peyk("group", "import", "spring", "--csv", bare, "--columns", "phone,-", "--preview");
    expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining("columns")]);
  });

  test("a preview reports a file with more numbers than a group may have members", () => {
    const found = {
      header: true,
      sample: [],
      repeated: 0,
      problems: [],
      problemCount: 0,
      canLeaveOut: false,
      membersMax: 50_000,
    };
    const text = (members: number) => previewText({ ...found, columns: ["mobile"], members });
    expect(text(50_001)).toContain("A group has at most 50000 members");
    expect(text(50_000)).not.toContain("at most");
  });

  test("an import names every wrong line and imports nothing", async () => {
    await createGroup();
    const path = csv("mobile,firstName\n09121234567,Ali\n0912,bad\n,none\n");
    const run = await peyk("group", "import", "spring", "--csv", path);
    expect(run).toMatchObject({ code: 1, out: "" });
    expect(run.err).toContain(`${path} has 2 problems, and nothing was imported:`);
    expect(run.err).toContain("line 3: “0912” is no mobile number");
    expect(run.err).toContain("line 4: has no mobile number");
    const told = JSON.parse((await peyk("group", "import", "spring", "--csv", path, "--json")).err);
    expect(told).toMatchObject({ code: "members_invalid", problems: [{ key: "line 3" }, { key: "line 4" }] });
    expect(await json("group", "show", "spring")).toMatchObject({ draft: { recipientCount: 0 } });
  });

  test("an import refuses a file that is not UTF-8 or missing", async () => {
    await createGroup();
    const windows = Uint8Array.of(...new TextEncoder().encode("mobile,firstName\n09121234567,"), 0xda, 0x0a);
    expect((await peyk("group", "import", "spring", "--csv", csv(windows))).err).toContain("UTF-8");
    expect(await peyk("group", "import", "spring", "--csv", "/nowhere/members.csv")).toMatchObject({ code: 1 });
  });

  test("an import reads standard input and draws its progress on a terminal", async () => {
    await createGroup();
    const lines = Array.from({ length: 2_000 }, (_, index) => `0912${1_000_000 + index}`);
    const stdin = `mobile\n${lines.join("\n")}\n`;
    const argv = ["group", "import", "spring", "--csv", "-", "--data-dir", server.folder];
    expect((await runCli(argv, { stdin })).err).toBe("");
    const watched = await runCli(argv, { stdin, errIsTerminal: true });
    expect(watched.code).toBe(0);
    expect(watched.err).toMatch(/█+░+ \d+ %/);
    expect(watched.err).toContain("100 %");
    expect(watched.err.endsWith("\r\u001b[K")).toBe(true);
  });

  test("asks for --account when two accounts have a group with the same code", async () => {
    await server.accounts.create("City");
    await createGroup();
    await json("group", "create", "--account", "acc_2", "--code", "spring", "--name", "Other");
    const refused = await peyk("group", "approve", "spring");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("--account");
    await json("group", "import", "spring", "--account", "acc_2", "--csv", csv("mobile\n09351234567\n"));
    expect(await json("group", "approve", "spring", "--account", "acc_2")).toMatchObject({ account: "acc_2" });
    expect((await peyk("group", "import", "spring", "--csv", csv("mobile\n09121234567\n"))).code).toBe(1);
    expect(
      await json("group", "import", "spring", "--account", "acc_1", "--csv", csv("mobile\n09121234567\n")),
    ).toMatchObject({
      members: 1,
    });
  });

  test("refuses invalid input", async () => {
    await createGroup();
    for (const [argv, words] of [
      [["create", "--account", "acc_1", "--code", "spring", "--name", "x"], "already"],
      [["create", "--account", "acc_9", "--code", "spring", "--name", "x"], "no such account"],
      [["create", "--account", "acc_1", "--code", "a b", "--name", "x"], "letters, digits"],
      [["approve", "autumn"], "no group autumn"],
      [["show", "autumn"], "no group autumn"],
    ] as const) {
      const run = await peyk("group", ...argv);
      expect(run.code).toBe(1);
      expect(run.err).toContain(words);
    }
    await peyk("group", "approve", "spring");
    expect((await peyk("group", "approve", "spring")).err).toContain("Import members first");
  });

  test("refuses to approve a group without members", async () => {
    await createGroup();
    expect(await peyk("group", "approve", "spring")).toMatchObject({
      code: 1,
      err: "peyk: The group spring has no members. Import members first: peyk group import spring --csv FILE\n",
    });
    expect((await peyk("group", "show", "spring")).out).toMatch(/Status +draft/);
    await json("group", "import", "spring", "--csv", csv("mobile\n09121234567\n"));
    expect(await json("group", "approve", "spring")).toMatchObject({ recipientCount: 1 });
  });
});

describe("peyk pattern", () => {
  const add = (...more: string[]) => [
    "pattern",
    "add",
    "--account",
    "acc_1",
    "--code",
    "ready",
    "--name",
    "Ready",
    "--text",
    "Dear {{name}}, {{order}} is ready.",
    ...more,
  ];

  test("adds a pattern with the size of its text, approves, lists, shows and suspends it", async () => {
    const added = await peyk(...add("--max", "order=8", "--max", "name=120", "--sender", "30001"));
    expect(added.out).toMatch(/At its longest, in Latin letters +Latin, 145 characters, 1 part\n/);
    expect(added.out).toMatch(/At its longest, in Persian letters +Persian, 145 characters, 3 parts\n/);
    expect(added.out).toContain("name (at most 120), order (at most 8)");
    expect(added.out).toContain("peyk pattern approve ready");
    expect(await json("pattern", "approve", "ready")).toMatchObject({ status: "approved", approvedBy: "maryam" });
    expect(await json("pattern", "list")).toMatchObject([
      {
        account: "acc_1",
        code: "ready",
        sender: "30001",
        variables: [
          { name: "name", maxLength: 120 },
          { name: "order", maxLength: 8 },
        ],
        preview: { persian: { partCount: 3 } },
      },
    ]);
    await json("pattern", "suspend", "ready");
    expect((await peyk("pattern", "show", "ready")).out).toMatch(/approved +maryam.*suspended +maryam/s);
    expect((await peyk("pattern", "list")).out).toMatch(/ready +Ready +suspended/);
  });

  test("warns of a variable written in single braces", async () => {
    const add = (text: string) =>
      peyk("pattern", "add", "--account", "acc_1", "--code", "one", "--name", "One", "--text", text);
    const { code, err } = await add("Dear {name}, {{order}} of { name } costs {5}");
    expect(code).toBe(0);
    expect(err.split("\n").filter((line) => line.includes("{{name}}"))).toHaveLength(1);
    expect((await add("Dear {{name}}")).err).toBe("");
    expect((await add("Dear {{name}")).err).toBe(
      "peyk: {{name} is sent as it is. A variable has two braces: {{name}}\n",
    );
    expect((await add("Dear {name}}")).err).toContain("{name}} is sent as it is");
  });

  test("lists every mistake in a pattern", async () => {
    const run = await peyk(...add("--max", "colour=3"));
    expect(run.code).toBe(1);
    expect(run.err).toContain("the text has no variable {{colour}}");
    expect(await peyk(...add("--max", "order"))).toMatchObject({ code: 2 });
    expect(await peyk(...add("--max", "order=0"))).toMatchObject({ code: 2 });
    expect((await peyk(...add("--sender", "40000"))).err).toContain("no such sender");
    expect((await peyk("pattern", "list")).out).toContain("peyk pattern add --help");
  });
});

describe("peyk otp guard", () => {
  test("shows where codes were sent and which were held back", async () => {
    expect((await peyk("otp", "guard")).out).toContain("No codes were sent");
    const send = (index: number) =>
      server.otp.service.codes.send(
        callerAt(server.clock.now()),
        { key: `k${index}`, operation: "POST /v1/otp/codes", payloadHash: new Uint8Array(32) },
        { sender: "30001", recipient: `+98912123000${index}`, code: "1234" },
      );
    await send(1);
    await send(2);
    await expect(send(3)).rejects.toMatchObject({ code: "otp_rate_limited" });
    expect(await json("otp", "guard")).toMatchObject({
      on: true,
      alarms: [],
      ranges: [{ account: "acc_1", range: "+98912123", sends: 2, held: 1 }],
    });
    expect((await peyk("otp", "guard")).out).toMatch(/acc_1 +\+98912123… +\S+ \S+ +2 +0 +0 +1\n/);
  });

  test("raises an alarm that peyk status shows as a warning", async () => {
    for (let index = 0; index < 20; index += 1) {
      await server.otp.service.challenges.send(
        callerAt(server.clock.now()),
        { key: `c${index}`, operation: "POST /v1/otp/challenges", payloadHash: new Uint8Array(32) },
        { sender: "30001", recipient: `+98912${123 + index}0000`, codeLength: 6, ttlSeconds: 300 },
      );
    }
    expect((await peyk("otp", "guard")).out).toContain("ALARM: of 20 codes of acc_1 only 0 were verified");
    expect((await peyk("status")).out).toContain("Of 20 one-time passwords of acc_1 only 0 were verified");
  });
});
