/** A conversation in the console: both directions in order of time, a reply from the line, and nobody else's. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, sendMessage } from "../support/console-traffic.ts";

const number = "+989121234567";
const path = `/conversation?number=${encodeURIComponent(number)}`;

let server: ConsoleProcess;
let operator: FormClient;
let customer: FormClient;
let code: string;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  await server.api("POST /lines", { number: "30001", account: "acc_1" });
  await server.api("POST /lines", { number: "300099", account: "acc_1" });
  await server.api("POST /lines", { number: "30002", account: "acc_2" });
  const write = (to: string, message: string) => server.api("POST /inbound/simulate", { from: number, to, message });
  await write("300099", "First of all");
  code = await sendMessage(server, { recipient: number });
  await sendMessage(server, { recipient: number, account: "acc_2", sender: "30002" });
  await write("30002", "To the bank");
  await write("30001", "Last of all");
  operator = await signedInAs(server, "operator", { name: "olga" });
  customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const textOf = async (client: FormClient, at: string) => plainText(await (await client.get(at)).text());

test("a conversation shows both directions in order of time", async () => {
  const page = await textOf(operator, `${path}&account=acc_1`);
  const places = ["First of all", "Hello", "Last of all"].map((text) => page.indexOf(text));
  expect(places.toSorted((a, b) => a - b)).toEqual(places);
  expect(places).not.toContain(-1);
  expect(page).not.toContain("To the bank");
  expect(await textOf(operator, path)).toContain("To the bank");
});

test("a customer sees its own conversation only, whatever account the address names", async () => {
  for (const at of [path, `${path}&account=acc_2`]) {
    const page = await textOf(customer, at);
    expect([page.includes("Last of all"), page.includes("To the bank"), page.includes("Bank")]).toEqual([
      true,
      false,
      false,
    ]);
  }
});

test("a reply goes from the line that was written to last, if that line may send", async () => {
  const reply = 'href="/send?to=%2B989121234567&amp;from=acc_1%2F30001"';
  expect(await (await operator.get(`${path}&account=acc_1`)).text()).toContain(reply);
  await server.api("PATCH /accounts/:id/senders/:sender", { id: "acc_1", sender: "30001", active: false });
  expect(await (await operator.get(`${path}&account=acc_1`)).text()).not.toContain("/send?to=");
});

test("a message, an inbound message and a search link to the conversation", async () => {
  const [inbound] = (await server.api("GET /inbound", { account: "acc_1" })).messages;
  const link = 'href="/conversation?number=%2B989121234567';
  for (const at of [`/messages/${code}`, `/inbound/${inbound?.trackingCode}`, "/messages?q=09121234567"]) {
    expect([at, (await (await operator.get(at)).text()).includes(link)]).toEqual([at, true]);
  }
  const wrong = await operator.get("/conversation?number=abc");
  expect(wrong.headers.get("Location")).toBe("/messages?q=abc");
});
