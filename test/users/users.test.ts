/** Users, their setup links, passwords, second factors and sessions, on a real store. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { TOTP } from "otpauth";
import { createKeyedHash } from "../../src/platform/keyed-hash.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { Store } from "../../src/store/store.ts";
import { PasswordHasher, passwordProblem } from "../../src/users/password.ts";
import { askerOf } from "../../src/users/password-lanes.ts";
import { type EndedSession, SessionEnds } from "../../src/users/session-ends.ts";
import {
  pendingOfUserMax,
  pendingSessionMs,
  SessionService,
  sessionIdleMs,
  sessionMs,
  sessionsOfUserMax,
} from "../../src/users/session-service.ts";
import { setupLinkMs, UserService } from "../../src/users/user-service.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { openMigratedStore } from "../support/migrated-store.ts";
import { noProvider } from "../support/no-provider.ts";
import { openPasskeys } from "../support/passkeys.ts";
import { quickHasher } from "../support/quick-hasher.ts";
import { temporaryFolder } from "../support/test-server.ts";

let folder: ReturnType<typeof temporaryFolder>;
let clock: ManualClock;
let store: Store;
let users: UserService;
let sessions: SessionService;
let ends: SessionEnds;
beforeEach(() => {
  folder = temporaryFolder();
  clock = new ManualClock();
  store = openMigratedStore({ folder: folder.path, now: clock.now() });
  ends = new SessionEnds(store);
  const deps = { store, clock, random: systemRandom, hasher: quickHasher(), ends, log, ...noProvider };
  users = new UserService(deps);
  sessions = new SessionService({
    ...deps,
    passkeys: openPasskeys(deps),
    sealer: createSealer(systemRandom.bytes(32)),
    tokenProof: createKeyedHash(systemRandom.bytes(32)),
  });
});
afterEach(() => {
  store.close();
  folder.remove();
});

/** The logged warnings. */
const warned: unknown[] = [];
const log = { warn: (told: unknown) => void warned.push(told) };
const password = "seven blue kettles";
const home = "203.0.113.7";
const anybody = () => true;

async function addSara(): Promise<number> {
  const { user, link } = await users.add("sara", "owner", null);
  await users.setPassword(link.token, password);
  return user.id;
}

async function signedIn(from = home): Promise<string> {
  const result = await sessions.signIn("sara", password, from, anybody);
  if (result.kind !== "in") throw new Error(`not signed in: ${result.kind}`);
  return result.token;
}

const codeFor = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() });

async function withFactor(): Promise<{ secret: string; codes: string[] }> {
  const id = await addSara();
  const { secret } = sessions.proposeFactor("sara");
  const added = await sessions.addFactor(id, { password, secret, code: codeFor(secret) });
  if (typeof added === "string") throw new Error(`refused: ${added}`);
  await clock.advance(30_000);
  return { secret, codes: added.recoveryCodes };
}

async function halfIn(): Promise<string> {
  const result = await sessions.signIn("sara", password, home, anybody);
  if (result.kind !== "code_needed") throw new Error(`no code is asked for: ${result.kind}`);
  return result.token;
}

describe("a setup link", () => {
  test("works once, for an hour, and is not used up by a preview or a refused password", async () => {
    const { link } = await users.setupLink();
    expect(users.userOfLink(link.token)).toMatchObject({ name: "owner", role: "owner" });
    expect(await users.setPassword(link.token, "short")).toBe("too_short");
    expect(await users.setPassword(link.token, password)).toMatchObject({ name: "owner" });
    expect(users.userOfLink(link.token)).toBeNull();
    expect(await users.setPassword(link.token, "another long one")).toBe("link_ended");
    expect((await sessions.signIn("owner", password, home, anybody)).kind).toBe("in");

    const { link: late } = await users.reset("owner", null);
    clock.jump(setupLinkMs);
    expect(await users.setPassword(late.token, password)).toBe("link_ended");
  });

  test("lets one of two concurrent requests through", async () => {
    const { link } = await users.setupLink();
    const both = await Promise.all(
      ["kettles are blue", "kettles are red!"].map((word) => users.setPassword(link.token, word)),
    );
    expect(both.filter((outcome) => outcome === "link_ended").length).toBe(1);
  });

  test("is replaced by the next one, and exists for the first owner alone", async () => {
    const { link } = await users.setupLink();
    const { user, link: next } = await users.setupLink();
    expect(users.all().length).toBe(1);
    expect(user.name).toBe("owner");
    expect(await users.setPassword(link.token, password)).toBe("link_ended");
    await users.setPassword(next.token, password);
    await expect(users.setupLink()).rejects.toMatchObject({ code: "owner_exists" });
  });

  test("is for an owner of another name if somebody has that of the first one", async () => {
    await users.add("owner", "support", null);
    const { user } = await users.setupLink();
    expect([user.name, user.role]).toEqual(["owner-2", "owner"]);
    expect((await users.setupLink()).user.id).toBe(user.id);
  });
});

