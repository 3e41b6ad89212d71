/** Stored secrets of a route: a file that sends them elsewhere must name them again, whoever changes it, by whatever means. */

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { type ConsoleProcess, type FormClient, signedInAs, startConsole } from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

const secret = "bearer-of-the-carrier";
/** Whoever reads it has the secret. */
const heard: string[] = [];
const listen = () =>
  Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      heard.push(`${new URL(request.url).port} ${request.headers.get("Authorization")}`);
      return Response.json({ id: "1" });
    },
  });

let server: ConsoleProcess;
let operator: FormClient;
let carrier: ReturnType<typeof listen>;
let thief: ReturnType<typeof listen>;

beforeAll(async () => {
  [carrier, thief] = [listen(), listen()];
  server = await startConsole();
  operator = await signedInAs(server, "operator");
});
afterAll(async () => {
  await server.stop();
  await Promise.all([carrier.stop(true), thief.stop(true)]);
});

const fileAt = (port: number | undefined, more: object = {}) => ({
  request: { url: `http://127.0.0.1:${port}/send`, headers: { Authorization: "Bearer {{token}}" }, body: { json: {} } },
  answer: { id: { json: "id" } },
  probe: { request: { url: `http://127.0.0.1:${port}/credit`, headers: { Authorization: "Bearer {{token}}" } } },
  ...more,
});

const putPanel = (options: Record<string, unknown>) => server.api("PUT /routes/:name", { name: "panel", options });

beforeEach(async () => {
  await replyOf(server.api("DELETE /routes/:name", { name: "panel" }));
  const options = fileAt(carrier.port, { token: secret });
  expect((await replyOf(server.api("POST /routes", { name: "panel", kind: "http", options }))).status).toBe(200);
  heard.length = 0;
});

const plain = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const stolen = () => heard.filter((line) => line.startsWith(String(thief.port)));
const edit = (file: object) => operator.post("/routes/panel/edit", { file: JSON.stringify(file) });

test("an operator who changes a route's URL must enter its token again; until then the old URL is used", async () => {
  const refused = await edit(fileAt(thief.port));
  await operator.post("/routes/panel/test");
  expect({ stolen: stolen(), heard }).toEqual({ stolen: [], heard: [`${carrier.port} Bearer ${secret}`] });
  expect([refused.status, plain(await refused.text())]).toEqual([422, expect.stringContaining("token")]);
});

test("the operator API asks again for every secret that would go elsewhere, names it, and keeps the route", async () => {
  const authority = join(server.folder, "authority.pem");
  const elsewhere = {
    request: { request: { ...fileAt(carrier.port).request, headers: { "X-Note": "{{token}}" } } },
    answer: { answer: { id: { json: "echo.token" } } },
    probe: { probe: null },
    caFile: { caFile: authority },
    callbackUrl: { callbackUrl: `http://127.0.0.1:${thief.port}` },
    preset: { preset: "kavenegar", request: null, answer: null, probe: null },
  };
  for (const [key, change] of Object.entries(elsewhere)) {
    const { status, error } = await replyOf(putPanel({ ...fileAt(carrier.port), ...change }));
    const again = { key: "token", code: "secret_again", message: expect.stringContaining(key) };
    expect({ key, status, said: error?.value }).toMatchObject({
      status: 400,
      said: { problems: expect.arrayContaining([expect.objectContaining(again)]) },
    });
  }
  expect((await server.api("GET /routes/:name", { name: "panel" })).options).toEqual(fileAt(carrier.port));
});

test("other changes keep the token, null removes it, and one typed again goes to the new URL", async () => {
  const tuned = { window: 3, partsPerSecond: 5, username: "peyk", onUncertain: "fail", responseTimeoutMs: 2_000 };
  expect((await edit(fileAt(carrier.port, tuned))).status).toBe(303);
  await server.api("POST /routes/:name/test", { name: "panel" });
  expect(heard).toEqual([`${carrier.port} Bearer ${secret}`]);
  expect((await edit(fileAt(thief.port, { token: "another" }))).status).toBe(303);
  await server.api("POST /routes/:name/test", { name: "panel" });
  expect(stolen()).toEqual([`${thief.port} Bearer another`]);
  expect(await putPanel(fileAt(carrier.port, { token: null }))).toMatchObject({
    hasSecrets: false,
  });
});

test("peyk route update asks for the token again, and reads it from a file", async () => {
  const path = join(server.folder, "panel.json");
  const update = () => runCli(["route", "update", "panel", "--config", path, "--data-dir", server.folder]);
  writeFileSync(path, JSON.stringify(fileAt(thief.port)));
  expect(await update()).toMatchObject({
    code: 1,
    err: expect.stringContaining(
      "token: must be given again, since the file changes request, probe: a stored secret is never sent to another destination",
    ),
  });
  writeFileSync(join(server.folder, "panel.token"), "typed-again\n");
  writeFileSync(path, JSON.stringify(fileAt(thief.port, { tokenFile: "panel.token" })));
  expect(await update()).toMatchObject({ code: 0, err: "" });
});
