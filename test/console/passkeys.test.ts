/** Passkeys over real HTTP, with answers that no honest browser would give. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import { defaultSettings, type Settings } from "../../src/config/settings.ts";
import { challengeMs } from "../../src/users/passkey-challenges.ts";
import { type ConsoleProcess, copyOf, FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { SoftAuthenticator } from "../support/passkeys.ts";

/** The system clock, whose monotonic time moves ahead on request. */
let server: ConsoleProcess;
let aheadMs = 0;
const at = (url: string | null) => (url ?? "").replace("127.0.0.1", "localhost");
beforeAll(async () => {
  const { systemClock } = await import("../../src/platform/clock.ts");
  const clock = { ...systemClock, now: () => systemClock.now(), monotonic: () => systemClock.monotonic() + aheadMs };
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }), { clock });
  await server.api("POST /accounts", { name: "Clinic" });
});
afterAll(() => server.stop());
/** Wrong tries count for this network; it has waited long enough. */
beforeEach(() => {
  aheadMs += 3_600_001;
});

/** What the page asks the browser to make. */
const proposedIn = (html: string) =>
  JSON.parse((/data-passkey="(\{[^"]+)"/.exec(html)?.[1] ?? "{}").replaceAll("&quot;", '"').replaceAll("&amp;", "&"));

/** A new passkey of the client's user, with the password given again. */
async function enrolled(
  client: FormClient,
  { use = "sign-in", name = "phone", made = new SoftAuthenticator(client.url) } = {},
): Promise<SoftAuthenticator> {
  const page = await client.post("/settings/passkeys/new", { name, use, password: goodPassword });
  const options = proposedIn(await page.text());
  const passkey = made.created(options, { isVerified: options.authenticatorSelection.userVerification === "required" });
  const done = await client.post("/settings/passkeys", { passkey });
  expect(done.headers.get("Location")).toBe("/settings#passkeys");
  return made;
}

const askedOf = async (client: FormClient, path = "/sign-in/passkey") => (await client.get(path)).json();
const send = (client: FormClient, passkey: string, to = "/menu") => client.post("/sign-in", { passkey, to });
const into = (answer: Response) => [answer.status, answer.headers.get("Location")];
const audited = async (action: string) =>
  (await server.api("GET /audit", { action })).entries.map(({ actor, after }) => ({ actor, after }));

test("the page of sign-in says nothing of passkeys before somebody has one, and none is asked for", async () => {
  const browser = new FormClient(at(server.consoleUrl));
  const html = await (await browser.get("/sign-in")).text();
  expect([html.includes("passkey"), html.includes("webauthn")]).toEqual([false, false]);
  expect((await browser.get("/sign-in/passkey")).status).toBe(404);
});

