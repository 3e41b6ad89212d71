/** A console with single sign-on, and browsers on their way to a provider and back. */
import type { Settings } from "../../src/config/settings.ts";
import { oidcBackPath } from "../../src/domain/ways-in.ts";
import type { Clock } from "../../src/platform/clock.ts";
import type { Logger } from "../../src/platform/log.ts";
import { FormClient, startConsole } from "./console.ts";
import { freePorts } from "./free-ports.ts";

export interface SignOnSettings {
  console?: Partial<Settings["oidc"]>;
  portal?: Partial<Settings["oidc"]["portal"]>;
  passwords?: Settings["console"]["passwords"];
  /** Of the console and the portal. */
  ports?: readonly number[];
  secondFactor?: Settings["console"]["secondFactor"];
}

export async function startSignOn(change: SignOnSettings, environment: { clock?: Clock; log?: Logger } = {}) {
  const [port = 0, portalPort = 0] = change.ports ?? (await freePorts(2));
  const [url, portalUrl] = [port, portalPort].map((one) => `http://127.0.0.1:${one}`);
  const server = await startConsole(
    ({ console, oidc, portal }) => ({
      consoleListen: `127.0.0.1:${port}`,
      portalListen: `127.0.0.1:${portalPort}`,
      portal,
      console: {
        ...console,
        passwords: change.passwords ?? "allowed",
        secondFactor: change.secondFactor ?? "nobody",
      },
      oidc: {
        ...oidc,
        clientId: "peyk",
        redirectUrl: `${url}${oidcBackPath}`,
        roles: ["admins=owner", "desk=support"],
        ...change.console,
        portal: {
          ...oidc.portal,
          clientId: "peyk",
          redirectUrl: `${portalUrl}${oidcBackPath}`,
          roles: ["clinic=customer", "readers=customer-reads"],
          ...change.portal,
        },
      },
    }),
    environment,
  );
  return { ...server, portalUrl: portalUrl ?? "", browser: () => new FormClient(server.consoleUrl) };
}

/** Where the provider sends the browser back to, as path and query; the browser's own first step is at `path`. */
export async function toProviderAndBack(client: FormClient, path = "/sign-in/oidc"): Promise<string> {
  const begun = await client.get(path);
  const to = begun.headers.get("Location");
  if (begun.status !== 303 || to === null) throw new Error(`no way to the provider: ${begun.status}`);
  const answer = await fetch(to, { redirect: "manual" });
  const back = new URL(answer.headers.get("Location") ?? "");
  if (back.origin !== client.url) throw new Error(`sent back to ${back.origin}`);
  return back.pathname + back.search;
}

/** The whole way; returns the answer to coming back. */
export async function signOn(client: FormClient, path?: string): Promise<Response> {
  return client.get(await toProviderAndBack(client, path));
}

export const textIn = async (response: Response) =>
  (await response.text()).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
