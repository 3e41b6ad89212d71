/** Who counts as one guesser, how long each waits, and what is remembered of very many. */
import { beforeEach, expect, test } from "bun:test";
import { failedClientsMax, rightClientsMax, SignInThrottle } from "../../src/users/sign-in-throttle.ts";

let now: number;
let throttle: SignInThrottle;
beforeEach(() => {
  now = 0;
  throttle = new SignInThrottle({ monotonic: () => now });
});

const waitOf = (user: string, address: string): number => throttle.password(user, address).waitMs;
const user = (id: number) => ({ id, name: `user${id}` });
/** A separate network for each number. */
const network = (index: number) => `2001:${(index >> 8).toString(16)}:${(index & 255).toString(16)}::1`;

function guess(times: number, user: (index: number) => string, address: (index: number) => string): void {
  for (let index = 0; index < times; index += 1) expect(waitOf(user(index), address(index))).toBe(0);
}

test("guesses from many addresses of one IPv6 site count as one client's, and others by their own site", () => {
  guess(
    20,
    (index) => `user${index}`,
    (index) => `2001:db8:1:${index}::${index}`,
  );
  expect(waitOf("sara", "2001:db8:1:ffff:ffff::1")).toBe(1_000);
  expect(throttle.waitMsAt("2001:db8:1:7::1")).toBe(1_000);
  expect(waitOf("sara", "2001:db8:2:1::1")).toBe(0);
  expect(waitOf("sara", "192.0.2.1")).toBe(0);
});

test("the sixth guess at one user's password waits, growing to a quarter of an hour, and another user's does not", () => {
  const home = () => "192.0.2.1";
  guess(5, () => "sara", home);
  const waits: number[] = [];
  for (let index = 0; index < 12; index += 1) {
    const waitMs = waitOf("sara", home());
    waits.push(waitMs);
    now += waitMs;
    expect(waitOf("sara", home())).toBe(0);
  }
  expect(waits.slice(0, 3)).toEqual([1_000, 2_000, 4_000]);
  expect(waits.at(-1)).toBe(900_000);
  expect(waitOf("amir", home())).toBe(0);
  now += 60 * 60_000 + 1;
  guess(5, () => "sara", home);
});

test("a correct attempt leaves no failure, and no longer wait for others in the same office", () => {
  const office = "192.0.2.1";
  for (let index = 0; index < 100; index += 1) {
    const password = throttle.password(`user${index}`, office);
    expect(password.waitMs).toBe(0);
    password.wasRight();
    const code = throttle.code(user(index), office);
    expect(code.waitMs).toBe(0);
    code.wasRight();
  }
  guess(
    20,
    (index) => `user${index}`,
    () => office,
  );
  now += 1_000;
  throttle.password("sara", office).wasRight();
  expect(waitOf("amir", office)).toBe(0);
});

test("a user's own correct password does not clear guesses at another's", () => {
  const home = () => "192.0.2.1";
  for (let index = 0; index < 5; index += 1) {
    guess(1, () => "sara", home);
    throttle.password("mallory", home()).wasRight();
  }
  expect(waitOf("sara", home())).toBe(1_000);
});

test("codes are counted by user across networks, and a right one gives no new attempts to others", () => {
  for (let index = 0; index < 10; index += 1) expect(throttle.code(user(7), network(index)).waitMs).toBe(0);
  expect(throttle.code(user(7), network(10)).waitMs).toBe(1_000);
  expect(throttle.code(user(8), network(10)).waitMs).toBe(0);
  now += 1_000;
  throttle.code(user(7), network(11)).wasRight();
  expect(throttle.code(user(7), network(12)).waitMs).toBe(0);
  expect(throttle.code(user(7), network(13)).waitMs).toBe(2_000);
});

test("many guessers evict nobody: newcomers share the remaining entries, and known users keep theirs", () => {
  throttle.remember("sara", "198.51.100.1");
  const guesser = "192.0.2.1";
  guess(
    20,
    (index) => `user${index}`,
    () => guesser,
  );
  guess(
    failedClientsMax - 1,
    () => "sara",
    (index) => network(index),
  );
  expect(throttle.waitMsAt(guesser)).toBe(1_000);
  guess(
    20,
    () => "sara",
    (index) => network(failedClientsMax + index),
  );
  for (const wait of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    expect(waitOf("sara", network(failedClientsMax + 20))).toBe(wait);
    expect(throttle.waitMsAt("203.0.113.9")).toBe(wait);
    now += wait;
    expect(waitOf("amir", "203.0.113.9")).toBe(0);
  }
  expect(waitOf("sara", "198.51.100.1")).toBe(0);
  // Those that failed before still have their own count, and an hour later all is forgotten.
  expect(waitOf("sara", network(5))).toBe(0);
  now += 60 * 60_000 + 1;
  expect(waitOf("sara", "203.0.113.9")).toBe(0);
});

test("a user who signs in from very many networks is known in the latest, and pushes nobody else out", () => {
  throttle.remember("sara", "198.51.100.1");
  for (let index = 0; index < 100; index += 1) throttle.password("mallory", network(index)).wasRight();
  guess(
    failedClientsMax,
    () => "sara",
    (index) => network(1_000 + index),
  );
  guess(
    20,
    (index) => `user${index}`,
    (index) => `203.0.113.${index}`,
  );
  expect(throttle.waitMsAt("198.51.100.1")).toBe(0);
  expect(throttle.waitMsAt(network(99))).toBe(0);
  expect(throttle.waitMsAt(network(100 - rightClientsMax))).toBe(0);
  expect(throttle.waitMsAt(network(99 - rightClientsMax))).toBe(1_000);
  // If somebody fails and then succeeds, the failures of others still count.
  guess(
    20,
    (index) => `user${index}`,
    () => network(99),
  );
  expect(throttle.waitMsAt(network(99))).toBe(1_000);
});
