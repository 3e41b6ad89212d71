/** What pages say around a form: what is lost when it comes back, whose sign-in it is, and where a button stands. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, FormClient, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let owner: FormClient;
beforeAll(async () => {
  server = await startConsole();
  owner = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

const again = "Whatever you typed here is typed again";
const open = async (path: string, client = owner) => (await client.get(path)).text();

test("a refused carrier form says that its password has to be typed again", async () => {
  expect(await open("/routes/-new?carrier=smpp")).not.toContain(again);
  const form = {
    carrier: "smpp",
    name: "a",
    host: "127.0.0.1",
    port: "x",
    systemId: "p",
    password: "secret",
    do: "save",
  };
  const refused = await owner.post("/routes/-new", form);
  expect(refused.status).toBe(422);
  const html = await refused.text();
  expect(html).toContain(again);
  expect(html).not.toContain("secret");
});

test("so do a refused receiver of alerts and a refused credential", async () => {
  for (const [path, form] of [
    ["/alerts/receivers/mail", { server: "mail", user: "p", password: "secret", to: "x" }],
    ["/credentials/new", { key: "key_99", kind: "kannel", name: "x", traffic: "single", password: "secret-secret" }],
  ] as const) {
    const refused = await owner.post(path, { ...form });
    expect([path, refused.status, (await refused.text()).includes(again)]).toEqual([path, 422, true]);
  }
});

test("the page for a first password says what it is chosen for", async () => {
  const { setup } = await server.api("POST /users", { name: "newcomer", role: "support" });
  const page = plainText(await open(setup.path, new FormClient(server.consoleUrl)));
  expect(page).toContain("Choose a password to sign in to Peyk");
  expect(plainText(await open("/sign-in", new FormClient(server.consoleUrl)))).toMatch(/Sign in\s+to Peyk/);
});

test("the filters have a button of their own, in their panel", async () => {
  const { id } = await server.api("POST /accounts", { name: "Clinic" });
  await server.api("POST /accounts/:id/senders", { id, sender: "30001234" });
  const one = { account: id, sender: "30001234", recipients: ["09121234567"], message: "x", idempotencyKey: "x" };
  await server.api("POST /messages", one);
  const html = await open("/messages");
  const panel = /<div class="filters-panel card">(.*?)<\/details>/s.exec(html)?.[1] ?? "";
  expect(panel).toContain('<button type="submit"');
  expect(html.replace(panel, "")).toContain('<button type="submit" class="button">Search</button>');
});

test("the settings file is named among the receivers of alerts only where it rules one", async () => {
  expect(await open("/alerts")).not.toContain("[alerts]");
  const other = await startConsole(({ alerts }) => ({
    alerts: { ...alerts, smtpServer: "127.0.0.1:1", mailFrom: "p@example.com", mailTo: ["ops@example.com"] },
  }));
  const reader = await signedInAs(other, "owner");
  expect(await (await reader.get("/alerts")).text()).toContain("[alerts]");
  await other.stop();
});

test("messages are searched since yesterday at ten to six, as on the command line", async () => {
  const asked = new URLSearchParams({ q: "", range: "", shown: "/", from: "yesterday 17:50", to: "" });
  const found = await owner.get(`/messages?${asked}`);
  const { searchParams } = new URL(found.headers.get("Location") ?? "/", server.consoleUrl);
  const from = Date.parse(searchParams.get("from") ?? "");
  expect(from).toBeLessThan(Date.now());
  expect(from).toBeGreaterThan(Date.now() - 49 * 3_600_000);
});
