/** `peyk … list` in parts: the same search, limit and offset for every list. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { runCli } from "../support/cli.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.call("POST", "/accounts", { name: "Clinic" });
  for (const name of ["amir", "sara", "sahar"]) await server.call("POST", "/users", { name, role: "operator" });
});
afterEach(() => server.close());

const peyk = (...argv: string[]) => runCli([...argv, "--data-dir", server.folder]);

async function json(...argv: string[]) {
  const run = await peyk(...argv, "--json");
  expect(run).toMatchObject({ code: 0, err: "" });
  return JSON.parse(run.out);
}

test("a list without options is a whole array; with options it is a part with the total count", async () => {
  const all = await json("user", "list");
  expect(all.map(({ name }: { name: string }) => name)).toEqual(["amir", "sara", "sahar"]);
  const part = await json("user", "list", "--query", "SA", "--limit", "1", "--offset", "1");
  expect(part).toEqual({ rows: [{ ...all[2], accountName: null }], offset: 1, found: 2, total: 3 });
});

test("a partial list tells people which offset to continue with", async () => {
  expect((await peyk("user", "list", "--limit", "2")).out).toEndWith("\n\n1 to 2 of 3. Go on: --offset 2\n");
  expect((await peyk("user", "list", "--offset", "2", "--limit", "2")).out).toEndWith("\n\n3 to 3 of 3.\n");
  expect((await peyk("user", "list", "--query", "nobody")).out).toBe("Nothing was found among 3.\n");
  const wrong = await peyk("user", "list", "--limit", "0");
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--limit must be a whole number from 1 to 500")]);
});

test("every list of what accounts own can be read in parts, for one account or for all", async () => {
  for (const noun of ["webhook", "key", "line", "group", "pattern", "sender"]) {
    const empty = { rows: [], offset: 0, found: 0, total: 0 };
    expect({ noun, part: await json(noun, "list", "--account", "acc_1", "--limit", "5") }).toEqual({
      noun,
      part: empty,
    });
  }
});
