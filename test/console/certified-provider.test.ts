/** Single sign-on with a certified provider that nobody here wrote. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CertifiedProvider, startCertifiedProvider, throughPages } from "../support/certified-provider.ts";
import { freePorts } from "../support/free-ports.ts";
import { startSignOn, textIn } from "../support/sign-on.ts";
import { temporaryFolder } from "../support/test-server.ts";

const secret = "a secret of forty letters, or nearly that.";
const folder = temporaryFolder();
const secretFile = join(folder.path, "oidc.secret");
let provider: CertifiedProvider;
let server: Awaited<ReturnType<typeof startSignOn>>;
beforeAll(async () => {
  const ports = await freePorts(2);
  const base = `http://127.0.0.1:${ports[0]}`;
  provider = await startCertifiedProvider({
    redirectUri: `${base}/sign-in/oidc/back`,
    logoutUri: `${base}/sign-in/oidc/logout`,
    secret,
  });
  writeFileSync(secretFile, `${secret}\n`, { mode: 0o600 });
  const settings = { issuer: provider.issuer, clientSecretFile: secretFile, scopes: "openid profile groups" };
  server = await startSignOn({ console: settings, ports });
});
afterAll(async () => {
  await server.stop();
  await provider.stop();
  folder.remove();
});

/** A browser, and its cookies at the provider. */
function person() {
  const client = server.browser();
  const cookies = new Map<string, string>();
  const come = async () => {
    const begun = await client.get("/sign-in/oidc");
    const back = await throughPages(begun.headers.get("Location") ?? "", cookies);
    return client.get(back.pathname + back.search);
  };
  return { client, come };
}
const isIn = async ({ client }: ReturnType<typeof person>) => (await client.get("/menu")).status === 200;

test("a person in a group comes in, in no group not, and out of the group no more", async () => {
  provider.people.groups.set("sara", ["desk"]);
  const sara = person();
  expect((await sara.come()).status).toBe(303);
  expect(await isIn(sara)).toBe(true);
  provider.people.groups.set("sara", ["others"]);
  const refused = await sara.come();
  expect([refused.status, await textIn(refused), await isIn(sara)]).toEqual([
    403,
    expect.stringContaining("Nothing in the claim groups"),
    false,
  ]);
});

test("a secret that others can read is not used", async () => {
  provider.people.groups.set("sara", ["desk"]);
  chmodSync(secretFile, 0o644);
  const answer = await server.browser().get("/sign-in/oidc");
  expect([answer.status, await textIn(answer)]).toEqual([403, expect.stringContaining("settings for it do not fit")]);
  chmodSync(secretFile, 0o600);
  expect((await person().come()).status).toBe(303);
});
