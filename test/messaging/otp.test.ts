/** One-time passwords as their users see them: limits, one live challenge, counted answers, and the fraud guard. */
import { afterEach, describe, expect, test } from "bun:test";
import type { ChallengeRequest } from "../../src/messaging/otp/otp-challenges.ts";
import type { OwnCodeRequest } from "../../src/messaging/otp/own-codes.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createSendingServer, requestOf, type SendingOptions, type SendingServer } from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

let server: SendingServer;
let route: ScriptedProvider | undefined;
afterEach(() => server.stop());

async function open(options: SendingOptions = {}): Promise<void> {
  server = await createSendingServer({
    build: (_, events) => {
      route = new ScriptedProvider(events);
      return route;
    },
    ...options,
  });
  await server.start();
}

const recipient = "+989121234567";
const challengePath = "POST /v1/otp/challenges";
const codePath = "POST /v1/otp/codes";

function challenge(
  wish: Partial<ChallengeRequest> = {},
  { key, account = 1 }: { key?: string; account?: number } = {},
) {
  const whole = { sender: senderOf(account), recipient, codeLength: 6, ttlSeconds: 300, ...wish };
  return server.otp.challenges.send(server.caller(account), requestOf(challengePath, key), whole);
}

function ownCode(wish: Partial<OwnCodeRequest> = {}, key?: string) {
  const whole = { sender: senderOf(1), recipient, code: "4321", ...wish };
  return server.otp.codes.send(server.caller(), requestOf(codePath, key), whole);
}

const verify = (challengeId: string, code: string, account = 1) =>
  server.otp.challenges.verify(account, challengeId, code);

/** The digits of the newest text that reached the phone. */
async function codeOnThePhone(): Promise<string> {
  await settleLoop();
  return /\d{4,10}/.exec(route?.texts.at(-1) ?? "")?.[0] ?? "";
}

const wrongFor = (code: string) => (code.startsWith("0") ? "1" : "0") + code.slice(1);

