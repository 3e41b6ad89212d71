import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiKeyLookup } from "../../src/messaging/directory/api-key.ts";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

/** The JSON that a command prints; fails when the command fails. */
async function json(...argv: string[]): Promise<unknown> {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  expect(run.out.trim().split("\n")).toHaveLength(1);
  return JSON.parse(run.out);
}

function fileIn(name: string, content: unknown): string {
  const path = join(server.folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

describe("peyk account", () => {
  test("creates, updates, lists, shows, suspends and resumes", async () => {
    expect(await json("account", "create", "--name", "Clinic")).toMatchObject({ id: "acc_1", name: "Clinic" });
    await json("sender", "add", "--account", "acc_1", "--sender", "30001");
    expect(await json("account", "update", "acc_1", "--name", "City", "--default-sender", "30001")).toMatchObject({
      name: "City",
      defaultSender: "30001",
    });
    const limited = await json("account", "update", "acc_1", "--countries", "ir,TR");
    expect(limited).toMatchObject({ countries: ["IR", "TR"] });
    const emptied = await peyk("account", "update", "acc_1", "--countries", "");
    expect(emptied).toMatchObject({ code: 2, out: "" });
    expect(emptied.err).toContain("'--countries <codes>' argument '' is invalid. It names nothing.");
    expect((await peyk("account", "show", "acc_1")).out).toMatch(/Countries +IR, TR\n/);
    expect(await json("account", "update", "acc_1", "--countries", "all")).toMatchObject({ countries: [] });
    expect(await json("account", "update", "acc_1", "--countries", "default")).toMatchObject({ countries: null });
    expect(await json("account", "set", "acc_1", "--time-zone", "Asia/Kabul")).toMatchObject({
      timeZone: "Asia/Kabul",
    });
    expect((await peyk("account", "set", "acc_1", "--time-zone", "Mars/Olympus")).err).toContain("is no time zone");
    expect(await json("account", "set", "acc_1", "--time-zone", "default")).toMatchObject({ timeZone: null });
    const refused = await peyk("account", "update", "acc_1", "--countries", "IR,XX");
    expect(refused.err).toBe("peyk: countries: XX is no two-letter country code, such as IR\n");
    const twice = await peyk("account", "update", "acc_1", "--countries", "IR,IR");
    expect(twice.err).toContain("must be a list of different two-letter country codes");
    expect(await peyk("account", "update", "acc_1")).toMatchObject({
      code: 2,
      err: "peyk: Say at least one of --name, --default-sender and --countries.\n",
    });
    expect(await json("account", "note", "acc_1", " Pays by invoice ")).toMatchObject({ note: "Pays by invoice" });
    expect((await peyk("account", "show", "acc_1")).out).toMatch(/Note +Pays by invoice\n/);
    expect(await json("account", "note", "acc_1", "")).toMatchObject({ note: null });
    expect(await json("account", "list")).toMatchObject([{ id: "acc_1" }]);
    expect(await json("account", "show", "1")).toMatchObject({ id: "acc_1", keys: [], senders: [{ sender: "30001" }] });
    expect(await json("account", "suspend", "acc_1")).toMatchObject({ status: "suspended" });
    expect(server.directory.isSuspended(1)).toBe(true);
    expect(await json("account", "resume", "acc_1")).toMatchObject({ status: "active" });
  });

  test("prints tables and the next command", async () => {
    expect((await peyk("account", "list")).out).toContain("Create one: peyk account create --name NAME");
    expect((await peyk("account", "create", "--name", "کلینیک شهر")).out).toContain(
      "peyk key create --account acc_1 --name NAME",
    );
    await peyk("account", "create", "--name", "B");
    const [head = "", ...rows] = (await peyk("account", "list")).out.trimEnd().split("\n");
    const column = Bun.stringWidth(head.slice(0, head.indexOf("STATUS")));
    for (const row of rows) expect(Bun.stringWidth(row.slice(0, row.indexOf("active")))).toBe(column);
    expect((await peyk("account", "show", "acc_1")).out).toMatch(/^Account +acc_1\nName +کلینیک شهر\n/);
  });
});

test("refuses a list for an unknown account", async () => {
  await json("account", "create", "--name", "Clinic");
  for (const list of [
    ["key", "list"],
    ["sender", "list"],
    ["group", "list"],
    ["pattern", "list"],
    ["line", "list"],
    ["webhook", "list"],
    ["inbound", "list"],
    ["message", "search"],
  ]) {
    const run = await peyk(...list, "--account", "acc_9");
    expect({ list, ...run }).toMatchObject({ list, code: 1, out: "", err: "peyk: There is no such account.\n" });
    expect(await json(...list, "--account", "acc_1")).toEqual([]);
  }
});

describe("peyk key", () => {
  test("shows a new key once, and the key works at once", async () => {
    await json("account", "create", "--name", "Clinic");
    const issued = await peyk("key", "create", "--account", "acc_1", "--name", "backend");
    const apiKey = /peyk_[A-Za-z0-9_-]{43}/.exec(issued.out)?.[0] ?? "";
    expect(server.directory.keyByHash(apiKeyLookup(apiKey))?.key.name).toBe("backend");
    expect(issued.out).toContain("the only time");
    expect((await peyk("key", "list")).out).not.toContain("peyk_");
  });

  test("limits a key to addresses, and update changes what create set", async () => {
    await json("account", "create", "--name", "Clinic");
    const create = ["key", "create", "--account", "acc_1", "--name", "k"];
    expect(await json(...create, "--allow-from", "203.0.113.0/24,192.0.2.1")).toMatchObject({
      allowFrom: ["203.0.113.0/24", "192.0.2.1"],
    });
    const update = ["key", "update", "key_1"];
    const limits = ["--rate", "7", "--permission", "messages:read", "--expires", "2026-02-01"];
    expect(await json(...update, ...limits, "--allow-from", "2001:db8::/32")).toMatchObject({
      rate: 7,
      permissions: ["messages:read"],
      expiresAt: "2026-02-01T00:00:00.000Z",
      allowFrom: ["2001:db8::/32"],
    });
    expect((await peyk(...update, "--name", "web")).out).toMatch(/Name +web\n(?:.*\n)*Addresses +2001:db8::\/32\n/);
    const open = ["--rate", "default", "--permission", "all", "--expires", "never", "--allow-from", "anywhere"];
    expect(await json(...update, ...open)).toMatchObject({ name: "web", rate: null, expiresAt: null, allowFrom: [] });
    expect(await peyk(...update, "--allow-from", "203.0.113.0/33")).toMatchObject({
      code: 1,
      err: expect.stringContaining("not 203.0.113.0/33"),
    });
    expect(await peyk(...update)).toMatchObject({ code: 2, err: expect.stringContaining("at least one of") });
    for (const verb of [create, update]) {
      expect(await peyk(...verb, "--allow-from", "")).toMatchObject({
        code: 2,
        err: expect.stringContaining("'--allow-from <range>' argument '' is invalid. It names nothing."),
      });
    }
  });

  test("accepts rate, permissions and expiry", async () => {
    await json("account", "create", "--name", "Clinic");
    const create = ["key", "create", "--account", "acc_1", "--name", "k"];
    const issued = await json(
      ...create,
      "--rate",
      "7",
      "--permission",
      "messages:read",
      "--permission",
      "senders:read,otp:send",
      "--expires",
      "2026-02-01",
    );
    expect(issued).toMatchObject({
      rate: 7,
      permissions: ["messages:read", "senders:read", "otp:send"],
      expiresAt: "2026-02-01T00:00:00.000Z",
    });
    expect(await json(...create, "--expires", "2026-02-01T10:00:00+03:30")).toMatchObject({
      expiresAt: "2026-02-01T06:30:00.000Z",
    });
    for (const wrong of [
      ["--rate", "0"],
      ["--rate", "1000001"],
      ["--rate", "x"],
      ["--permission", "everything"],
      ["--expires", "soon"],
      ["--expires", "2026-02-30"],
      ["--expires", "2026-02-01T10:00"],
    ]) {
      expect(await peyk(...create, ...wrong)).toMatchObject({
        code: 2,
        out: "",
        err: expect.stringContaining(wrong[0] ?? ""),
      });
    }
    expect(await peyk(...create, "--expires", "2026-01-01")).toMatchObject({
      code: 1,
      err: "peyk: expiresAt: must lie in the future\n",
    });
  });

  test("rotates with a grace period, and revokes", async () => {
    await json("account", "create", "--name", "Clinic");
    await json("key", "create", "--account", "acc_1", "--name", "k");
    expect(await json("key", "rotate", "key_1")).toMatchObject({
      id: "key_1",
      previousSecretUntil: "2026-01-06T12:00:00.000Z",
      apiKey: expect.stringMatching(/^peyk_/),
    });
    expect(await json("key", "rotate", "key_1", "--grace", "15m")).toMatchObject({
      previousSecretUntil: "2026-01-05T12:15:00.000Z",
    });
    expect(await json("key", "rotate", "key_1", "--grace", "0")).toMatchObject({ previousSecretUntil: null });
    expect(await peyk("key", "rotate", "key_1", "--grace", "soon")).toMatchObject({ code: 2 });
    expect(await json("key", "revoke", "key_1")).toMatchObject({ status: "revoked" });
    expect(await peyk("key", "rotate", "key_1")).toMatchObject({ code: 1, err: expect.stringContaining("revoked") });
    expect(await json("key", "list", "--account", "acc_1")).toMatchObject([{ id: "key_1", status: "revoked" }]);
  });
});

describe("a route that limits the length of alphanumeric senders", () => {
  test("accepts no longer sender, and a change names the senders that it would cut off", async () => {
    await json("account", "create", "--name", "Clinic");
    const file = join(server.folder, "route.json");
    const write = (limit: number | null) => {
      const smsc = { host: "127.0.0.1", port: 1, systemId: "x", password: "y" };
      writeFileSync(file, JSON.stringify({ ...smsc, ...(limit !== null && { alphanumericSenderMax: limit }) }));
    };
    write(11);
    await json("route", "add", "operator-a", "--kind", "smpp", "--config", file);
    const add = ["sender", "add", "--account", "acc_1", "--route", "operator-a", "--sender"];
    expect(await peyk(...add, "CityClinicTwo")).toMatchObject({
      code: 1,
      err: expect.stringContaining("CityClinicTwo is too long for route operator-a"),
    });
    await json(...add, "CityClinic1");
    await json(...add, "9820001234567890");
    write(10);
    expect((await peyk("route", "update", "operator-a", "--config", file)).err).toContain(
      "alphanumericSenderMax: is less than these senders of the route have: CityClinic1",
    );
    write(21);
    expect((await peyk("route", "update", "operator-a", "--config", file)).err).toContain("from 1 to 20");
    write(null);
    await json("route", "update", "operator-a", "--config", file);
    await json(...add, "CityClinicTwo");
  });
});

describe("a receive-only route", () => {
  test("cannot be given to a sender, and a sender's route cannot become receive-only", async () => {
    await json("account", "create", "--name", "Clinic");
    const file = join(server.folder, "route.json");
    const write = (bind: string) =>
      writeFileSync(file, JSON.stringify({ host: "127.0.0.1", port: 1, systemId: "x", password: "y", bind }));
    write("receiver");
    await json("route", "add", "operator-a", "--kind", "smpp", "--config", file);
    const add = ["sender", "add", "--account", "acc_1", "--route", "operator-a", "--sender", "30001234"];
    expect(await peyk(...add)).toMatchObject({ code: 1, err: expect.stringContaining("operator-a only receives") });
    write("transceiver");
    await json("route", "update", "operator-a", "--config", file);
    await json(...add);
    write("receiver");
    expect((await peyk("route", "update", "operator-a", "--config", file)).err).toContain(
      "bind: Senders use this route: 30001234",
    );
  });
});

describe("peyk sender", () => {
  test("adds with routes, lists, switches, reroutes and removes", async () => {
    await json("account", "create", "--name", "Clinic");
    await json("route", "add", "a", "--kind", "simulator");
    const which = ["--account", "acc_1", "--sender", "Clinic/#1?"];
    expect(await json("sender", "add", ...which, "--route", "a,simulator", "--inactive")).toMatchObject({
      active: false,
      routes: ["a", "simulator"],
    });
    expect(await json("sender", "activate", ...which)).toMatchObject({ active: true });
    expect(await json("sender", "deactivate", ...which)).toMatchObject({ active: false });
    expect(await json("sender", "update", ...which, "--route", "a")).toMatchObject({ routes: ["a"] });
    expect(await json("sender", "update", ...which, "--route", "")).toMatchObject({ usesDefaultRoute: true });
    expect(await json("sender", "list", "--account", "acc_1")).toMatchObject([{ sender: "Clinic/#1?" }]);
    expect(await json("sender", "list", "--account", "acc_1", "--sender", "other")).toEqual([]);
    expect((await peyk("sender", "list")).out).toContain("simulator (default)");
    expect(await json("sender", "remove", ...which)).toMatchObject({ removed: true });
    expect((await peyk("sender", "list")).out).toContain("Add one: peyk sender add");
    expect(await peyk("sender", "activate", ...which)).toMatchObject({
      code: 1,
      err: "peyk: The account has no such sender.\n",
    });
  });
});

test("taking a sender away says which patterns and credentials name it", async () => {
  await json("account", "create", "--name", "Clinic");
  await json("key", "create", "--account", "acc_1", "--name", "backend");
  const which = ["--account", "acc_1", "--sender", "30001"];
  await json("sender", "add", ...which);
  for (const code of ["ready", "draft"])
    await json("pattern", "add", ...which, "--code", code, "--name", code, "--text", "Ready.");
  await json("pattern", "approve", "ready");
  const template = fileIn("app.json", { preset: "json", sender: "30001" });
  const credential = ["credential", "create", "--key", "key_1", "--traffic", "single"];
  await json(...credential, "--kind", "intake", "--name", "app", "--template", template);
  await json(...credential, "--kind", "smtp", "--name", "ups", "--sender", "30001");
  await json(...credential, "--kind", "smtp", "--name", "camera");
  const told =
    "Patterns that name it cannot be sent now: ready.\nWhat comes by credentials that name it is refused now: app, ups.\n";
  expect((await peyk("sender", "deactivate", ...which)).out).toEndWith(told);
  expect((await peyk("pattern", "list")).out).toMatch(/ready .*approved, but 30001 is inactive or removed/);
  expect(await json("sender", "activate", ...which)).toMatchObject({ refusedPatterns: [], refusedCredentials: [] });
  expect((await peyk("pattern", "show", "ready")).out).toMatch(/Status +approved\n/);
  expect((await peyk("sender", "remove", ...which)).out).toBe(`Sender 30001 of acc_1 removed.\n${told}`);
});

test("a rule or a line says why its credential's program gets no text", async () => {
  await json("account", "create", "--name", "Clinic");
  await json("key", "create", "--account", "acc_1", "--name", "backend");
  await json("credential", "create", "--key", "key_1", "--kind", "jasmin", "--traffic", "single", "--name", "app");
  await json("line", "add", "--account", "acc_1", "--number", "30001");
  const ofLine = ["--number", "30001", "--credential", "cred_1"];
  const tried = async () => (await peyk("line", "rule", "try", "30001", "--from", "09121234567", "--text", "info")).out;
  const rule = ["rule", "add", "30001", "--match", "any", "--credential", "cred_1"];
  expect((await peyk("line", ...rule)).out).toContain("calls cred_1 (it has no template to forward by)");
  const forward = {
    inbound: { request: { method: "POST", url: "https://example.com/", body: { json: { text: "{{text}}" } } } },
  };
  await json("credential", "forward", "cred_1", "--template", fileIn("forward.json", forward));
  expect((await peyk("line", "update", ...ofLine)).out).toEndWith("  cred_1\n");
  expect(await tried()).toEndWith("takes it.\nThe program of cred_1 is called.\n");
  const revoked = await peyk("credential", "revoke", "cred_1");
  expect(revoked.out).toEndWith("These name it, in vain from now on: line 30001, rule_1 of line 30001.\n");
  expect(await tried()).toEndWith("takes it.\ncred_1 is not called: it is revoked.\n");
  expect((await peyk("line", "rule", "list", "30001")).out).toContain("calls cred_1 (it is revoked)");
  expect((await peyk("line", "list")).out).toContain("cred_1 (it is revoked)");
});

describe("peyk route", () => {
  const smpp = { host: "127.0.0.1", port: 2775, systemId: "peyk", passwordFile: "password" };

  test("reads the password from the file that the route file names", async () => {
    fileIn("password", "pass-word\n");
    const added = await peyk("route", "add", "op", "--kind", "smpp", "--config", fileIn("op.json", smpp), "--json");
    expect(added).toMatchObject({ code: 0, err: "" });
    expect(added.out).not.toContain("pass-word");
    const route = server.directory.route("op");
    expect(route && server.routes.fileOf(route)).toEqual({
      host: "127.0.0.1",
      port: 2775,
      systemId: "peyk",
      password: "pass-word",
    });
  });

  test("reads the route file, or the password, from standard input", async () => {
    const whole = await runCli(["route", "add", "op", "--kind", "smpp", "--config", "-", "--data-dir", server.folder], {
      stdin: JSON.stringify({ host: "h", port: 1, systemId: "s", password: "from-stdin" }),
    });
    expect(whole.code).toBe(0);
    const file = fileIn("op.json", { ...smpp, passwordFile: "-" });
    const password = await runCli(["route", "update", "op", "--config", file, "--data-dir", server.folder], {
      stdin: "piped\n",
    });
    expect(password.code).toBe(0);
    const route = server.directory.route("op");
    expect(route && server.routes.fileOf(route)).toMatchObject({ host: "127.0.0.1", password: "piped" });
  });

  test("lists every problem of a route file", async () => {
    const run = await peyk(
      "route",
      "add",
      "op",
      "--kind",
      "smpp",
      "--config",
      fileIn("op.json", { prot: 1, password: "x" }),
    );
    expect(run.code).toBe(1);
    for (const words of [
      "host: is required",
      "port: is required",
      "systemId: is required",
      'prot: is not a known key; did you mean "port"?',
    ])
      expect(run.err).toContain(words);
    expect(server.directory.route("op")).toBeNull();
  });

  test("explains why a file cannot be read", async () => {
    const add = (path: string) => peyk("route", "add", "op", "--kind", "smpp", "--config", path);
    expect(await add(join(server.folder, "none.json"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no file"),
    });
    expect(await add(server.folder)).toMatchObject({ code: 1, err: expect.stringContaining("cannot be read") });
    expect(await add(fileIn("a.json", "{"))).toMatchObject({ code: 1, err: expect.stringContaining("is no JSON") });
    expect(await add(fileIn("d.json", '{\n  "host": "a",\n  "port" 2775\n}'))).toMatchObject({
      code: 1,
      err: expect.stringContaining("d.json is no JSON: line 3, column 10: colon expected\n"),
    });
    expect(await add(fileIn("e.json", '{"host": "a",}'))).toMatchObject({
      code: 1,
      err: expect.stringContaining("line 1, column 14: property name expected"),
    });
    expect(await add(fileIn("b.json", "[]"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("must hold a JSON object"),
    });
    expect(await add(fileIn("c.json", smpp))).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no file"),
    });
  });

  test("lists, shows, tests, disables, enables and removes", async () => {
    await json("route", "add", "op", "--kind", "simulator");
    expect((await peyk("route", "list")).out).toMatch(/op +simulator +up +0\/10/);
    expect((await peyk("route", "show", "op")).out).toContain("0 of 10 in use");
    const file = fileIn("sim.json", JSON.stringify({ delayMs: 5, partsPerSecond: 20 }));
    expect((await peyk("route", "update", "op", "--config", file)).out).toMatch(
      /\nOPTION +VALUE\ndelayMs +5\npartsPerSecond +20\n/,
    );
    expect((await peyk("route", "test", "op")).out).toContain("The route works.");
    expect((await peyk("route", "disable", "op")).out).toMatch(/State +disabled/);
    expect(await json("route", "enable", "op")).toMatchObject({ up: true });
    expect((await peyk("route", "remove", "op")).out).toBe("Route op removed.\n");
    expect(await peyk("route", "add", "op", "--kind", "pigeon")).toMatchObject({ code: 2 });
  });
});

describe("peyk message", () => {
  test("shows one message, and searches by every option", async () => {
    await json("account", "create", "--name", "Clinic");
    await server.storeMessage({ trackingCode: "A", clientReference: "inv-7" });
    await server.storeMessage({ trackingCode: "B", recipient: "+989351112233" });
    expect(await json("message", "show", "A")).toMatchObject({ trackingCode: "A", message: "سلام" });
    expect((await peyk("message", "show", "A")).out).toMatch(
      /Tracking code +A\n[\s\S]*HISTORY +STATUS +NOTE\n[\s\S]*queued/,
    );
    expect(await peyk("message", "show", "a/b?c")).toMatchObject({
      code: 1,
      err: "peyk: There is no message with this tracking code.\n",
    });
    expect(await json("message", "search")).toMatchObject([{ trackingCode: "B" }, { trackingCode: "A" }]);
    expect(await json("message", "search", "--recipient", "0935 111 2233")).toMatchObject([{ trackingCode: "B" }]);
    expect(
      await json("message", "search", "--reference", "inv-7", "--status", "queued", "--account", "acc_1"),
    ).toMatchObject([{ trackingCode: "A" }]);
    expect(await json("message", "search", "--from", "2026-01-06")).toEqual([]);
    expect(await json("message", "search", "--limit", "1")).toMatchObject([{ trackingCode: "B" }]);
    expect(await json("message", "search", "--before", "B")).toMatchObject([{ trackingCode: "A" }]);
    expect((await peyk("message", "search", "--to", "2026-01-01")).out).toBe("No message matches.\n");
    for (const wrong of [
      ["--status", "lost"],
      ["--limit", "0"],
      ["--limit", "10001"],
      ["--from", "x"],
    ])
      expect((await peyk("message", "search", ...wrong)).code).toBe(2);
  });

  test("prints no terminal control characters, as text or as JSON", async () => {
    const text = "\u001b[2Jred\u009b31m \u202eabc\nنیم\u200cفاصله";
    await server.storeMessage({ trackingCode: "A", text, clientReference: "\u001b]0;title\u0007" });
    for (const argv of [["show", "A"], ["search"], ["show", "A", "--json"], ["show", "\u001b[31m"]]) {
      const { out, err } = await peyk("message", ...argv);
      expect(`${out}${err}`.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
    }
    expect((await peyk("message", "show", "A")).out).toMatch(/Text +\[2Jred 31m {2}abc نیم\u200cفاصله\n/);
    expect(await json("message", "show", "A")).toMatchObject({ message: text });
  });

  test("collects more than one page", async () => {
    for (let index = 0; index < 7; index += 1) await server.storeMessage({ trackingCode: `M${index}` });
    const row = server.store.tables.messages.byCodeAnywhere("M0");
    if (row === null) throw new Error("not stored");
    await server.store.write((tables) => {
      for (let index = 7; index < 1200; index += 1) tables.messages.insert({ ...row, trackingCode: `M${index}` });
    });
    expect(await json("message", "search", "--limit", "1100")).toHaveLength(1100);
    expect(await json("message", "search", "--limit", "10000")).toHaveLength(1200);
  });
});

describe("peyk webhook", () => {
  const publicId = "0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11";
  beforeEach(async () => {
    await json("account", "create", "--name", "Clinic");
    const url = "https://hooks.example.com/";
    const row = { publicId, accountId: 1, url, events: [], active: true, sealedSecret: new Uint8Array(1) };
    await server.store.write((tables) => tables.webhooks.insert({ ...row, createdAt: 0, updatedAt: 0 }));
  });

  test("shows the new secret once, and how to switch to it", async () => {
    const { out } = await peyk("webhook", "rotate-secret", publicId);
    expect(out).toMatch(/^whsec_[\w-]{43}\n/);
    expect(out).toContain(`peyk webhook rotate-secret ${publicId} --switch\n`);
    expect((await peyk("webhook", "list", "--json")).out).not.toContain("whsec_");
    const shown = (await peyk("webhook", "show", publicId)).out;
    expect(shown).toMatch(/attempts at once +2, of at most 32: more once it is busy and answers promptly/);
    const attemptsAtOnce = { now: 2, reason: "first", oneUntil: null };
    expect(await json("webhook", "show", publicId)).toMatchObject({ id: publicId, attemptsAtOnce });
    expect(await json("webhook", "list")).toMatchObject([{ nextSecretFrom: expect.stringMatching(/Z$/) }]);
    expect((await peyk("webhook", "rotate-secret", publicId, "--switch")).out).toContain("signs from now on");
    expect(await json("webhook", "list")).toMatchObject([{ nextSecretFrom: null }]);
  });

  test("refuses to switch its secret when none waits, or the webhook is unknown", async () => {
    const early = await peyk("webhook", "rotate-secret", publicId, "--switch");
    expect(early).toMatchObject({ code: 1, err: expect.stringContaining("No new secret waits to sign") });
    expect((await peyk("webhook", "rotate-secret", "nobody")).err).toContain("no such webhook");
  });

  test("says of a replay whether the event or the webhook is gone", async () => {
    const replay = async () => (await peyk("webhook", "replay", "--event", "evt", "--subscription", publicId)).err;
    expect(await replay()).toContain("There is no such event");
    await json("webhook", "remove", publicId);
    expect(await replay()).toContain("There is no such webhook, or it is not active");
  });
});

test("an empty name, such as an unset shell variable, is refused instead of changing the path", async () => {
  await json("account", "create", "--name", "Clinic");
  const verbs = ["account show", "account suspend", "key revoke", "route show", "route remove", "pattern show"];
  for (const verb of [...verbs, "group approve", "message show", "inbound show", "webhook deliveries"]) {
    for (const name of ["", ".", ".."]) {
      const run = await peyk(...verb.split(" "), name);
      expect(run).toEqual({ code: 2, out: "", err: `peyk: "${name}" is no name and no id.\n` });
    }
  }
  for (const name of ["x/../acc_1", "acc_1?x", "acc_1#"])
    expect(await peyk("account", "show", name)).toMatchObject({ code: 1, err: expect.stringContaining(name) });
});

test("an empty inbox says whose it is", async () => {
  const inbox = async (...argv: string[]) => (await peyk("simulator", "inbox", ...argv)).out;
  expect(await inbox()).toBe("The simulated phones have received nothing since the start.\n");
  expect(await inbox("--recipient", "09121234567")).toBe(
    "The simulated phone 09121234567 has received nothing since the start.\n",
  );
});

describe("peyk alert list", () => {
  test("shows what is silenced and until when", async () => {
    await peyk("alert", "silence", "RouteDown", "--subject", "far");
    await peyk("alert", "silence", "DiskFull", "--hours", "1");
    expect((await peyk("alert", "list")).out).toContain(
      "RouteDown far is silent until 2026-01-05 16:00:00Z.\nDiskFull is silent until 2026-01-05 13:00:00Z.\n",
    );
  });

  test("no longer shows the silence of a route that was removed", async () => {
    await server.routes.add("far", "simulator", {});
    for (const subject of ["far", "near"]) await peyk("alert", "silence", "RouteDown", "--subject", subject);
    await peyk("route", "remove", "far");
    expect(await json("alert", "list")).toMatchObject({ silences: [{ subject: "near" }] });
  });
});

describe("peyk status", () => {
  test("prints the warnings first", async () => {
    const run = await peyk("status");
    expect(run).toMatchObject({ code: 0, err: "" });
    expect(run.out).toMatch(/^! NOTHING IS REALLY SENT/);
    expect(run.out).toMatch(/State +ready\n/);
    server.checks.store = false;
    expect((await peyk("status")).out).toMatch(/^! NOT READY: The store cannot write[\s\S]*State +NOT READY/);
    expect(await json("status")).toMatchObject({ ready: false, version: "0.0.0-test" });
  });
});
