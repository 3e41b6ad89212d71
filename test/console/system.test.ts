/** The pages about the service itself, and how a customer starts. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
let operator: FormClient;
let owner: FormClient;

const secretUrl = "https://hooks.example.com/T0/secret";

beforeAll(async () => {
  server = await startConsole(({ http, alerts }) => ({
    portalListen: "127.0.0.1:0",
    http: { ...http, url: "https://sms.example.com" },
    alerts: { ...alerts, webhookUrl: secretUrl, webhookSecretFile: join(import.meta.dir, "system.test.ts") },
  }));
  await server.api("POST /accounts", { name: "Shop" });
  operator = await signedInAs(server, "operator");
  owner = await signedInAs(server, "owner");
});
afterAll(() => server.stop());

const plain = (html: string) =>
  html
    .replaceAll("<wbr/>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const textOf = async (path: string, client = operator) => plain(await (await client.get(path)).text());

test("the system page and the diagnostics show state and settings, and no secret", async () => {
  expect(await textOf("/system")).toMatch(/Disk OK.*free of/);
  const settings = await textOf("/system/settings");
  expect(settings).toMatch(/alerts\.webhook_url \(set\)/);
  const diagnostics = await operator.get("/system/diagnostics");
  expect(diagnostics.headers.get("Content-Disposition")).toContain("peyk-diagnostics.json");
  const bundle = await diagnostics.text();
  expect(JSON.parse(bundle)).toMatchObject({ status: { ready: true } });
  for (const told of [settings, bundle]) expect(told).not.toContain("T0/secret");
});

test("a backup is made while the page follows it; only owners download it, and the audit records who did", async () => {
  expect(await textOf("/backups")).toContain("No backup yet");
  expect((await operator.post("/backups")).headers.get("Location")).toBe("/backups");
  const name = await firstCopy();
  expect((await operator.post(`/backups/${name}/download`)).status).toBe(404);
  const fetched = await owner.post(`/backups/${name}/download`);
  expect(fetched.headers.get("Content-Disposition")).toContain(name);
  expect((await fetched.bytes()).subarray(0, 15)).toEqual(new TextEncoder().encode("SQLite format 3"));
  expect(await textOf("/audit")).toMatch(/owner.*backup\.download.*requested-/);
});

/** Its name, once it is made. */
async function firstCopy(): Promise<string> {
  for (;;) {
    const page = await (await owner.get("/backups", { "HX-Request": "true" })).text();
    const name = /backups\/(requested-\w+\.db)\/check/.exec(page)?.[1];
    if (name !== undefined && !page.includes("is being made")) return name;
    await Bun.sleep(50);
  }
}

test("a customer is shown how to begin, with its own sender and where to put its key", async () => {
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30007777" });
  const customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
  const page = await textOf("/begin", customer);
  expect(page).toMatch(/X-API-Key: YOUR-KEY.*30007777/);
  expect(page).toContain("https://sms.example.com/docs");
  expect((await customer.get("/system")).status).toBe(404);
});
