/** Webhooks in the console: what failed and why, sending again, and a new signing secret. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { freePort } from "../support/free-ports.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let operator: FormClient;
let id = "";
// Nobody listens there.
let destination = "";

async function post(key: string, path: string, body: object): Promise<Response> {
  const headers = { "X-API-Key": key, "Idempotency-Key": crypto.randomUUID(), "Content-Type": "application/json" };
  return fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
}

beforeAll(async () => {
  destination = `127.0.0.1:${await freePort()}`;
  server = await startConsole(({ webhooks }) => ({
    portalListen: "127.0.0.1:0",
    webhooks: { ...webhooks, trustedDestinations: [destination] },
  }));
  const { api } = server;
  const account = (await replyOf(api("POST /accounts", { name: "Shop" }))).data?.id ?? "";
  await api("POST /accounts/:id/senders", { id: account, sender: "30001234" });
  const key = (await replyOf(api("POST /keys", { account, name: "test" }))).data?.apiKey ?? "";
  const made = await post(key, "/v1/webhooks", { url: `https://${destination}/sms`, events: ["message.status"] });
  id = String((await made.json()).id);
  await post(key, "/v1/messages", { sender: "30001234", recipient: "09121234567", message: "سلام" });
  operator = await signedInAs(server, "operator");
  while ((await replyOf(api("GET /webhooks"))).data?.rows[0]?.lastAttempt == null) await Bun.sleep(20);
});
afterAll(() => server.stop());

const textOf = async (path: string, client = operator) =>
  (await (await client.get(path)).text()).replace(/<[^>]*>/g, " ");

test("the list shows that a webhook fails, and its page shows each attempt with the reason", async () => {
  expect(await textOf("/callbacks")).toMatch(/has failed since .*Connection refused/s);
  const page = await textOf(`/callbacks/${id}/deliveries`);
  expect(page).toMatch(/\+989121234567\s+Sending.*Connection refused/s);
  expect(page).toContain("ECONNREFUSED");
  expect(page).toContain("2 of at most 32: it gave no answer");
  expect((await operator.get("/callbacks/none/deliveries")).status).toBe(404);
  expect((await operator.get(`/callbacks/${id}/deliveries?before=none`)).status).toBe(404);
});

test("one event or all events of a period are sent again; an unknown event is not found", async () => {
  const { data } = await replyOf(server.api("GET /webhooks/:id/deliveries", { id }));
  const event = data?.at(-1)?.event ?? "";
  const answer = await operator.post(`/callbacks/${id}/replay`, { event });
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, `/callbacks/${id}/deliveries`]);
  expect(await textOf(`/callbacks/${id}/deliveries`)).toContain("1 delivery is due again.");
  expect((await operator.post(`/callbacks/${id}/replay`, { event: "none" })).status).toBe(404);
  expect(await textOf(`/callbacks/${id}/replay`)).toContain("Events of the last");
  await operator.post(`/callbacks/${id}/replay`, { span: "hour", failed: "yes" });
  // Nothing has failed for good: everything is retried automatically.
  expect(await textOf(`/callbacks/${id}/deliveries`)).toContain("0 deliveries are due again.");
});

test("a new signing secret is shown once, to an owner, and signs once it is switched to", async () => {
  const owner = await signedInAs(server, "owner");
  const shown = await (await owner.post(`/callbacks/${id}/secret`)).text();
  expect(shown).toContain("Shown once");
  expect(await textOf(`/callbacks/${id}/deliveries`, owner)).toContain("Switch to the new secret");
  await owner.post(`/callbacks/${id}/secret/switch`);
  expect(await textOf(`/callbacks/${id}/deliveries`, owner)).toContain("The new secret signs from now on.");
  expect((await owner.post(`/callbacks/${id}/secret/switch`)).status).toBe(409);
});

test("an operator never sees the secret that signs the customer's callbacks", async () => {
  expect(await textOf(`/callbacks/${id}/deliveries`)).not.toContain("Signing secret");
  for (const path of ["secret", "secret/switch"]) {
    expect((await operator.post(`/callbacks/${id}/${path}`)).status).toBe(404);
  }
});

test("support reads webhooks and cannot change them", async () => {
  const support = await signedInAs(server, "support");
  expect((await support.get(`/callbacks/${id}/deliveries`)).status).toBe(200);
  for (const path of ["replay", "secret", "secret/switch", "change", "switch", "test", "remove"]) {
    expect((await support.post(`/callbacks/${id}/${path}`)).status).toBe(404);
  }
});

test("a customer registers a webhook, sees its secret once, chooses events, tests, switches and removes it", async () => {
  const customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
  const list = await textOf("/callbacks", customer);
  expect(list).toContain("Where your systems are notified of what happens to your messages");
  expect(await textOf("/callbacks/new", customer)).not.toContain("Account");

  for (const [form, error] of [
    [{ url: "http://example.com", events: "message.status" }, "The URL must begin with https:// and a host name."],
    [{ url: "https://example.com" }, "Choose at least one event."],
  ] as const) {
    const wrong = await customer.post("/callbacks/new", form);
    expect([wrong.status, (await wrong.text()).includes(error)]).toEqual([422, true]);
  }

  const url = `https://${destination}/mine`;
  const made = await (await customer.post("/callbacks/new", { url, events: "inbound.received" })).text();
  const secret = /whsec_[\w-]{43}/.exec(made)?.[0] ?? "";
  expect(secret).not.toBe("");
  const own = (await server.api("GET /webhooks", { account: "acc_1" })).rows.find((one) => one.url === url)?.id ?? "";
  const page = `/callbacks/${own}/deliveries`;
  expect(await (await customer.get(page)).text()).not.toContain(secret);

  await customer.post(`/callbacks/${own}/change`, { events: "message.status" });
  expect(await textOf(page, customer)).toContain("The events are saved.");
  expect(await server.api("GET /webhooks/:id", { id: own })).toMatchObject({ events: ["message.status"] });
  expect((await customer.post(`/callbacks/${own}/change`, {})).status).toBe(422);

  await customer.post(`/callbacks/${own}/test`);
  expect(await textOf(page, customer)).toContain("webhook.test");
  await customer.post(`/callbacks/${own}/switch`, { active: "no" });
  expect(await textOf(page, customer)).toContain("is switched off");
  expect((await customer.post(`/callbacks/${own}/test`)).status).toBe(409);
  await customer.post(`/callbacks/${own}/switch`, { active: "yes" });
  expect(await textOf(page, customer)).toContain("gets events again");

  expect(await textOf(`/callbacks/${own}/remove`, customer)).toContain("No more events are sent there");
  await customer.post(`/callbacks/${own}/remove`);
  expect(await textOf("/callbacks", customer)).toContain("is removed");
  expect((await customer.get(page)).status).toBe(404);
});

test("a customer cannot reach another account's webhooks", async () => {
  const { id: other } = await server.api("POST /accounts", { name: "Other" });
  const customer = await signedInAs(server, "customer", { name: "other", account: other, url: server.portalUrl ?? "" });
  for (const path of ["change", "switch", "test", "remove"]) {
    expect((await customer.post(`/callbacks/${id}/${path}`, { active: "no", events: "message.status" })).status).toBe(
      404,
    );
  }
  await customer.post("/callbacks/new", {
    account: "acc_1",
    url: `https://${destination}/x`,
    events: "message.status",
  });
  expect((await server.api("GET /webhooks", { account: other })).rows.length).toBe(1);
});

test("an account's sixth webhook is refused with the reason", async () => {
  const owner = await signedInAs(server, "owner", { name: "second" });
  const form = { account: "acc_1", url: `https://${destination}/more`, events: "message.status" };
  for (let more = 0; more < 4; more += 1) expect((await owner.post("/callbacks/new", form)).status).toBe(200);
  const refused = await owner.post("/callbacks/new", form);
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("The account has five webhooks");
});
