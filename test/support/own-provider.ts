/** An OpenID provider that says whatever a test wants it to say, forged or not. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

export class OwnProvider {
  readonly #server: Bun.Server<undefined>;
  /** Codes that were given, with the nonce of each. */
  readonly #codes = new Map<string, string>();
  #pair: Pair;
  #kid = 1;
  /** Added to what every id token says. */
  claims: Record<string, unknown> = { sub: "u-1", groups: ["admins"], preferred_username: "sara" };
  /** What /userinfo says. */
  userinfo: Record<string, unknown> = {};
  clientId = "peyk";
  /** `localhost` is another site than the console's 127.0.0.1. */
  host = "127.0.0.1";
  /** How its clock differs. */
  clockSeconds = 0;
  /** Answers in place of discovery. */
  discovery: (() => Response | Promise<Response>) | null = null;
  /** The id token in place of the right one. */
  forge: ((claims: JWTPayload) => Promise<string> | string) | null = null;
  algorithms = ["RS256"];
  /** Shows a page whose link leads back, as a provider that asks somebody does. */
  asks = false;
  readonly asked: { path: string; body: URLSearchParams; headers: Headers }[] = [];

  private constructor(pair: Pair, port = 0) {
    this.#pair = pair;
    this.#server = Bun.serve({ port, hostname: "127.0.0.1", fetch: (request) => this.#answer(request) });
  }

  static async start(port = 0): Promise<OwnProvider> {
    return new OwnProvider(await generateKeyPair("RS256", { extractable: true }), port);
  }

  get issuer(): string {
    return `http://${this.host}:${this.#server.port}/realms/main`;
  }

  get port(): number {
    return this.#server.port ?? 0;
  }

  async rotate(): Promise<void> {
    this.#pair = await generateKeyPair("RS256", { extractable: true });
    this.#kid += 1;
  }

  publicKey() {
    return exportJWK(this.#pair.publicKey);
  }

  sign(claims: JWTPayload, header: Record<string, unknown> = {}): Promise<string> {
    return new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: String(this.#kid), ...header })
      .sign(this.#pair.privateKey);
  }

  /** A notice that somebody signed out; `change` overrides what it says. */
  logoutToken(change: Record<string, unknown>): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    return this.sign({
      iss: this.issuer,
      aud: this.clientId,
      iat: now,
      exp: now + 120,
      jti: crypto.randomUUID(),
      events: { "http://schemas.openid.net/event/backchannel-logout": {} },
      ...change,
    });
  }

  async stop(): Promise<void> {
    await this.#server.stop(true);
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const path = url.pathname.replace("/realms/main", "");
    const body = new URLSearchParams(request.method === "POST" ? await request.text() : "");
    this.asked.push({ path, body, headers: request.headers });
    const { issuer } = this;
    if (path === "/.well-known/openid-configuration") {
      if (this.discovery !== null) return this.discovery();
      return Response.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/userinfo`,
        id_token_signing_alg_values_supported: this.algorithms,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
      });
    }
    if (path === "/authorize") {
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      const code = crypto.randomUUID();
      this.#codes.set(code, url.searchParams.get("nonce") ?? "");
      back.search = new URLSearchParams({ code, state: url.searchParams.get("state") ?? "" }).toString();
      if (!this.asks) return new Response(null, { status: 302, headers: { Location: back.href } });
      const link = `<a href="${back.href.replaceAll("&", "&amp;")}">It is me</a>`;
      return new Response(link, { headers: { "Content-Type": "text/html" } });
    }
    if (path === "/jwks") {
      const key = await exportJWK(this.#pair.publicKey);
      return Response.json({ keys: [{ ...key, kid: String(this.#kid), use: "sig", alg: "RS256" }] });
    }
    if (path === "/token") return this.#tokens(body);
    return path === "/userinfo"
      ? Response.json({ sub: this.claims.sub, ...this.userinfo })
      : new Response(null, { status: 404 });
  }

  async #tokens(body: URLSearchParams): Promise<Response> {
    const code = body.get("code") ?? "";
    const nonce = this.#codes.get(code);
    if (nonce === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
    this.#codes.delete(code);
    const now = Math.floor(Date.now() / 1_000) + this.clockSeconds;
    const claims = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 300, nonce, ...this.claims };
    const idToken = await (this.forge ?? ((said) => this.sign(said)))(claims);
    return Response.json({ access_token: "access", token_type: "Bearer", id_token: idToken });
  }
}
