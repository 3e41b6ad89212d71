/** Routes in the console: an SMSC is connected by the form and binds, and what each form refuses. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { type FastSmsc, startFastSmsc } from "../support/fast-smsc.ts";
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

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const textOf = async (path: string, client = owner) => plain(await (await client.get(path)).text());

test("an SMSC is added by the form, binds, and is tested step by step", async () => {
  const fields = { kind: "smpp", name: "operator-a", host: "127.0.0.1", systemId: "peyk", password: "secret" };
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
  expect(await textOf("/routes")).toMatch(new RegExp(`operator-a Up SMPP 127.0.0.1:${smsc.port}`));
  const tested = plain(await (await owner.post("/routes/operator-a/test")).text());
  expect(tested).toContain("The test went well");
  expect((await owner.post("/routes/-new", { ...fields, port: String(smsc.port) })).status).toBe(422);
  expect(await textOf("/routes/operator-a")).not.toContain("secret");
});

test("a route is drained, disabled, changed and removed; one that is used stays", async () => {
  await owner.post("/routes/operator-a/drain");
  expect(await textOf("/routes/operator-a")).toContain("takes no more messages since");
  await owner.post("/routes/operator-a/undrain");
  await owner.post("/routes/operator-a/disable");
  expect(await textOf("/routes/operator-a")).toContain("operator-a Off");
  expect((await owner.post("/routes/operator-a/test")).status).toBe(303);
  const wrong = await owner.post("/routes/operator-a/edit", { file: "{" });
  expect([wrong.status, plain(await wrong.text())]).toEqual([422, expect.stringContaining("no JSON object")]);
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
  expect(await textOf("/routes/operator-a")).toContain("It stays");
  await server.api("DELETE /accounts/:id/senders/:sender", { id, sender: "30001234" });
  expect(await textOf("/routes/operator-a/remove")).toContain("Remove the route operator-a?");
  expect((await owner.post("/routes/operator-a/remove")).headers.get("Location")).toBe("/routes");
  expect((await owner.get("/routes/operator-a")).status).toBe(404);
});

test("a ready-made carrier begins with its file, whose token is typed and never shown again", async () => {
  const page = await (await owner.get("/routes/-new?kind=http&carrier=kavenegar")).text();
  const file = /<textarea[^>]*>([^<]*)/.exec(page)?.[1]?.replaceAll("&quot;", '"') ?? "";
  expect(JSON.parse(file)).toMatchObject({ preset: "kavenegar", token: "" });
  const empty = await owner.post("/routes/-new", { kind: "http", name: "panel", file });
  expect([empty.status, plain(await empty.text())]).toEqual([422, expect.stringContaining("token")]);
  const filled = JSON.stringify({ ...JSON.parse(file), token: "top-secret-token" });
  expect((await owner.post("/routes/-new", { kind: "http", name: "panel", file: filled })).status).toBe(303);
  expect(await textOf("/routes/panel")).not.toContain("top-secret-token");
  const support = await signedInAs(server, "support");
  expect(await textOf("/routes/panel", support)).toContain("panel");
  for (const path of ["test", "disable", "edit", "remove"]) {
    expect((await support.post(`/routes/panel/${path}`)).status).toBe(404);
  }
});
