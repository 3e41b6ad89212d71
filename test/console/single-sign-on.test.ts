/** Single sign-on against a provider that says whatever it wants, over real HTTP. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { SignJWT } from "jose";
import pino from "pino";
import { systemClock } from "../../src/platform/clock.ts";
import { copyOf, FormClient, goodPassword, LateClock, signedInAs } from "../support/console.ts";
import { OwnProvider } from "../support/own-provider.ts";
import { replyOf } from "../support/reply.ts";
import { signOn, startSignOn, textIn, toProviderAndBack } from "../support/sign-on.ts";

/** Guesses are forgotten between the tests: each makes some. */
const clock = new (class extends LateClock {
  #forgottenMs = 0;
  override readonly monotonic = () => systemClock.monotonic() + this.#forgottenMs;
  forget() {
    this.#forgottenMs += 2 * 3_600_000;
  }
})();
let provider: OwnProvider;
let server: Awaited<ReturnType<typeof startSignOn>>;
beforeAll(async () => {
  provider = await OwnProvider.start();
  server = await startSignOn({ console: { issuer: provider.issuer, name: "Keys" } }, { clock });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
});
const honest = { sub: "u-1", groups: ["admins"], preferred_username: "sara" };
afterEach(() => {
  clock.forget();
  clock.pass(systemClock.now() - clock.now());
  provider.claims = honest;
  provider.forge = null;
  provider.clockSeconds = 0;
  provider.algorithms = ["RS256"];
  provider.userinfo = {};
});

const isIn = async (client: FormClient) => (await client.get("/menu")).status === 200;
const usersNamed = async (name: string) => (await server.api("GET /users")).rows.filter((row) => row.name === name);
/** A person who came in, with a subject of its own. */
async function person(sub: string, groups: unknown = ["desk"]) {
  provider.claims = { sub, groups, preferred_username: sub };
  const client = server.browser();
  const answer = await signOn(client);
  return { client, answer };
}

test("the button leads to the provider and back to the page that was wanted, and the audit says by which way", async () => {
  const client = server.browser();
  const page = await (await client.get("/sign-in?to=%2Fusers")).text();
  expect([page.includes('href="/sign-in/oidc?to=%2Fusers"'), page.includes("Sign in with Keys")]).toEqual([true, true]);
  const answer = await signOn(client, "/sign-in/oidc?to=%2Fusers");
  expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/users"]);
  expect(await textIn(await client.get("/users"))).toContain("single sign-on");
  expect(await usersNamed("sara")).toMatchObject([{ role: "owner", status: "active", ways: ["oidc"] }]);
  const { entries } = await server.api("GET /audit", { actor: "sara" });
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ["session.begin", { way: "oidc" }],
    ["user.add", { way: "oidc" }],
  ]);
  // PKCE, and no secret where none is set.
  const [asked] = provider.asked.filter(({ path }) => path === "/token");
  expect([asked?.body.get("code_verifier")?.length, asked?.headers.get("Authorization")]).toEqual([43, null]);
});

test("a page of another site is never where a sign-in leads", async () => {
  for (const to of ["https://evil.example/", "//evil.example/", "/\\evil.example"]) {
    const answer = await signOn(server.browser(), `/sign-in/oidc?to=${encodeURIComponent(to)}`);
    expect(answer.headers.get("Location")).toBe("/");
  }
});

test("the same person is the same user, whatever the provider calls it; another one is not, however alike", async () => {
  await person("same");
  provider.claims = { ...provider.claims, preferred_username: "renamed" };
  await signOn(server.browser());
  expect((await usersNamed("same")).length + (await usersNamed("renamed")).length).toBe(1);
  provider.claims = { sub: "other", groups: ["desk"], preferred_username: "same", email: "same@example.com" };
  await signOn(server.browser());
  expect(await usersNamed("same-2")).toHaveLength(1);
});

