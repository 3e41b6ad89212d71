/** A customer's own account in the portal: its limits, and quiet hours where the settings allow them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";

const quietHours = { windows: ["23:00-07:00"], singles: false };
let open: ConsoleProcess;
let closed: ConsoleProcess;
let customer: FormClient;
let limited: FormClient;

const customerOf = async (server: ConsoleProcess) => {
  await server.api("POST /accounts", { name: "Clinic" });
  return signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
};

beforeAll(async () => {
  const portalListen = "127.0.0.1:0";
  open = await startConsole(({ portal }) => ({ portalListen, quietHours, portal: { ...portal, quietHours: true } }));
  closed = await startConsole(() => ({ portalListen, quietHours }));
  [customer, limited] = [await customerOf(open), await customerOf(closed)];
});
afterAll(() => Promise.all([open.stop(), closed.stop()]));

const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

test("the account page shows senders, limits, and the value of each setting that applies", async () => {
  expect(await textOf(customer, "/account")).toContain("You have no sender yet.");
  await open.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
  await open.api("PUT /quotas/:of", { of: "acc_1", day: 500 });
  const page = await textOf(customer, "/account");
  expect(page).toMatch(/30001234 Active/);
  expect(page).toContain("0 of 500 used");
  expect(page).toMatch(/Days your messages are kept 90 · by default/);
  expect(page).toMatch(/23:00-07:00 · by default/);
});

test("a customer changes its quiet hours, and each wrong line is explained beside its field", async () => {
  const wrong = await customer.post("/account/quiet-hours", { quietHours: "late" });
  expect([wrong.status, plainText(await wrong.text()).includes("is no window; one looks like")]).toEqual([422, true]);
  const saved = await customer.post("/account/quiet-hours", { quietHours: "21:00-09:00\n13:00-15:00 Fri" });
  expect(saved.headers.get("Location")).toBe("/account");
  expect(await textOf(customer, "/account")).toContain("Your quiet hours are saved");
  expect(await open.api("GET /accounts/:id", { id: "acc_1" })).toMatchObject({
    quietHours: ["21:00-09:00", "13:00-15:00 Fri"],
  });
  const { entries } = await open.api("GET /audit", { action: "account.quiet-hours", limit: 1 });
  expect(entries).toMatchObject([{ actor: "customer", target: "acc_1" }]);
});

test("quiet hours that the settings fix are shown, and cannot be changed by page or operation", async () => {
  const page = await textOf(limited, "/account");
  expect(page).toContain("Your provider sets them.");
  expect(page).toContain("23:00-07:00");
  expect((await limited.get("/account/quiet-hours")).status).toBe(404);
  expect((await limited.post("/account/quiet-hours", { quietHours: "none" })).status).toBe(404);
  expect(await closed.api("GET /accounts/:id", { id: "acc_1" })).toMatchObject({ quietHours: null });
});
