/** Blocking the number of a message: its effect is announced first, and is what then happens. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, reaches, sendMessage } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let support: FormClient;
let operator: FormClient;
let code = "";
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  code = await sendMessage(server, { recipient: "09123450000" });
  await reaches(server, code, "delivered");
  [support, operator] = [await signedInAs(server, "support"), await signedInAs(server, "operator")];
});
afterAll(() => server.stop());

const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

test("support blocks a number for its account; the sentence follows the account's settings, and the block works", async () => {
  const path = `/messages/${code}/block`;
  expect(await textOf(support, path)).toContain("Its single messages and one-time passwords still are.");
  await server.api("PATCH /accounts/:id", { id: "acc_1", suppression: "all" });
  const asked = await textOf(support, path);
  expect(asked).toMatch(/Nothing of .* is handed over to \+989123450000 any more\./);
  expect(asked).not.toContain("Those of every account");

  // Isolated: a plus sign at the start of a line that runs from the right would be drawn after the number.
  expect(await (await support.get(path)).text()).toContain("<bdi>+989123450000</bdi>");

  const wrong = await support.post(path, { list: "account", note: "x".repeat(121) });
  expect(wrong.status).toBe(422);
  const done = await support.post(path, { list: "account", note: "asked by phone" });
  expect(done.headers.get("Location")).toBe(`/messages/${code}`);
  expect(await textOf(support, `/messages/${code}`)).toMatch(/Nothing of .* any more\./);
  expect(await server.api("GET /suppressions/:number", { number: "09123450000" })).toMatchObject([
    { account: "acc_1", source: "operator", detail: "asked by phone" },
  ]);
  const next = await sendMessage(server, { recipient: "09123450000" });
  await reaches(server, next, "failed");
  expect(await textOf(support, path)).toContain("is blocked for");
});

test("only an operator blocks a number for every account, and a customer blocks none", async () => {
  const path = `/messages/${code}/block`;
  expect((await support.post(path, { list: "all" })).status).toBe(404);
  expect(await textOf(operator, path)).toContain("Bulk messages of every account");
  await operator.post(path, { list: "all" });
  const lists = await server.api("GET /suppressions/:number", { number: "09123450000" });
  expect(lists.map(({ account }) => account)).toEqual([null, "acc_1"]);
  const { entries } = await server.api("GET /audit", { action: "suppression.add" });
  expect(entries.map(({ actor, target, outcome }) => [actor, target, outcome])).toEqual([
    ["operator", "all/+989123450000", "done"],
    ["support", code, "refused"],
    ["support", "acc_1/+989123450000", "done"],
  ]);
  const customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
  expect((await customer.get(path)).status).toBe(404);
  expect(await textOf(customer, `/messages/${code}`)).not.toContain("Block number");
});
