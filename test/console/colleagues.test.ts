/** A customer's people: invited by one another, each with what the role allows, never with more; and the portal's link. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  type ConsoleProcess,
  FormClient,
  goodPassword,
  LateClock,
  signedInAs,
  startConsole,
} from "../support/console.ts";
import { plainText } from "../support/console-traffic.ts";
import { replyOf } from "../support/reply.ts";

let server: ConsoleProcess;
let admin: FormClient;
let portal: string;
const clock = new LateClock();

beforeAll(async () => {
  server = await startConsole(() => ({ portalListen: "127.0.0.1:0" }), { clock });
  portal = server.portalUrl ?? "";
  await server.api("POST /accounts", { name: "Clinic" });
  await server.api("POST /accounts", { name: "Shop" });
  await server.api("POST /accounts/:id/senders", { id: "acc_1", sender: "30001234" });
  admin = await signedInAs(server, "customer", { name: "nasrin", account: "acc_1", url: portal });
});
afterAll(() => server.stop());

const textOf = async (client: FormClient, path: string) => plainText(await (await client.get(path)).text());

/** The link that the page after an invitation shows, once. */
async function invited(name: string, role: string): Promise<string> {
  const answer = await admin.post("/colleagues", { name, role });
  expect(answer.status).toBe(303);
  const page = await (await admin.get("/colleagues")).text();
  return /\/setup\/[\w-]{43}/.exec(page)?.[0] ?? "";
}

async function joined(name: string, role: string): Promise<FormClient> {
  const client = new FormClient(portal);
  const path = await invited(name, role);
  expect((await client.post(path, { password: goodPassword, again: goodPassword })).status).toBe(303);
  return client;
}

test("an admin invites colleagues by a link shown once, and each gets what the role allows", async () => {
  const sends = await joined("omid", "customer-sends");
  const reads = await joined("roya", "customer-reads");
  expect(await textOf(admin, "/colleagues")).not.toContain("/setup/");
  for (const client of [sends, reads]) {
    for (const path of ["/", "/messages", "/usage", "/errors", "/keys", "/account"])
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
    for (const path of ["/colleagues", "/keys/new", "/callbacks/new", "/credentials/new"])
      expect([path, (await client.get(path)).status]).toEqual([path, 404]);
    const invites = await client.post("/colleagues", { name: "friend", role: "customer" });
    expect(invites.status).toBe(404);
  }
  expect((await sends.get("/send")).status).toBe(200);
  expect((await reads.get("/send")).status).toBe(404);
  const message = { recipients: "09121234500", sender: "30001234", text: "Hi", step: "review" };
  expect((await reads.post("/send", message)).status).toBe(404);
  expect((await reads.post("/messages/01ABC/cancel")).status).toBe(404);
});

test("nobody is given more than a customer's admin has, nor another account's people", async () => {
  for (const role of ["owner", "operator", "support"]) {
    const { error } = await replyOf(
      server.api("POST /accounts/:id/colleagues", { id: "acc_1", name: "mallory", role: role as "customer" }),
    );
    expect(error?.value.code).toBe("invalid");
    await admin.post("/colleagues", { name: `m.${role}`, role });
  }
  const { rows } = await server.api("GET /users", {});
  expect(rows.filter(({ name }) => name.startsWith("m.")).map(({ role }) => role)).toEqual(
    Array(3).fill("customer-reads"),
  );
  await signedInAs(server, "customer", { name: "shopkeeper", account: "acc_2", url: portal });
  expect((await admin.post("/colleagues/shopkeeper/role", { role: "customer-reads" })).status).toBe(404);
  expect((await admin.post("/colleagues/shopkeeper/remove")).status).toBe(404);
  expect((await admin.post("/colleagues", { name: "shopkeeper", role: "customer" })).status).toBe(422);
  expect((await admin.post("/colleagues", { name: "tester-owner", role: "customer" })).status).toBe(303);
  const own = await replyOf(
    server.api("PATCH /accounts/:id/colleagues/:name", { id: "acc_1", name: "nasrin", role: "customer-reads" }),
  );
  expect(own.error?.value.code).toBe("last_admin");
  await admin.post("/colleagues/nasrin/remove");
  expect((await admin.get("/colleagues")).status).toBe(200);
});