describe("a user", () => {
  test("belongs to one account as a customer, and to none otherwise", async () => {
    const customer = await store.write(({ accounts }) =>
      accounts.insert({ name: "Clinic", status: "active", createdAt: 1 }),
    );
    expect((await users.add("clinic", "customer", customer.id)).user.accountId).toBe(customer.id);
    await expect(users.add("other", "customer", null)).rejects.toMatchObject({ code: "invalid" });
    await expect(users.add("other", "support", customer.id)).rejects.toMatchObject({ code: "invalid" });
    await expect(users.add("other", "customer", 99)).rejects.toMatchObject({ code: "account_not_found" });
    await expect(users.add("clinic", "support", null)).rejects.toMatchObject({ code: "user_exists" });
  });

  test("is signed out at once when disabled or reset, and the last owner cannot be disabled", async () => {
    await addSara();
    await expect(users.disable("sara")).rejects.toMatchObject({ code: "last_owner" });
    await users.add("amir", "owner", null);
    const token = await signedIn();
    expect(await sessions.find(token)).toMatchObject({ user: { name: "sara" } });
    await users.disable("sara");
    expect(await sessions.find(token)).toBeNull();
    expect(await sessions.signIn("sara", password, home, anybody)).toEqual({ kind: "wrong" });
    const { link } = await users.reset("sara", null);
    expect(await sessions.signIn("sara", password, home, anybody)).toEqual({ kind: "wrong" });
    await users.setPassword(link.token, password);
    expect(await sessions.find(await signedIn())).not.toBeNull();
    await expect(users.disable("nobody")).rejects.toMatchObject({ code: "user_not_found" });
  });
});

describe("a password", () => {
  test("must be long, must not be common even with digits, and must not contain the name", async () => {
    const problems = await Promise.all(
      [
        "123456789",
        "x".repeat(257),
        "qwertyuiop",
        "1234567890",
        "!!password2026",
        "aaaaaaaaaaaa",
        "my-SARA-secret",
      ].map((word) => passwordProblem(word, "sara")),
    );
    expect(problems).toEqual(["too_short", "too_long", "common", "common", "common", "common", "holds_name"]);
    expect(await passwordProblem(password, "sara")).toBeNull();
    expect(await passwordProblem(password, "ke")).toBeNull();
    expect(await passwordProblem("گذرواژهٔ بلند من", "sara")).toBeNull();
  });

  test("is stored as argon2id with 64 MB", async () => {
    expect(await new PasswordHasher().hash(password, askerOf({ id: 1, role: "owner" }))).toStartWith(
      "$argon2id$v=19$m=65536,",
    );
  });

  test("guessed repeatedly must wait, from that address alone", async () => {
    await addSara();
    const guess = () => sessions.signIn("sara", "wrong password", "198.51.100.1", anybody);
    for (let tries = 0; tries < 5; tries += 1) expect((await guess()).kind).toBe("wrong");
    expect(await guess()).toEqual({ kind: "slow", waitMs: 1_000 });
    expect((await sessions.signIn("sara", password, home, anybody)).kind).toBe("in");
    await clock.advance(1_000);
    expect((await guess()).kind).toBe("wrong");
    expect(await guess()).toEqual({ kind: "slow", waitMs: 2_000 });
  });

  test("that is right is never slowed down, however often", async () => {
    await addSara();
    for (let tries = 0; tries < 22; tries += 1) await signedIn();
  });
});

