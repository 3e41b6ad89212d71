/** Senders in the console: added with their routes, given others, reordered, and found from the hint on the first page. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let operator: FormClient;

beforeAll(async () => {
  server = await startConsole();
  operator = await signedInAs(server, "operator");
  await addAccounts(server);
  for (const name of ["operator-a", "operator-b"]) await server.api("POST /routes", { name, kind: "simulator" });
  const receiver = { host: "127.0.0.1", port: 1, systemId: "peyk", password: "secret", bind: "receiver" };
  await server.api("POST /routes", { name: "inbound-only", kind: "smpp", options: receiver });
  await server.api("POST /plans", { name: "iran" });
});
afterAll(() => server.stop());

const textOf = async (path: string, client = operator) => plainText(await (await client.get(path)).text());

async function senderOf(account: string, sender: string) {
  const { data } = await replyOf(server.api("GET /senders", { account, name: sender }));
  return data?.rows[0];
}

test("a sender is added with its routes and a plan; a refused one keeps what was chosen", async () => {
  const form = await (await operator.get("/accounts/acc_1/senders/new")).text();
  expect(form).toContain('value="operator-b"');
  expect(form).not.toContain("inbound-only");
  const chosen = { sender: "Clinic", routes: "operator-b", "routes-2": "operator-a", plan: "iran" };
  const wrong = await operator.post("/accounts/acc_1/senders", { ...chosen, sender: "3" });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-sender-error"')]).toEqual([422, true]);
  expect(again).toMatch(/<option value="operator-b" selected/);
  const added = await operator.post("/accounts/acc_1/senders", chosen);
  expect(added.headers.get("Location")).toBe("/accounts/acc_1");
  // A gap between the routes closes.
  expect(await senderOf("acc_1", "Clinic")).toMatchObject({ routes: ["operator-b", "operator-a"], plan: "iran" });
  expect(await textOf("/accounts/acc_1")).toContain("plan iran operator-b nothing is really sent operator-a");
  const twice = await operator.post("/accounts/acc_1/senders", chosen);
  expect([twice.status, (await twice.text()).includes('id="field-sender-error"')]).toEqual([422, true]);
});

test("a sender's routes are reordered and removed in its row; a wrong one changes nothing", async () => {
  const path = "/accounts/acc_1/senders/routes";
  const form = await (await operator.get(`${path}?sender=Clinic`)).text();
  expect(form).toMatch(/id="field-routes"[^>]*>.*?<option value="operator-b" selected/s);
  const order = { sender: "Clinic", routes: "operator-a", "routes-1": "operator-b", plan: "" };
  expect((await operator.post(path, order)).headers.get("Location")).toBe("/accounts/acc_1");
  expect(await senderOf("acc_1", "Clinic")).toMatchObject({ routes: ["operator-a", "operator-b"], plan: null });
  const gone = await operator.post(path, { ...order, routes: "operator-b", "routes-1": "", plan: "gone" });
  expect([gone.status, (await gone.text()).includes('id="field-plan-error"')]).toEqual([422, true]);
  expect(await senderOf("acc_1", "Clinic")).toMatchObject({ routes: ["operator-a", "operator-b"], plan: null });
  await operator.post(path, { sender: "Clinic", routes: "", of: "all" });
  expect(await senderOf("acc_1", "Clinic")).toMatchObject({ usesDefaultRoute: true });
  expect((await operator.get(`${path}?sender=30009`)).status).toBe(404);
});

test("all senders are on one page, linked from the first page when the simulator carries several", async () => {
  const home = await (await operator.get("/")).text();
  expect(home).toMatch(/href="\/senders"[^>]*>\s*Choose a route/);
  const all = await textOf("/senders");
  expect(all).toContain("30001 Active Clinic");
  expect(all).toContain("30002 Active Bank");
  const support = await signedInAs(server, "support");
  expect(await (await support.get("/senders")).text()).not.toContain("senders/routes?");
  expect((await support.get("/accounts/acc_1/senders/routes?sender=30001")).status).toBe(404);
});
