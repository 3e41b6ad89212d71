/** What a customer reaches in the portal: its own messages and nothing of carriers, whatever is asked; over real HTTP. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, reaches, sendMessage, tomorrow } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  customer = await signedInAs(server, "customer", { name: "clinic", account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const textOf = async (response: Response) => plainText(await response.text());
const pageText = async (path: string) => textOf(await customer.get(path));

const sendForm = async (more: Record<string, string>) => {
  const key = /name="key" value="([^"]+)"/.exec(await (await customer.get("/send")).text())?.[1] ?? "";
  return { from: "acc_1/30001", recipients: "09120000000", text: "سلام", when: "", reference: "", key, ...more };
};

test("empty pages tell a customer what belongs there without the command line, which it does not have", async () => {
  for (const path of ["/messages", "/inbound", "/groups", "/patterns", "/callbacks"]) {
    const html = await (await customer.get(path)).text();
    const told = { empty: html.includes("empty-words"), command: html.includes("peyk ") };
    expect({ path, ...told }).toEqual({ path, empty: true, command: false });
  }
});

test("a customer's message shows its history without routes in the list, on its page and in the export", async () => {
  const refused = await sendMessage(server, { recipient: "09123450002" });
  await reaches(server, refused, "failed");
  const taken = await sendMessage(server, { recipient: "09123450700" });
  await reaches(server, taken, "delivered");
  expect(await pageText(`/messages/${taken}`)).toMatch(/Accepted by the network One part\. .*Delivered/);
  expect(await pageText(`/messages/${refused}`)).toContain("The network rejected the message.");
  for (const path of ["/messages", `/messages/${taken}`, `/messages/${refused}`, "/messages.csv"]) {
    const html = await (await customer.get(path)).text();
    expect({ path, told: html.toLowerCase().includes("simulat") }).toEqual({ path, told: false });
  }
});

test("filters do not reveal to a customer which routes exist", async () => {
  const code = await sendMessage(server, { recipient: "09123450000" });
  // What is still changing would differ between two answers.
  await reaches(server, code, "delivered");
  for (const path of ["/messages", "/messages.csv"]) {
    const pages = ["simulator", "nowhere"].map(async (route) => {
      const answer = await customer.get(`${path}?route=${route}`);
      const page = (await answer.text()).replaceAll(/value="[0-9a-f-]{36}"|\?route=\w+/g, "");
      return { status: answer.status, page };
    });
    const [there, none] = await Promise.all(pages);
    expect(there?.status).toBe(200);
    expect(there).toEqual(none);
    expect(there?.page).toContain(code);
    expect(there?.page).not.toContain("nowhere");
  }
  const live = await customer.get("/messages/live?since=0&route=nowhere", { Accept: "text/event-stream" });
  expect(live.status).toBe(200);
  await live.body?.cancel();
});

test("a customer cannot find another account's message by any search", async () => {
  const theirs = { account: "acc_2", sender: "30002", sendAt: tomorrow() };
  const code = await sendMessage(server, { recipient: "09123450600", ...theirs });
  for (const path of [`/messages/${code}`, `/messages/${code}/cancel`]) {
    expect((await customer.get(path)).status).toBe(404);
  }
  for (const path of [`/messages/${code}/cancel`, `/messages/${code}/resend`]) {
    expect((await customer.post(path)).status).toBe(404);
  }
  for (const query of [`q=${code}`, "account=acc_2", "q=09123450600", "route=simulator"]) {
    expect({ query, shown: (await pageText(`/messages?${query}`)).includes("09123450600") }).toEqual({
      query,
      shown: false,
    });
  }
  expect(await (await customer.get("/messages.csv?account=acc_2")).text()).not.toContain("+989123450600");
  await reaches(server, code, "queued");
});

test("a customer cancels its own waiting message, and the timeline does not blame the operator", async () => {
  const code = await sendMessage(server, { recipient: "09123450400", sendAt: tomorrow() });
  expect((await customer.post(`/messages/${code}/cancel`)).headers.get("Location")).toBe(`/messages/${code}`);
  expect(await pageText(`/messages/${code}`)).toMatch(/The message is cancelled.*Cancelled/);
  expect((await replyOf(server.api("GET /messages/:trackingCode", { trackingCode: code }))).data?.timeline).toEqual([]);
  const { data } = await replyOf(server.api("GET /audit", { action: "message.cancel", target: code }));
  expect(data?.entries).toMatchObject([{ actor: "clinic", outcome: "done" }]);
});

test("a customer sends only for its own account, whatever the form says", async () => {
  const html = await (await customer.get("/send")).text();
  expect(html).toContain("acc_1/30001");
  expect(html).not.toContain("30002");
  expect((await customer.post("/send", await sendForm({ from: "acc_2/30002" }))).status).toBe(422);
  expect(await textOf(await customer.post("/send/review", await sendForm({})))).not.toContain("simulator");
  const done = await customer.post("/send", await sendForm({ recipients: "09120009999" }));
  expect(done.headers.get("Location")).toMatch(/^\/messages\/\w{26}$/);
  expect(await pageText(done.headers.get("Location") ?? "")).toContain("The message is accepted.");
});

test("a customer sees only its own account's price and balance, whatever the form says", async () => {
  const { api } = server;
  await api("POST /prices/:list", { list: "retail", prefix: "*", price: "120" });
  await api("PUT /accounts/:id/billing", { id: "acc_1", list: "retail", mode: "prepaid" });
  await api("POST /accounts/:id/topup", { id: "acc_1", amount: 500 });
  const typed = { from: "acc_1/30001", recipients: "09120000801", text: "سلام" };
  for (const from of ["acc_1/30001", "acc_2/30001"]) {
    const counted = await textOf(await customer.post("/send/count", { ...typed, from }));
    expect(counted).toMatch(/Cost 120 rials to 1 recipient Balance after it 380 rials/);
  }
  expect(await textOf(await customer.post("/send/review", await sendForm({})))).toMatch(
    /Cost 120 rials Balance after it 380/,
  );
  await api("DELETE /accounts/:id/billing", { id: "acc_1" });
});

test("a customer's first page shows its last 30 days, its latest messages and what needs attention", async () => {
  const code = await sendMessage(server, { recipient: "09123450800" });
  await reaches(server, code, "delivered");
  const html = await (await customer.get("/")).text();
  expect(html).toContain(`href="/messages/${code}"`);
  expect(plainText(html)).toMatch(/Nothing needs a look .*Messages, 30 days [1-9].*Just now.*Running.*Your connection/);
  await server.api("POST /keys", { account: "acc_1", name: "short", expiresAt: tomorrow() });
  expect(await pageText("/")).toContain("The key short ends in");
  await server.api("POST /accounts/:id/suspend", { id: "acc_1" });
  expect(await pageText("/")).toContain("Your account is suspended.");
});
