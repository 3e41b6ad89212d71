/** Passkeys in a real browser, with Chromium's virtual authenticator. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { type ConsoleProcess, type FormClient, goodPassword, signedInAs, startConsole } from "../support/console.ts";
import { journeyMs } from "../support/console-browser.ts";
import { axeSource, complaintsOf } from "../support/page-visits.ts";
import { describeWith } from "../support/wants.ts";

interface Authenticator {
  cdp: CDPSession;
  authenticatorId: string;
}

/** `isVerified`: whether the person shows a finger or types the PIN. */
async function authenticatorOf(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", { options });
  return { cdp, authenticatorId };
}

const credentialsOf = async ({ cdp, authenticatorId }: Authenticator) =>
  (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;

/** By the button: one that waits in the field would be taken at once, so it is switched off. */
const byButton = `PublicKeyCredential.isConditionalMediationAvailable = async () => false`;

describeWith("chromium")("passkeys in a browser", () => {
  let browser: Browser;
  let server: ConsoleProcess;
  beforeAll(async () => {
    server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }));
    await server.api("POST /accounts", { name: "Clinic" });
    browser = await openBrowser();
  }, journeyMs);
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  const at = (url: string | null) => (url ?? "").replace("127.0.0.1", "localhost");

  async function openedBy({ url, cookies }: FormClient, context?: BrowserContext) {
    const opened = context ?? (await browser.newContext({ viewport: { width: 360, height: 740 } }));
    await opened.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    return opened;
  }

  async function enrol(page: Page, url: string, use?: "factor"): Promise<void> {
    await page.goto(`${url}/settings/passkeys/new`);
    if (use !== undefined) await page.locator(`[name=use][value=${use}]`).check();
    await page.locator("[name=name]").fill("Phone");
    await page.locator("[name=password]").fill(goodPassword);
    await page.locator("main form button[type=submit]").click();
    await page.locator("button[data-passkey]").click();
    await page.waitForURL(`${url}/settings#passkeys`);
  }

  /** Axe, and the width of a phone. */
  async function judge(page: Page): Promise<void> {
    await page.evaluate(axeSource);
    const found = await page.evaluate<{ violations: unknown[] }>("axe.run(document)");
    expect(found.violations).toEqual([]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(360);
  }

  const signOut = (page: Page) => page.context().clearCookies();

  for (const side of ["console", "portal"] as const)
    describe(`at the ${side}`, () => {
      let url: string;
      let page: Page;
      let authenticator: Authenticator;
      let complaints: string[];
      beforeAll(async () => {
        const isPortal = side === "portal";
        url = at(isPortal ? server.portalUrl : server.consoleUrl);
        const client = await signedInAs(server, isPortal ? "customer" : "owner", {
          url,
          name: `${side}-ada`,
          ...(isPortal && { account: "acc_1" }),
        });
        page = await (await openedBy(client)).newPage();
        complaints = complaintsOf(page);
        authenticator = await authenticatorOf(page);
        await enrol(page, url);
      }, journeyMs);

      test(
        "one is made on the page of the settings, bound to the name of the host",
        async () => {
          const [made] = await credentialsOf(authenticator);
          expect(made).toMatchObject({ rpId: "localhost", isResidentCredential: true, userName: `${side}-ada` });
          expect(await page.locator("#passkeys").textContent()).toContain("Phone");
          // An authenticator makes no second one.
          await page.goto(`${url}/settings/passkeys/new`);
          await page.locator("[name=name]").fill("Again");
          await page.locator("button[data-passkey]").click();
          await page.locator("button[data-passkey^='{']").click();
          await page.locator("[data-passkey-problem=there]").waitFor();
        },
        journeyMs,
      );

      test(
        "it signs in by the button, and in the field without another page",
        async () => {
          await signOut(page);
          await page.goto(`${url}/sign-in?to=%2Fmenu`);
          // Chosen in the field, as this authenticator does by itself.
          await page.waitForURL(`${url}/menu`);
          await signOut(page);
          await page.addInitScript(byButton);
          await page.goto(`${url}/sign-in?to=%2Fmenu`);
          await page.locator("button[data-passkey]").click();
          await page.waitForURL(`${url}/menu`);
          expect(complaints).toEqual([]);
        },
        journeyMs,
      );

      test(
        "nobody comes in without being verified",
        async () => {
          await signOut(page);
          const { cdp, authenticatorId } = authenticator;
          await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
          await page.goto(`${url}/sign-in`);
          await page.locator("button[data-passkey]").click();
          await page.locator("[data-passkey-problem=none]").waitFor();
          await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
        },
        journeyMs,
      );

      test(
        "a copy whose counter is behind is refused, and the page says so",
        async () => {
          const { cdp, authenticatorId } = authenticator;
          const [credential] = await credentialsOf(authenticator);
          if (credential === undefined) throw new Error("There is no credential.");
          await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
          await cdp.send("WebAuthn.addCredential", { authenticatorId, credential: { ...credential, signCount: 0 } });
          await page.goto(`${url}/sign-in`);
          await page.locator("button[data-passkey]").click();
          await page.locator(".notice", { hasText: "a copy of it" }).waitFor();
          await cdp.send("WebAuthn.removeCredential", { authenticatorId, credentialId: credential.credentialId });
          await cdp.send("WebAuthn.addCredential", {
            authenticatorId,
            credential: { ...credential, signCount: 1_000 },
          });
        },
        journeyMs,
      );

      test(
        "removed while signed in by it, its other sessions end",
        async () => {
          await page.goto(`${url}/sign-in?to=%2Fmenu`);
          await page.locator("button[data-passkey]").click();
          await page.waitForURL(`${url}/menu`);
          const [passkey] = await server.api("GET /passkeys", { user: `${side}-ada` });
          await server.api("DELETE /passkeys/:id", { id: passkey?.id ?? "" });
          await page.goto(`${url}/menu`);
          expect(page.url()).toContain("/sign-in");
          await page.locator("[name=user]").waitFor();
        },
        journeyMs,
      );
    });

  test(
    "it is the second step after a password, beside the codes, in both languages and on a phone",
    async () => {
      const url = at(server.consoleUrl);
      const client = await signedInAs(server, "operator", { url, name: "otto" });
      const html = await (await client.get("/settings/second-factor")).text();
      const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(html)?.[1] ?? "";
      await client.post("/settings/second-factor", {
        secret,
        code: new TOTP({ secret }).generate(),
        password: goodPassword,
      });
      const page = await (await openedBy(client)).newPage();
      await authenticatorOf(page);
      await enrol(page, url, "factor");
      for (const language of ["en", "fa"]) {
        await signOut(page);
        await page.context().addCookies([{ name: "peyk_look", value: `${language}.light`, url }]);
        await page.goto(`${url}/sign-in?to=%2Fmenu`);
        await page.locator("[name=user]").fill("otto");
        await page.locator("[name=password]").fill(goodPassword);
        await page.locator("form.card button[type=submit]").click();
        await page.waitForURL(/\/sign-in\/code/);
        await judge(page);
        await page.locator("button[data-passkey]").click();
        await page.waitForURL(`${url}/menu`);
        await page.goto(`${url}/settings/passkeys/new`);
        await judge(page);
      }
    },
    journeyMs,
  );
});