for (const [side, role] of [
  ["console", "operator"],
  ["portal", "customer"],
] as const)
  describe(`at the ${side}`, () => {
    const url = () => at(side === "console" ? server.consoleUrl : server.portalUrl);
    const account = side === "portal" ? { account: "acc_1" } : {};
    const person = (name: string) => signedInAs(server, role, { name: `${side}-${name}`, url: url(), ...account });

    test("a passkey signs in without password and code, once for each challenge, and the audit says by which", async () => {
      const client = await person("ada");
      const phone = await enrolled(client);
      const browser = new FormClient(url());
      const html = await (await browser.get("/sign-in")).text();
      expect(html).toContain('autocomplete="username webauthn"');
      const answer = phone.asserted(await askedOf(browser));
      expect(into(await send(browser, answer))).toEqual([303, "/menu"]);
      expect((await browser.get("/menu")).status).toBe(200);
      // Replayed from here or elsewhere.
      const replayed = await send(new FormClient(url()), answer);
      expect([replayed.status, plainText(await replayed.text())]).toEqual([
        422,
        expect.stringContaining("longer than five minutes"),
      ]);
      expect((await audited("session.begin"))[0]).toEqual({
        actor: `${side}-ada`,
        after: { way: "passkey", passkey: "phone" },
      });
    });

    test("what an honest browser would not answer is refused", async () => {
      const client = await person("eve");
      const phone = await enrolled(client);
      const tried = async (lies: object, asked?: object) => {
        const browser = new FormClient(url());
        const answer = phone.asserted({ ...(await askedOf(browser)), ...asked }, lies);
        return (await send(browser, answer)).status;
      };
      expect(await tried({ origin: "https://evil.example" })).toBe(422);
      expect(await tried({ origin: url().replace(/\d+$/, "1") })).toBe(422);
      expect(await tried({ host: "evil.example" })).toBe(422);
      expect(await tried({ isVerified: false })).toBe(422);
      expect(await tried({}, { challenge: Buffer.from("mine").toString("base64url") })).toBe(422);
      for (const passkey of ["{}", "[]", "x", '{"id":"a"}', "9".repeat(50_000)])
        expect((await send(new FormClient(url()), passkey)).status).toBe(422);
      const stranger = new SoftAuthenticator(url());
      expect((await send(new FormClient(url()), stranger.asserted(await askedOf(client)))).status).toBe(422);
      expect(await tried({ counter: 100 })).toBe(303);
      for (let count = 0; count < 6; count += 1) await tried({ isVerified: false, counter: 200 });
      expect(await tried({ counter: 300 })).toBe(429);
    });

    test("a challenge lives five minutes, and one for somebody's second step signs nobody in", async () => {
      const client = await person("tim");
      const phone = await enrolled(client);
      const browser = new FormClient(url());
      const late = phone.asserted(await askedOf(browser));
      aheadMs += challengeMs;
      expect((await send(browser, late)).status).toBe(422);
      const own = phone.asserted(await askedOf(client, "/settings/passkeys/ask"));
      expect((await send(browser, own)).status).toBe(422);
    });

    test("a page of another site asks for none, so it uses none up", async () => {
      await enrolled(await person("far"));
      const fetched = (site: string) =>
        fetch(`${url()}/sign-in/passkey`, { headers: { "Sec-Fetch-Site": site } }).then(({ status }) => status);
      expect([await fetched("cross-site"), await fetched("same-origin")]).toEqual([404, 200]);
    });

    test("a counter that goes back is refused and told in the audit", async () => {
      const client = await person("kim");
      const phone = await enrolled(client);
      const browser = new FormClient(url());
      await send(browser, phone.asserted(await askedOf(browser), { counter: 7 }));
      const copy = await send(copyOf(browser), phone.asserted(await askedOf(browser), { counter: 7 }));
      expect([copy.status, plainText(await copy.text())]).toEqual([422, expect.stringContaining("a copy of it")]);
      expect((await audited("passkey.counted-back"))[0]).toMatchObject({
        actor: `${side}-kim`,
        after: { passkey: "phone", counter: 7 },
      });
      expect((await send(browser, phone.asserted(await askedOf(browser), { counter: 8 }))).status).toBe(303);
    });

    test("removing one ends what passkeys opened elsewhere, and its user sees it in no list", async () => {
      const client = await person("rob");
      const phone = await enrolled(client);
      const browser = new FormClient(url());
      await send(browser, phone.asserted(await askedOf(browser)));
      expect((await browser.get("/menu")).status).toBe(200);
      const [listed] = await server.api("GET /passkeys", { user: `${side}-rob` });
      await server.api("DELETE /passkeys/:id", { id: listed?.id ?? "" });
      const told = { user: `${side}-rob`, name: "phone", host: "localhost" };
      expect((await audited("passkey.remove"))[0]).toEqual({ actor: "tester", after: told });
      expect((await browser.get("/menu")).status).toBe(303);
      expect((await client.get("/menu")).status).toBe(200);
      expect((await send(browser, phone.asserted(await askedOf(client)))).status).toBe(422);
      expect(await server.api("GET /passkeys", { user: `${side}-rob` })).toEqual([]);
    });
  });

test("a passkey of the other listener signs nobody in, and neither does one of a user who was disabled or reset", async () => {
  const url = at(server.consoleUrl);
  const customer = await signedInAs(server, "customer", { name: "cleo", url: at(server.portalUrl), account: "acc_1" });
  const phone = await enrolled(customer);
  const console = new FormClient(url);
  const moved = { origin: url };
  expect((await send(console, phone.asserted(await askedOf(console), moved))).status).toBe(422);
  const operator = await signedInAs(server, "operator", { name: "otto", url });
  const key = await enrolled(operator);
  await server.api("POST /users/:name/disable", { name: "otto" });
  expect((await send(console, key.asserted(await askedOf(console)))).status).toBe(422);
  await server.api("POST /users/:name/reset", { name: "otto" });
  expect(await server.api("GET /passkeys", { user: "otto" })).toEqual([]);
});

