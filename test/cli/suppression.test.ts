/** `peyk suppression`: lists of numbers by hand and by file, with their entries in the audit. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";
import { peykCommand } from "../support/peyk-process.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { testWith } from "../support/wants.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

async function json(...argv: string[]): Promise<unknown> {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

async function listed(...options: string[]): Promise<{ numbers: unknown[]; nextCursor: string | null }> {
  const { out } = await peyk("suppression", "list", ...options, "--json");
  return JSON.parse(out);
}

function fileOf(...lines: string[]): string {
  const path = join(server.folder, "numbers.csv");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

test("peyk suppression adds, shows, lists and removes numbers, for all accounts and for one", async () => {
  const entry = { account: null, number: "+989121234567", source: "operator", detail: "court" };
  expect(await json("suppression", "add", "۰۹۱۲ ۱۲۳ ۴۵۶۷", "--note", "court")).toMatchObject(entry);
  await json("suppression", "add", "09121234567", "--account", "acc_1");
  await json("suppression", "add", "09121234568", "--account", "acc_1");
  expect(await json("suppression", "show", "09121234567")).toMatchObject([entry, { account: "acc_1" }]);
  const first = await json("suppression", "list", "--account", "acc_1", "--limit", "1");
  expect(first).toMatchObject({ numbers: [{ number: "+989121234567" }], nextCursor: "989121234567" });
  const rest = await peyk("suppression", "list", "--account", "acc_1", "--cursor", "989121234567");
  expect(rest.out).toMatch(/^NUMBER .*\n\+989121234568 +acc_1 +operator +- +2026/);
  expect((await peyk("suppression", "remove", "09121234567")).out).toBe(
    "+989121234567 is off the list of all accounts.\n",
  );
  expect((await peyk("suppression", "list", "--global")).out).toBe("No number is on it.\n");
  const missing = await peyk("suppression", "remove", "09121234567");
  expect(missing).toMatchObject({ code: 1, err: "peyk: The number is not on this list.\n" });
  expect((await peyk("suppression", "add", "12")).err).toBe('peyk: number: "12" is no mobile number\n');
  expect((await peyk("suppression", "add", "09121234567", "--account", "acc_9")).err).toContain("no such account");
});

test("peyk suppression list shows every list with its owner, page by page", async () => {
  expect((await peyk("suppression", "list")).out).toBe("No number is on any list.\n");
  await server.accounts.create("Shop");
  for (const list of [["--account", "acc_2"], ["--account", "acc_1"], []]) {
    for (const number of ["09121234568", "09121234567"]) await json("suppression", "add", number, ...list);
  }
  const all = await peyk("suppression", "list");
  const rows = all.out.trimEnd().split("\n").slice(1);
  const places = ["all accounts", "acc_1", "acc_2"].flatMap((list) => [
    `+989121234567  ${list}`,
    `+989121234568  ${list}`,
  ]);
  expect(rows.map((row) => row.replace(/ +operator .*/, ""))).toEqual(places);
  const paged: unknown[] = [];
  for (let more: string[] = []; ; ) {
    const page = await listed("--limit", "4", ...more);
    paged.push(...page.numbers);
    if (page.nextCursor === null) break;
    more = ["--cursor", page.nextCursor];
  }
  expect(paged).toEqual((await listed()).numbers);
  expect(paged).toHaveLength(6);
  expect((await listed("--global")).numbers).toHaveLength(2);
  const both = await peyk("suppression", "list", "--global", "--account", "acc_1");
  expect(both).toMatchObject({ code: 1, err: "peyk: global: asks for another list than account\n" });
});

