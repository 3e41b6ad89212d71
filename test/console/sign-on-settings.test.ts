/** What the settings of single sign-on make of the sign-in page, the portal and the second factor, and what a provider in trouble does. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createServer, type Server } from "node:net";
import { FormClient, goodPassword, LateClock, signedInAs } from "../support/console.ts";
import { OwnProvider } from "../support/own-provider.ts";
import { type SignOnSettings, signOn, startSignOn, textIn } from "../support/sign-on.ts";

let provider: OwnProvider;
let server: Awaited<ReturnType<typeof startSignOn>> | null = null;
beforeEach(async () => {
  provider = await OwnProvider.start();
});
afterEach(async () => {
  await server?.stop();
  server = null;
  await provider.stop();
});

async function start(change: SignOnSettings = {}, clock = new LateClock()) {
  server = await startSignOn(
    { ...change, console: { issuer: provider.issuer, name: "Keys", ...change.console } },
    { clock },
  );
  return server;
}

test("with passwords off, the button is alone; a setup link is still a way in, though an owner has a password", async () => {
  const { api, browser, consoleUrl } = await start({ passwords: "off" });
  const owner = await api("POST /users/setup-link");
  const client = browser();
  expect((await client.post(owner.setup.path, { password: goodPassword, again: goodPassword })).status).toBe(303);
  expect((await client.get("/menu")).status).toBe(200);
  const page = await (await new FormClient(consoleUrl).get("/sign-in")).text();
  expect([page.includes('name="password"'), page.includes("/sign-in/oidc")]).toEqual([false, true]);
  const typed = await browser().post("/sign-in", { user: "owner", password: goodPassword, to: "/" });
  expect(typed.status).toBe(422);
  const again = await api("POST /users/setup-link");
  expect(again.name).toBe("owner");
  const back = browser();
  await back.post(again.setup.path, { password: goodPassword, again: goodPassword });
  expect((await back.get("/menu")).status).toBe(200);
});

test("with passwords for owners alone, nobody else's counts", async () => {
  const at = await start({ passwords: "owner" });
  for (const [role, status] of [
    ["owner", 303],
    ["operator", 422],
  ] as const) {
    await signedInAs(at, role, { name: `with-${role}` });
    const typed = await at.browser().post("/sign-in", { user: `with-${role}`, password: goodPassword, to: "/" });
    expect(typed.status).toBe(status);
  }
});

test("an owner whose role comes from the provider does not keep the first owner from a setup link", async () => {
  const { api, browser } = await start();
  await signOn(browser());
  expect((await api("POST /users/setup-link")).name).toBe("owner");
});

test("a provider that is down is said within two seconds, and passwords go on", async () => {
  const at = await start();
  const owner = await signedInAs(at, "owner", { name: "owner-1" });
  await provider.stop();
  const silent = await silentServer(provider.port);
  for (const stopped of [silent, null]) {
    const began = performance.now();
    const answer = await at.browser().get("/sign-in/oidc");
    expect([answer.status, await textIn(answer)]).toEqual([503, expect.stringContaining("Keys does not answer")]);
    expect(performance.now() - began).toBeLessThan(2_000);
    await new Promise<void>((resolve) => (stopped === null ? resolve() : stopped.close(() => resolve())));
  }
  const typed = await at.browser().post("/sign-in", { user: "owner-1", password: goodPassword, to: "/" });
  expect([typed.status, (await owner.get("/menu")).status]).toEqual([303, 200]);
});

test("a provider that needs more than a second lets people in at the second try", async () => {
  const at = await start();
  const { discovery } = provider;
  const slow = Promise.withResolvers<void>();
  provider.discovery = async () => {
    await slow.promise;
    provider.discovery = discovery;
    return fetch(`${provider.issuer}/.well-known/openid-configuration`);
  };
  expect((await at.browser().get("/sign-in/oidc")).status).toBe(503);
  slow.resolve();
  expect((await signOn(at.browser())).status).toBe(303);
});

test("an issuer that is none is said on the page, and the service goes on", async () => {
  const at = await start();
  const other = "https://other.example/";
  const answers: Record<string, () => Response> = {
    html: () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
    redirect: () =>
      new Response(null, { status: 302, headers: { Location: `${other}.well-known/openid-configuration` } }),
    "another issuer": () =>
      Response.json({ issuer: other, authorization_endpoint: other, token_endpoint: other, jwks_uri: other }),
    "no endpoints": () => Response.json({ issuer: provider.issuer }),
    "plain endpoints": () =>
      Response.json({
        issuer: provider.issuer,
        authorization_endpoint: "javascript:alert(1)",
        token_endpoint: "http://192.0.2.1/",
        jwks_uri: "http://192.0.2.1/",
      }),
    "two megabytes": () => new Response(" ".repeat(2_000_000), { headers: { "Content-Type": "application/json" } }),
  };
  for (const [name, discovery] of Object.entries(answers)) {
    provider.discovery = discovery;
    const answer = await at.browser().get("/sign-in/oidc");
    expect([name, answer.status, await textIn(answer)]).toEqual([
      name,
      403,
      expect.stringContaining("does not answer as a provider"),
    ]);
  }
  provider.discovery = null;
  expect((await signOn(at.browser())).status).toBe(303);
});

test("where a second factor is demanded, the acr that was asked for is one, and an answer without it is refused", async () => {
  const at = await start({ secondFactor: "staff", console: { issuer: provider.issuer, acrValues: "mfa phr" } });
  const weak = await signOn(at.browser());
  expect([weak.status, await textIn(weak)]).toEqual([403, expect.stringContaining("second factor is required")]);
  provider.claims = { ...provider.claims, acr: "phr" };
  const strong = at.browser();
  await signOn(strong);
  expect((await strong.get("/menu")).status).toBe(200);
  const begun = await at.browser().get("/sign-in/oidc");
  expect(new URL(begun.headers.get("Location") ?? "").searchParams.get("acr_values")).toBe("mfa phr");
  // By a password, one of its own is still demanded.
  const byPassword = await signedInAs(at, "operator", { name: "plain" });
  expect((await byPassword.get("/menu")).headers.get("Location")).toBe("/settings/second-factor");
});

test("the portal has its own provider, off by default, and a claim names the account by its id", async () => {
  const at = await start({ portal: { issuer: provider.issuer } });
  const { api, portalUrl } = at;
  const { id } = await api("POST /accounts", { name: "Mehr Clinics" });
  const portal = () => new FormClient(portalUrl);
  const come = async (claims: Record<string, unknown>) => {
    provider.claims = { sub: "clinic-1", preferred_username: "clinic", groups: ["clinic"], ...claims };
    const client = portal();
    const answer = await signOn(client);
    return { client, answer };
  };
  for (const account of [undefined, "Mehr Clinics", "1", "acc_99", ["acc_1", "acc_2"], 1]) {
    expect([account, (await come({ account })).answer.status]).toEqual([account, 403]);
  }
  const { client } = await come({ account: id });
  expect(await textIn(await client.get("/"))).toContain("Mehr Clinics");
  expect((await api("GET /users")).rows).toMatchObject([{ name: "clinic", role: "customer", account: id }]);
  // The same person at the console is another user, if anybody; what staff may is nobody's at the portal.
  expect((await signOn(at.browser())).status).toBe(403);
  provider.claims = { sub: "clinic-1", groups: ["admins"], account: id, preferred_username: "clinic" };
  expect((await signOn(portal())).status).toBe(403);
  const console = at.browser();
  expect((await signOn(console)).status).toBe(303);
  expect((await api("GET /users")).rows.map(({ name, role }) => [name, role])).toEqual([
    ["clinic", "customer"],
    ["clinic-2", "owner"],
  ]);
  // In another account, what the former opened has ended.
  const { id: other } = await api("POST /accounts", { name: "Tooba Books" });
  const moved = await come({ account: other });
  expect([(await client.get("/")).status, await textIn(await moved.client.get("/"))]).toEqual([
    303,
    expect.stringContaining("Tooba Books"),
  ]);
});

test("where it is allowed, a token of such a user lives as long as the role, which the next refusal ends", async () => {
  const clock = new LateClock();
  const at = await start({ console: { issuer: provider.issuer, passkeys: true } }, clock);
  await signOn(at.browser());
  const { token } = await at.api("POST /tokens", {
    user: "sara",
    name: "agent",
    role: "support",
    expiresAt: new Date(clock.now() + 30 * 86_400_000).toISOString(),
  });
  const asks = async () =>
    (await fetch(`${at.consoleUrl}/api/status`, { headers: { Authorization: `Bearer ${token}` } })).status;
  expect(await asks()).toBe(200);
  clock.pass(8 * 3_600_000);
  expect(await asks()).toBe(401);
  clock.pass(-8 * 3_600_000);
  expect(await asks()).toBe(200);
  provider.claims = { ...provider.claims, groups: ["nothing"] };
  await signOn(at.browser());
  expect(await asks()).toBe(401);
});

test("the provider is not asked by everybody who presses the button", async () => {
  const at = await start();
  await Promise.all(Array.from({ length: 12 }, () => at.browser().get("/sign-in/oidc")));
  expect(provider.asked.length).toBeLessThan(3);
});

test("without a provider the page has no button, and its addresses lead to sign-in", async () => {
  server = await startSignOn({});
  const client = server.browser();
  expect(await (await client.get("/sign-in")).text()).not.toContain("oidc");
  for (const path of ["/sign-in/oidc", "/sign-in/oidc/back?code=1&state=2"]) {
    expect((await client.get(path)).headers.get("Location")).toBe("/sign-in");
  }
});

/** Takes connections and says nothing. */
async function silentServer(port: number): Promise<Server> {
  const sockets = new Set<import("node:net").Socket>();
  const listening = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => listening.listen(port, "127.0.0.1", resolve));
  const close = listening.close.bind(listening);
  listening.close = (done) => {
    for (const socket of sockets) socket.destroy();
    return close(done);
  };
  return listening;
}