describe("adding one", () => {
  const person = (name: string) => signedInAs(server, "support", { name, url: at(server.consoleUrl) });
  const begin = (client: FormClient, fields: Record<string, string>) =>
    client.post("/settings/passkeys/new", { name: "phone", ...fields });
  const optionsOf = async (page: Response) => proposedIn(await page.text());

  test("needs the password, a code, or a passkey once more", async () => {
    const client = await person("nia");
    for (const wrong of [{}, { password: "not this one" }, { code: "123456" }, { passkey: "{}" }])
      expect([wrong, (await begin(client, wrong)).status]).toEqual([wrong, 422]);
    expect((await begin(client, { password: goodPassword, name: " " })).status).toBe(422);
    const phone = await enrolled(client);
    const again = phone.asserted(await askedOf(client, "/settings/passkeys/ask"));
    const { excludeCredentials } = await optionsOf(await begin(client, { passkey: again }));
    expect(excludeCredentials).toEqual([{ type: "public-key", id: phone.id.toString("base64url") }]);
    expect((await begin(client, { passkey: again })).status).toBe(422);
  });

  test("takes only what answers its own challenge in its own session, once, at its own address", async () => {
    const [client, other] = [await person("lou"), await person("liz")];
    const added = async (by: FormClient, passkey: string) => {
      const page = await by.post("/settings/passkeys", { passkey });
      return plainText(await (await by.get(page.headers.get("Location") ?? "")).text()).includes("was added");
    };
    const made = new SoftAuthenticator(client.url);
    const proposed = async () => optionsOf(await begin(client, { password: goodPassword }));
    expect(await added(client, made.created({ challenge: "x" }))).toBe(false);
    expect(await added(other, made.created(await proposed()))).toBe(false);
    expect(await added(client, made.created(await proposed(), { origin: "https://evil.example" }))).toBe(false);
    expect(await added(client, made.created(await proposed(), { isVerified: false }))).toBe(false);
    expect(await added(client, made.created(await proposed(), { certificate: Buffer.from("x") }))).toBe(false);
    const good = made.created(await proposed());
    expect([await added(client, good), await added(client, good)]).toEqual([true, false]);
    // Nobody else's key of the same name.
    expect(await added(other, made.created(await optionsOf(await begin(other, { password: goodPassword }))))).toBe(
      false,
    );
  });

  test("is not offered on an address or over plain HTTP, and the page says where instead", async () => {
    const { hostname, port } = new URL(server.consoleUrl);
    expect(hostname).toBe("127.0.0.1");
    const client = await signedInAs(server, "support", { name: "ida" });
    const html = await (await client.get("/settings")).text();
    expect(html).toContain(`href="http://localhost:${port}/settings#passkeys"`);
    expect(html).not.toContain('href="/settings/passkeys/new"');
    const refused = await begin(client, { password: goodPassword });
    expect(refused.headers.get("Location")).toBe("/settings#passkeys");
  });
});

describe("as second factor", () => {
  const client = () => signedInAs(server, "support", { name: "sia", url: at(server.consoleUrl) });

  test("a passkey confirms the password in place of a code, without being able to sign in alone", async () => {
    const sia = await client();
    expect(await (await sia.get("/settings/passkeys/new")).text()).not.toContain('value="factor"');
    const page = await (await sia.get("/settings/second-factor")).text();
    const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? "";
    const code = new TOTP({ secret }).generate();
    await sia.post("/settings/second-factor", { secret, code, password: goodPassword });
    const key = await enrolled(sia, { use: "factor", name: "key" });
    const browser = new FormClient(sia.url);
    const half = await browser.post("/sign-in", { user: "sia", password: goodPassword, to: "/menu" });
    expect(half.headers.get("Location")).toBe("/sign-in/code?to=%2Fmenu");
    expect(await (await browser.get("/sign-in/code")).text()).toContain('data-passkey="/sign-in/passkey?step=code"');
    const asked = await askedOf(browser, "/sign-in/passkey?step=code");
    expect(asked.allowCredentials).toEqual([{ type: "public-key", id: key.id.toString("base64url") }]);
    const answer = key.asserted(asked, { isVerified: false });
    const full = await browser.post("/sign-in/code", { passkey: answer, to: "/menu" });
    expect(into(full)).toEqual([303, "/menu"]);
    expect((await browser.get("/menu")).status).toBe(200);
    // Alone it signs nobody in.
    await enrolled(sia, { name: "phone" });
    expect((await send(new FormClient(sia.url), key.asserted(await askedOf(browser)))).status).toBe(422);
    const { rows } = await server.api("GET /users", { query: "sia" });
    expect(rows[0]?.ways).toEqual(["password", "code", "passkey"]);
  });

  test("wrong answers count like wrong codes", async () => {
    const browser = new FormClient(at(server.consoleUrl));
    await browser.post("/sign-in", { user: "sia", password: goodPassword, to: "/menu" });
    const wrong = async () =>
      plainText(await (await browser.post("/sign-in/code", { passkey: "{}", to: "/menu" })).text());
    for (let count = 0; count < 4; count += 1) expect(await wrong()).toContain("was not accepted");
    expect(await wrong()).toContain("too many codes were wrong");
    expect(browser.cookies.size).toBe(0);
  });
});

