/** Patterns, groups with their imports, and approvals in the console. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
let operator: FormClient;

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await server.api.accounts.post({ name: "Shop" });
  operator = await signedInAs(server, "operator");
});
afterAll(() => server.stop());

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const textOf = async (path: string, client = operator) => plain(await (await client.get(path)).text());

test("a pattern is made, waits in the queue of approvals, and is approved; a wrong one keeps what was typed", async () => {
  expect(await textOf("/patterns")).toContain("No pattern yet");
  const fields = { account: "acc_1", code: "welcome", name: "Welcome", text: "سلام {{name}}", sender: "" };
  const wrong = await operator.post("/patterns/new", { ...fields, text: "سلام {{name", code: "a b" });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-code-error"'), again.includes("Welcome")]).toEqual([422, true, true]);
  const made = await operator.post("/patterns/new", fields);
  expect(made.headers.get("Location")).toBe("/patterns/welcome?account=acc_1");
  expect(await textOf("/approvals")).toMatch(/Welcome welcome Pattern Shop سلام/);
  await operator.post("/patterns/welcome/approve?account=acc_1");
  expect(await textOf("/patterns/welcome?account=acc_1")).toMatch(/Approved: it can be used.*name \(\d+\).*operator/);
  expect((await operator.post("/patterns/new", { ...fields, name: "Twice" })).status).toBe(422);
  expect(await textOf("/approvals")).toContain("Nothing waits for approval");
  await operator.post("/patterns/welcome/suspend?account=acc_1");
  expect(await textOf("/patterns/welcome?account=acc_1")).toContain("Suspended");
});

test("a pattern is tried with values: its text, its parts, and what one message of it costs; nothing is stored", async () => {
  const { api } = server;
  await api.accounts({ id: "acc_1" }).senders.post({ sender: "30001" });
  await api.accounts({ id: "acc_1" }).patch({ defaultSender: "30001" });
  await api.prices({ list: "retail" }).post({ prefix: "*", price: "90" });
  await api.accounts({ id: "acc_1" }).billing.put({ list: "retail", mode: "prepaid" });
  await api.accounts({ id: "acc_1" }).topup.post({ amount: 1_000 });
  const fields = { account: "acc_1", code: "due", name: "Due", text: "{{name}}: {{constructor}} days", sender: "" };
  await operator.post("/patterns/new", fields);
  const tried = async (values: Record<string, string>) =>
    plain(await (await operator.post("/patterns/due/preview?account=acc_1", values)).text());
  expect(await textOf("/patterns/due?account=acc_1")).toMatch(
    /\{\{name\}\}: \{\{constructor\}\} days Parts and cost are told/,
  );
  expect(await tried({ "value-name": "Sara" })).toContain("Sara: {{constructor}} days Parts and cost are told");
  const whole = { "value-name": "Sara {{x}}", "value-constructor": "3" };
  expect(await tried(whole)).toMatch(/Sara \{\{x\}\}: 3 days Characters 18 Parts 1 /);
  expect(await tried({ ...whole, to: "۰۹۱۲۳۴۵۶۷۸۹" })).toMatch(
    /Cost 90 rials to 1 recipient Balance after it 910 rials/,
  );
  expect(await tried({ ...whole, to: "12" })).not.toContain("Cost");
  expect(await tried({ ...whole, "value-name": "x".repeat(31) })).toContain("name has at most 30 characters.");
  expect((await api.messages.get({ query: {} })).data?.messages).toEqual([]);
});

/** Until the import has ended. */
async function imported(client: FormClient, path: string, csv: string): Promise<{ page: string; path: string }> {
  const form = new FormData();
  form.set("file", new File([csv], "members.csv", { type: "text/csv" }));
  const begun = await client.postForm(path, form);
  const at = begun.headers.get("Location") ?? "";
  expect([begun.status, at]).toEqual([303, expect.stringContaining("/imports/")]);
  for (;;) {
    const page = await (await client.get(at, { "HX-Request": "true" })).text();
    if (!page.includes("hx-get")) return { page: plain(page), path: at };
    await Bun.sleep(20);
  }
}

test("members are imported with their progress, wrong lines are named and can be had as CSV, and the list is approved", async () => {
  const made = await operator.post("/groups/new", { account: "acc_1", code: "spring", name: "Spring" });
  expect(made.headers.get("Location")).toBe("/groups/spring?account=acc_1");
  await operator.post("/groups/spring/approve?account=acc_1");
  expect(await textOf("/groups/spring?account=acc_1")).toContain("no members yet");
  expect((await operator.postForm("/groups/spring/import?account=acc_1", new FormData())).status).toBe(422);
  const wrong = await imported(operator, "/groups/spring/import?account=acc_1", "mobile\n09121234567\n=cmd\n");
  expect(wrong.page).toMatch(/1 refused.*Line 3 =cmd.*Nothing was imported/);
  const refused = await operator.get(wrong.path.replace("?", "/refused?"));
  expect(await refused.text()).toMatch(/^line,value,reason\r\n3,'=cmd,/);
  const good = await imported(
    operator,
    "/groups/spring/import?account=acc_1",
    "mobile\n09121234567\n09127654321\n09121234567\n",
  );
  expect(good.page).toMatch(/2 members are in the new list; 1 lines repeated/);
  expect(await textOf("/approvals")).toMatch(/Spring spring Group Shop 2 members/);
  await operator.post("/groups/spring/approve?account=acc_1");
  expect(await textOf("/groups")).toMatch(/Spring spring Approved Shop.* 2 /);
});

test("a customer has groups and patterns of its own account alone, and approves none", async () => {
  const other = (await server.api.accounts.post({ name: "Other" })).data?.id ?? "";
  await server.api.groups.post({ account: other, code: "secret", name: "Theirs" });
  const url = server.portalUrl ?? "";
  const customer = await signedInAs(server, "customer", { name: "shop", account: "acc_1", url });
  expect(await textOf("/groups", customer)).toContain("Spring");
  expect(await textOf("/groups", customer)).not.toContain("Theirs");
  expect((await customer.get(`/groups/secret?account=${other}`)).status).toBe(404);
  const made = await customer.post("/groups/new", { account: other, code: "mine", name: "Mine" });
  expect(made.headers.get("Location")).toBe("/groups/mine");
  expect((await server.api.groups({ code: "mine" }).get({ query: {} })).data?.account).toBe("acc_1");
  expect((await customer.post("/groups/spring/approve")).status).toBe(404);
  expect((await customer.get("/approvals")).status).toBe(404);
  expect((await imported(customer, "/groups/mine/import", "mobile\n09121234567\n")).page).toContain("1 members");
});
