/** A Keycloak on this machine, from Maven Central, with one realm: people, groups, a client. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePorts } from "./free-ports.ts";
import { programAt } from "./programs.ts";

const version = "26.7.3";
const tools = ["java", "mvn", "tar"];
export const keycloakMissing = tools.some((tool) => programAt(tool) === null);

const adminPassword = "only for tests";
export const personPassword = "seven blue kettles";

async function run(cwd: string, ...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd, stdout: "pipe", stderr: "pipe" });
  if ((await child.exited) === 0) return;
  throw new Error(
    `${command[0]}: ${await new Response(child.stdout).text()}${await new Response(child.stderr).text()}`,
  );
}

export interface KeycloakClient {
  /** Of the console. */
  base: string;
  secret: string;
}

const realmWith = ({ base, secret }: KeycloakClient) => ({
  realm: "main",
  enabled: true,
  sslRequired: "none",
  groups: [{ name: "admins" }, { name: "desk" }, { name: "others" }],
  users: [
    ["sara", "admins"],
    ["omid", "desk"],
    ["nobody", "others"],
  ].map(([username, group]) => ({
    username,
    enabled: true,
    email: `${username}@example.com`,
    firstName: username,
    lastName: "Test",
    groups: [group],
    credentials: [{ type: "password", value: personPassword, temporary: false }],
  })),
  clients: [
    {
      clientId: "peyk",
      secret,
      redirectUris: [`${base}/sign-in/oidc/back`],
      standardFlowEnabled: true,
      attributes: {
        "pkce.code.challenge.method": "S256",
        "backchannel.logout.url": `${base}/sign-in/oidc/logout`,
        "backchannel.logout.session.required": "true",
      },
      protocolMappers: [
        {
          name: "groups",
          protocol: "openid-connect",
          protocolMapper: "oidc-group-membership-mapper",
          config: {
            "claim.name": "groups",
            "full.path": "false",
            "id.token.claim": "true",
            "userinfo.token.claim": "true",
          },
        },
      ],
    },
  ],
});

export type Keycloak = Awaited<ReturnType<typeof startKeycloak>>;

export async function startKeycloak(folder: string, clientOf: KeycloakClient) {
  const artifact = `org.keycloak:keycloak-quarkus-dist:${version}:tar.gz`;
  const plugin = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
  await run(folder, "mvn", "-q", "-B", plugin, `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`);
  await run(folder, "tar", "xzf", `keycloak-quarkus-dist-${version}.tar.gz`);
  const home = join(folder, `keycloak-${version}`);
  mkdirSync(join(home, "data", "import"), { recursive: true });
  writeFileSync(join(home, "data", "import", "main-realm.json"), JSON.stringify(realmWith(clientOf)));
  const [port = 0, management = 0] = await freePorts(2);
  const listens = ["--http-host=127.0.0.1", `--http-port=${port}`, `--http-management-port=${management}`];
  const child = Bun.spawn([join(home, "bin", "kc.sh"), "start-dev", "--import-realm", ...listens], {
    cwd: home,
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: "admin",
      KC_BOOTSTRAP_ADMIN_PASSWORD: adminPassword,
      JAVA_OPTS_APPEND: "-Xmx512m",
    },
    stdout: Bun.file(join(folder, "keycloak.log")),
    stderr: Bun.file(join(folder, "keycloak.err")),
  });
  const origin = `http://127.0.0.1:${port}`;
  const issuer = `${origin}/realms/main`;
  const isUp = () =>
    fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(await Bun.file(join(folder, "keycloak.log")).text());
    await Bun.sleep(250);
  }
  const admin = adminOf(origin);
  return {
    issuer,
    ...admin,
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

function adminOf(origin: string) {
  async function call(method: string, path: string, body?: object): Promise<unknown> {
    const asked = await fetch(`${origin}/realms/master/protocol/openid-connect/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "password",
        client_id: "admin-cli",
        username: "admin",
        password: adminPassword,
      }),
    });
    const { access_token: token } = await asked.json();
    const response = await fetch(`${origin}/admin/realms/main${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    const text = await response.text();
    return text === "" ? null : JSON.parse(text);
  }
  async function idAt(path: string): Promise<string> {
    const found = await call("GET", path);
    if (!Array.isArray(found) || found.length === 0) throw new Error(`nothing at ${path}`);
    return String(found[0].id);
  }
  const personId = (name: string) => idAt(`/users?username=${name}&exact=true`);
  return {
    call,
    personId,
    async move(name: string, from: string, to: string) {
      const [person, left, joined] = [
        await personId(name),
        await idAt(`/groups?search=${from}`),
        await idAt(`/groups?search=${to}`),
      ];
      await call("DELETE", `/users/${person}/groups/${left}`);
      await call("PUT", `/users/${person}/groups/${joined}`);
    },
    /** Of all its sessions: the notices go out. */
    signOut: async (name: string) => call("POST", `/users/${await personId(name)}/logout`),
    /** A newer key, of higher priority. */
    async rotate() {
      await call("POST", "/components", {
        name: `rsa-${Date.now()}`,
        providerId: "rsa-generated",
        providerType: "org.keycloak.keys.KeyProvider",
        config: { priority: ["200"], enabled: ["true"], active: ["true"], algorithm: ["RS256"], keySize: ["2048"] },
      });
    },
  };
}

/** Signs in on Keycloak's page, unless it knows the browser, and returns where it sends the browser. */
export async function atKeycloak(start: string, name: string, cookies: Map<string, string>): Promise<URL> {
  const { origin } = new URL(start);
  const ask = async (url: URL, body?: URLSearchParams) => {
    const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
    const init = body === undefined ? {} : { method: "POST", body };
    const response = await fetch(url, { ...init, redirect: "manual", headers: { Cookie: cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(key);
      else cookies.set(key, value);
    }
    return response;
  };
  let [at, body]: [URL, URLSearchParams | undefined] = [new URL(start), undefined];
  for (let steps = 0; steps < 8; steps += 1) {
    const response = await ask(at, body);
    const location = response.headers.get("Location");
    if (location !== null) {
      [at, body] = [new URL(location, at), undefined];
      if (at.origin !== origin) return at;
      continue;
    }
    const page = await response.text();
    const [, action] = /action="([^"]+login-actions\/authenticate[^"]*)"/.exec(page) ?? [];
    if (action === undefined) throw new Error(`Keycloak shows ${response.status} ${page.slice(0, 2_000)}`);
    [at, body] = [
      new URL(action.replaceAll("&amp;", "&"), at),
      new URLSearchParams({ username: name, password: personPassword }),
    ];
  }
  throw new Error("Keycloak leads nowhere");
}
