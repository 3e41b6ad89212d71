/** A customer tries every address of the portal with what belongs to another account, over real HTTP. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, reaches, sendMessage, tomorrow } from "../support/console-traffic.ts";
import { declaredPages } from "../support/declared-pages.ts";

let server: ConsoleProcess;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  await signedInAs(server, "owner", { name: "anna" });
  customer = await signedInAs(server, "customer", { name: "clinic", account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

/** Every address but those that end by themselves or never, with each value in its place. */
function* addresses(values: readonly string[]): Generator<{ method: "GET" | "POST"; path: string }> {
  for (const { method, path } of declaredPages()) {
    if (path.startsWith("/setup") || path.endsWith("/live")) continue;
    if (path.includes(":")) for (const value of values) yield { method, path: path.replaceAll(/:\w+/g, value) };
    else if (method === "GET") yield { method, path };
  }
}

const form = { account: "acc_2", sender: "30002", active: "no" };

test("a customer tries every address with what belongs to another account, and can neither read nor change it", async () => {
  const { api } = server;
  const theirs = { account: "acc_2", sender: "30002", recipient: "09129990001", sendAt: tomorrow() };
  const waiting = await sendMessage(server, theirs);
  const key = await api("POST /keys", { account: "acc_2", name: "vault" });
  await api("POST /groups", { account: "acc_2", code: "gold", name: "Gold clients" });
  await api("POST /patterns", { account: "acc_2", code: "pin", name: "Pin", text: "Your pin is {{pin}}" });
  const markers = /Bank|9129990001|Gold clients|Your pin is|vault/;
  const reached: string[] = [];
  let tried = 0;
  for (const { method, path } of addresses(["acc_2", key.id, waiting, "gold", "pin", "30002", "simulator", "anna"])) {
    const url = `${path}?account=acc_2`;
    const answer = await (method === "GET" ? customer.get(url) : customer.post(url, form));
    tried += 1;
    if (answer.status >= 500 || markers.test(await answer.text())) reached.push(`${method} ${url}`);
  }
  expect({ reached, isStillSignedIn: (await customer.get("/")).status === 200 }).toEqual({
    reached: [],
    isStillSignedIn: true,
  });
  expect(tried).toBeGreaterThan(1_000);
  await reaches(server, waiting, "queued");
  const account = await api("GET /accounts/:id", { id: "acc_2" });
  expect([account.name, account.status, account.keys.map(({ status }) => status)]).toEqual([
    "Bank",
    "active",
    ["active"],
  ]);
});