test("peyk suppression imports a file as a whole and exports what an import accepts again", async () => {
  const path = fileOf("mobile;note", "09121234567;Ali", "09121234568;Sara", "09121234567;Ali");
  expect(await json("suppression", "import", "--csv", path, "--account", "acc_1")).toEqual({
    added: 2,
    known: 1,
    ignoredColumns: ["note"],
  });
  const exported = await peyk("suppression", "export", "--account", "acc_1");
  expect(exported.out.split("\r\n")).toEqual([
    "mobile,source,detail,addedAt",
    expect.stringMatching(/^\+989121234567,import,numbers\.csv,2026-/),
    expect.stringMatching(/^\+989121234568,import,numbers\.csv,2026-/),
    "",
  ]);
  const again = await runCli(["suppression", "import", "--csv", "-", "--data-dir", server.folder], {
    stdin: exported.out,
  });
  expect(again.out).toBe("2 numbers added, 0 known before.\nIgnored columns: source, detail, addedAt\n");
});

test("an export as JSON contains one whole list", async () => {
  const addedAt = server.clock.now();
  await server.store.write(({ suppression }) => {
    for (let index = 0; index < 501; index += 1) {
      suppression.add({ accountId: 0, source: "operator", detail: "", addedAt }, 989121230000 + index);
    }
  });
  await peyk("suppression", "add", "09121234567", "--account", "acc_1");
  await server.accounts.create("Without any");
  expect(await json("suppression", "export")).toEqual(
    Array.from({ length: 501 }, (_, index) =>
      expect.objectContaining({ account: null, number: `+${989121230000 + index}` }),
    ),
  );
  expect(await json("suppression", "export", "--account", "acc_1")).toEqual([
    expect.objectContaining({ account: "acc_1", number: "+989121234567" }),
  ]);
  expect(await json("suppression", "export", "--account", "acc_2")).toEqual([]);
});

test("an export that the service cuts short fails and says that it is incomplete", async () => {
  const area = temporaryFolder();
  const head = "HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n";
  const listener = Bun.listen({
    unix: join(area.path, "peyk.sock"),
    socket: { data: (connection) => void connection.end(`${head}8\r\nmobile\r\n\r\n`) },
  });
  expect(await runCli(["suppression", "export", "--data-dir", area.path])).toMatchObject({
    code: 1,
    err: expect.stringContaining("The export broke off, and what was written is not all"),
  });
  listener.stop(true);
  area.remove();
});

/** As a process of its own: root gives its rights up for good. */
async function importFrom(csv: string): Promise<string> {
  const command = [...peykCommand, "suppression", "import", "--csv", csv, "--data-dir", server.folder];
  const piped = ["sh", "-c", 'printf "mobile\\n09121234567\\n" | "$@"', "sh", ...command];
  const child = Bun.spawn(piped, { stdout: "pipe", stderr: "pipe" });
  return (await new Response(child.stdout).text()) + (await new Response(child.stderr).text());
}

test("an import reads a stream that can be read only once", async () => {
  expect(await importFrom("/dev/stdin")).toBe("1 number added, 0 known before.\n");
});

testWith("root")("an import reads a file that only root may read, for a service of another user", async () => {
  const path = fileOf("mobile", "09121234567");
  chmodSync(path, 0o600);
  const nobody = 65534;
  chmodSync(server.folder, 0o711);
  chownSync(join(server.folder, "peyk.sock"), nobody, nobody);
  expect(await importFrom(path)).toBe("1 number added, 0 known before.\n");
});

test("an import uses the chosen columns when the header does not say what they hold", async () => {
  const path = fileOf("Ali;09121234567", "Sara;09121234568");
  const columns = ["--columns", "-,mobile", "--no-header"];
  expect(await json("suppression", "import", "--csv", path, ...columns)).toMatchObject({ added: 2, known: 0 });
  const wrong = await peyk("suppression", "import", "--csv", path, "--columns", "phone,-");
  expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining("columns")]);
});

