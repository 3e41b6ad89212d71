/** Routes in the console: an SMSC is connected by the form and binds, and what each form refuses. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { createLocale } from "../../src/console/locale.ts";
import { type ConsoleProcess, type FormClient, LateClock, signedInAs, startConsole } from "../support/console.ts";
import { type FastSmsc, startFastSmsc } from "../support/fast-smsc.ts";
import { freePort } from "../support/free-ports.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let owner: FormClient;
let smsc: FastSmsc;

beforeAll(async () => {
  [server, smsc] = await Promise.all([startConsole(), startFastSmsc()]);
  owner = await signedInAs(server, "owner");
});
afterAll(async () => {
  await server.stop();
  await smsc.stop();
});

const minuteMs = 60_000;
const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const textOf = async (path: string, client = owner) => plain(await (await client.get(path)).text());

test("an SMSC is added with the form, binds, and is tested step by step", async () => {
  const fields = { carrier: "smpp", name: "operator-a", host: "127.0.0.1", systemId: "peyk", password: "secret" };
  const wrong = await owner.post("/routes/-new", { ...fields, name: "-", port: "many" });
  const again = await wrong.text();
  expect([wrong.status, again.includes('id="field-name-error"'), again.includes('value="127.0.0.1"')]).toEqual([
    422,
    true,
    true,
  ]);
  expect(again).not.toContain("secret");
  const port = await owner.post("/routes/-new", { ...fields, port: "many" });
  expect([port.status, (await port.text()).includes('id="field-port-error"')]).toEqual([422, true]);
  const added = await owner.post("/routes/-new", { ...fields, port: String(smsc.port) });
  expect(added.headers.get("Location")).toBe("/routes/operator-a");
  while (!(await textOf("/routes/operator-a")).includes("operator-a Up")) await Bun.sleep(20);
  expect(await textOf("/routes")).toMatch(new RegExp(`operator-a SMPP · 127.0.0.1:${smsc.port} Up`));
  const tested = plain(await (await owner.post("/routes/operator-a/test")).text());
  expect(tested).toContain("The test succeeded");
  expect((await owner.post("/routes/-new", { ...fields, port: String(smsc.port) })).status).toBe(422);
  expect(await textOf("/routes/operator-a")).not.toContain("secret");
});

test("a route is drained, disabled, changed and removed; one in use stays", async () => {
  await owner.post("/routes/operator-a/drain");
  expect(await textOf("/routes/operator-a")).toContain("Draining since");
  await owner.post("/routes/operator-a/undrain");
  await owner.post("/routes/operator-a/disable");
  expect(await textOf("/routes/operator-a")).toContain("operator-a Off");
  expect((await owner.post("/routes/operator-a/test")).status).toBe(303);
  const wrong = await owner.post("/routes/operator-a/edit", { file: "{" });
  expect([wrong.status, plain(await wrong.text())]).toEqual([422, expect.stringContaining("not a JSON object")]);
  const unknown = await owner.post("/routes/operator-a/edit", { file: '{"hots": "x"}' });
  expect([unknown.status, plain(await unknown.text())]).toEqual([422, expect.stringContaining("hots")]);
  const file = JSON.stringify({ host: "127.0.0.1", port: smsc.port, systemId: "peyk", receiptId: "exact" });
  expect((await owner.post("/routes/operator-a/edit", { file })).status).toBe(303);
  await owner.post("/routes/operator-a/match");
  expect((await replyOf(server.api("GET /routes/:name", { name: "operator-a" }))).data?.options).toMatchObject({
    receiptId: "auto",
  });
  const { id = "" } = (await replyOf(server.api("POST /accounts", { name: "Shop" }))).data ?? {};
  await server.api("POST /accounts/:id/senders", { id, sender: "30001234", routes: ["operator-a"] });
  await owner.post("/routes/operator-a/remove");
  expect(await textOf("/routes/operator-a")).toContain("It was not removed");
  await server.api("DELETE /accounts/:id/senders/:sender", { id, sender: "30001234" });
  expect(await textOf("/routes/operator-a/remove")).toContain("Remove the route operator-a?");
  expect((await owner.post("/routes/operator-a/remove")).headers.get("Location")).toBe("/routes");
  expect((await owner.get("/routes/operator-a")).status).toBe(404);
});

test("a route's page and row draw what became of its messages", async () => {
  const { id = "" } = (await replyOf(server.api("POST /accounts", { name: "Drawn" }))).data ?? {};
  await server.api("POST /accounts/:id/senders", { id, sender: "30009999", routes: ["simulator"] });
  // The simulator fails numbers that end in 01.
  const recipients = ["09121234500", "09121235500", "09121236500", "09121234501"];
  await server.api("POST /messages", {
    account: id,
    sender: "30009999",
    message: "Hi",
    recipients,
    idempotencyKey: "drawn",
  });
  while (!(await textOf("/routes/simulator")).includes("Delivered in 24 hours 75.0%")) await Bun.sleep(100);
  for (const [span, title] of [
    ["hours", "Outcomes every 15 minutes"],
    ["day", "Outcomes an hour"],
    ["month", "Outcomes a day"],
  ] as const) {
    const html = await (await owner.get(`/routes/simulator?span=${span}`)).text();
    expect(plain(html)).toContain(title);
    expect(html).toMatch(/class="fill-failed"/);
  }
  expect(await textOf("/routes/simulator")).toMatch(/Networks .* 25\.0%/);
  expect(await textOf("/routes")).toMatch(/simulator Simulator Up 4 messages, 1 failed 75\.0%/);
});

test("all wrong fields are named at once, hidden ones are opened, and no secret is shown", async () => {
  const typed = {
    carrier: "smpp",
    name: "-",
    host: "a b",
    port: "x",
    systemId: "",
    password: "top-secret",
    window: "0",
  };
  const wrong = await owner.post("/routes/-new", { ...typed, sourceTon: "300", rest: '{"hots": 1}' });
  const html = await wrong.text();
  const named = ["name", "host", "port", "systemId", "window", "sourceTon"].map((name) => `id="field-${name}-error"`);
  expect([wrong.status, named.filter((id) => !html.includes(id))]).toEqual([422, []]);
  expect(html).toMatch(/<details class="form-fold" open>/);
  expect(html).toContain("hots");
  expect(html).not.toContain("top-secret");
});

test("the test beside the form tries the typed values, step by step, and stores nothing", async () => {
  const fields = {
    carrier: "smpp",
    name: "trial",
    host: "127.0.0.1",
    systemId: "peyk",
    password: "secret",
    rest: "{}",
  };
  const before = smsc.submits;
  const good = plain(
    await (await owner.post("/routes/-new", { ...fields, port: String(smsc.port), do: "test" })).text(),
  );
  expect(good).toContain("Ready to carry messages");
  // Each step with the time it took.
  expect(good).toMatch(/Signed in \(.*?\) [\d.]+ m?s /);
  const closed = await owner.post("/routes/-new", { ...fields, port: "1", do: "test" });
  expect(plain(await closed.text())).toMatch(/The carrier cannot be reached .* Sign in Sign out/);
  const unfilled = await owner.post("/routes/-new", { ...fields, port: "", do: "test" }, { "HX-Request": "true" });
  const piece = await unfilled.text();
  expect([piece.startsWith("<!DOCTYPE"), piece.includes('href="#field-port"')]).toEqual([false, true]);
  expect((await owner.get("/routes/trial")).status).toBe(404);
  expect(smsc.submits).toBe(before);
});

test("a carrier is changed with its form; its secret stays, and is asked for again if the host changes", async () => {
  const options = {
    host: "127.0.0.1",
    port: smsc.port,
    systemId: "peyk",
    password: "secret",
    charset: { outbound: "gsm7-packed", inbound: "gsm7" },
    window: 7,
  };
  await server.api("POST /routes", { name: "b", kind: "smpp", options });
  const form = await (await owner.get("/routes/b/change")).text();
  expect(form).toContain('placeholder="Stored"');
  expect(form).toContain('value="7"');
  expect(plain(form)).toContain("Also in the file: charset");
  const { password: _, charset, ...shown } = options;
  const texts = { ...shown, port: String(smsc.port), window: "9", rest: JSON.stringify({ charset }) };
  const tested = await owner.post("/routes/b/change", { ...texts, do: "test" });
  expect(plain(await tested.text())).toContain("Ready to carry messages");
  expect((await owner.post("/routes/b/change", texts)).headers.get("Location")).toBe("/routes/b");
  const { data } = await replyOf(server.api("GET /routes/:name", { name: "b" }));
  expect(data).toMatchObject({ hasSecrets: true, options: { ...shown, charset, window: 9 } });
  for (const doing of ["", "test"]) {
    const moved = await owner.post("/routes/b/change", { ...texts, host: "localhost", do: doing });
    expect(await moved.text()).toContain('href="#field-password"');
  }
});

test("the form and the JSON describe the same route in both directions", async () => {
  const fields = {
    carrier: "kavenegar",
    name: "panel",
    token: "top-secret-token",
    lines: "30001234 ۱۰۰۰۸۶۶۳",
    rest: "{}",
  };
  const json = await (await owner.post("/routes/-new", { ...fields, window: "20", do: "json" })).text();
  const file = /<textarea[^>]*>([^<]*)/.exec(json)?.[1]?.replaceAll("&quot;", '"') ?? "";
  expect(JSON.parse(file)).toEqual({ preset: "kavenegar", token: "", lines: ["30001234", "10008663"], window: 20 });
  const more = JSON.stringify({ ...JSON.parse(file), responseTimeoutMs: 500 });
  const form = await (await owner.post("/routes/-new", { kind: "http", name: "panel", file: more, do: "form" })).text();
  expect(form).toContain("responseTimeoutMs");
  expect(form).toMatch(/<textarea[^>]*name="lines"[^>]*>30001234\n10008663</);
});

test("a preset is added with its form; its token is typed and never shown again", async () => {
  const fields = { carrier: "kavenegar", name: "panel", lines: "30001234", rest: "{}" };
  const empty = await owner.post("/routes/-new", fields);
  expect([empty.status, (await empty.text()).includes('id="field-token-error"')]).toEqual([422, true]);
  expect((await owner.post("/routes/-new", { ...fields, token: "top-secret-token" })).status).toBe(303);
  expect(await textOf("/routes/panel")).not.toContain("top-secret-token");
  const support = await signedInAs(server, "support");
  expect(await textOf("/routes/panel", support)).toContain("panel");
  for (const path of ["test", "disable", "edit", "change", "remove"]) {
    expect((await support.post(`/routes/panel/${path}`)).status).toBe(404);
  }
});

test("a route that is down shows since when, however often it tried to connect meanwhile", async () => {
  const clock = new LateClock();
  const late = await startConsole(() => ({ defaultTimeZone: "Asia/Tehran" }), { clock });
  const options = { host: "127.0.0.1", port: await freePort(), systemId: "peyk", password: "secret", tls: false };
  await late.api("POST /routes", { name: "operator-b", kind: "smpp", options });
  const addedAt = clock.now();
  const lastAttempt = async () =>
    Date.parse((await late.api("GET /routes/:name", { name: "operator-b" })).state?.links[0]?.since ?? "");
  clock.pass(5 * minuteMs);
  while ((await lastAttempt()) < addedAt + 4 * minuteMs) await Bun.sleep(20);
  const { format } = createLocale({ language: "en", zone: "Asia/Tehran", now: clock.now() });
  const page = await textOf("/routes/operator-b", await signedInAs(late, "owner"));
  const expected = [addedAt, addedAt - minuteMs].map((at) => `Down since ${format.minute(at)}.`);
  await late.stop();
  expect(expected.some((sentence) => page.includes(sentence))).toBe(true);
});
