/** The table of ported numbers from the command line: imported whole or not at all, and what it decides. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/platform/log.ts";
import { portedFilesIn } from "../../src/platform/ported-files.ts";
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

function fileOf(content: string | Uint8Array): string {
  const path = join(server.folder, "ported.csv");
  writeFileSync(path, content);
  return path;
}

const imported = (content: string) => json("ported", "import", fileOf(content));
const networkOf = async (number: string) => json("ported", "find", number);
const explained = () => json("explain", "--account", "acc_1", "--sender", "30001", "--recipient", "09121234567");

test("a number that moved is routed, priced and told by its new network, and the table can be removed again", async () => {
  await json("plan", "create", "iran");
  await json("plan", "rule", "add", "iran", "--network", "Irancell", "--target", "operator-b");
  await json("plan", "rule", "add", "iran", "--network", "IR-MCI", "--target", "operator-a");
  await json("plan", "use", "iran", "--account", "acc_1", "--sender", "30001");
  // Of Irancell's ranges +9890 is nearest.
  const prices = { "*": "50", "+98912": "100", "+9890": "300" };
  for (const [prefix, price] of Object.entries(prices))
    await json("price", "set", "retail", "--prefix", prefix, "--price", price);
  await json("price", "assign", "retail", "--account", "acc_1", "--billing", "postpaid");
  const before = await explained();
  expect(before).toMatchObject({ network: "IR-MCI", networkSource: "prefix", route: "operator-a", price: 100 });
  expect(await imported("number,network\n+989121234567,Irancell\n989121234568,irancell\n")).toEqual({
    numbers: 2,
    repeated: 0,
  });
  expect(await explained()).toMatchObject({
    network: "Irancell",
    networkSource: "ported",
    route: "operator-b",
    price: 300,
    remarks: expect.arrayContaining([
      { rule: "network", words: "+989121234567 is a number of Irancell, by the table of ported numbers." },
    ]),
  });
  expect(await networkOf("09121234568")).toMatchObject({ network: "Irancell", source: "ported", range: "IR-MCI" });
  expect(await networkOf("09121234569")).toMatchObject({ network: "IR-MCI", source: "prefix", range: "IR-MCI" });
  expect((await peyk("ported", "show")).out).toContain("in use");
  expect(await json("ported", "remove")).toEqual({ numbers: 2 });
  expect(await explained()).toEqual(before);
  expect(portedFilesIn(server.folder)).toEqual([]);
  expect(await peyk("ported", "remove")).toMatchObject({ code: 1 });
});

describe("a wrong file changes nothing, and each wrong line is told", () => {
  const cases: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
    "no header": ["+989121234567,Irancell\n", /line 1: must be number,network/],
    nothing: ["", /line 1: there are no numbers/],
    "a header alone": ["number,network\n", /line 1: there are no numbers/],
    "half a line": [
      "number,network\n+989121234567,Irancell\n+98912123",
      /line 3: "\+98912123" has no network: is the file cut short/,
    ],
    "a line cut after its comma": ["number,network\n+989121234567,", /line 2: has no network: is the file cut short/],
    "a network cut short": ["number,network\n+989121234567,Iranc", /line 2: "Iranc" is no network/],
    "an unknown network": ["number,network\n+989121234567,Nobody\n", /line 2: "Nobody" is no network/],
    "a national number": ["number,network\n09121234567,Irancell\n", /line 2: "09121234567" is no number in full/],
    "a number too short": ["number,network\n+989121,Irancell\n", /line 2: "\+989121" is no number/],
    "a number too long": ["number,network\n+9891212345678901,Irancell\n", /line 2: "\+9891212345678901" is no number/],
    words: ["number,network\nAli,Irancell\n", /line 2: "Ali" is no number/],
    "three columns": ["number,network\n+989121234567,Irancell,2020\n", /line 2: "Irancell,2020" is no network/],
    "two networks for a number": [
      "number,network\n+989121234567,Irancell\n+989121234568,Irancell\n+989121234567,Irancell\n+989121234567,IR-MCI\n",
      /line 5: \+989121234567 has moved to IR-MCI, and on line 2 to Irancell/,
    ],
    "a long line": [`number,network\n+989121234567,${"x".repeat(300)}\n`, /line 2: is longer than 256 bytes/],
    garbage: [crypto.getRandomValues(new Uint8Array(60_000)), /line 1: (must be number,network|is longer)/],
    "garbage without a line end": [new Uint8Array(5_000_000).fill(7), /line 1: is longer than 256 bytes/],
  };

  for (const [what, [content, told]] of Object.entries(cases)) {
    test(what, async () => {
      await imported("number,network\n+989121234567,Rightel\n");
      const run = await peyk("ported", "import", fileOf(content));
      expect(run.code).toBe(1);
      expect(run.err).toMatch(told);
      expect(await networkOf("+989121234567")).toMatchObject({ network: "Rightel", source: "ported" });
      expect(readdirSync(server.folder).filter((name) => name.startsWith("ported")).length).toBe(2);
    });
  }

  test("only the first hundred are looked for", async () => {
    const run = await peyk("ported", "import", fileOf(`number,network\n${"x,y\n".repeat(150)}`));
    expect(run.err.match(/^line \d+/gm)?.length).toBe(100);
  });
});

test("separators, quotes, line ends and a mark of the byte order do not matter", async () => {
  const given =
    '\ufeffnumber;network\r\n"+989121234567";"Irancell"\r\n\r\n989121234568; IR-MCI \r\n+989121234567;IRANCELL';
  expect(await imported(given)).toEqual({ numbers: 2, repeated: 1 });
  expect(await networkOf("+989121234567")).toMatchObject({ network: "Irancell", source: "ported" });
});

test("a pipe and a missing file are refused with words", async () => {
  expect(await peyk("ported", "import", join(server.folder, "none.csv"))).toMatchObject({ code: 1 });
  expect((await peyk("ported", "import", "/dev/null")).err).toContain("It must be a file");
});

test("a sum that no file in the folder has is refused", async () => {
  const refused = await server.call("POST", "/ported-numbers", { sum: "0".repeat(64) });
  expect(refused.status).toBe(404);
});

test("a start without the file tells, and ranges decide until it is imported again", async () => {
  const table = "number,network\n+989121234567,Irancell\n";
  await imported(table);
  for (const name of portedFilesIn(server.folder)) rmSync(join(server.folder, name));
  const { ported } = server.routingPlans;
  await ported.clear();
  await imported(table);
  for (const name of portedFilesIn(server.folder)) rmSync(join(server.folder, name));
  // As a new process finds it.
  const { openRoutingPlans } = await import("../../src/messaging/routing/routing-plans.ts");
  const fresh = openRoutingPlans({ ...server, directory: server.directory });
  await fresh.ported.open(silentLog);
  expect(fresh.ported.state()).toMatchObject({ numbers: 1, problem: "missing" });
  expect(fresh.networks.nameOf(fresh.networks.find("+989121234567").network)).toBe("IR-MCI");
});

test("a network that is gone leaves its numbers to their ranges", async () => {
  await server.call("POST", "/networks/import", { csv: "network,range\nVirtual,+98999" });
  await imported("number,network\n+989121234567,Virtual\n");
  expect(await networkOf("+989121234567")).toMatchObject({ network: "Virtual", source: "ported" });
});
