/** What the portal's pages say where a customer asks for more than an operator allows. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { credentialFields, smppCredentialFields } from "../../src/fields/credential.ts";
import type { FieldTable } from "../../src/fields/field.ts";
import { keyFields } from "../../src/fields/key.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  await server.api("POST /keys", {
    account: "acc_1",
    name: "limited",
    rate: 5,
    permissions: ["messages:read"],
    allowFrom: ["10.1.2.0/24"],
    expiresAt: "2099-12-24T00:00:00Z",
  });
  await server.api("POST /credentials", { key: "key_1", kind: "smpp", traffic: "bulk", rate: 3, binds: 1, window: 2 });
  owner = await signedInAs(server, "owner", { name: "leila" });
  customer = await signedInAs(server, "customer", { name: "clinic", account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const wide = { name: "limited", rate: "6", permissions: "otp:send", allowFrom: "", expiresAt: "" };
const many = { rate: "", binds: "100", window: "1000", charset: "gsm7", messageIds: "code", repeats: "off" };

test("key and credential forms show at each field what the provider allows, in both languages", async () => {
  const posted = async (path: string, form: Readonly<Record<string, string>>) =>
    plainText(await (await customer.post(path, form)).text());
  const key = await posted("/keys/key_1/change", wide);
  expect(key).toContain("At most 5: your provider has set this limit.");
  expect(key).toContain("Only messages:read: your provider has given the key no others.");
  expect(key).toContain("Only from 10.1.2.0/24, or parts of it: your provider has set this limit.");
  expect(key).toContain("The key ends on 2099-12-24 00:00:00 UTC at the latest: your provider has set this limit.");
  const credential = await posted("/credentials/cred_1/change", many);
  for (const max of [3, 1, 2]) expect(credential).toContain(`At most ${max}: your provider has set this limit.`);
  await customer.post("/preferences", { language: "fa" });
  expect(await posted("/keys/key_1/change", wide)).toContain("حداکثر ۵: این حد را ارائه‌دهندهٔ شما گذاشته است.");
  expect(await posted("/credentials/cred_1/change", many)).toContain("حداکثر ۱: این حد را ارائه‌دهندهٔ شما گذاشته است.");
  await customer.post("/preferences", { language: "en" });
  expect(await server.api("GET /keys/:id", { id: "key_1" })).toMatchObject({ rate: 5, allowFrom: ["10.1.2.0/24"] });
});

test("a key's form and a credential's page say who set a limit, even after the customer has lowered it", async () => {
  await server.api("PATCH /credentials/:id", { id: "cred_1", window: 9 });
  const narrowed = { ...many, rate: "", binds: "1", window: "4" };
  expect((await customer.post("/credentials/cred_1/change", { ...narrowed, rate: "2" })).status).toBe(303);
  const read = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());
  const own = await read(customer, "/keys/key_1/change");
  for (const limit of ["5", "messages:read", "10.1.2.0/24"])
    expect(own).toContain(`Limit set by your provider: ${limit}`);
  expect(await read(owner, "/accounts/acc_1/keys/key_1/change")).toContain("Limit set by an operator: 5.");
  expect(await read(customer, "/credentials/cred_1")).toContain("Window 4 · Limit set by your provider: 9.");
  expect(await read(owner, "/credentials/cred_1")).toContain(
    "Messages a second, at most 2 · Limit set by an operator: 3.",
  );
  expect(await read(customer, "/credentials/cred_1/change")).toContain("Limit set by your provider: 9.");
});

test("the limits shown on pages are those of the fields that a customer may only lower", async () => {
  const [key, credential] = [
    await server.api("GET /keys/:id", { id: "key_1" }),
    await server.api("GET /credentials/:id", { id: "cred_1" }),
  ];
  const narrowed = (table: FieldTable) =>
    Object.entries(table).flatMap(([name, { may }]) => (may === "narrow" ? [name] : []));
  expect(Object.keys(key.limits).sort()).toEqual(narrowed(keyFields).sort());
  const tables = { ...credentialFields, ...smppCredentialFields };
  expect(Object.keys(credential.limits).sort()).toEqual(narrowed(tables).sort());
});

test("an owner sets an account's bounds in its form; the customer reads them, and is told on reaching one", async () => {
  const page = await (await owner.get("/accounts/acc_1/settings")).text();
  expect(plainText(page)).toContain(
    "How many the customer may have. Operators may create more. Empty: the default, 20.",
  );
  await server.api("PATCH /accounts/:id", { id: "acc_1", keysMax: 1, credentialsMax: 1 });
  expect(plainText(await (await customer.get("/account")).text())).toMatch(
    /Keys you may have 1 .*Credentials you may have 1/,
  );
  const key = await customer.post("/keys/new", { ...wide, name: "second", permissions: "messages:read" });
  expect(key.status).toBe(422);
  expect(plainText(await key.text())).toContain("The account has as many keys as your provider allows it.");
  const credential = { ...many, binds: "", window: "", key: "key_1", kind: "smpp", name: "", traffic: "bulk" };
  const made = await customer.post("/credentials/new", credential);
  expect(plainText(await made.text())).toContain("The account has as many credentials as your provider allows it.");
});
