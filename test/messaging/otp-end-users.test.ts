/** How many numbers are sent codes for one end user's address: both edges of the limit, what is kept, and for how long. */
import { afterEach, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { createSendingServer, requestOf, type SendingServer } from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

const dayMs = 24 * 3_600_000;
let server: SendingServer;
afterEach(() => server.stop());

async function open(endUserNumbersPerDay: number): Promise<void> {
  server = await createSendingServer({ endUserNumbersPerDay });
  await server.start();
}

const number = (last: number) => `+98912123${String(4_000 + last)}`;
const kept = () => server.store.tables.otpSends.oldestEndUser() !== null;

/** The refusal: seconds to wait, or the code of another; null if it was sent. */
async function ask(last: number, endUserAddress: string | null = "203.0.113.7", account = 1) {
  const input = { sender: senderOf(account), recipient: number(last), endUserAddress };
  try {
    await server.otp.challenges.send(server.caller(account), requestOf("POST /v1/otp/challenges"), {
      ...{ ...input, codeLength: 6, ttlSeconds: 300 },
    });
    return null;
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason;
    return reason.code === "otp_rate_limited" ? reason.retryAfterSeconds : reason.code;
  }
}

test("the last number within the limit is sent its code, and the next waits until the first is a day ago", async () => {
  await open(3);
  for (const last of [1, 2, 3]) {
    expect(await ask(last)).toBeNull();
    await server.clock.advance(60_000);
  }
  expect(await ask(4)).toBe((dayMs - 180_000) / 1_000);
  server.clock.jump(dayMs - 180_001);
  expect(await ask(4)).toBe(1);
  await server.clock.advance(1);
  expect(await ask(4)).toBeNull();
  expect(await ask(5)).toBe(60);
});

test("a number that had a code may have another, and others go on: other addresses, accounts, requests without any", async () => {
  await open(1);
  expect(await ask(1)).toBeNull();
  await server.clock.advance(60_000);
  expect(await ask(1)).toBeNull();
  expect(await ask(2)).toBeGreaterThan(0);
  expect(await ask(2, "203.0.113.8")).toBeNull();
  expect(await ask(3, "203.0.113.7", 2)).toBeNull();
  expect(await ask(3, null)).toBeNull();
});

test("spellings of one address are one, and so are the addresses that one IPv6 subscriber has", async () => {
  await open(1);
  expect(await ask(1, "203.0.113.7")).toBeNull();
  for (const spelt of [" 203.0.113.7 ", "::ffff:203.0.113.7"]) expect(await ask(2, spelt)).toBeGreaterThan(0);
  expect(await ask(3, "2001:db8:1:2::3")).toBeNull();
  expect(await ask(4, "2001:DB8:1:FFFF::1")).toBeGreaterThan(0);
  expect(await ask(4, "2001:db8:2::1")).toBeNull();
});

test("two at once do not both pass", async () => {
  await open(1);
  const answers = await Promise.all([1, 2, 3].map((last) => ask(last)));
  expect(answers.filter((answer) => answer === null)).toHaveLength(1);
});

test("what is no address is refused where a limit is set, and not looked at elsewhere", async () => {
  await open(1);
  for (const wrong of [
    "",
    "nowhere",
    "1.2.3",
    "10.0.0.0/8",
    "203.0.113.7:4000",
    "203.0.113.7, 10.0.0.1",
    "1".repeat(20_000),
    "::1::",
  ])
    expect(await ask(1, wrong)).toBe("validation_failed");
  await server.stop();
  await open(0);
  for (const last of [1, 2, 3]) expect(await ask(last, "nowhere")).toBeNull();
  expect(kept()).toBe(false);
});

test("only a hash is kept, for a day, and none of an erased recipient", async () => {
  await open(5);
  await ask(1);
  server.clock.jump(dayMs - 1);
  await server.otp.forgetEndUsers();
  expect(kept()).toBe(true);
  await server.clock.advance(1);
  await server.otp.forgetEndUsers();
  expect(kept()).toBe(false);
  await ask(2);
  await server.store.write((tables) => tables.recipientData.eraseOtpSend(2));
  expect(kept()).toBe(false);
});
