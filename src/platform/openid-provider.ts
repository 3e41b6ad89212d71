/**
 * An OpenID Connect provider, as its client sees it. The libraries are loaded at the first use: most installations have
 * no provider.
 */
import type { JWTVerifyGetKey } from "jose";
import type { Configuration, ServerMetadata } from "openid-client";
import { trustedAuthorities } from "./authorities.ts";
import { readCertificates } from "./ca-file.ts";
import type { Clock } from "./clock.ts";
import { errorMessage } from "./error-code.ts";
import { readUpTo } from "./response-body.ts";
import { readPrivateFile } from "./secret-file.ts";
import { isSecureUrl } from "./secure-url.ts";

export interface ProviderOptions {
  issuer: string;
  clientId: string;
  clientSecretFile: string | null;
  caFile: string | null;
}

/**
 * `down`: no answer. `unusable`: an answer that no provider gives, or settings that do not work. `refused`: it let
 * nobody in, or not by this client. `clock`: its time is another. `untrusted`: what it says of a person does not hold.
 */
export type ProviderTrouble = "down" | "unusable" | "refused" | "clock" | "untrusted";

export class ProviderFailed extends Error {
  override readonly name = "ProviderFailed";
  constructor(
    readonly trouble: ProviderTrouble,
    message: string,
  ) {
    super(message);
  }
}

/** What only the browser that began a sign-in can show at its end. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** Of one person, as the provider vouches for it. */
export interface ProvenPerson {
  subject: string;
  /** The provider's session, by which it may end ours. */
  sid: string | null;
  acr: string | null;
  claims: Readonly<Record<string, unknown>>;
}

export interface LogoutNotice {
  subject: string | null;
  sid: string | null;
  jti: string;
  issuedAt: number;
}

/** What the libraries send. */
interface Sent {
  method: string;
  headers: Headers | Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
}

const answerBytesMax = 1024 * 1024;
const answerMsMax = 5_000;
/** What it says is good for this long; of one that needs longer than a reader waits, for the next readers. */
const freshFor = (tookMs: number) => (tookMs < 1_000 ? 1_000 : 60_000);
const skewSeconds = 60;
/** A stranger's token may name a key that there is not. */
const keysAgainMs = 1_000;
/** OpenID Connect Core, section 2. */
const subjectLengthMax = 255;
/** Signatures by a key that only the provider has. */
const algorithms = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

export class OpenidProvider {
  #found: ServerMetadata | null = null;
  #freshUntil = Number.NEGATIVE_INFINITY;
  #asking: Promise<ServerMetadata> | null = null;
  /** For notices of sign-outs. */
  #keys: JWTVerifyGetKey | null = null;

  constructor(
    private readonly options: ProviderOptions,
    private readonly clock: Pick<Clock, "now" | "monotonic" | "after">,
  ) {}

  /** Asks the provider who it is. @throws ProviderFailed */
  async discover(): Promise<ServerMetadata> {
    const { discovery, customFetch, allowInsecureRequests } = await import("openid-client");
    const { issuer, clientId } = this.options;
    const askedAt = this.clock.monotonic();
    const options = { [customFetch]: this.#fetch, execute: [allowInsecureRequests] };
    const config = await told("unusable", () => discovery(new URL(issuer), clientId, undefined, undefined, options));
    const found = config.serverMetadata();
    for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const) {
      const url = URL.parse(found[name] ?? "");
      if (url === null || !isSecureUrl(url))
        throw new ProviderFailed("unusable", `${issuer} does not say its ${name}, by https`);
    }
    this.#found = found;
    const now = this.clock.monotonic();
    this.#freshUntil = now + freshFor(now - askedAt);
    return found;
  }

  /** Anybody may press the button, and the provider is not asked by each. */
  async #askedLately(): Promise<void> {
    if (this.clock.monotonic() < this.#freshUntil) return;
    this.#asking ??= this.discover().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
  }

