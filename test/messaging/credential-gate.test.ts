import { expect, test } from "bun:test";
import { CredentialGate } from "../../src/messaging/directory/credential-gate.ts";
import { ManualClock } from "../support/manual-clock.ts";

test("wrong passwords count by client: an IPv4 address, or an IPv6 network of 48 bits", () => {
  const gate = new CredentialGate({
    credentials: { open: () => null, named: () => null },
    clock: new ManualClock(),
    failedPerMinute: 2,
    takesTestKeys: false,
    guesses: { count: () => {} },
  });
  const refusals = (...addresses: string[]) =>
    addresses.map((address) => gate.open("kannel", "clinic", "wrong", { address }));
  const [wrong, throttled] = [{ refused: "wrong" as const }, { refused: "throttled" as const }];
  expect(refusals("2001:db8:1::1", "2001:db8:1:2::1", "2001:db8:1:ffff::1", "2001:db8:2::1")).toEqual([
    wrong,
    wrong,
    throttled,
    wrong,
  ]);
  expect(refusals("192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.2")).toEqual([wrong, wrong, throttled, wrong]);
});
