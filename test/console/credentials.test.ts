/** The pages of credentials: an owner's of all accounts and a customer's own, over real HTTP and without JavaScript. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  for (const account of ["acc_1", "acc_2"]) await server.api("POST /keys", { account, name: "smpp" });
  owner = await signedInAs(server, "owner", { name: "leila" });
  customer = await signedInAs(server, "customer", { name: "clinic", account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const textAt = async (reader: FormClient, path: string) => plainText(await (await reader.get(path)).text());
const form = (more: Readonly<Record<string, string>>) => ({
  kind: "smpp",
  name: "",
  traffic: "bulk",
  rate: "",
  binds: "",
  window: "",
  charset: "gsm7",
  messageIds: "code",
  ...more,
});
const keyOf = (account: string) => `key_${account.slice(-1)}`;

test("an owner makes a credential, its password is shown once, renews and revokes it", async () => {
  const key = keyOf("acc_1");
  const made = await owner.post("/credentials/new", form({ key, name: "mybank", rate: "50", window: "20" }));
  const page = plainText(await made.text());
  const [, password = ""] = /\b([0-9A-Za-z]{8})\b/.exec(page.replace(/.*mybank/s, "")) ?? [];
  expect(password).toHaveLength(8);
  expect(await textAt(owner, "/credentials")).toMatch(/mybank .*Active .*SMPP/s);
  const shown = await textAt(owner, "/credentials/cred_1");
  expect(shown).toMatch(/No connection is up\..*Messages a second, at most 50.*Window 20/s);
  expect(shown).not.toContain(password);
  expect(await textAt(owner, "/credentials/cred_1/rotate")).toContain("A new password for mybank?");
  expect(plainText(await (await owner.post("/credentials/cred_1/rotate", {})).text())).not.toContain(password);
  expect(await textAt(owner, "/credentials/cred_1")).toContain("The old password is taken until");
  await owner.post("/credentials/cred_1/revoke", {});
  expect(await textAt(owner, "/credentials")).toContain("Revoked");
});

test("what is wrong is told at its field, and what was typed stays", async () => {
  const key = keyOf("acc_1");
  const told = async (more: Readonly<Record<string, string>>) => {
    const answer = await owner.post("/credentials/new", form({ key, name: "kept-name", ...more }));
    const html = await answer.text();
    return { status: answer.status, text: plainText(html), kept: html.includes('value="kept-name"') };
  };
  expect(await told({ traffic: "" })).toMatchObject({
    kept: true,
    text: expect.stringContaining("Choose what it sends."),
  });
  expect((await told({ binds: "101" })).text).toContain("from 1 to 100");
  expect((await told({ window: "many" })).text).toContain("from 1 to 1000");
  expect((await told({ key: "key_99" })).text).toContain("The key was not found");
});

test("a customer makes its own, under its own keys alone, and sees no other's", async () => {
  const [own, foreign] = [keyOf("acc_1"), keyOf("acc_2")];
  await owner.post("/credentials/new", form({ key: foreign, name: "others" }));
  expect(await textAt(owner, "/credentials/cred_2")).toContain("others");
  const made = await customer.post("/credentials/new", form({ key: own, name: "clinic-smpp", traffic: "single" }));
  expect(plainText(await made.text())).toContain("clinic-smpp");
  const list = await textAt(customer, "/credentials");
  expect(list).toContain("clinic-smpp");
  expect(list).not.toContain("others");
  const id = "cred_2";
  expect((await customer.get(`/credentials/${id}`)).status).toBe(404);
  expect((await customer.post(`/credentials/${id}/revoke`, {})).status).toBe(404);
  expect((await customer.post("/credentials/new", form({ key: foreign, name: "stolen" }))).status).toBe(404);
});