describe("a challenge", () => {
  test("reaches the phone with a code of the requested length, which verifies it once", async () => {
    await open();
    const sent = await challenge({ codeLength: 10 });
    expect(sent).toMatchObject({
      status: "pending",
      expiresAt: server.clock.now() + 300_000,
      resendAvailableAt: server.clock.now() + 60_000,
      attemptsRemaining: 5,
      duplicate: false,
    });
    const code = await codeOnThePhone();
    expect(code).toHaveLength(10);
    expect(await verify(sent.challengeId, wrongFor(code))).toMatchObject({
      status: "pending",
      verifiedAt: null,
      attemptsRemaining: 4,
    });
    expect(await verify(sent.challengeId, code)).toEqual({
      challengeId: sent.challengeId,
      status: "verified",
      verifiedAt: server.clock.now(),
      attemptsRemaining: 3,
    });
    await expect(verify(sent.challengeId, code)).rejects.toMatchObject({ code: "otp_challenge_used" });
  });

  test("accepts the code in Persian or Arabic digits, with spaces", async () => {
    await open();
    const sent = await challenge();
    const code = await codeOnThePhone();
    const persian = code.replace(/\d/g, (digit) => String.fromCharCode(0x06f0 + Number(digit)));
    expect((await verify(sent.challengeId, ` ${persian.slice(0, 3)} ${persian.slice(3)}`)).status).toBe("verified");
  });

  test("is open for five answers, and then locked even for the right one", async () => {
    await open();
    const { challengeId } = await challenge();
    const code = await codeOnThePhone();
    for (const left of [4, 3, 2, 1, 0]) {
      expect(await verify(challengeId, wrongFor(code))).toMatchObject({ status: "pending", attemptsRemaining: left });
    }
    await expect(verify(challengeId, code)).rejects.toMatchObject({ code: "otp_challenge_locked" });
  });

  test("judges five of a hundred concurrent answers, and a right one among the others does not help", async () => {
    await open();
    const { challengeId } = await challenge();
    const code = await codeOnThePhone();
    const guesses = Array.from({ length: 100 }, (_, index) => verify(challengeId, index < 99 ? wrongFor(code) : code));
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(refused).toHaveLength(95);
    for (const reason of refused) expect(reason).toMatchObject({ code: "otp_challenge_locked" });
  });

  test("is verified by exactly one of a hundred concurrent right answers", async () => {
    await open();
    const { challengeId } = await challenge();
    const code = await codeOnThePhone();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => verify(challengeId, code)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("expires to the millisecond", async () => {
    await open();
    const { challengeId } = await challenge({ ttlSeconds: 60 });
    const code = await codeOnThePhone();
    await server.clock.advance(59_999);
    expect((await verify(challengeId, wrongFor(code))).status).toBe("pending");
    await server.clock.advance(1);
    await expect(verify(challengeId, code)).rejects.toMatchObject({ code: "otp_challenge_expired" });
  });

  test("ends when a newer one is sent to the same recipient, and only then", async () => {
    await open();
    const first = await challenge();
    const firstCode = await codeOnThePhone();
    const elsewhere = await challenge({ recipient: "+989121234568" });
    const otherAccount = await challenge({}, { account: 2 });
    await server.clock.advance(60_000);
    const second = await challenge();
    const code = await codeOnThePhone();
    await expect(verify(first.challengeId, firstCode)).rejects.toMatchObject({ code: "otp_challenge_expired" });
    for (const { challengeId, account } of [
      { ...elsewhere, account: 1 },
      { ...otherAccount, account: 2 },
    ]) {
      expect((await verify(challengeId, "x", account)).status).toBe("pending");
    }
    expect((await verify(second.challengeId, code)).status).toBe("verified");
  });

  test("of another account, or unknown, is not found", async () => {
    await open();
    const { challengeId } = await challenge();
    await expect(verify(challengeId, "123456", 2)).rejects.toMatchObject({ code: "otp_challenge_not_found" });
    await expect(verify("nonsense", "123456")).rejects.toMatchObject({ code: "otp_challenge_not_found" });
  });

  test("expires together with its message", async () => {
    await open();
    route?.goDown();
    const { trackingCode } = await challenge({ ttlSeconds: 90 });
    await server.clock.advance(90_001);
    route?.comeUp();
    await settleLoop();
    expect(server.statusOf(trackingCode)).toBe("failed");
    expect(route?.texts).toEqual([]);
  });

  test("is sent before everything that waits", async () => {
    await open({
      build: (_, events) => {
        route = new ScriptedProvider(events, { window: 1 });
        return route;
      },
    });
    route?.hold();
    await server.sendAll(Array.from({ length: 50 }, (_, index) => ({ text: `campaign ${index}` })));
    await settleLoop();
    await challenge();
    route?.release();
    await settleLoop();
    expect(route?.texts[1]).toMatch(/^Your code: \d{6}$/);
  });
});

describe("the text of a challenge", () => {
  test("comes from an approved pattern whose only variable is the code", async () => {
    await open();
    const base = { accountId: 1, name: "Login", sender: senderOf(1), maxLengths: {} };
    await server.patterns.add({ ...base, code: "login", text: "کد ورود: {{ code }}" });
    await expect(challenge({ patternCode: "login" })).rejects.toMatchObject({ code: "pattern_not_sendable" });
    await server.patterns.approve({ code: "login" }, "x");
    await challenge({ patternCode: "login", sender: null });
    await settleLoop();
    expect(route?.texts.at(-1)).toMatch(/^کد ورود: \d{6}$/);
    await expect(challenge({ patternCode: "none" })).rejects.toMatchObject({ code: "pattern_not_found" });
    await server.patterns.add({ ...base, code: "two", text: "{{name}} {{code}}" });
    await server.patterns.approve({ code: "two" }, "x");
    await expect(challenge({ patternCode: "two" })).rejects.toMatchObject({ code: "pattern_not_sendable" });
  });

  test("is refused if the code is longer than the pattern allows, by the field that asked for it", async () => {
    await open();
    await server.patterns.add({
      accountId: 1,
      code: "short",
      name: "x",
      text: "{{code}}",
      sender: null,
      maxLengths: { code: 5 },
    });
    await server.patterns.approve({ code: "short" }, "x");
    await expect(challenge({ patternCode: "short" })).rejects.toMatchObject({
      problems: [{ field: "codeLength", code: "out_of_range" }],
    });
    await expect(ownCode({ patternCode: "short", code: "123456" })).rejects.toMatchObject({
      problems: [{ field: "code", code: "too_long" }],
    });
    expect((await ownCode({ patternCode: "short", code: "12345" })).duplicate).toBe(false);
  });

  test("contains the customer's own code, even with letters", async () => {
    await open();
    const { results } = await ownCode({ code: "کدA42" });
    await settleLoop();
    expect(route?.texts).toEqual(["Your code: کدA42"]);
    expect(results[0]).toMatchObject({ encoding: "Persian", characterCount: 16 });
  });
});

describe("sending limits", () => {
  test("are a minute between sends, five an hour and ten a day, for challenges and own codes together", async () => {
    await open();
    await challenge();
    await server.clock.advance(59_001);
    await expect(ownCode()).rejects.toMatchObject({ code: "otp_rate_limited", retryAfterSeconds: 1 });
    await server.clock.advance(999);
    await ownCode();
    for (const send of [challenge, ownCode, challenge]) {
      await server.clock.advance(60_000);
      await send();
    }
    await server.clock.advance(60_000);
    // The first was sent five minutes ago and leaves its hour in 55 minutes.
    await expect(challenge()).rejects.toMatchObject({ code: "otp_rate_limited", retryAfterSeconds: 55 * 60 });
    await server.clock.advance(55 * 60_000);
    for (let index = 0; index < 5; index += 1) {
      await challenge();
      await server.clock.advance(15 * 60_000);
    }
    await expect(challenge()).rejects.toMatchObject({ code: "otp_rate_limited" });
  });

  test("apply to each recipient and account separately", async () => {
    await open();
    await challenge();
    await challenge({ recipient: "+989121234568" });
    await challenge({}, { account: 2 });
    await expect(challenge()).rejects.toMatchObject({ code: "otp_rate_limited", retryAfterSeconds: 60 });
  });

  test("survive a restart", async () => {
    await open();
    await challenge();
    const { folder, clock } = server;
    server.crash();
    await open({ folder, clock });
    await expect(challenge()).rejects.toMatchObject({ code: "otp_rate_limited" });
  });

  test("let one of many concurrent requests pass", async () => {
    await open();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => challenge()));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await settleLoop();
    expect(route?.submissions).toHaveLength(1);
  });

  test("never refuse a repeat, which gets the same challenge again", async () => {
    await open();
    const first = await challenge({}, { key: "one" });
    expect(server.otp.challenges.replay(server.caller(), requestOf(challengePath, "one"))).toEqual({
      ...first,
      duplicate: true,
    });
    await expect(challenge({}, { key: "two" })).rejects.toMatchObject({ code: "otp_rate_limited" });
    expect(server.otp.challenges.replay(server.caller(), requestOf(challengePath, "two"))).toBeNull();
    expect(() => server.otp.challenges.replay(server.caller(), requestOf(codePath, "one"))).toThrow(
      expect.objectContaining({ code: "idempotency_key_conflict" }),
    );
  });

  test("do not matter for a repeat after erasure, which is refused and sends nothing", async () => {
    await open();
    await challenge({}, { key: "one" });
    await settleLoop();
    const [row] = server.store.tables.recipientData.walk("otp_send", 0, 1_000);
    await server.store.write(({ recipientData }) => recipientData.eraseOtpSend(row?.id ?? 0));
    await expect(challenge({}, { key: "one" })).rejects.toMatchObject({ code: "otp_challenge_not_found" });
    expect(() => server.otp.challenges.replay(server.caller(), requestOf(challengePath, "one"))).toThrow(
      expect.objectContaining({ code: "otp_challenge_not_found" }),
    );
    await settleLoop();
    expect(route?.submissions).toHaveLength(1);
  });

  test("send one code for racing repeats of one key", async () => {
    await open();
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => challenge({}, { key: "raced" })));
    expect(new Set(outcomes.map(({ challengeId }) => challengeId)).size).toBe(1);
    expect(outcomes.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
  });

  test("are forgotten once nothing depends on them any more", async () => {
    await open();
    const { challengeId } = await challenge();
    server.clock.jump(30 * 24 * 3_600_000);
    await server.otp.forget(30);
    expect(await verify(challengeId, "x").catch(({ code }) => code)).toBe("otp_challenge_expired");
    server.clock.jump(1);
    await server.otp.forget(30);
    expect(await verify(challengeId, "x").catch(({ code }) => code)).toBe("otp_challenge_not_found");
  });
});

