/** Coming in and going out, over real HTTP. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type ConsoleProcess, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";

let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole();
});
afterAll(() => server.stop());

const textOf = async (response: Response) => (await response.text()).replace(/<[^>]*>/g, " ");

test("the first owner chooses a password by a link that a preview does not use up, and is then on the first page", async () => {
  const { data } = await server.api.users["setup-link"].post();
  const path = data?.setup.path ?? "";
  expect(data?.setup.url).toBe(server.consoleUrl + path);
  const client = new FormClient(server.consoleUrl);
  for (const _ of [1, 2]) expect((await client.get(path)).status).toBe(200);
  const weak = await client.post(path, { password: "password123", again: "password123" });
  expect([weak.status, await textOf(weak)]).toEqual([422, expect.stringContaining("tried first")]);
  expect((await client.post(path, { password: goodPassword, again: "another one" })).status).toBe(422);
  const done = await client.post(path, { password: goodPassword, again: goodPassword });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/"]);
  expect(await textOf(await client.get("/"))).toContain("Accepted today");
  expect((await client.get(path)).status).toBe(410);
});

test("without a session every page leads to sign-in and back; a script is told 401", async () => {
  const client = new FormClient(server.consoleUrl);
  const answer = await client.get("/menu?a=1");
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/sign-in?to=%2Fmenu%3Fa%3D1"]);
  expect((await client.get("/menu", { "HX-Request": "true" })).status).toBe(401);
  await signedInAs(server, "support", { name: "sam" });
  const wrong = await client.post("/sign-in", { user: "sam", password: "not this one", to: "/menu" });
  expect([wrong.status, await textOf(wrong)]).toEqual([422, expect.stringContaining("wrong")]);
  const right = await client.post("/sign-in", { user: "sam", password: goodPassword, to: "/menu" });
  expect([right.status, right.headers.get("Location")]).toEqual([303, "/menu"]);
  expect((await client.get("/menu")).status).toBe(200);
  const away = await client.post("/sign-in", { user: "sam", password: goodPassword, to: "//evil.example" });
  expect(away.headers.get("Location")).toBe("/");
});

test("sign-out ends the session itself, not only the cookie", async () => {
  const client = await signedInAs(server, "operator", { name: "olga" });
  const copy = new FormClient(server.consoleUrl);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  expect((await copy.get("/")).status).toBe(200);
  expect((await client.post("/sign-out")).headers.get("Location")).toBe("/sign-in");
  expect((await copy.get("/")).status).toBe(303);
});

test("the session's cookie is for this server alone, and no script reads it", async () => {
  const client = await signedInAs(server, "support", { name: "cook" });
  const answer = await client.post("/sign-in", { user: "cook", password: goodPassword, to: "/" });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^peyk_console=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/),
  ]);
});

test("a form from elsewhere, and a name that is not served, are refused", async () => {
  const client = await signedInAs(server, "support", { name: "fran" });
  const from = (headers: Record<string, string>) => client.post("/sign-out", {}, headers);
  expect((await from({ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await from({ Origin: "https://evil.example" })).status).toBe(403);
  expect((await from({ Origin: "null" })).status).toBe(403);
  expect((await from({ "Sec-Fetch-Site": "same-site" })).status).toBe(403);
  expect((await client.get("/", { Host: "evil.example" })).status).toBe(421);
  expect((await client.get("/", { Host: "localhost:9999" })).status).toBe(200);
});