describe("an answer opens nothing", () => {
  const trouble = async (client: FormClient, path: string) => {
    const answer = await client.get(path);
    return [answer.status, await textIn(answer), await isIn(client)];
  };
  const begun = async () => {
    const client = server.browser();
    return { client, back: await toProviderAndBack(client) };
  };

  test("twice", async () => {
    const { client, back } = await begun();
    const again = copyOf(client);
    expect((await client.get(back)).status).toBe(303);
    expect(await trouble(again, back)).toEqual([422, expect.stringContaining("was used before"), false]);
  });

  test("in another browser, or with another's state", async () => {
    const [first, second] = [await begun(), await begun()];
    expect(await trouble(server.browser(), first.back)).toEqual([422, expect.anything(), false]);
    expect(await trouble(second.client, first.back)).toEqual([422, expect.anything(), false]);
  });

  test("at the portal, where the browser has the console's cookie", async () => {
    const { client, back } = await begun();
    const portal = new FormClient(server.portalUrl);
    for (const [name, value] of client.cookies) portal.cookies.set(name, value);
    expect((await portal.get(back)).headers.get("Location")).toBe("/sign-in");
  });

  test("with a code that the provider gave for another sign-in", async () => {
    const [first, second] = [await begun(), await begun()];
    const swapped = new URL(second.back, server.consoleUrl);
    swapped.searchParams.set("code", new URL(first.back, server.consoleUrl).searchParams.get("code") ?? "");
    // The nonce is the first one's.
    expect(await trouble(second.client, swapped.pathname + swapped.search)).toEqual([403, expect.anything(), false]);
  });

  test("with a code that was used", async () => {
    const [first, second] = [await begun(), await begun()];
    await first.client.get(first.back);
    const swapped = new URL(second.back, server.consoleUrl);
    swapped.searchParams.set("code", new URL(first.back, server.consoleUrl).searchParams.get("code") ?? "");
    expect(await trouble(second.client, swapped.pathname + swapped.search)).toEqual([
      403,
      expect.stringContaining("Keys did not let you in"),
      false,
    ]);
  });

  test("that says that the person may not come in", async () => {
    const { client, back } = await begun();
    const refused = new URL(back, server.consoleUrl);
    refused.searchParams.delete("code");
    refused.searchParams.set("error", "access_denied");
    expect(await trouble(client, refused.pathname + refused.search)).toEqual([
      403,
      expect.stringContaining("Keys did not let you in"),
      false,
    ]);
  });

  test("after ten minutes", async () => {
    const { client, back } = await begun();
    clock.pass(10 * 60_000);
    expect(await trouble(client, back)).toEqual([422, expect.anything(), false]);
  });

  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const forged: Record<string, (at: OwnProvider) => OwnProvider["forge"]> = {
    "of another client": (at) => (claims) => at.sign({ ...claims, aud: "somebody-else" }),
    "of another issuer": (at) => (claims) => at.sign({ ...claims, iss: "https://evil.example" }),
    "without a signature": () => (claims) => `${base64({ alg: "none" })}.${base64(claims)}.`,
    "signed with the public key as a secret": (at) => async (claims) => {
      const body = `${base64({ alg: "HS256", kid: "1" })}.${base64(claims)}`;
      return `${body}.${createHmac("sha256", JSON.stringify(await at.publicKey()))
        .update(body)
        .digest("base64url")}`;
    },
    "signed by a key of its own": () => async (claims) => {
      const { privateKey } = await crypto.subtle.generateKey(
        { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" },
        true,
        ["sign", "verify"],
      );
      return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey);
    },
    "changed after it was signed": (at) => async (claims) => {
      const [head, , signature] = (await at.sign(claims)).split(".");
      return `${head}.${base64({ ...claims, groups: ["desk", "admins"] })}.${signature}`;
    },
    "that has expired": (at) => (claims) => at.sign({ ...claims, exp: Number(claims.iat) - 120 }),
    "with another nonce": (at) => (claims) => at.sign({ ...claims, nonce: "another" }),
    "without a subject":
      (at) =>
      ({ sub: _, ...claims }) =>
        at.sign(claims),
  };
  for (const [name, forge] of Object.entries(forged)) {
    test(`with a token ${name}`, async () => {
      provider.algorithms = ["RS256", "HS256", "none"];
      provider.forge = forge(provider);
      const { client, back } = await begun();
      expect(await trouble(client, back)).toEqual([403, expect.stringContaining("cannot be trusted"), false]);
    });
  }
});

test("a clock two minutes off is said, half a minute is not", async () => {
  for (const seconds of [-120, 120]) {
    provider.clockSeconds = seconds;
    const answer = await signOn(server.browser());
    expect([answer.status, await textIn(answer)]).toEqual([
      403,
      expect.stringContaining("differ by more than a minute"),
    ]);
  }
  provider.clockSeconds = 30;
  expect((await signOn(server.browser())).status).toBe(303);
});

test("a key that the provider changed is read at once", async () => {
  expect((await signOn(server.browser())).status).toBe(303);
  await provider.rotate();
  expect((await signOn(server.browser())).status).toBe(303);
});