  /** Where the browser goes. @throws ProviderFailed */
  async begin(redirectUri: string, scope: string, acrValues: string): Promise<SignInSecrets & { url: string }> {
    await this.#askedLately();
    const client = await import("openid-client");
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(await this.#configured(), {
      redirect_uri: redirectUri,
      scope,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(acrValues !== "" && { acr_values: acrValues }),
    });
    return { state, nonce, verifier, url: url.href };
  }

  /** `needs`: whether what the token says is too little, so that the provider is asked for more. @throws ProviderFailed */
  async finish(
    back: URL,
    { state, nonce, verifier }: SignInSecrets,
    needs: (claims: object) => boolean,
  ): Promise<ProvenPerson> {
    const client = await import("openid-client");
    const config = await this.#configured();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await told("untrusted", () => client.authorizationCodeGrant(config, back, checks));
    const said = tokens.claims();
    if (said === undefined || said.sub.length > subjectLengthMax) throw new ProviderFailed("untrusted", "no subject");
    if (Math.abs(this.clock.now() / 1_000 - said.iat) > skewSeconds + 1) {
      throw new ProviderFailed("clock", `the provider's time of its token, ${said.iat}, is not the time here`);
    }
    const asks = needs(said) && config.serverMetadata().userinfo_endpoint !== undefined;
    const more = asks ? await told("untrusted", () => client.fetchUserInfo(config, tokens.access_token, said.sub)) : {};
    const [sid, acr] = [said.sid, said.acr].map((text) => (typeof text === "string" ? text : null));
    return { subject: said.sub, sid: sid ?? null, acr: acr ?? null, claims: { ...more, ...said } };
  }

  /** Who is signed out there. @throws ProviderFailed */
  async readLogout(token: string): Promise<LogoutNotice> {
    const { issuer, jwks_uri: keysAt = "" } = this.#found ?? (await this.discover());
    const jose = await import("jose");
    this.#keys ??= jose.createRemoteJWKSet(new URL(keysAt), {
      [jose.customFetch]: this.#fetch,
      cooldownDuration: keysAgainMs,
    });
    const keys = this.#keys;
    const checks = {
      issuer,
      audience: this.options.clientId,
      algorithms,
      clockTolerance: skewSeconds,
      maxTokenAge: 2 * skewSeconds,
      currentDate: new Date(this.clock.now()),
      requiredClaims: ["jti", "events"],
    };
    const { payload } = await told("untrusted", () => jose.jwtVerify(token, keys, checks));
    const { sub = null, sid, jti, iat, events, nonce } = payload;
    const isLogout = typeof events === "object" && events !== null && logoutEvent in events && nonce === undefined;
    const isNamed = sub !== null || typeof sid === "string";
    if (!isLogout || !isNamed || jti === undefined || iat === undefined) {
      throw new ProviderFailed("untrusted", "this is no logout token");
    }
    return { subject: sub, sid: typeof sid === "string" ? sid : null, jti, issuedAt: iat * 1_000 };
  }

  /** New each time: keys that the provider has changed since are then read anew. */
  async #configured(): Promise<Configuration> {
    const client = await import("openid-client");
    const { clientId, clientSecretFile } = this.options;
    const metadata = this.#found ?? (await this.discover());
    const secret = clientSecretFile === null ? null : await told("unusable", () => readPrivateFile(clientSecretFile));
    const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const proof = methods.includes("client_secret_basic") ? client.ClientSecretBasic : client.ClientSecretPost;
    const skew = { [client.clockTolerance]: skewSeconds };
    const config = new client.Configuration(metadata, clientId, skew, secret === null ? client.None() : proof(secret));
    config[client.customFetch] = this.#fetch;
    client.allowInsecureRequests(config);
    client.enableNonRepudiationChecks(config);
    return config;
  }

  /** Follows no redirect, and reads no more than a provider has to say. */
  readonly #fetch = async (address: string, { method, headers, body, signal }: Sent): Promise<Response> => {
    const url = new URL(address);
    const { caFile } = this.options;
    if (!isSecureUrl(url)) throw new ProviderFailed("unusable", `${url.origin} is neither https nor this machine`);
    const abort = new AbortController();
    signal?.addEventListener("abort", () => abort.abort());
    const timer = this.clock.after(answerMsMax, () => abort.abort());
    try {
      const response = await fetch(url, {
        method,
        headers,
        // Nothing else is ever sent: the code, for tokens.
        body: body instanceof URLSearchParams ? body : null,
        redirect: "manual",
        keepalive: false,
        signal: abort.signal,
        ...(caFile !== null && { tls: { ca: trustedAuthorities(readCertificates(caFile, "oidc.ca_file")) } }),
      });
      if (response.status >= 300 && response.status < 400) {
        const to = URL.parse(response.headers.get("Location") ?? "", url)?.origin ?? "nowhere";
        throw new ProviderFailed("unusable", `${url.origin}${url.pathname} redirects to ${to}`);
      }
      return new Response(await bounded(response, url), response);
    } catch (reason) {
      if (reason instanceof ProviderFailed) throw reason;
      const why = abort.signal.aborted ? "no answer in time" : errorMessage(reason);
      throw new ProviderFailed("down", `${url.origin} does not answer: ${why}`);
    } finally {
      timer.cancel();
    }
  };
}

async function bounded(response: Response, url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const octets = await readUpTo(response, answerBytesMax + 1);
  if (octets.length > answerBytesMax)
    throw new ProviderFailed("unusable", `${url.origin} answers more than a megabyte`);
  return octets;
}

/** Whatever a library throws, as what it means. */
async function told<T>(trouble: ProviderTrouble, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (reason) {
    const causes = causesOf(reason);
    const found = causes.find((one) => one instanceof ProviderFailed);
    if (found !== undefined) throw found;
    const isRefusal = reason instanceof Error && "error" in reason && typeof reason.error === "string";
    const why = [...new Set(causes.map(causeText))].filter((text) => text !== "").join(": ");
    throw new ProviderFailed(isRefusal ? "refused" : trouble, why.slice(0, 500));
  }
}

function causesOf(reason: unknown): unknown[] {
  return reason instanceof Error ? [reason, ...(reason.cause === undefined ? [] : causesOf(reason.cause))] : [reason];
}

/** The libraries put beside the error what they have read. */
function causeText(cause: unknown): string {
  if (cause instanceof Response) return `it answers ${cause.status} ${cause.headers.get("Content-Type") ?? ""}`;
  if (cause instanceof Error || typeof cause !== "object" || cause === null) return errorMessage(cause);
  // Nothing else of it: a token says whose it is.
  if (!("attribute" in cause && "body" in cause) || !isObject(cause.body)) return "";
  return `${cause.attribute} is ${JSON.stringify(Reflect.get(cause.body, String(cause.attribute)))}`;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
