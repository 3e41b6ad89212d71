/** What `peyk config check` says of single sign-on before the service starts. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "../support/cli.ts";
import { freePort } from "../support/free-ports.ts";
import { OwnProvider } from "../support/own-provider.ts";
import { temporaryFolder } from "../support/test-server.ts";

const folder = temporaryFolder();
let provider: OwnProvider;
beforeAll(async () => {
  provider = await OwnProvider.start();
});
afterEach(() => {
  provider.discovery = null;
});
afterAll(async () => {
  await provider.stop();
  folder.remove();
});

const good = { issuer: "", client_id: "peyk", roles: ["admins=owner"] };

async function check(
  oidc: object,
  console = `url = "https://sms.example.com"`,
): Promise<{ code: number; said: string }> {
  const path = join(folder.path, "peyk.toml");
  const lines = Object.entries({ ...good, issuer: provider.issuer, ...oidc }).map(
    ([key, value]) => `${key} = ${JSON.stringify(value)}`,
  );
  writeFileSync(path, `[console]\n${console}\n[oidc]\n${lines.join("\n")}\n`);
  const { code, out, err } = await runCli(["config", "check", "--config", path, "--data-dir", folder.path]);
  return { code, said: out + err };
}

test("a provider that is one passes", async () => {
  expect(await check({})).toMatchObject({ code: 0, said: expect.stringContaining("The settings are good") });
});

test("an issuer that does not answer, answers HTML, redirects or names another one is told with the reason", async () => {
  const nobody = `http://127.0.0.1:${await freePort()}/`;
  expect(await check({ issuer: nobody })).toMatchObject({ code: 1, said: expect.stringContaining("does not answer") });
  const answers = {
    "redirects to https://other.example": () => Response.redirect("https://other.example/x"),
    'issuer is "https://other.example': () =>
      Response.json({ issuer: "https://other.example", jwks_uri: "https://other.example/keys" }),
    "text/html": () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
  };
  for (const [word, discovery] of Object.entries(answers)) {
    provider.discovery = discovery;
    const { code, said } = await check({});
    expect([code, said]).toEqual([1, expect.stringContaining("oidc.issuer: http://127.0.0.1")]);
    expect(said.toLowerCase()).toContain(word.toLowerCase());
  }
});

test("an issuer that the provider spells with a final slash, or without, is told", async () => {
  const origin = new URL(provider.issuer).origin;
  provider.discovery = () =>
    Response.json({
      issuer: `${origin}/`,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
    });
  const { code, said } = await check({ issuer: origin });
  expect([code, said]).toEqual([
    0,
    expect.stringContaining(`Warning: oidc.issuer: the provider calls itself ${origin}/.`),
  ]);
  expect((await check({ issuer: `${origin}/` })).said).not.toContain("Warning: oidc");
});

test("a secret that others can read is refused", async () => {
  const secret = join(folder.path, "oidc.secret");
  writeFileSync(secret, "secret\n");
  chmodSync(secret, 0o644);
  expect(await check({ client_secret_file: secret })).toMatchObject({
    code: 1,
    said: expect.stringContaining("chmod o="),
  });
  chmodSync(secret, 0o640);
  expect((await check({ client_secret_file: secret })).code).toBe(0);
});

test("settings that lead nowhere are named", async () => {
  const wrong: [object, string, string?][] = [
    [{ issuer: "http://id.example.com" }, "oidc.issuer must be an https URL"],
    [{ client_id: "" }, "oidc.client_id"],
    [{ roles: [] }, "oidc.roles must say who may come in"],
    [{ roles: ["admins=customer"] }, "VALUE=ROLE"],
    [{ roles: ["=owner"] }, "VALUE=ROLE"],
    [{ scopes: "profile" }, "openid among them"],
    [{}, "oidc.redirect_url", ""],
    [{}, "oidc.redirect_url", `url = "http://sms.example.com"`],
    [{ redirect_url: "https://sms.example.com/elsewhere" }, "oidc.redirect_url"],
    [{}, "oidc.acr_values", `url = "https://sms.example.com"\nsecond_factor = "staff"`],
    [{ issuer: "" }, "console.passwords", `passwords = "off"`],
  ];
  for (const [oidc, says, console] of wrong) {
    expect([oidc, await check(oidc, console)]).toEqual([oidc, { code: 1, said: expect.stringContaining(says) }]);
  }
});

test("a value may hold an equals sign, and http of this machine is enough", async () => {
  const back = "http://localhost:8081/sign-in/oidc/back";
  expect((await check({ roles: ["cn=admins,o=x=owner"], redirect_url: back }, "")).code).toBe(0);
});
