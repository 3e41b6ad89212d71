/** Routing plans and networks from the command line. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CliRun, runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
  await server.senders.add(1, "30001", true, []);
  await json("route", "add", "operator-a", "--kind", "simulator");
  await json("route", "add", "operator-b", "--kind", "simulator");
});
afterEach(() => server.close());

const peyk = (...argv: string[]): Promise<CliRun> => runCli([...argv, "--data-dir", server.folder]);

async function json(...argv: string[]): Promise<unknown> {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

function fileOf(content: string): string {
  const path = join(server.folder, "numbers.csv");
  writeFileSync(path, content);
  return path;
}

describe("peyk plan", () => {
  test("creates, fills, shows, uses, tries and removes a plan", async () => {
    expect(await json("plan", "create", "iran")).toMatchObject({ name: "iran", rules: [], senders: [], problems: [] });
    await json("plan", "rule", "add", "iran", "--network", "irancell", "--target", "operator-b,operator-a");
    const shared = ["--target", "operator-a=70", "--target", "operator-b=30"];
    await json("plan", "rule", "add", "iran", "--range", "+98912", "--class", "otp,single", ...shared, "--number", "1");
    expect(await json("plan", "use", "iran", "--account", "acc_1", "--sender", "30001")).toMatchObject({
      plan: "iran",
      routes: [],
      usesDefaultRoute: false,
    });
    const shown = (await peyk("plan", "show", "iran")).out;
    expect(shown).toBe(
      [
        "Plan iran, used by acc_1/30001",
        "",
        "RULE  TAKES                                 ROUTES",
        "1     numbers of +98912; class otp, single  operator-a (70 %); operator-b (30 %)",
        "2     numbers of Irancell                   operator-b, operator-a",
        "",
        "Messages that no rule takes wait until they expire: 30001 has no routes of its own. Add a rule for all numbers at the end, or give the sender routes.",
        "",
      ].join("\n"),
    );
    expect((await peyk("sender", "list")).out).toMatch(/30001 +yes +iran +none/);
    const file = fileOf("number,name\n09121234567,Ali\n۰۹۳۵۱۲۳۴۵۶۷\n+905321234567\nno number\n");
    expect((await peyk("plan", "test", "iran", "--csv", file)).out).toBe(
      [
        "NUMBER         NETWORK   RULE  ROUTES",
        "+989121234567  IR-MCI    1     operator-a (70 %); operator-b (30 %)",
        "+989351234567  Irancell  2     operator-b, operator-a",
        "+905321234567  -         -     the sender's own",
        "no number      -         -     no mobile number",
        "",
      ].join("\n"),
    );
    expect(await json("plan", "test", "iran", "--csv", file, "--class", "bulk")).toMatchObject([
      { number: "+989121234567", rule: null },
      { rule: 2 },
      { rule: null },
      { number: null },
    ]);
    expect(await json("plan", "rule", "move", "iran", "2", "--to", "1")).toMatchObject({
      rules: [
        { number: 1, networks: ["Irancell"] },
        { number: 2, ranges: ["+98912"] },
      ],
    });
    expect((await peyk("plan", "remove", "iran")).err).toContain("Senders use this plan: 30001.");
    expect(await json("plan", "leave", "--account", "acc_1", "--sender", "30001")).toMatchObject({ plan: null });
    expect(await json("plan", "rule", "remove", "iran", "1")).toMatchObject({ rules: [{ number: 1 }] });
    expect(await json("plan", "list")).toMatchObject([{ name: "iran" }]);
    expect(await json("plan", "remove", "iran")).toMatchObject({ removed: true });
    expect((await peyk("plan", "list")).out).toContain("There are no plans.");
    const actions = server.store.tables.audit
      .search({}, null, 50)
      .map(({ action }) => action)
      .filter((action) => action.startsWith("plan."));
    expect(actions.toReversed()).toEqual([
      "plan.create",
      "plan.rule.add",
      "plan.rule.add",
      "plan.rule.move",
      "plan.remove",
      "plan.rule.remove",
      "plan.remove",
    ]);
  });

  test('updates a rule in place, keeps omitted conditions, and clears a condition with "all"', async () => {
    await json("plan", "create", "steady");
    const match = ["--network", "Irancell", "--class", "otp", "--account", "acc_1"];
    await json("plan", "rule", "add", "steady", ...match, "--target", "operator-a=70", "--target", "operator-b=30");
    await json("plan", "rule", "add", "steady", "--target", "operator-b");
    const last = { number: 2, targets: [{ weight: 1, routes: ["operator-b"] }] };
    const update = (...args: string[]) => json("plan", "rule", "update", "steady", "1", ...args);
    expect(await update("--range", "+98912", "--network", "all")).toMatchObject({
      rules: [
        {
          number: 1,
          ranges: ["+98912"],
          networks: [],
          classes: ["otp"],
          accounts: ["acc_1"],
          targets: [{ weight: 70 }, { weight: 30 }],
        },
        last,
      ],
    });
    expect(await update("--target", "operator-b,operator-a", "--class", "all")).toMatchObject({
      rules: [
        { ranges: ["+98912"], classes: [], targets: [{ weight: 1, routes: ["operator-b", "operator-a"] }] },
        last,
      ],
    });
    const wrong = await peyk("plan", "rule", "update", "steady", "1", "--target", "nowhere");
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("nowhere")]);
    expect((await peyk("plan", "rule", "update", "steady", "9", "--class", "otp")).err).toContain("has no rule 9");
    expect((await peyk("plan", "rule", "update", "steady", "1")).err).toContain("Say what changes");
    const [entry] = server.store.tables.audit.search({ action: "plan.rule.update" }, null, 1).slice(0, 1);
    expect(entry?.outcome).toBe("refused");
    const done = server.store.tables.audit.search({ action: "plan.rule.update", outcome: "done" }, null, 1)[0];
    expect([done?.before, done?.after]).toMatchObject([
      { rules: [{ classes: ["otp"] }, {}] },
      { rules: [{ classes: [] }, {}] },
    ]);
    await json("plan", "remove", "steady");
  });

  test("refuses a rule for an unknown country in words", async () => {
    await json("plan", "create", "iran");
    const run = await peyk("plan", "rule", "add", "iran", "--country", "XX", "--target", "operator-a");
    expect(run).toMatchObject({ code: 1, err: "peyk: countries.0: must be a two-letter country code, such as IR\n" });
  });

  test("reports rules that match nothing and targets without an enabled route, in show and in status", async () => {
    await json("plan", "create", "iran");
    await json("plan", "rule", "add", "iran", "--country", "ir", "--target", "operator-a");
    await json("plan", "rule", "add", "iran", "--network", "Rightel", "--target", "operator-b");
    await json("plan", "rule", "add", "iran", "--target", "operator-b");
    await json("plan", "use", "iran", "--account", "acc_1", "--sender", "30001");
    await json("route", "disable", "operator-b");
    expect(await json("plan", "show", "iran")).toMatchObject({
      problems: [
        { rule: 2, message: "It takes nothing: rule 1 before it takes all that it would." },
        { rule: 2, message: "Messages for it wait: none of its routes is enabled (operator-b)." },
        { rule: 3, message: "Messages for it wait: none of its routes is enabled (operator-b)." },
      ],
    });
    expect((await peyk("status")).out).toContain("Plan iran, rule 3: Messages for it wait");
    expect((await peyk("route", "remove", "operator-b")).err).toContain("Routing plans use this route: iran.");
  });

  test("reports once per rule which of its targets cannot send", async () => {
    await json("plan", "create", "iran");
    await json("route", "add", "operator-c", "--kind", "simulator");
    const shared = ["operator-a", "operator-b", "operator-c"].flatMap((route) => ["--target", `${route}=1`]);
    await json("plan", "rule", "add", "iran", ...shared);
    await json("plan", "use", "iran", "--account", "acc_1", "--sender", "30001");
    await json("route", "disable", "operator-b");
    await json("route", "disable", "operator-c");
    const some = "Messages for 2 of its targets wait: no route there is enabled (operator-b; operator-c).";
    expect(await json("plan", "show", "iran")).toMatchObject({ problems: [{ rule: 1, message: some }] });
    await json("route", "disable", "operator-a");
    const all = "Messages for it wait: none of its routes is enabled (operator-a; operator-b; operator-c).";
    expect(await json("plan", "show", "iran")).toMatchObject({ problems: [{ rule: 1, message: all }] });
  });

  test("refuses an unreadable target and overlapping ranges in words", async () => {
    await json("plan", "create", "iran");
    const add = (...options: string[]) => peyk("plan", "rule", "add", "iran", ...options);
    for (const target of ["operator-a=5=6", "=5", ","]) {
      const err = `peyk: --target must be names of routes, with =WEIGHT for their share, not "${target}".\n`;
      expect(await add("--target", target)).toMatchObject({ code: 2, err });
    }
    const overlapping = await add("--range", "+98912,+98935,+9891", "--range", "+98935", "--target", "operator-a");
    expect(overlapping).toMatchObject({ code: 1, err: "peyk: ranges: the range +9891 overlaps +98912\n" });
    const same = await add("--range", "+98912", "--target", "operator-a=70", "--target", "operator-a=30");
    expect(same.err).toContain("targets 1 and 2 name the same routes");
    expect(await json("plan", "show", "iran")).toMatchObject({ rules: [] });
  });

  test("names an unknown account by its id", async () => {
    await json("plan", "create", "iran");
    const run = await peyk("plan", "rule", "add", "iran", "--account", "77", "--target", "operator-a");
    expect(run).toMatchObject({ code: 1, err: "peyk: accounts: acc_77 is no account. See: peyk account list\n" });
  });

  test("refuses invalid input in words", async () => {
    expect((await peyk("plan", "show", "none")).err).toBe("peyk: There is no plan none.\n");
    await json("plan", "create", "iran");
    expect((await peyk("plan", "create", "iran")).err).toContain("There is a routing plan of this name already.");
    const add = (...options: string[]) => peyk("plan", "rule", "add", "iran", ...options);
    expect((await add("--network", "Nobody", "--target", "operator-a")).err).toContain(
      "networks: Nobody is no network",
    );
    expect((await add("--target", "operator-a=0")).err).toContain("--target must be a whole number from 1 to 10000");
    expect((await add("--target", "nowhere")).err).toContain("There is no route nowhere.");
    expect((await peyk("plan", "rule", "remove", "iran", "7")).err).toContain("Plan iran has no rule 7; it has 0.");
  });
});

describe("peyk network", () => {
  test("lists known ranges with their source, and puts ranges from a file before them", async () => {
    expect((await peyk("network", "list")).out).toMatch(/Aptel +libphonenumber, \d{4}-\d\d-\d\d +\+989993\n/);
    const file = fileOf("network,range\nirancell,+98912345\nNew Mobile,+98950-+98952\n");
    expect(await json("network", "import", file)).toEqual({ added: 2, unchanged: 0 });
    expect((await peyk("network", "import", file)).out).toBe("0 ranges added, 2 known before.\n");
    expect((await peyk("network", "list")).out).toMatch(/New Mobile +added +\+98950-\+98952\n/);
    const { networks } = server.routingPlans;
    expect(networks.nameOf(networks.find("+989123456789").network)).toBe("Irancell");
    expect(networks.find("+989511234567").network).toBeGreaterThanOrEqual(1_000);
    expect(await json("network", "remove", "Irancell")).toEqual({ name: "Irancell", removed: 1 });
    expect(networks.nameOf(networks.find("+989123456789").network)).toBe("IR-MCI");
    expect((await peyk("network", "remove", "Irancell")).err).toContain("There is no such network");
  });

  test("forgets a network with its last range, unless a rule of a plan names it", async () => {
    await json("plan", "create", "iran");
    const add = (name: string) => ["plan", "rule", "add", "iran", "--network", name, "--target", "simulator"];
    await json("network", "import", fileOf("network,range\nNew Mobile,+98950\nOther,+98951\n"));
    await json(...add("Other"));
    for (const name of ["New Mobile", "Other"]) await json("network", "remove", name);
    const { out } = await peyk("network", "list");
    expect(out).not.toContain("New Mobile");
    expect(out).toMatch(/Other +added +-\n/);
    expect((await peyk(...add("New Mobile"))).err).toContain("New Mobile is no network");
    await json("network", "import", fileOf("network,range\nNew Mobile,+98950\n"));
    await json(...add("New Mobile"));
  });

  test("refuses a file with overlapping or wrong lines, lists each by number, and imports nothing", async () => {
    await json("network", "import", fileOf("network,range\nA,+98950\n"));
    const refused = async (content: string) => (await peyk("network", "import", fileOf(content))).err;
    expect(await refused("network,range\nA,+9896\nB,0912\nC,+98961\n,+98971\n")).toBe(
      [
        "peyk: line 3: 0912 is no range: write +98912, or +98912-+98913",
        "line 4: +98961 overlaps +9896 of line 2",
        "line 5: the network must have a name of 1 to 60 characters, without a comma",
        "",
      ].join("\n"),
    );
    expect(await refused("network,range\nB,+989501\n")).toContain("line 2: +989501 overlaps +98950, which A has");
    expect(await refused("name,number\nB,+98951\n")).toContain("line 1: must be the header: network,range");
    expect(server.store.tables.networks.ranges()).toHaveLength(1);
  });
});
