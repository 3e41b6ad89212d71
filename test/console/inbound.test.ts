/** Messages from phones, lines and the simulated phone in the console, over real HTTP. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText, reaches, sendMessage } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  owner = await signedInAs(server, "owner");
  customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
});
afterAll(() => server.stop());

const pageText = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());
const locationOf = (response: Response) => response.headers.get("Location") ?? "";

test("a text from the simulated phone waits for a line, and belongs to the account once there is one", async () => {
  expect(await pageText(owner, "/inbound")).toContain("No message from a phone yet");
  const phone = { from: "0912 345 0001", to: "30001234", text: "Call me" };
  expect((await owner.post("/inbound/phone", { ...phone, text: " " })).status).toBe(422);
  const answer = await owner.post("/inbound/phone", phone);
  expect(locationOf(answer)).toMatch(/^\/inbound\/\w{26}$/);
  const page = await (await owner.get(locationOf(answer))).text();
  expect(plainText(page)).toMatch(/The text has arrived\..*Call me/);
  expect(page).toContain('href="/inbound/lines?number=30001234"');
  expect((await customer.get(locationOf(answer))).status).toBe(404);
  expect((await owner.post("/inbound/lines", { number: "", account: "acc_1" })).status).toBe(422);
  expect(locationOf(await owner.post("/inbound/lines", { number: "3000 1234", account: "acc_1" }))).toBe(
    "/inbound/lines",
  );
  expect(await pageText(owner, "/inbound/lines")).toMatch(/one message that had come is given.*30001234 Clinic/);
  const twice = await owner.post("/inbound/lines", { number: "30001234", account: "acc_2" });
  expect([twice.status, plainText(await twice.text())]).toEqual([
    422,
    expect.stringContaining("belongs to account acc_1 already"),
  ]);
  expect(await pageText(customer, locationOf(answer))).toContain("Call me");
});

test("inbound messages are found by sender, line and code", async () => {
  const { data } = await replyOf(
    server.api("POST /inbound/simulate", { from: "09123450002", to: "50004001", message: "STOP" }),
  );
  const code = data?.trackingCode ?? "";
  for (const query of ["q=0912 345 0002", "q=50004001", "mark=unmapped"]) {
    expect({ query, found: (await pageText(owner, `/inbound?${query}`)).includes("STOP") }).toEqual({
      query,
      found: true,
    });
  }
  expect(locationOf(await owner.get(`/inbound?q=${code}`))).toBe(`/inbound/${code}`);
  expect(await pageText(owner, "/inbound?q=0912 999 9999")).toContain("No message matches");
  const theirs = await pageText(customer, "/inbound?account=acc_2&mark=unmapped");
  expect(theirs).not.toContain("STOP");
});

test("a customer's rules are added, tried, ordered and removed, on its own lines alone", async () => {
  const rules = "/inbound/lines/30001234/rules";
  expect(await pageText(customer, "/inbound/lines")).toContain("Rules");
  expect(await pageText(customer, rules)).toContain("No rule yet");
  const wrong = await customer.post(`${rules}/-new`, { match: "keyword", words: "!", hours: "9-17" });
  expect([wrong.status, plainText(await wrong.text())]).toEqual([422, expect.stringContaining("letter or a digit")]);
  const pattern = await customer.post(`${rules}/-new`, { match: "contains", words: "info\n(a+)+$", reply: "x" });
  const told = plainText(await pattern.text());
  expect([pattern.status, told]).toEqual([
    422,
    expect.stringContaining("It has &quot;(a+)+$&quot;, which looks like a pattern"),
  ]);
  const info = { match: "keyword", words: "info\nhelp", reply: "We are\nopen." };
  expect(locationOf(await customer.post(`${rules}/-new`, info))).toBe(rules);
  await owner.post(`${rules}/-new`, { match: "any", reply: "Write INFO." });
  const tried = await customer.post(rules, { from: "09123450003", text: "Help!" });
  expect(plainText(await tried.text())).toMatch(/Rule 1 takes it\..*nor the default is an active sender/);
  const { rules: added } = await server.api("GET /lines/:number/rules", { number: "30001234" });
  const [first] = added;
  expect(added[0]).toMatchObject({ words: ["info", "help"], reply: "We are\nopen.", uses: 0 });
  expect(await pageText(customer, `${rules}/${first?.id}`)).toContain("Change the rule");
  await customer.post(`${rules}/${first?.id}/place`, { place: "2" });
  expect(await pageText(customer, rules)).toMatch(/Write INFO.*We are open/);
  await server.api("POST /inbound/simulate", { from: "09123450003", to: "30001234", message: "info" });
  const { rules: used } = await server.api("GET /lines/:number/rules", { number: "30001234" });
  expect(used.map(({ uses }) => uses)).toEqual([1, 0]);
  expect(await pageText(customer, `${rules}/${first?.id}/remove`)).toContain("Remove rule 2?");
  expect(locationOf(await customer.post(`${rules}/${first?.id}/remove`))).toBe(rules);
  expect((await customer.get(`${rules}/${first?.id}`)).status).toBe(404);
  await server.api("POST /lines", { number: "30005556", account: "acc_2" });
  expect((await customer.get("/inbound/lines/30005556/rules")).status).toBe(404);
  expect((await customer.post("/inbound/lines/30005556/rules/-new", info)).status).toBe(404);
  await server.api("DELETE /lines/:number", { number: "30005556" });
});

test("a line is removed after a question, and only by roles that may", async () => {
  await server.api("POST /lines", { number: "30005555", account: "acc_2" });
  expect(await pageText(customer, "/inbound/lines")).not.toContain("30005555");
  expect((await customer.post("/inbound/lines/30001234/remove")).status).toBe(404);
  expect((await customer.get("/inbound/phone")).status).toBe(404);
  expect(await pageText(owner, "/inbound/lines/30005555/remove")).toContain("Remove the line");
  expect(locationOf(await owner.post("/inbound/lines/30005555/remove"))).toBe("/inbound/lines");
  expect((await server.api("GET /lines")).rows.map(({ number }) => number)).toEqual(["30001234"]);
  expect((await owner.get("/inbound/lines/30005555/remove")).status).toBe(404);
});

test("an owner reads what simulated phones received", async () => {
  const code = await sendMessage(server, { recipient: "09123450900" });
  await reaches(server, code, "delivered");
  const page = await (await owner.get("/inbound/phone")).text();
  expect(page).toContain(`href="/messages/${code}"`);
  expect(plainText(page)).toMatch(/\+989123450900 .*Hello/);
});