describe("a second factor", () => {
  test("is requested after the password, and each code works once", async () => {
    const { secret } = await withFactor();
    const half = await halfIn();
    expect(await sessions.find(half)).toBeNull();
    expect(await sessions.confirm(half, "000000", home)).toEqual({ kind: "wrong" });
    const code = codeFor(secret);
    const confirmed = await sessions.confirm(half, code, home);
    expect(confirmed.kind).toBe("in");
    expect(await sessions.confirm(half, code, home)).toEqual({ kind: "ended" });
    expect(await sessions.confirm(await halfIn(), code, home)).toEqual({ kind: "wrong" });
    await clock.advance(30_000);
    expect((await sessions.confirm(await halfIn(), codeFor(secret), home)).kind).toBe("in");
  });

  test("is requested with the password again after five wrong codes, from any addresses", async () => {
    const { secret } = await withFactor();
    const half = await halfIn();
    const guess = (index: number) => sessions.confirm(half, "000000", `198.51.100.${index}`);
    const all = await Promise.all(Array.from({ length: 7 }, (_, index) => guess(index)));
    expect(all.map(({ kind }) => kind)).toEqual(["wrong", "wrong", "wrong", "wrong", "ended", "ended", "ended"]);
    expect(warned.splice(0)).toEqual([{ user: "sara", address: "198.51.100.4" }]);
    expect(await sessions.confirm(half, codeFor(secret), home)).toEqual({ kind: "ended" });
    expect(store.tables.sessions.of(1)).toEqual([]);
    const next = await halfIn();
    for (let index = 0; index < 4; index += 1) expect((await sessions.confirm(next, "0", home)).kind).not.toBe("in");
    await clock.advance(60_000);
    expect((await sessions.confirm(next, codeFor(secret), home)).kind).toBe("in");
  });

  test("guessed by somebody who has the password must wait, from any address", async () => {
    const { secret } = await withFactor();
    for (let index = 0; index < 10; index += 1) {
      expect((await sessions.confirm(await halfIn(), "000000", `198.51.100.${index}`)).kind).toBe("wrong");
    }
    const half = await halfIn();
    expect(await sessions.confirm(half, codeFor(secret), home)).toEqual({ kind: "slow", waitMs: 1_000 });
    await clock.advance(1_000);
    expect((await sessions.confirm(half, codeFor(secret), home)).kind).toBe("in");
  });

  test("can be entered for a quarter of an hour", async () => {
    const { secret } = await withFactor();
    const [early, late] = [await halfIn(), await halfIn()];
    clock.jump(pendingSessionMs - 1);
    expect((await sessions.confirm(early, codeFor(secret), home)).kind).toBe("in");
    clock.jump(1);
    expect(await sessions.confirm(late, codeFor(secret), home)).toEqual({ kind: "ended" });
  });

  test("that is right is not a failure, so that a whole office may sign in with it", async () => {
    const { secret } = await withFactor();
    for (let count = 0; count < 25; count += 1) {
      expect((await sessions.confirm(await halfIn(), codeFor(secret), home)).kind).toBe("in");
      await clock.advance(30_000);
    }
    for (let count = 0; count < 19; count += 1)
      expect((await sessions.signIn(`u${count}`, "x", home, anybody)).kind).toBe("wrong");
    expect((await sessions.confirm(await halfIn(), codeFor(secret), home)).kind).toBe("in");
  });

  test("does not let in a user who was reset while the code was on its way", async () => {
    const { secret } = await withFactor();
    await users.add("amir", "owner", null);
    const half = await halfIn();
    const reset = users.reset("sara", null);
    expect((await sessions.confirm(half, codeFor(secret), home)).kind).toBe("ended");
    await reset;
    expect(store.tables.sessions.of(1)).toEqual([]);
  });

  test("can be replaced by a recovery code once", async () => {
    const { codes } = await withFactor();
    expect(new Set(codes).size).toBe(10);
    const [code = ""] = codes;
    expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
    expect((await sessions.confirm(await halfIn(), code.toLowerCase(), home)).kind).toBe("in");
    expect(await sessions.confirm(await halfIn(), code, home)).toEqual({ kind: "wrong" });
  });

  test("is neither added without a code nor stored readable", async () => {
    const id = await addSara();
    const { secret, url } = sessions.proposeFactor("sara");
    expect(url).toStartWith("otpauth://totp/Peyk:sara?");
    const code = codeFor(secret);
    expect(await sessions.addFactor(id, { password, secret, code: "123" })).toBe("code");
    expect(await sessions.addFactor(id, { password: "not this one", secret, code })).toBe("password");
    const resetting = users.reset("sara", null);
    expect(await sessions.addFactor(id, { password, secret, code })).toBe("password");
    await users.setPassword((await resetting).link.token, password);
    expect((await sessions.signIn("sara", password, home, anybody)).kind).toBe("in");
    await sessions.addFactor(id, { password, secret, code });
    expect(await sessions.addFactor(id, { password, secret, code })).toBe("code");
    expect(Buffer.from(users.all()[0]?.sealedFactor ?? "").includes(secret)).toBe(false);
  });
});