describe("a claim", () => {
  const told = async (claims: Record<string, unknown>) => {
    provider.claims = { sub: "claims", preferred_username: "claims", ...claims };
    const answer = await signOn(server.browser());
    return [answer.status, answer.status === 303 ? "" : await textIn(answer)];
  };

  test("that is missing, or opens nothing, is named, and its values are not", async () => {
    expect(await told({})).toEqual([403, expect.stringContaining("did not send the claim groups")]);
    const [status, text] = await told({ groups: ["secret-project"] });
    expect([status, text]).toEqual([403, expect.stringContaining("Nothing in the claim groups")]);
    expect(text).not.toContain("secret-project");
    expect(await usersNamed("claims")).toEqual([]);
  });

  test("that is no text or list, or has 10,000 values, is refused", async () => {
    for (const groups of [7, { admins: true }, [["admins"]], [1, "admins"], true]) {
      expect(await told({ groups })).toEqual([403, expect.stringContaining("other than a text")]);
    }
    const many = Array.from({ length: 10_000 }, (_, index) => `group ${index}`);
    expect(await told({ groups: [...many, "admins"] })).toEqual([
      403,
      expect.stringContaining("more than 1,000 values"),
    ]);
    expect(await told({ groups: ["x".repeat(10_000)] })).toEqual([403, expect.stringContaining("Nothing in")]);
  });

  test("may be a single text, and may stand in the answer about the user alone", async () => {
    expect(await told({ groups: "desk" })).toEqual([303, ""]);
    provider.userinfo = { groups: ["admins"] };
    expect(await told({})).toEqual([303, ""]);
    expect(await usersNamed("claims")).toMatchObject([{ role: "owner" }]);
  });

  test("for a name of 10,000 letters is cut, one without Latin letters is replaced", async () => {
    await told({ sub: "long", groups: ["desk"], preferred_username: "n".repeat(10_000) });
    expect(await usersNamed("n".repeat(40))).toHaveLength(1);
    await told({ sub: "subject-7", groups: ["desk"], preferred_username: "سارا" });
    expect(await usersNamed("subject-7")).toHaveLength(1);
  });
});

test("of several matches the first of the settings holds, and the role is judged anew at each sign-in", async () => {
  const { client } = await person("judged", ["desk", "admins"]);
  expect(await usersNamed("judged")).toMatchObject([{ role: "owner" }]);
  await person("judged", ["desk"]);
  expect(await usersNamed("judged")).toMatchObject([{ role: "support" }]);
  // What the greater role had opened is over.
  expect(await isIn(client)).toBe(false);
});

test("who left the group loses every session at the next sign-in, and at the latest after eight hours", async () => {
  const { client } = await person("leaver");
  const { answer } = await person("leaver", ["nothing"]);
  expect([answer.status, await isIn(client)]).toEqual([403, false]);
  const late = await person("late");
  clock.pass(7.9 * 3_600_000);
  expect(await isIn(late.client)).toBe(true);
  clock.pass(0.2 * 3_600_000);
  expect(await isIn(late.client)).toBe(false);
});

test("a disabled user is out at once, and no sign-in at the provider brings it back", async () => {
  const { client } = await person("disabled");
  await server.api("POST /users/:name/disable", { name: "disabled" });
  const { answer } = await person("disabled");
  expect([await isIn(client), answer.status, await textIn(answer)]).toEqual([
    false,
    403,
    expect.stringContaining("disabled here"),
  ]);
});

test("signing in by the provider ends the session that the browser had", async () => {
  const client = await signedInAs(server, "support", { name: "before-provider" });
  const copy = copyOf(client);
  expect((await signOn(client)).status).toBe(303);
  expect([await isIn(client), await isIn(copy)]).toEqual([true, false]);
});

