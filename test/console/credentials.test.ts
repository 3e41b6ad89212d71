/** The pages of credentials: of all accounts for an owner and of its own for a customer, over real HTTP and without JavaScript. */
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
  ia5: "gsm7",
  messageIds: "code",
  repeats: "off",
  ...more,
});
const keyOf = (account: string) => `key_${account.slice(-1)}`;

test("an owner creates a credential, sees its password once, renews and revokes it", async () => {
  const key = keyOf("acc_1");
  const made = await owner.post("/credentials/new", form({ key, name: "mybank", rate: "50", window: "20" }));
  const page = plainText(await made.text());
  const [, password = ""] = /\bPassword Copy ([0-9A-Za-z]{8})\b/.exec(page) ?? [];
  expect(password).toHaveLength(8);
  expect(page).not.toContain("API key");
  expect(await textAt(owner, "/credentials")).toMatch(/mybank .*Active .*SMPP/s);
  const shown = await textAt(owner, "/credentials/cred_1");
  expect(shown).toMatch(/Messages a second, at most 50.*Window 20.*No connection is up\./s);
  expect(shown).toContain("Alphabet of data_coding 1 gsm7");
  expect(shown).not.toContain(password);
  expect(await textAt(owner, "/credentials/cred_1/rotate")).toContain("Create a new password for mybank?");
  expect(plainText(await (await owner.post("/credentials/cred_1/rotate", {})).text())).not.toContain(password);
  expect(await textAt(owner, "/credentials/cred_1")).toContain("The old password works until");
  await owner.post("/credentials/cred_1/revoke", {});
  expect(await textAt(owner, "/credentials")).toContain("Revoked");
});

test("a mistake is shown at its field, and what was typed stays", async () => {
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
  expect((await told({ key: "key_99" })).text).toContain("There is no such key.");
});

test("the form sets and later changes a repeat's TLV, an own password, origins and the key", async () => {
  const key = keyOf("acc_1");
  const wrong = await owner.post("/credentials/new", form({ key, name: "tagged", repeats: "tlv", repeatsTag: "0x99" }));
  expect(plainText(await wrong.text())).toContain("from the range of vendors");
  await owner.post("/credentials/new", form({ key, name: "tagged", repeats: "tlv", repeatsTag: "0x1500" }));
  const kannel = {
    kind: "kannel",
    name: "shop",
    traffic: "single",
    password: "a password of its own",
    callbackOrigins: "http://10.0.0.5:8000\r\nhttp://10.0.0.6",
    requestKey: "query",
    requestKeyName: "id",
    requestKeySeconds: "90",
    requestKeyFreeAfterFailure: "yes",
    textCharset: "windows-1256",
    path: "/sms/send",
  };
  expect(await (await owner.post("/credentials/new", form({ key, ...kannel }))).text()).toContain(kannel.password);
  const [tagged, shop] = ["cred_2", "cred_3"];
  expect(await textAt(owner, `/credentials/${tagged}`)).toContain("TLV 0x1500");
  expect(await textAt(owner, `/credentials/${shop}`)).toMatch(
    /Charset of texts windows-1256.*Another path \/sms\/send.*http:\/\/10\.0\.0\.5:8000 http:\/\/10\.0\.0\.6.*query id.*90.*yes/s,
  );
  const html = await (await owner.get(`/credentials/${shop}/change`)).text();
  expect(html).toContain("http://10.0.0.5:8000\nhttp://10.0.0.6</textarea>");
  const { kind: _, name: __, traffic: ___, password: ____, ...options } = kannel;
  const changed = { ...options, rate: "7", callbackOrigins: "", requestKey: "", requestKeyFreeAfterFailure: "" };
  await owner.post(`/credentials/${shop}/change`, changed);
  expect(await textAt(owner, `/credentials/${shop}`)).toMatch(
    /at most 7.*90.*nowhere else.*the header Idempotency-Key alone.*no/s,
  );
  const refused = await owner.post(`/credentials/${shop}/change`, { ...changed, callbackOrigins: "10.0.0.5" });
  expect(plainText(await refused.text())).toContain("is no origin");
  const taken = await owner.post(`/credentials/${shop}/change`, { ...changed, path: "/send" });
  expect(plainText(await taken.text())).toContain("another service has it");
  const emptied = { ...changed, textCharset: "", path: "" };
  await owner.post(`/credentials/${shop}/change`, emptied);
  expect(await textAt(owner, `/credentials/${shop}`)).toMatch(/Charset of texts none.*Another path none/s);
  await owner.post(`/credentials/${tagged}/change`, form({ repeats: "reference", binds: "9", rate: "3" }));
  expect(await textAt(owner, `/credentials/${tagged}`)).toMatch(/at most 3.*at once 9.*user_message_reference/s);
});

test("a customer changes its own credential, and cannot list an origin inside the network", async () => {
  const made = { kind: "jasmin", name: "clinic-jasmin", key: keyOf("acc_1"), traffic: "single" };
  await customer.post("/credentials/new", form({ ...made, callbackOrigins: "http://10.0.0.5" }));
  expect(await textAt(customer, "/credentials/cred_4")).toMatch(/clinic-jasmin.*nowhere else/s);
  expect(await (await customer.get("/credentials/cred_4/change")).text()).not.toContain("callbackOrigins");
  await customer.post("/credentials/cred_4/change", { rate: "5", callbackOrigins: "http://10.0.0.5" });
  expect(await textAt(customer, "/credentials/cred_4")).toMatch(/at most 5.*nowhere else/s);
});

test("a customer creates credentials under its own keys only, and sees no others", async () => {
  const [own, foreign] = [keyOf("acc_1"), keyOf("acc_2")];
  await owner.post("/credentials/new", form({ key: foreign, name: "others" }));
  expect(await textAt(owner, "/credentials/cred_5")).toContain("others");
  const made = await customer.post("/credentials/new", form({ key: own, name: "mybank", traffic: "single" }));
  expect(plainText(await made.text())).toMatch(/mybank-[0-9A-Za-z]{4}\b/);
  const list = await textAt(customer, "/credentials");
  expect(list).toContain("mybank-");
  expect(list).not.toContain("others");
  const id = "cred_5";
  expect((await customer.get(`/credentials/${id}`)).status).toBe(404);
  expect((await customer.post(`/credentials/${id}/revoke`, {})).status).toBe(404);
  expect((await customer.post("/credentials/new", form({ key: foreign, name: "stolen" }))).status).toBe(404);
});

test("a credential whose key was revoked says so instead of claiming that it expired", async () => {
  const { id } = await server.api("POST /keys", { account: "acc_2", name: "short-lived" });
  await owner.post("/credentials/new", form({ key: id, name: "keyless" }));
  await server.api("POST /keys/:id/revoke", { id });
  expect(await textAt(owner, "/credentials")).toMatch(/keyless .*Key ended .*SMPP/s);
});
