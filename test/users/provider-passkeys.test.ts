/** Passkeys of users whose role comes from a provider of single sign-on. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Store } from "../../src/store/store.ts";
import type { UserRow } from "../../src/store/users.ts";
import { PasskeyService } from "../../src/users/passkey-service.ts";
import { ProviderRoles } from "../../src/users/provider-roles.ts";
import { SessionEnds } from "../../src/users/session-ends.ts";
import { cameBy, SessionService } from "../../src/users/session-service.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { SoftAuthenticator } from "../support/passkeys.ts";
import { quickHasher } from "../support/quick-hasher.ts";
import { temporaryFolder } from "../support/test-server.ts";

const place = { side: "console", origin: "https://console.example", address: "203.0.113.7" } as const;
const hours = { console: 8, portal: 8 };
let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let store: Store;
let user: UserRow;
beforeEach(async () => {
  folder = temporaryFolder();
  clock = new ManualClock();
  store = openMigratedStore({ folder: folder.path, now: clock.now() });
  const createdAt = clock.now();
  user = await store.write((tables) =>
    tables.users.insert({ name: "ada", role: "support", accountId: null, createdAt }),
  );
  const identity = { side: "console", issuer: "https://id.example", subject: "1", givesRole: true } as const;
  await store.write((tables) =>
    tables.identities.set({ ...identity, userId: user.id, createdAt, judgedAt: createdAt }),
  );
});
afterEach(() => {
  store.close();
  folder.remove();
});

function opened(mayHaveOwn: boolean) {
  const providerRoles = new ProviderRoles({ hours, mayHaveOwn });
  const tokenProof = createKeyedHash(systemRandom.bytes(32));
  const deps = { store, clock, random: systemRandom, log: silentLog, ends: new SessionEnds(store), providerRoles };
  const passkeys = new PasskeyService({
    ...deps,
    handles: tokenProof,
    urls: { console: place.origin, portal: null },
    isFactorDemanded: () => false,
  });
  const sealer = createSealer(systemRandom.bytes(32));
  const sessions = new SessionService({ ...deps, sealer, hasher: quickHasher(), tokenProof, passkeys });
  return { passkeys, sessions };
}

async function enrolled({ passkeys, sessions }: ReturnType<typeof opened>): Promise<SoftAuthenticator> {
  const begun = await sessions.signInProven(user.id, { ...cameBy("oidc", true), endsAt: null }, place.address);
  const sessionId = (await sessions.find(begun?.token ?? ""))?.session.id ?? 0;
  const proposal = passkeys.proposal(place, user, "Peyk", { name: "phone", signsIn: true, sessionId });
  const phone = new SoftAuthenticator(place.origin);
  const added = await passkeys.add(place, phone.created(proposal ?? { challenge: "" }), user, sessionId);
  expect(added?.name).toBe("phone");
  return phone;
}

test("they have none unless the settings allow it, and lose their use with the setting", async () => {
  const strict = opened(false);
  const terms = { name: "phone", signsIn: true, sessionId: 1 };
  expect(strict.passkeys.mayHave(user)).toBe(false);
  expect(() => strict.passkeys.proposal(place, user, "Peyk", terms)).toThrow(
    expect.objectContaining({ code: "provider_role" }),
  );
  const phone = await enrolled(opened(true));
  const later = opened(false).passkeys;
  expect((await later.prove(place, phone.asserted(later.request(place, null)), null)).kind).toBe("wrong");
});

test("what a passkey opens ends some hours after the last sign-in at the provider, and then it opens nothing", async () => {
  const { passkeys, sessions } = opened(true);
  const phone = await enrolled({ passkeys, sessions });
  const signIn = async () => {
    const proof = await passkeys.prove(place, phone.asserted(passkeys.request(place, null)), null);
    expect(proof.kind).toBe("proven");
    return sessions.signInProven(user.id, cameBy("passkey", true), place.address);
  };
  await clock.advance(7 * 3_600_000);
  const token = (await signIn())?.token ?? "";
  expect(await sessions.find(token)).not.toBeNull();
  await clock.advance(3_600_000);
  expect(await sessions.find(token)).toBeNull();
  expect(await signIn()).toBeNull();
});

test("one without a password adds a passkey shortly after signing in", async () => {
  const { passkeys, sessions } = opened(true);
  const begun = await sessions.signInProven(user.id, cameBy("oidc", true), place.address);
  const sessionId = (await sessions.find(begun?.token ?? ""))?.session.id ?? 0;
  expect(passkeys.isFresh({ userId: user.id, sessionId })).toBe(true);
  const byLink = await sessions.signInProven(user.id, cameBy("link"), place.address);
  const linked = (await sessions.find(byLink?.token ?? ""))?.session.id ?? 0;
  expect(passkeys.isFresh({ userId: user.id, sessionId: linked })).toBe(false);
  await clock.advance(5 * 60_000);
  expect(passkeys.isFresh({ userId: user.id, sessionId })).toBe(false);
});

test("none is added by a session that ends meanwhile", async () => {
  const { passkeys, sessions } = opened(true);
  const begun = await sessions.signInProven(user.id, cameBy("oidc", true), place.address);
  const sessionId = (await sessions.find(begun?.token ?? ""))?.session.id ?? 0;
  const proposal = passkeys.proposal(place, user, "Peyk", { name: "phone", signsIn: true, sessionId });
  const answer = new SoftAuthenticator(place.origin).created(proposal ?? { challenge: "" });
  const [added] = await Promise.all([passkeys.add(place, answer, user, sessionId), sessions.end(user.id, sessionId)]);
  expect([added, passkeys.list(user.id)]).toEqual([null, []]);
});