describe("linking", () => {
  test("by the person takes the password again, and leads to the same user, with the role that is judged", async () => {
    const client = await signedInAs(server, "support", { name: "linked" });
    expect(await textIn(await client.get("/settings"))).toContain("You sign in without Keys");
    expect((await client.post("/settings/sign-on", { password: "not the password" })).status).toBe(422);
    const page = await (await client.post("/settings/sign-on", { password: goodPassword })).text();
    const [, path = ""] = /href="(\/sign-in\/oidc\?link=[^"]+)"/.exec(page) ?? [];
    provider.claims = { sub: "to-link", groups: ["nothing"] };
    const linked = await signOn(client, path);
    expect([linked.status, linked.headers.get("Location")]).toEqual([303, "/settings"]);
    expect(await usersNamed("linked")).toMatchObject([{ role: "support", ways: ["password", "oidc"] }]);
    // Who is in no group comes in by the password alone.
    expect((await signOn(server.browser())).status).toBe(403);
    provider.claims = { sub: "to-link", groups: ["admins"] };
    const byProvider = server.browser();
    await signOn(byProvider);
    // As the provider says, while the user's own role stays.
    expect((await byProvider.get("/users")).status).toBe(200);
    expect([(await client.get("/users")).status, await usersNamed("linked")]).toMatchObject([
      404,
      [{ role: "support" }],
    ]);
    const { entries } = await server.api("GET /audit", { action: "user.link" });
    expect(entries[0]).toMatchObject({ actor: "linked", target: "linked" });
  });

  test("ends on the page of one's settings, and with it what was opened by it; who has no password keeps it", async () => {
    const client = await signedInAs(server, "support", { name: "unlinking" });
    expect((await client.get("/settings/sign-on/remove")).status).toBe(303);
    await server.api("PUT /users/:name/identity", { name: "unlinking", subject: "to-unlink" });
    const { client: byProvider } = await person("to-unlink");
    expect(await textIn(await client.get("/settings"))).toContain("You can sign in with Keys. End the link");
    expect(await textIn(await client.get("/settings/sign-on/remove"))).toContain("End signing in with Keys?");
    expect((await client.post("/settings/sign-on/remove", {})).status).toBe(303);
    expect([await isIn(client), await isIn(byProvider)]).toEqual([true, false]);
    expect(await usersNamed("unlinking")).toMatchObject([{ ways: ["password"] }]);
    const { entries } = await server.api("GET /audit", { action: "user.unlink" });
    expect(entries[0]).toMatchObject({ actor: "unlinking", target: "unlinking" });
    const { client: vouched } = await person("vouched");
    expect(await textIn(await vouched.get("/settings"))).not.toContain("End the link");
    await vouched.post("/settings/sign-on/remove", {});
    expect(await usersNamed("vouched")).toMatchObject([{ ways: ["oidc"] }]);
  });

  test("is nobody else's: no ticket of another browser's session that has ended, no person who is a user already", async () => {
    const client = await signedInAs(server, "support", { name: "leaving" });
    const page = await (await client.post("/settings/sign-on", { password: goodPassword })).text();
    const [, path = ""] = /href="(\/sign-in\/oidc\?link=[^"]+)"/.exec(page) ?? [];
    provider.claims = { sub: "taken", groups: ["desk"], preferred_username: "taken" };
    await signOn(server.browser());
    expect(await textIn(await signOn(client, path))).toContain("already linked to another user");
    // Whoever opens another's link would become the other.
    expect((await server.browser().get(path)).status).toBe(422);
    expect((await (await signedInAs(server, "support", { name: "lured" })).get(path)).status).toBe(422);
    await client.post("/sign-out");
    expect((await client.get(path)).status).toBe(422);
    expect((await client.get("/sign-in/oidc?link=forged")).status).toBe(422);
    expect(await usersNamed("leaving")).toMatchObject([{ ways: ["password"] }]);
  });

  test("by the command takes the provider's id, and unlinking ends what it opened", async () => {
    await signedInAs(server, "operator", { name: "commanded" });
    await server.api("PUT /users/:name/identity", { name: "commanded", subject: "by-command" });
    const { client } = await person("by-command");
    expect(await usersNamed("by-command")).toEqual([]);
    const { error } = await replyOf(server.api("PUT /users/:name/identity", { name: "sara", subject: "by-command" }));
    expect(error?.value.code).toBe("identity_taken");
    await server.api("DELETE /users/:name/identity", { name: "commanded" });
    expect([await isIn(client), await usersNamed("commanded")]).toMatchObject([false, [{ ways: ["password"] }]]);
  });
});

test("a user whose role comes from the provider has no token of its own", async () => {
  await person("tokenless");
  const asked = { user: "tokenless", name: "agent", role: "support", expiresAt: "2027-01-01T00:00:00Z" } as const;
  expect((await replyOf(server.api("POST /tokens", asked))).error?.value.code).toBe("provider_role");
});