describe("a session", () => {
  test("is announced as ended together with its user, whatever ends it", async () => {
    const told: EndedSession[] = [];
    ends.subscribe((ended) => {
      // Whoever waits for it now asks in vain.
      expect(sessions.isOpen(ended)).toBe(false);
      told.push(ended);
    });
    const userId = await addSara();
    await users.add("amir", "owner", null);
    const ended = async (act: (token: string, sessionId: number) => Promise<unknown>) => {
      const token = await signedIn();
      const sessionId = sessions.list(userId).at(-1)?.id ?? 0;
      expect(sessions.isOpen({ userId, sessionId })).toBe(true);
      expect(sessions.isOpen({ userId: userId + 1, sessionId })).toBe(false);
      expect(told.splice(0)).toEqual([]);
      await act(token, sessionId);
      expect(told.splice(0)).toEqual([{ userId, sessionId, isConfirmed: true }]);
    };
    await ended((token) => sessions.endHeld(token));
    await ended((_, sessionId) => sessions.end(userId, sessionId));
    await ended(() => users.disable("sara"));
    const { link } = await users.reset("sara", null);
    await users.setPassword(link.token, password);
    await ended(async () => {
      const { link: again } = await users.reset("sara", userId + 1);
      await users.setPassword(again.token, password);
    });
    await ended(() => users.changePassword(userId, { current: password, next: password, sessionId: 0 }));
    await ended(async () => {
      clock.jump(sessionMs);
      await sessions.forgetOld();
    });
  });

  test("gives way when its user has fifty others, or ten that wait for a code", async () => {
    const id = await addSara();
    const rowsOf = () => store.tables.sessions.of(id).map(({ id: sessionId }) => sessionId);
    const fill = (isConfirmed: boolean, count: number) =>
      store.write((tables) => {
        for (let index = 0; index < count; index += 1) {
          const tokenHash = Buffer.from(`${isConfirmed} ${index}`);
          const now = clock.now();
          tables.sessions.insert({ tokenHash, userId: id, isConfirmed, address: home, createdAt: now, seenAt: now });
        }
      });
    const first = await signedIn();
    await fill(true, sessionsOfUserMax - 2);
    const last = await signedIn();
    expect(await sessions.find(first)).not.toBeNull();
    const told: EndedSession[] = [];
    ends.subscribe((ended) => told.push(ended));
    await signedIn();
    expect([await sessions.find(first), told.length, rowsOf().length]).toEqual([null, 1, sessionsOfUserMax]);
    expect(await sessions.find(last)).not.toBeNull();
    const { secret } = sessions.proposeFactor("sara");
    await sessions.addFactor(id, { password, secret, code: codeFor(secret) });
    const waiting = await halfIn();
    await fill(false, pendingOfUserMax - 1);
    await clock.advance(30_000);
    await halfIn();
    expect(rowsOf().length).toBe(sessionsOfUserMax + pendingOfUserMax);
    expect(await sessions.confirm(waiting, codeFor(secret), home)).toEqual({ kind: "ended" });
  });

  test("is never ended by its own user's reset, whose link would be shown to nobody or to the next user", async () => {
    const id = await addSara();
    const token = await signedIn();
    await expect(users.reset("sara", id)).rejects.toMatchObject({ code: "own_reset" });
    expect(await sessions.find(token)).not.toBeNull();
  });

  test("ends when idle, at its end in any case, and at its user's request, and is stored as a hash", async () => {
    const id = await addSara();
    const token = await signedIn();
    const [open] = sessions.list(id);
    expect(open).toMatchObject({ address: home });
    expect(open?.tokenHash.includes(token)).toBe(false);
    clock.jump(sessionIdleMs);
    expect(await sessions.find(token)).toBeNull();

    const used = await signedIn();
    for (let lasted = 0; lasted < sessionMs; lasted += sessionIdleMs / 2) {
      expect(await sessions.find(used)).not.toBeNull();
      clock.jump(sessionIdleMs / 2);
    }
    expect(await sessions.find(used)).toBeNull();
    await sessions.forgetOld();
    expect(store.tables.sessions.of(id)).toEqual([]);

    const last = await signedIn();
    const [mine] = sessions.list(id);
    expect(await sessions.end(id + 1, mine?.id ?? 0)).toBe(false);
    expect(await sessions.end(id, mine?.id ?? 0)).toBe(true);
    expect(await sessions.find(last)).toBeNull();
  });

  test("identifies its former user by its token, however it ended, and lets nobody in by that", async () => {
    const id = await addSara();
    await users.add("olga", "owner", null);
    const left = await signedIn();
    expect(sessions.formerUser(left)).toMatchObject({ id, name: "sara" });
    clock.jump(sessionMs);
    await sessions.forgetOld();
    const ended = await signedIn();
    await sessions.endHeld(ended);
    for (const token of [left, ended]) {
      expect(sessions.formerUser(token)?.id).toBe(id);
      expect(await sessions.find(token)).toBeNull();
    }
    await users.disable("sara");
    expect(sessions.formerUser(left)).toBeNull();
  });

  test("identifies no former user if it was still waiting for its second factor", async () => {
    await withFactor();
    expect(sessions.formerUser(await halfIn())).toBeNull();
  });
});