test("an export writes a note with a line break, a semicolon or a formula as one harmless cell", async () => {
  const addedAt = server.clock.now();
  const notes = ["two\nlines", "=1+1", "a;b", 'say "no"'];
  await server.store.write(({ suppression }) => {
    for (const [index, detail] of notes.entries()) {
      suppression.add({ accountId: 0, source: "operator", detail, addedAt }, 989121234560 + index);
    }
  });
  const { out } = await peyk("suppression", "export");
  const rows: string[][] = parse(out, { from: 2 });
  expect(rows.map(([, , detail]) => detail)).toEqual(["two\nlines", "'=1+1", "a;b", 'say "no"']);
});

test("an import lists a file's wrong lines by number and imports nothing", async () => {
  const wrong = await peyk("suppression", "import", "--csv", fileOf("mobile", "09121234567", "0912", "x"));
  expect(wrong).toMatchObject({ code: 1, out: "" });
  expect(wrong.err).toEndWith(
    "2 problems, and nothing was imported:\nline 3: “0912” is no mobile number\nline 4: “x” is no mobile number\n",
  );
  expect(await json("suppression", "list")).toEqual({ numbers: [], nextCursor: null });
  for (const name of ["none.csv", "x".repeat(300), "x".repeat(5000)]) {
    expect((await peyk("suppression", "import", "--csv", join(server.folder, name))).err).toContain("cannot be read");
  }
});

test("an account has its own scope, quiet hours and rule for singles, or those of the settings", async () => {
  const set = (...argv: string[]) => json("account", "set", "acc_1", ...argv);
  expect(await set("--suppression", "all_but_otp")).toMatchObject({ suppression: "all_but_otp" });
  expect(
    await set(
      "--quiet-hours",
      "22:00-08:00, 13:00-16:00 fri",
      "--quiet-hours",
      "12:00-13:00",
      "--quiet-singles",
      "yes",
    ),
  ).toMatchObject({ quietHours: ["22:00-08:00", "13:00-16:00 fri", "12:00-13:00"], quietSingles: true });
  expect((await peyk("account", "show", "acc_1")).out).toMatch(
    /Quiet hours +22:00-08:00, 13:00-16:00 fri, 12:00-13:00\nSingle messages wait +yes\n/,
  );
  expect(await set("--quiet-hours", "none", "--quiet-singles", "default")).toMatchObject({
    quietHours: [],
    quietSingles: null,
  });
  expect(await set("--quiet-hours", "default")).toMatchObject({ quietHours: null });
  expect(await set("--keep-days", "30", "--keep-texts-days", "7")).toMatchObject({ retentionDays: 30, textDays: 7 });
  expect(await set("--keep-days", "default")).toMatchObject({ retentionDays: null, textDays: 7 });
  expect((await peyk("account", "set", "acc_1", "--keep-days", "0")).code).toBe(2);
  expect((await peyk("account", "set", "acc_1", "--quiet-hours", "22-8")).err).toContain('"22-8" is no window');
  expect((await peyk("account", "set", "acc_1", "--quiet-hours", "00:00-24:00")).err).toContain("leave no time");
  expect((await peyk("account", "set", "acc_1", "--suppression", "some")).err).toContain("bulk, all_but_otp, all");
});

test("changes to suppression lists are recorded in the audit", async () => {
  await peyk("suppression", "add", "09121234567", "--account", "acc_1");
  await peyk("suppression", "remove", "09121234567", "--account", "acc_1");
  await peyk("suppression", "import", "--csv", fileOf("mobile", "09121234567"));
  await peyk("suppression", "import", "--csv", fileOf("mobile", "0912"));
  await peyk("account", "set", "acc_1", "--suppression", "all");
  const entries = server.audit.search({}, null, 10).reverse();
  expect(entries.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`)).toEqual([
    "suppression.add acc_1/+989121234567 done",
    "suppression.remove acc_1/+989121234567 done",
    "suppression.import all done",
    "suppression.import all refused",
    "account.update acc_1 done",
  ]);
  expect(entries.map(({ after }) => after)).toMatchObject([
    { number: "+989121234567" },
    null,
    { file: "numbers.csv", added: 1, known: 0 },
    null,
    { suppression: "all" },
  ]);
});