describe("where a second factor is demanded", () => {
  test("a passkey satisfies it, and then the password alone lets nobody in", async () => {
    const strict = await startConsole((defaults) => ({
      console: { ...defaults.console, secondFactor: "staff" as const },
    }));
    const url = at(strict.consoleUrl);
    const client = await signedInAs(strict, "support", { name: "mel", url });
    expect(into(await client.get("/menu"))).toEqual([303, "/settings/second-factor"]);
    const page = await (await client.get("/settings/second-factor")).text();
    expect(page).toContain('href="/settings/passkeys/new"');
    const phone = await enrolled(client);
    expect((await client.get("/menu")).status).toBe(200);
    const browser = new FormClient(url);
    const half = await browser.post("/sign-in", { user: "mel", password: goodPassword, to: "/menu" });
    expect(half.headers.get("Location")).toBe("/sign-in/code?to=%2Fmenu");
    const step = await (await browser.get("/sign-in/code")).text();
    expect([step.includes('name="code"'), step.includes("data-passkey=")]).toEqual([false, true]);
    expect((await browser.get("/settings/second-factor")).status).toBe(303);
    const answer = phone.asserted(await askedOf(browser, "/sign-in/passkey?step=code"));
    expect(into(await browser.post("/sign-in/code", { passkey: answer, to: "/menu" }))).toEqual([303, "/menu"]);
    expect((await browser.get("/menu")).status).toBe(200);
    // Under another address it is not enough either: nobody escapes by choosing the name.
    const elsewhere = new FormClient(strict.consoleUrl);
    await elsewhere.post("/sign-in", { user: "mel", password: goodPassword, to: "/menu" });
    expect(plainText(await (await elsewhere.get("/sign-in/code")).text())).toContain("belong to localhost");
    await strict.stop();
  });
});

test("passkeys of a former name are told apart, and the password goes on", async () => {
  const named = (name: string) => (defaults: Settings) => ({
    console: { ...defaults.console, url: `https://${name}` },
  });
  const moving = await startConsole(named("old.example"));
  const client = await signedInAs(moving, "support", { name: "fay" });
  const headers = { Host: "old.example", Origin: "https://old.example" };
  const page = await client.post("/settings/passkeys/new", { name: "phone", password: goodPassword }, headers);
  const passkey = new SoftAuthenticator("https://old.example").created(proposedIn(await page.text()));
  await client.post("/settings/passkeys", { passkey }, headers);
  const isFormer = async () =>
    plainText(await (await client.get("/settings")).text()).includes("not old.example any more");
  expect(await isFormer()).toBe(false);
  await moving.restart(async () => {}, named("new.example")(defaultSettings()));
  expect(await isFormer()).toBe(true);
  const into = { user: "fay", password: goodPassword, to: "/menu" };
  const at = (name: string) => client.post("/sign-in", into, { Host: name, Origin: `https://${name}` });
  expect([(await at("new.example")).headers.get("Location"), (await at("old.example")).status]).toEqual(["/menu", 421]);
  expect(await (await client.get("/sign-in", { Host: "new.example" })).text()).not.toContain("webauthn");
  await moving.stop();
});