describe("the fraud guard", () => {
  const numberOf = (index: number) => `+98912123${String(index).padStart(4, "0")}`;

  test("is off by default, and then counts nothing", async () => {
    await open({ rangePerHour: 1 });
    for (let index = 0; index < 30; index += 1) await challenge({ recipient: numberOf(index) });
    expect(server.guard.overview()).toEqual({ on: false, alarms: [], ranges: [] });
  });

  test("holds a range of numbers back at its ceiling for the hour, and others continue", async () => {
    await open({ fraudGuard: true, rangePerHour: 3 });
    for (let index = 0; index < 3; index += 1) await ownCode({ recipient: numberOf(index) });
    await expect(ownCode({ recipient: numberOf(3) })).rejects.toMatchObject({
      code: "otp_rate_limited",
      retryAfterSeconds: 3_600,
    });
    await ownCode({ recipient: "+989129999999" });
    await challenge({ recipient: numberOf(4) }, { account: 2 });
    expect(server.guard.overview().ranges[0]).toMatchObject({ accountId: 1, range: "+98912123", sends: 3, held: 1 });
    await server.clock.advance(3_600_000);
    await ownCode({ recipient: numberOf(3) });
  });

  test("holds a range back and raises the alarm if many codes are sent and few verified", async () => {
    await open({ fraudGuard: true });
    for (let index = 0; index < 20; index += 1) {
      const { challengeId } = await challenge({ recipient: numberOf(index) });
      const code = await codeOnThePhone();
      if (index < 3) await verify(challengeId, code);
    }
    await expect(challenge({ recipient: numberOf(20) })).rejects.toMatchObject({ code: "otp_rate_limited" });
    const { alarms, ranges } = server.guard.overview();
    expect(alarms).toEqual([{ accountId: 1, sends: 20, challenges: 20, verified: 3, held: 1 }]);
    expect(ranges[0]?.suspicious).toBe(true);
    await server.guard.watch();
  });

  test("lets a range continue if people verify in it", async () => {
    await open({ fraudGuard: true });
    for (let index = 0; index < 25; index += 1) {
      const { challengeId } = await challenge({ recipient: numberOf(index) });
      await verify(challengeId, await codeOnThePhone());
    }
    expect(server.guard.overview().alarms).toEqual([]);
  });
});