test("a changed role counts at once, and a removed colleague is out at once and stays out", async () => {
  const colleague = await joined("sara", "customer-sends");
  expect((await admin.post("/colleagues/sara/role", { role: "customer-reads" })).status).toBe(303);
  expect((await colleague.get("/send")).status).toBe(404);
  expect((await admin.post("/colleagues/sara/remove")).status).toBe(303);
  expect((await colleague.get("/messages")).status).toBe(303);
  const again = await colleague.post("/sign-in", { user: "sara", password: goodPassword });
  expect(again.status).toBe(422);
  const { entries } = await server.api("GET /audit", { limit: 3 });
  expect(entries.map(({ action, actor, target }) => [action, actor, target])).toContainEqual([
    "user.remove",
    "nasrin",
    "sara",
  ]);
});

test("an invitation is replaced by the next one of the same name, and an account has an end of them", async () => {
  clock.pass(25 * 3_600_000);
  admin = new FormClient(portal);
  await admin.post("/sign-in", { user: "nasrin", password: goodPassword });
  const first = await invited("twice", "customer-reads");
  const second = await invited("twice", "customer-sends");
  const client = new FormClient(portal);
  expect((await client.get(first)).status).toBe(410);
  expect((await client.get(second)).status).toBe(200);
  const answers: number[] = [];
  for (let more = 0; more < 25; more += 1)
    answers.push((await admin.post("/colleagues", { name: `flood.${more}`, role: "customer-reads" })).status);
  expect(answers.filter((status) => status === 303).length).toBe(18);
  expect(await textOf(admin, "/colleagues")).not.toContain("flood.20");
});

async function portalLink(name: string): Promise<string> {
  const { url } = await server.api("POST /users/:name/portal-link", { name });
  expect(url).toStartWith(`${portal}/enter/`);
  return new URL(url).pathname;
}

test("a portal link shows whom it signs in, is not used up by looking, and works once", async () => {
  const path = await portalLink("nasrin");
  const [one, two] = [new FormClient(portal), new FormClient(portal)];
  expect(await textOf(one, path)).toContain("You enter as nasrin");
  expect((await one.head(path)).status).toBe(200);
  const answers = await Promise.all([one.post(path), two.post(path)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 410]);
  const [inside] = answers[0]?.status === 303 ? [one] : [two];
  expect(await textOf(inside ?? one, "/")).toContain("nasrin");
  expect((await new FormClient(portal).post(path)).status).toBe(410);
  const { entries } = await server.api("GET /audit", { action: "user.portal-link", limit: 1 });
  expect(entries).toMatchObject([{ actor: "tester", target: "nasrin" }]);
  expect(JSON.stringify(entries)).not.toContain(path.slice(-43));
});

test("a portal link ends after a minute, with a reset or a removal, and at the console it is none", async () => {
  const late = await portalLink("nasrin");
  const foreign = new FormClient(server.consoleUrl);
  expect((await foreign.get(late)).status).toBe(410);
  expect((await foreign.post(late)).status).toBe(410);
  expect((await new FormClient(portal).get(late)).status).toBe(200);
  clock.pass(60_001);
  expect((await new FormClient(portal).post(late)).status).toBe(410);
  const reset = await portalLink("omid");
  await server.api("POST /users/:name/reset", { name: "omid" });
  expect((await new FormClient(portal).post(reset)).status).toBe(410);
  const removed = await portalLink("roya");
  await server.api("POST /users/:name/disable", { name: "roya" });
  expect((await new FormClient(portal).post(removed)).status).toBe(410);
  expect((await replyOf(server.api("POST /users/:name/portal-link", { name: "roya" }))).error?.value.code).toBe(
    "no_portal_user",
  );
  await signedInAs(server, "operator", { name: "staff" });
  expect((await replyOf(server.api("POST /users/:name/portal-link", { name: "staff" }))).error?.value.code).toBe(
    "no_portal_user",
  );
  const posted = await fetch(portal + (await portalLink("nasrin")), {
    method: "POST",
    headers: { Origin: "https://evil.example" },
    redirect: "manual",
  });
  expect(posted.status).toBe(403);
});

test("a second factor is still asked of whom a portal link signs in", async () => {
  const { user } = { user: "nasrin" };
  const client = new FormClient(portal);
  await client.post(await portalLink(user));
  const page = await (await client.get("/settings/second-factor")).text();
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(page)?.[1] ?? "";
  const { TOTP, Secret } = await import("otpauth");
  const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });
  const added = await client.post("/settings/second-factor", { secret, code: code(), password: goodPassword });
  expect([secret.length, added.status < 400]).toEqual([32, true]);
  const later = new FormClient(portal);
  const answer = await later.post(await portalLink(user));
  expect(answer.headers.get("Location")).toStartWith("/sign-in/code");
  expect((await later.get("/messages")).status).toBe(303);
});