test("in a session that the provider opened with less, an owner makes no token that may more", async () => {
  await signedInAs(server, "owner", { name: "lesser" });
  await server.api("PUT /users/:name/identity", { name: "lesser", subject: "lesser" });
  const { client } = await person("lesser");
  const asked = { name: "agent", expiresAt: "2027-01-01", password: goodPassword };
  const refused = await client.post("/settings/tokens/new", { ...asked, role: "owner" });
  expect([refused.status, await server.api("GET /tokens", { user: "lesser" })]).toEqual([403, []]);
  expect((await client.post("/settings/tokens/new", { ...asked, role: "support" })).status).toBe(200);
  expect(await server.api("GET /tokens", { user: "lesser" })).toMatchObject([{ role: "support" }]);
});

test("answers that nobody asked for keep nobody of the same network out: any site can make a browser send them", async () => {
  for (let count = 0; count < 30; count += 1)
    expect((await server.browser().get("/sign-in/oidc/back?code=1&state=2")).status).toBe(422);
  expect((await signOn(server.browser())).status).toBe(303);
});

test("a new link gives such a user a password and its own role", async () => {
  await person("given");
  const { setup } = await server.api("POST /users/:name/reset", { name: "given" });
  const client = server.browser();
  await client.post(setup.path, { password: goodPassword, again: goodPassword });
  clock.pass(9 * 3_600_000);
  expect(await isIn(client)).toBe(true);
});

describe("the provider's notice that somebody signed out", () => {
  const notice = (token: string) =>
    fetch(`${server.consoleUrl}/sign-in/oidc/logout`, {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ logout_token: token }).toString(),
    });
  async function inSession(sid: string) {
    provider.claims = { sub: "out", sid, groups: ["desk"], preferred_username: "out" };
    const client = server.browser();
    await signOn(client);
    return client;
  }

  test("ends one of its sessions, or all of a person", async () => {
    const [one, other] = [await inSession("s-1"), await inSession("s-2")];
    expect((await notice(await provider.logoutToken({ sid: "s-1" }))).status).toBe(200);
    expect([await isIn(one), await isIn(other)]).toEqual([false, true]);
    expect((await notice(await provider.logoutToken({ sub: "out" }))).status).toBe(200);
    expect(await isIn(other)).toBe(false);
  });

  test("counts once, and only if it is one", async () => {
    const client = await inSession("s-3");
    const used = await provider.logoutToken({ sid: "of-nobody" });
    expect((await notice(used)).status).toBe(200);
    const now = Math.floor(Date.now() / 1_000);
    const wrong = {
      used,
      "of another client": await provider.logoutToken({ sub: "out", aud: "other" }),
      "of another issuer": await provider.logoutToken({ sub: "out", iss: "https://evil.example" }),
      "with a nonce": await provider.logoutToken({ sub: "out", nonce: "n" }),
      "without the event": await provider.logoutToken({ sub: "out", events: {} }),
      "without an id": await provider.logoutToken({ sub: "out", jti: undefined }),
      "without a time": await provider.logoutToken({ sub: "out", iat: undefined }),
      old: await provider.logoutToken({ sub: "out", iat: now - 600 }),
      "of nobody": await provider.logoutToken({}),
      "an id token": await provider.sign({ ...honest, iss: provider.issuer, aud: "peyk", iat: now, exp: now + 60 }),
      "no token": "x",
    };
    const answers = Object.entries(wrong).map(async ([name, token]) => [name, (await notice(token)).status]);
    expect(await Promise.all(answers)).toEqual(Object.keys(wrong).map((name) => [name, 400]));
    expect(await isIn(client)).toBe(true);
  });

  test("is logged once a minute if it is none: anybody may send one", async () => {
    const warned: unknown[] = [];
    const note = pino({ level: "info" }, { write: (line: string) => void warned.push(JSON.parse(line)) });
    const own = await startSignOn({ console: { issuer: provider.issuer } }, { clock, log: note });
    for (let count = 0; count < 5; count += 1)
      await fetch(`${own.consoleUrl}/sign-in/oidc/logout`, {
        method: "POST",
        body: new URLSearchParams({ logout_token: "x" }),
      });
    expect(warned.filter((line) => JSON.stringify(line).includes("single sign-on failed"))).toHaveLength(1);
    await own.stop();
  });

  test("by a key that the provider changed since", async () => {
    const client = await inSession("s-4");
    await provider.rotate();
    const token = await provider.logoutToken({ sid: "s-4" });
    // The keys are read again a second after the last time at the earliest.
    while ((await notice(token)).status !== 200) await Bun.sleep(100);
    expect(await isIn(client)).toBe(false);
  });
});
