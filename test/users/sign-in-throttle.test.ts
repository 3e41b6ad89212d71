/** Who counts as one guesser. */
import { expect, test } from "bun:test";
import { SignInThrottle } from "../../src/users/sign-in-throttle.ts";

test("guesses from one address after the other of an IPv6 network are one client's, others of their own network", () => {
  const throttle = new SignInThrottle({ monotonic: () => 0 });
  for (let host = 1; host <= 20; host += 1) {
    expect(throttle.waitMs(`user${host}`, `2001:db8:1:2::${host}`)).toBe(0);
    throttle.failed(`user${host}`, `2001:db8:1:2::${host}`);
  }
  expect(throttle.waitMs("sara", "2001:db8:1:2:ffff::1")).toBe(1_000);
  expect(throttle.waitMs("sara", "2001:db8:1:3::1")).toBe(0);
  expect(throttle.waitMs("sara", "192.0.2.1")).toBe(0);
});
