/** Signing in and out, over real HTTP. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import type { Settings } from "../../src/config/settings.ts";
import { sessionIdleMs } from "../../src/users/session-service.ts";
import {
  type ConsoleProcess,
  FormClient,
  goodPassword,
  LateClock,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { replyOf } from "../support/reply.ts";

const clock = new LateClock();
let server: ConsoleProcess;
beforeAll(async () => {
  server = await startConsole(undefined, { clock });
});
afterAll(() => server.stop());

const textOf = async (response: Response) => (await response.text()).replace(/<[^>]*>/g, " ");

test("the first owner sets a password by a link that a preview does not use up, and is led from there", async () => {
  const newcomer = new FormClient(server.consoleUrl);
  const before = await (await newcomer.get("/sign-in")).text();
  // Nothing can be typed yet.
  expect([before.includes("peyk user setup-link"), before.includes('name="password"')]).toEqual([true, false]);
  const { data } = await replyOf(server.api("POST /users/setup-link"));
  const path = data?.setup.path ?? "";
  expect(data?.setup.url).toBe(server.consoleUrl + path);
  const client = new FormClient(server.consoleUrl);
  for (const _ of [1, 2]) expect((await client.get(path)).status).toBe(200);
  const weak = await client.post(path, { password: "password123", again: "password123" });
  expect([weak.status, await textOf(weak)]).toEqual([422, expect.stringContaining("tried first")]);
  expect((await client.post(path, { password: goodPassword, again: "another one" })).status).toBe(422);
  const done = await client.post(path, { password: goodPassword, again: goodPassword });
  expect([done.status, done.headers.get("Location")]).toEqual([303, "/first"]);
  expect(await textOf(await client.get("/"))).toContain("Accepted today");
  expect((await client.get(path)).status).toBe(410);
  expect(await textOf(await newcomer.get("/sign-in"))).not.toContain("peyk user setup-link");
});

test("setting a password signs out whoever used the browser before", async () => {
  const before = await signedInAs(server, "support", { name: "before" });
  const copy = new FormClient(server.consoleUrl);
  for (const [name, value] of before.cookies) copy.cookies.set(name, value);
  const { setup } = await server.api("POST /users", { name: "after", role: "support" });
  await before.post(setup.path, { password: goodPassword, again: goodPassword });
  expect((await before.get("/menu")).status).toBe(200);
  expect((await copy.get("/menu")).status).toBe(303);
});

test("every page leads to sign-in and back without a session, and a script gets 401", async () => {
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
  for (const to of [
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "https://evil.example",
    "/\t/evil.example",
  ]) {
    const away = await client.post("/sign-in", { user: "sam", password: goodPassword, to });
    expect({ to, location: away.headers.get("Location") }).toEqual({ to, location: "/" });
  }
  const words = await client.post("/sign-in", { user: "sam", password: goodPassword, to: "/messages?q=سلام" });
  expect(words.headers.get("Location")).toBe(`/messages?q=${encodeURIComponent("سلام")}`);
});

test("a form posted after the session ended is shown again after sign-in, and only its user sends it", async () => {
  const { data: account } = await replyOf(server.api("POST /accounts", { name: "Kept" }));
  const client = await signedInAs(server, "operator", { name: "keeper" });
  clock.pass(sessionIdleMs);
  const note = "pays late\n<b>ask</b> for Sara";
  const lost = await client.post(`/accounts/${account?.id}/note`, { note, more: "" });
  expect(lost.headers.get("Location")).toBe("/sign-in?to=%2Fkept-form");
  expect(lost.headers.get("Set-Cookie")).toMatch(/^peyk_console_form=[\w-]{36}; .*HttpOnly; SameSite=Strict/);
  // Nobody can read it before signing in.
  expect((await client.get("/kept-form")).headers.get("Location")).toBe("/sign-in?to=%2Fkept-form");
  const into = { user: "keeper", password: goodPassword, to: "/kept-form" };
  expect((await client.post("/sign-in", into)).headers.get("Location")).toBe("/kept-form");
  const page = await (await client.get("/kept-form")).text();
  expect(page).toContain(`action="/accounts/${account?.id}/note"`);
  expect(page).toContain("pays late\n&lt;b>ask&lt;/b> for Sara");
  const noteOf = async () => (await replyOf(server.api("GET /accounts/:id", { id: account?.id ?? "" }))).data?.note;
  expect(await noteOf()).toBeNull();
  await client.post(`/accounts/${account?.id}/note`, { note });
  expect(await noteOf()).toBe(note);

  const other = await signedInAs(server, "operator", { name: "stranger" });
  expect((await other.get("/kept-form")).headers.get("Location")).toBe("/");
});

test("secrets, files, and forms that are too large or empty are not kept after the session ended", async () => {
  const client = await signedInAs(server, "operator", { name: "careful" });
  clock.pass(sessionIdleMs);
  const isKept = async (answer: Promise<Response>) =>
    (await answer).headers.get("Location") === "/sign-in?to=%2Fkept-form";
  const route = { kind: "smpp", name: "operator-a", password: "open-sesame", file: '{"password":"open-sesame"}' };
  expect(await isKept(client.post("/routes/-new", route))).toBe(true);
  expect(await isKept(client.post("/settings/password", { password: goodPassword, again: goodPassword }))).toBe(false);
  expect(await isKept(client.post("/accounts/new", { name: " " }))).toBe(false);
  expect(await isKept(client.post("/accounts/new", { name: "x".repeat(64 * 1024 - 5) }))).toBe(true);
  expect(await isKept(client.post("/accounts/new", { name: "x".repeat(64 * 1024 - 4) }))).toBe(false);
  expect(await isKept(client.post("/nowhere", { name: "x" }))).toBe(false);
  expect((await client.post("/accounts/new", { name: "x" }, { Origin: "https://evil.example" })).status).toBe(403);
  const scripted = await client.post("/accounts/new", { name: "x" }, { "HX-Request": "true" });
  expect([scripted.status, scripted.headers.get("Set-Cookie")]).toEqual([401, null]);
  await client.post("/routes/-new", route);
  await client.post("/sign-in", { user: "careful", password: goodPassword, to: "/kept-form" });
  const page = await (await client.get("/kept-form")).text();
  expect(page).toContain("operator-a");
  expect(page).not.toContain("open-sesame");
});

test("sign-out ends the session itself, not only the cookie", async () => {
  const client = await signedInAs(server, "operator", { name: "olga" });
  const copy = new FormClient(server.consoleUrl);
  for (const [name, value] of client.cookies) copy.cookies.set(name, value);
  expect((await copy.get("/")).status).toBe(200);
  expect((await client.post("/sign-out")).headers.get("Location")).toBe("/sign-in");
  expect((await copy.get("/")).status).toBe(303);
});

test("a body that is not a form is refused in words", async () => {
  const client = await signedInAs(server, "support", { name: "jo" });
  const headers = { "Content-Type": "application/json", Origin: server.consoleUrl };
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const init = { method: "POST", body: "{}", headers: { ...headers, Cookie: cookie } };
  expect((await fetch(`${server.consoleUrl}/settings`, init)).status).toBe(400);
});

test("the session cookie is for this host only, and hidden from scripts", async () => {
  const client = await signedInAs(server, "support", { name: "cook" });
  const answer = await client.post("/sign-in", { user: "cook", password: goodPassword, to: "/" });
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^peyk_console=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/),
  ]);
});

test("a form from another site, and an unknown host name, are refused", async () => {
  const client = await signedInAs(server, "support", { name: "fran" });
  const from = (headers: Record<string, string>) => client.post("/sign-out", {}, headers);
  expect((await from({ Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await from({ Origin: "https://evil.example" })).status).toBe(403);
  expect((await from({ Origin: "null" })).status).toBe(403);
  expect((await from({ "Sec-Fetch-Site": "same-site" })).status).toBe(403);
  expect((await client.get("/", { Host: "evil.example" })).status).toBe(421);
  expect((await client.get("/", { Host: "localhost:9999" })).status).toBe(200);
});

describe("the second factor", () => {
  const codeFor = (secret: string, steps = 0) =>
    new TOTP({ secret }).generate({ timestamp: clock.now() + steps * 30_000 });

  async function enrolled(client: FormClient): Promise<{ secret: string; recovery: string[] }> {
    const page = await (await client.get("/settings/second-factor")).text();
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? "";
    const send = (code: string, password: string) => client.post("/settings/second-factor", { secret, code, password });
    const wrong = await send("000000", goodPassword);
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining(secret)]);
    // Somebody who finds a page open does not know the password.
    for (const password of ["", "not this one"]) {
      const stranger = await send(codeFor(secret), password);
      expect([stranger.status, await textOf(stranger)]).toEqual([
        422,
        expect.stringContaining("not your current password"),
      ]);
    }
    const done = await textOf(await send(codeFor(secret), goodPassword));
    return { secret, recovery: done.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? [] };
  }

  test("is set up with an app's code, asked for after the password, and replaced once by a recovery code", async () => {
    const client = await signedInAs(server, "support", { name: "faye" });
    const { secret, recovery } = await enrolled(client);
    expect(recovery).toHaveLength(10);
    await client.post("/sign-out");
    const password = { user: "faye", password: goodPassword, to: "/menu" };
    const half = await client.post("/sign-in", password);
    expect(half.headers.get("Location")).toBe("/sign-in/code?to=%2Fmenu");
    // The password alone is not enough.
    expect((await client.get("/menu")).status).toBe(303);
    expect((await client.post("/sign-in/code", { code: "123456", to: "/menu" })).status).toBe(422);
    const full = await client.post("/sign-in/code", { code: codeFor(secret, 1), to: "/menu" });
    expect([full.status, full.headers.get("Location")]).toEqual([303, "/menu"]);
    expect((await client.get("/menu")).status).toBe(200);
    for (const status of [303, 422]) {
      const other = new FormClient(server.consoleUrl);
      await other.post("/sign-in", password);
      expect((await other.post("/sign-in/code", { code: recovery[0] ?? "", to: "/" })).status).toBe(status);
    }
  });

  test("is asked for five times, then the password again", async () => {
    const client = await signedInAs(server, "support", { name: "fern" });
    const { secret } = await enrolled(client);
    await client.post("/sign-out");
    const into = { user: "fern", password: goodPassword, to: "/menu" };
    await client.post("/sign-in", into);
    const guess = () => client.post("/sign-in/code", { code: "000000", to: "/menu" });
    for (let count = 0; count < 4; count += 1) expect(await textOf(await guess())).toContain("This code is not right");
    const last = await guess();
    expect([last.status, await last.text()]).toEqual([422, expect.stringContaining("too many codes were wrong")]);
    expect(client.cookies.has("peyk_console")).toBe(false);
    const right = await client.post("/sign-in/code", { code: codeFor(secret, 1), to: "/menu" });
    expect(right.headers.get("Location")).toBe("/sign-in");
    await client.post("/sign-in", into);
    expect((await client.post("/sign-in/code", { code: codeFor(secret, 1), to: "/menu" })).status).toBe(303);
  });

  test("when required, is set up before anything else opens, and cannot be removed", async () => {
    const staff = (defaults: Settings) => ({ console: { ...defaults.console, secondFactor: "staff" as const } });
    const strict = await startConsole(staff, { clock });
    const client = await signedInAs(strict, "owner", { name: "strict" });
    const answer = await client.get("/users");
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/settings/second-factor"]);
    const { recovery } = await enrolled(client);
    expect((await client.get("/users")).status).toBe(200);
    await client.post("/settings/second-factor/remove", { code: recovery[0] ?? "" });
    const { data } = await replyOf(strict.api("GET /users"));
    expect(data?.rows).toMatchObject([{ name: "strict", secondFactor: true }]);
    await strict.stop();
  });
});

test("changing the password ends every other session, and the audit records who and from where", async () => {
  const client = await signedInAs(server, "support", { name: "pat" });
  const other = new FormClient(server.consoleUrl);
  await other.post("/sign-in", { user: "pat", password: goodPassword, to: "/" });
  const change = (current: string, next: string, again = next) =>
    client.post("/settings/password", { current, password: next, again });
  expect((await change("not this one", "eight green kettles")).status).toBe(422);
  expect((await change(goodPassword, "password123")).status).toBe(422);
  expect((await change(goodPassword, "eight green kettles", "other")).status).toBe(422);
  expect((await change(goodPassword, "eight green kettles")).status).toBe(303);
  expect([(await client.get("/")).status, (await other.get("/")).status]).toEqual([200, 303]);
  const { data } = await replyOf(server.api("GET /audit", { actor: "pat", limit: 1 }));
  expect(data?.entries).toMatchObject([{ action: "user.password", target: "pat", origin: "console 127.0.0.1" }]);
});

test("a user ends own sessions, never another user's", async () => {
  const client = await signedInAs(server, "support", { name: "gil" });
  const other = new FormClient(server.consoleUrl);
  await other.post("/sign-in", { user: "gil", password: goodPassword, to: "/" });
  const page = await (await client.get("/settings")).text();
  const ending = /\/settings\/sessions\/\d+\/end/.exec(page)?.[0] ?? "";
  const stranger = await signedInAs(server, "support", { name: "eve" });
  await stranger.post(ending);
  expect((await other.get("/")).status).toBe(200);
  await client.post(ending);
  expect([(await client.get("/")).status, (await other.get("/")).status]).toEqual([200, 303]);
});

test("language, theme and zone belong to the user, and before sign-in language and theme to the browser", async () => {
  const visitor = new FormClient(server.consoleUrl);
  expect(await (await visitor.get("/sign-in", { "Accept-Language": "fa-IR,en;q=0.5" })).text()).toContain('lang="fa"');
  await visitor.post("/preferences", { language: "en", theme: "dark", back: "/sign-in" });
  const page = await (await visitor.get("/sign-in", { "Accept-Language": "fa-IR" })).text();
  expect(page).toContain('lang="en" dir="ltr" data-theme="dark"');
  const client = await signedInAs(server, "support", { name: "lili" });
  await client.post("/settings", { language: "fa", theme: "light", zone: "Asia/Kabul" });
  expect(await (await client.get("/menu")).text()).toContain(
    'lang="fa" dir="rtl" data-theme="light" data-zone="Asia/Kabul"',
  );
});

test("too many wrong passwords are slowed down, and the answer says for how long", async () => {
  await signedInAs(server, "support", { name: "tim" });
  const guess = () => new FormClient(server.consoleUrl).post("/sign-in", { user: "tim", password: "wrong", to: "/" });
  const answers: Response[] = [];
  for (let count = 0; count < 6; count += 1) answers.push(await guess());
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 429]);
  expect(Number(answers.at(-1)?.headers.get("Retry-After"))).toBeGreaterThan(0);
});

test("no user can reset their own account, and the next to sign in sees no trace", async () => {
  const owner = await signedInAs(server, "owner", { name: "self" });
  const list = await (await owner.get("/users")).text();
  expect(list).not.toContain("/users/self/reset");
  expect(list).toContain("/users/self/disable");
  expect((await owner.get("/users/self/reset")).status).toBe(409);
  const refused = await owner.post("/users/self/reset");
  expect([refused.status, await textOf(refused)]).toEqual([409, expect.stringContaining("ask another owner")]);
  expect((await owner.get("/users")).status).toBe(200);
  // The machine's administrator may.
  const { data } = await replyOf(server.api("POST /users/:name/reset", { name: "self" }));
  expect(data?.status).toBe("invited");
  expect((await owner.get("/users")).status).toBe(303);
  const next = await signedInAs(server, "support", { name: "nextone" });
  expect(await (await next.get("/menu")).text()).not.toContain("/setup/");
});

test("an owner adds users, gets each link once, and disables them at once", async () => {
  const owner = await signedInAs(server, "owner", { name: "olive" });
  expect((await owner.post("/users", { name: "Not A Name", role: "support" })).status).toBe(422);
  expect((await owner.post("/users", { name: "newbie", role: "support" })).status).toBe(303);
  const page = await (await owner.get("/users")).text();
  const link = /http:\/\/127\.0\.0\.1:\d+(\/setup\/[\w-]{43})/.exec(page)?.[1] ?? "";
  expect(await (await owner.get("/users")).text()).not.toContain("/setup/");
  const newbie = new FormClient(server.consoleUrl);
  await newbie.post(link, { password: goodPassword, again: goodPassword });
  expect((await newbie.get("/")).status).toBe(200);
  expect((await owner.get("/users/newbie/disable")).status).toBe(200);
  expect((await newbie.get("/")).status).toBe(200);
  await owner.post("/users/newbie/disable");
  expect((await newbie.get("/")).status).toBe(303);
  expect(await textOf(await owner.get("/audit?action=user.disable"))).toContain("newbie");
});
