/** Single sign-on with Keycloak. It wants java, mvn and tar; the first run fetches 176 MB. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LateClock } from "../support/console.ts";
import { freePorts } from "../support/free-ports.ts";
import { atKeycloak, type Keycloak, keycloakMissing, startKeycloak } from "../support/keycloak.ts";
import { startSignOn, textIn } from "../support/sign-on.ts";
import { temporaryFolder } from "../support/test-server.ts";

const startMs = 300_000;

describe.skipIf(keycloakMissing)("Keycloak (wants java, mvn, tar)", () => {
  const folder = temporaryFolder();
  const clock = new LateClock();
  let keycloak: Keycloak;
  let server: Awaited<ReturnType<typeof startSignOn>>;
  beforeAll(async () => {
    const ports = await freePorts(2);
    const secret = crypto.randomUUID();
    const clientSecretFile = join(folder.path, "oidc.secret");
    writeFileSync(clientSecretFile, secret, { mode: 0o600 });
    keycloak = await startKeycloak(folder.path, { base: `http://127.0.0.1:${ports[0]}`, secret });
    const settings = { issuer: keycloak.issuer, clientSecretFile, name: "Keycloak" };
    server = await startSignOn({ console: settings, ports }, { clock });
  }, startMs);
  afterAll(async () => {
    await server?.stop();
    await keycloak?.stop();
    folder.remove();
  });

  function person(name: string) {
    const client = server.browser();
    const cookies = new Map<string, string>();
    const begin = async () => {
      const begun = await client.get("/sign-in/oidc");
      const back = await atKeycloak(begun.headers.get("Location") ?? "", name, cookies);
      return back.pathname + back.search;
    };
    const come = async () => client.get(await begin());
    return { client, begin, come, isIn: async () => (await client.get("/menu")).status === 200 };
  }
  const roleOf = async (name: string) => (await server.api("GET /users")).rows.find((row) => row.name === name)?.role;

  test("lets people of a group in with its role, and others not", async () => {
    const [sara, omid, nobody] = [person("sara"), person("omid"), person("nobody")];
    expect([(await sara.come()).status, (await omid.come()).status]).toEqual([303, 303]);
    expect([await roleOf("sara"), await roleOf("omid"), await sara.isIn()]).toEqual(["owner", "support", true]);
    const refused = await nobody.come();
    expect([refused.status, await textIn(refused)]).toEqual([
      403,
      expect.stringContaining("Nothing in the claim groups"),
    ]);
  });

  test("takes a role away with the group", async () => {
    const omid = person("omid");
    await omid.come();
    await keycloak.move("omid", "desk", "others");
    expect(await omid.isIn()).toBe(true);
    clock.pass(8 * 3_600_000);
    expect(await omid.isIn()).toBe(false);
    clock.pass(-8 * 3_600_000);
    expect((await omid.come()).status).toBe(403);
    expect(await omid.isIn()).toBe(false);
  });

  test("changes its key, and its tokens count at once", async () => {
    await keycloak.rotate();
    expect((await person("sara").come()).status).toBe(303);
  });

  test("has its answers taken once, and only from the browser that began", async () => {
    const sara = person("sara");
    const back = await sara.begin();
    expect((await person("sara").client.get(back)).status).toBe(422);
    expect((await sara.client.get(back)).status).toBe(303);
    expect((await sara.client.get(back)).status).toBe(422);
  });

  test("signs somebody out, and the sessions here end", async () => {
    const sara = person("sara");
    await sara.come();
    await keycloak.signOut("sara");
    while (await sara.isIn()) await Bun.sleep(50);
    expect(await sara.isIn()).toBe(false);
  });

  test("is linked to a user by its id of the person", async () => {
    await server.api("POST /users", { name: "local", role: "operator" });
    await keycloak.move("nobody", "others", "desk");
    await server.api("PUT /users/:name/identity", { name: "local", subject: await keycloak.personId("nobody") });
    const one = person("nobody");
    expect((await one.come()).status).toBe(303);
    expect([await roleOf("nobody"), await roleOf("local"), (await one.client.get("/users")).status]).toEqual([
      undefined,
      "operator",
      404,
    ]);
  });

  test("is down, and the page says so within two seconds", async () => {
    await keycloak.stop();
    const began = performance.now();
    const answer = await server.browser().get("/sign-in/oidc");
    expect([answer.status, await textIn(answer)]).toEqual([503, expect.stringContaining("Keycloak does not answer")]);
    expect(performance.now() - began).toBeLessThan(2_000);
  });
});
