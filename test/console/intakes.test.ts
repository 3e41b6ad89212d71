/** Intakes in the console and the portal: who sees them, what a call would send, and the last calls. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { addAccounts, plainText } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
let customer: FormClient;
beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
  await addAccounts(server);
  owner = await signedInAs(server, "owner");
  customer = await signedInAs(server, "customer", { account: "acc_1", url: server.portalUrl ?? "" });
  expect(await pageText(owner, "/intakes")).toContain("No intake yet");
  for (const [account, name] of [
    ["acc_1", "alerts"],
    ["acc_2", "others"],
  ] as const) {
    const { data: key } = await replyOf(server.api("POST /keys", { account, name: "ops" }));
    const template = {
      to: "{{to}}",
      text: "{{text|'<b>none</b>'}}",
      when: { value: "{{status|''}}", isNot: "resolved" },
    };
    const credential = { key: key?.id ?? "", kind: "intake" as const, traffic: "single" as const, name, template };
    expect((await replyOf(server.api("POST /credentials", credential))).data?.name).toBe(name);
  }
});
afterAll(() => server.stop());

const pageText = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());
const tried = async (client: FormClient, body: unknown) => {
  const fields = { body: typeof body === "string" ? body : JSON.stringify(body), contentType: "application/json" };
  const answer = await client.post("/intakes/alerts/test", fields);
  return { status: answer.status, html: await answer.text() };
};

test("a customer sees its own account's intakes, an operator all", async () => {
  expect(await pageText(owner, "/intakes")).toMatch(/alerts.*others/);
  const own = await pageText(customer, "/intakes");
  expect(own).toContain("alerts");
  expect(own).not.toContain("others");
  expect(await (await owner.get("/credentials/cred_1")).text()).toContain('href="/intakes/alerts"');
  expect((await customer.get("/intakes/others")).status).toBe(404);
  expect((await owner.get("/intakes/nobody")).status).toBe(404);
  expect(await pageText(customer, "/intakes/alerts")).toMatch(/Template.*\{\{to\}\}.*No calls since/);
});

test("an intake is created from a preset, shows what it expects, and tries a recorded call", async () => {
  expect(await (await owner.get("/intakes")).text()).toContain('href="/credentials/new?kind=intake"');
  expect(await (await owner.get("/credentials/new?kind=intake")).text()).toMatch(
    /value="intake" selected[\s\S]*Zabbix/,
  );
  const fields = { key: "key_1", kind: "intake", traffic: "single", name: "zabbix", preset: "zabbix" };
  const made = await owner.post("/credentials/new", fields);
  expect([made.status, await made.text()]).toEqual([200, expect.stringContaining('href="/intakes/zabbix"')]);
  const page = await (await owner.get("/intakes/zabbix")).text();
  expect(plainText(page)).toMatch(/Zabbix, media type webhook.*POST \/in\/zabbix.*\{\{subject\|''\}\}/);
  const [, body = ""] = /<textarea[^>]*name="body"[^>]*>([\s\S]*?)<\/textarea>/.exec(page) ?? [];
  const trial = { body: body.replaceAll("&quot;", '"').trim(), contentType: "application/json", query: "" };
  const tried = await owner.post("/intakes/zabbix/test", trial);
  expect(plainText(await tried.text())).toMatch(/Repeats are recognised by .*42 .*Problem: disk is full Host: db-1/);
  const byQuery = { ...fields, name: "mesh", preset: "meshcentral" };
  expect((await owner.post("/credentials/new", byQuery)).status).toBe(200);
  expect(await pageText(owner, "/intakes/mesh")).toContain("GET /in/mesh");
  const query = { body: "", contentType: "", query: "phone=%2B989121234567&message=Hello" };
  expect(plainText(await (await owner.post("/intakes/mesh/test", query)).text())).toMatch(/Hello.*OK/);
});

test("a customer creates an intake, under a name of its own", async () => {
  const fields = { key: "key_1", kind: "intake", traffic: "code", name: "login", preset: "logto" };
  const html = await (await customer.post("/credentials/new", fields)).text();
  const [, path = ""] = /href="(\/intakes\/login-?\w+)"/.exec(html) ?? [];
  expect(await pageText(customer, path)).toMatch(/Logto, HTTP SMS connector.*561166/);
});

test("an intake's form says what lacks at its field", async () => {
  const refusedAt = async (more: object) => {
    const fields = { key: "key_1", kind: "intake", traffic: "single", name: "x", ...more };
    const answer = await owner.post("/credentials/new", fields);
    const wrong = /class="field field-wrong">\s*<label for="field-(\w+)"/.exec(await answer.text())?.[1];
    return [answer.status, wrong];
  };
  expect(await refusedAt({})).toEqual([422, "preset"]);
  expect(await refusedAt({ preset: "grafana" })).toEqual([422, "fixedTo"]);
  expect(await refusedAt({ preset: "grafana", fixedTo: "12" })).toEqual([422, "fixedTo"]);
  expect(await refusedAt({ preset: "logto" })).toEqual([422, "traffic"]);
  const right = { preset: "grafana", fixedTo: "09121234567، 09351234567", traffic: "bulk" };
  expect(await refusedAt({ ...right, name: "grafana" })).toEqual([200, undefined]);
  expect(await pageText(owner, "/intakes/grafana")).toMatch(
    /to&quot;: \[ &quot;09121234567&quot;, &quot;09351234567&quot; \]/,
  );
});

test("a tried call shows its messages, their mistakes and the mistakes of the call", async () => {
  const good = await tried(owner, { to: "09121234567, 12", text: "سلام <b>" });
  expect([good.status, good.html.includes("<b>")]).toEqual([200, false]);
  expect(plainText(good.html)).toMatch(/سلام .*OK.*12 is no mobile number/i);
  expect(plainText((await tried(customer, {})).html)).toContain("is missing in the call");
  expect(plainText((await tried(owner, { to: "09121234567", status: "resolved" })).html)).toContain("nothing is sent");
  expect(plainText((await tried(owner, "{")).html)).toContain("cannot be read");
});
