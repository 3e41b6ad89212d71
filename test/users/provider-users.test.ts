/** Users of a provider of single sign-on, on a real store: what ends with what, and what happens at the same time. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Store } from "../../src/store/store.ts";
import { ProviderRoles } from "../../src/users/provider-roles.ts";
import { ProviderUsers } from "../../src/users/provider-users.ts";
import { SessionEnds } from "../../src/users/session-ends.ts";
import { SessionService } from "../../src/users/session-service.ts";
import { UserService } from "../../src/users/user-service.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { openPasskeys } from "../support/passkeys.ts";
import { quickHasher } from "../support/quick-hasher.ts";
import { temporaryFolder } from "../support/test-server.ts";

const [home, issuer, password] = ["203.0.113.7", "https://id.example", "seven blue kettles"];
let folder: ReturnType<typeof temporaryFolder>;
let store: Store;
let opened: ReturnType<typeof open>;
let clock: ManualClock;
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock();
  store = openMigratedStore({ folder: folder.path, now: clock.now() });
  opened = open();
});
afterEach(() => {
  store.close();
  folder.remove();
});

function open() {
  const providerRoles = new ProviderRoles({ hours: { console: 8, portal: 8 }, mayHaveOwn: false });
  const common = { store, clock, random: systemRandom, hasher: quickHasher(), ends: new SessionEnds(store) };
  const deps = { ...common, log: silentLog, providerRoles, passwords: "allowed" as const };
  const sealer = createSealer(systemRandom.bytes(32));
  const tokenProof = createKeyedHash(systemRandom.bytes(32));
  const sessions = new SessionService({ ...deps, passkeys: openPasskeys(deps), sealer, tokenProof });
  const people = new ProviderUsers({ ...deps, sessions, issuers: { console: issuer, portal: issuer } });
  return { sessions, people, users: new UserService(deps) };
}

const person = (subject: string, role: "owner" | "support" | "customer", accountId: number | null = null) => ({
  ...{ side: accountId === null ? ("console" as const) : ("portal" as const), issuer, subject, name: subject, role },
  ...{ accountId, sid: null, hasFactor: false, endsAt: clock.now() + 8 * 3_600_000 },
});

async function came(who: ReturnType<typeof person>): Promise<string> {
  const admission = await opened.people.admit(who, home);
  return admission.kind === "in" ? admission.token : "";
}
const clinic = () =>
  store.write((tables) => tables.accounts.insert({ name: "Clinic", status: "active", createdAt: clock.now() }));
const isIn = async (token: string) => (await opened.sessions.find(token)) !== null;

test("of two sign-ins at once, none keeps a role that the other one found to be over", async () => {
  await came(person("ada", "owner"));
  const [former, newer] = await Promise.all([came(person("ada", "owner")), came(person("ada", "support"))]);
  expect([await isIn(former), await isIn(newer)]).toEqual([false, true]);
  const [again] = await Promise.all([came(person("ada", "support")), opened.people.left(person("ada", "support"))]);
  expect(await isIn(again)).toBe(false);
});

test("who is linked to another person is no more whom the former one signed in as", async () => {
  await opened.users.add("kim", "support", null);
  await opened.people.link("kim", "first");
  const token = await came(person("first", "support"));
  await opened.people.link("kim", "first");
  expect(await isIn(token)).toBe(true);
  await opened.people.link("kim", "second");
  expect(await isIn(token)).toBe(false);
});

test("a colleague who was removed and is invited again has a password and a role of its own", async () => {
  const account = await clinic();
  await came(person("nima", "customer", account.id));
  await opened.users.add("admin", "customer", account.id);
  await opened.users.changeColleague(account.id, "nima", null, null);
  const { link } = await opened.users.invite(account.id, "nima", "customer-reads", null);
  await opened.users.setPassword(link.token, password);
  await clock.advance(9 * 3_600_000);
  const result = await opened.sessions.signIn("nima", password, home, () => true);
  expect(result.kind).toBe("in");
});

test("what a colleague may is not changed here where the provider says it", async () => {
  const account = await clinic();
  await came(person("nima", "customer", account.id));
  await came(person("omid", "customer", account.id));
  const demoted = opened.users.changeColleague(account.id, "nima", "customer-reads", null);
  await expect(demoted).rejects.toMatchObject({ code: "provider_role" });
});
