/** The certified `oidc-provider` in this process, with people who are in groups and sign in without being asked. */
import { createServer } from "node:http";
import Provider from "oidc-provider";
import { freePort } from "./free-ports.ts";

export type CertifiedProvider = Awaited<ReturnType<typeof startCertifiedProvider>>;

export interface CertifiedClient {
  redirectUri: string;
  secret: string | null;
  logoutUri?: string;
}

export async function startCertifiedProvider(clientOf: CertifiedClient) {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const people = { current: "sara", groups: new Map<string, string[]>() };
  const { redirectUri, secret, logoutUri } = clientOf;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "peyk",
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: secret === null ? "none" : "client_secret_basic",
        ...(secret !== null && { client_secret: secret }),
        ...(logoutUri !== undefined && {
          backchannel_logout_uri: logoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    claims: { openid: ["sub"], profile: ["preferred_username"], groups: ["groups"] },
    scopes: ["openid", "profile", "groups"],
    pkce: { required: () => true },
    cookies: { keys: ["only for tests"] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, preferred_username: sub, groups: people.groups.get(sub) ?? [] }),
    }),
  });
  const answer = provider.callback();
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return answer(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: people.current } });
    }
    const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
    grant.addOIDCScope("openid profile groups");
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    issuer,
    people,
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Follows the provider's redirects with its cookies until it leads elsewhere. */
export async function throughPages(start: string, cookies = new Map<string, string>()): Promise<URL> {
  const { origin } = new URL(start);
  let at = new URL(start);
  for (let steps = 0; at.origin === origin; steps += 1) {
    if (steps > 12) throw new Error(`the provider leads nowhere: ${at}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(at, { redirect: "manual", headers: { Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("Location");
    if (location === null) throw new Error(`${at.pathname} answers ${response.status}: ${await response.text()}`);
    at = new URL(location, at);
  }
  return at;
}
