/** Challenges for passkeys: single use, five minutes, and bounded. */
import { beforeEach, expect, test } from "bun:test";
import { systemRandom } from "../../src/platform/random.ts";
import {
  challengeClientsMax,
  challengeMs,
  challengesOfClientMax,
  PasskeyChallenges,
} from "../../src/users/passkey-challenges.ts";
import { ManualClock } from "../support/manual-clock.ts";

const [here, elsewhere] = ["203.0.113.7", "198.51.100.1"];
let clock: ManualClock;
let challenges: PasskeyChallenges<string>;
beforeEach(() => {
  clock = new ManualClock();
  challenges = new PasskeyChallenges({ clock, random: systemRandom });
});

test("each is good once, for five minutes, where it was asked for", async () => {
  const [first, second] = [challenges.create(here, "a"), challenges.create(here, "b")];
  expect(Buffer.from(first, "base64url")).toHaveLength(32);
  expect(challenges.take(elsewhere, first)).toBeNull();
  expect([1, 2].map(() => challenges.take(here, first))).toEqual(["a", null]);
  await clock.advance(challengeMs - 1);
  const third = challenges.create(here, "c");
  await clock.advance(1);
  expect([second, third, ""].map((one) => challenges.take(here, one))).toEqual([null, "c", null]);
});

test("a network has so many; beyond them its own oldest ends, and no other's", () => {
  const other = challenges.create(elsewhere, "other");
  const all = Array.from({ length: challengesOfClientMax + 1 }, (_, at) => challenges.create(here, String(at)));
  expect(all.slice(0, 2).map((one) => challenges.take(here, one))).toEqual([null, "1"]);
  expect(challenges.take(elsewhere, other)).toBe("other");
});

test("networks of one IPv6 subscriber count as one, and there is an end to networks", () => {
  const mine = challenges.create(here, "mine");
  for (let at = 0; at < 2 * challengeClientsMax; at += 1) challenges.create(`2001:db8:1:${at.toString(16)}::1`, "x");
  expect(challenges.take(here, mine)).toBe("mine");
  const again = challenges.create(here, "again");
  for (let at = 0; at < challengeClientsMax; at += 1) challenges.create(`10.0.${at >> 8}.${at & 255}`, "x");
  expect(challenges.take(here, again)).toBeNull();
});
