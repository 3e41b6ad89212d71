/** No code is ever in the data folder in plain text, in the database or in its log, whatever happens to the message. */

import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { latinDigits } from "../../src/domain/phone-number.ts";
import { describeReason } from "../../src/domain/reason.ts";
import { tracker } from "../../src/messaging/messages/track.ts";
import { createSealer } from "../../src/platform/seal.ts";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createSendingServer, requestOf, type SendingServer } from "../support/sending-server.ts";
import { createTestServer, senderOf } from "../support/test-server.ts";

let server: SendingServer;
let route: ScriptedProvider;
afterEach(() => server.stop());

async function open(): Promise<void> {
  server = await createSendingServer({
    build: (_, events) => {
      route = new ScriptedProvider(events);
      return route;
    },
  });
  await server.start();
}

/** Files of the data folder that contain the code, in any encoding of SQLite or JSON. */
function filesHolding(code: string): string[] {
  const spellings = [
    Buffer.from(code),
    Buffer.from(code, "utf16le"),
    Buffer.from(Buffer.from(code).toString("base64").slice(0, -2)),
  ];
  return readdirSync(server.folder).filter((file) => {
    const bytes = readFileSync(join(server.folder, file));
    return spellings.some((spelling) => bytes.includes(spelling));
  });
}

const recipient = "+989121234567";

/** Ten characters, so that no other number in the files is mistaken for it. */
async function sendOwn(code = "Q7XJ92KMZP"): Promise<string> {
  const { results } = await server.otp.codes.send(server.caller(), requestOf("POST /v1/otp/codes"), {
    sender: senderOf(1),
    recipient,
    code,
  });
  return results[0]?.trackingCode ?? "";
}

const storedText = (trackingCode: string) => server.store.tables.messages.byCodeAnywhere(trackingCode)?.text ?? "";
const shownText = (trackingCode: string) => tracker(server.store).record(1, trackingCode).text;

test("the check itself finds text stored in plain in the data folder", async () => {
  await open();
  await server.send({ text: "Q7XJ92KMZP" });
  expect(filesHolding("Q7XJ92KMZP")).toContain("peyk.db-wal");
});

test("a customer's own code is stored sealed while waiting, and gone after delivery", async () => {
  await open();
  const code = "Q7XJ92KMZP";
  route.goDown();
  const waiting = await sendOwn(code);
  expect(filesHolding(code)).toEqual([]);
  expect(storedText(waiting)).toContain("\u0001");
  expect(shownText(waiting)).toBe("Your code: **********");

  route.hold();
  route.comeUp();
  await settleLoop();
  expect(route.texts).toEqual([`Your code: ${code}`]);
  expect(server.statusOf(waiting)).toBe("processing");
  expect(filesHolding(code)).toEqual([]);

  route.release();
  await settleLoop();
  expect(server.statusOf(waiting)).toBe("sent");
  expect(storedText(waiting)).toBe("Your code: **********");

  const [id = ""] = [`${route.submissions[0]?.messageId}-1`];
  await route.events.receipt({ ids: [id], state: "delivered", detail: "", at: server.clock.now() });
  expect(server.statusOf(waiting)).toBe("delivered");
  expect(shownText(waiting)).toBe("Your code: **********");
  expect(filesHolding(code)).toEqual([]);
});

test("a challenge's code is never stored in plain, through a wrong and a right answer", async () => {
  await open();
  const wish = { sender: senderOf(1), recipient, codeLength: 10, ttlSeconds: 300 };
  const { challengeId } = await server.otp.challenges.send(server.caller(), requestOf("POST /v1/otp/challenges"), wish);
  await settleLoop();
  const code = /\d{10}/.exec(route.texts[0] ?? "")?.[0] ?? "";
  expect(code).toHaveLength(10);
  expect(filesHolding(code)).toEqual([]);
  await server.otp.challenges.verify(1, challengeId, "0000000000");
  await server.otp.challenges.verify(1, challengeId, latinDigits(code));
  expect(filesHolding(code)).toEqual([]);
});

describe("a route's words that repeat the code", () => {
  const code = "Q7XJ92KMZP";
  const outcomes: SubmitOutcome[] = [
    {
      kind: "rejected",
      error: "rejected_by_network",
      reason: { code: "plain", words: `refused text "Your code: ${code}"` },
    },
    { kind: "temporary", reason: { code: "http_answered", status: 503, words: `busy with ${code}.` } },
    {
      kind: "uncertain",
      reason: { code: "link_lost", cause: { code: "connection_failed", words: code } },
      lateAnswer: false,
    },
  ];
  for (const outcome of outcomes) {
    test(`are stored with the code masked: ${outcome.kind}`, async () => {
      await open();
      route.answerWith(outcome);
      const trackingCode = await sendOwn(code);
      await settleLoop();
      const message = server.store.tables.messages.byCodeAnywhere(trackingCode);
      const told = server.store.tables.timeline.ofMessage(message?.id ?? 0);
      expect(told.length).toBeGreaterThan(0);
      expect(told.map(({ reason }) => describeReason(reason))[0]).toContain("**********");
      expect(filesHolding(code)).toEqual([]);
    });
  }
});

test.each(["after", "before"] as const)(
  "a receipt that repeats the text %s the answer leaves none of it in the timeline",
  async (when) => {
    await open();
    if (when === "before") route.hold();
    const trackingCode = await sendOwn();
    await settleLoop();
    const id = `${route.submissions[0]?.messageId}-1`;
    await route.events.receipt({
      ids: [id],
      state: "failed",
      error: "undeliverable",
      detail: "state:FAILED",
      remark: "not delivered: Q 7 X J 9 2 K M Z P",
      at: server.clock.now(),
    });
    route.release();
    await settleLoop();
    expect(server.statusOf(trackingCode)).toBe("failed");
    const told = server.store.tables.timeline.ofMessage(route.submissions[0]?.messageId ?? 0);
    expect(told.map(({ reason }) => describeReason(reason))).toEqual([
      when === "after" ? "Part 1: state:FAILED" : "Part 1",
    ]);
  },
);

test("a message sent again carries its code again", async () => {
  await open();
  route.answerWith({ kind: "temporary", reason: { code: "plain", words: "busy" } });
  await sendOwn();
  await settleLoop();
  route.answerWith(null);
  await server.clock.advance(60_000);
  expect(new Set(route.texts)).toEqual(new Set(["Your code: Q7XJ92KMZP"]));
  expect(route.texts.length).toBeGreaterThan(1);
});

test("the sealed text is gone once the message is cancelled or expired", async () => {
  await open();
  route.goDown();
  const cancelled = await sendOwn();
  await server.canceller.cancel(1, cancelled);
  expect(storedText(cancelled)).toBe("Your code: **********");
  await server.clock.advance(60_000);
  const expired = await sendOwn();
  await server.clock.advance(6 * 60_000);
  route.comeUp();
  await settleLoop();
  expect(server.statusOf(expired)).toBe("failed");
  expect(storedText(expired)).toBe("Your code: **********");
});

test("a message fails under another key file, and its sealed text is never handed over", async () => {
  await open();
  route.goDown();
  const trackingCode = await sendOwn();
  const { folder, clock } = server;
  server.crash();
  const other = await createTestServer({
    folder,
    clock,
    sealer: createSealer(new Uint8Array(32).fill(9)),
    build: (_, events) => {
      route = new ScriptedProvider(events);
      return route;
    },
  });
  await other.start();
  await settleLoop();
  expect(other.statusOf(trackingCode)).toBe("failed");
  expect(route.texts).toEqual([]);
  server = { ...server, stop: other.stop };
});

test("without the key the code cannot be guessed from the hash of its request", async () => {
  await open();
  const request = requestOf("POST /v1/otp/codes", "keyed");
  await server.otp.codes.send(server.caller(), request, { sender: senderOf(1), recipient, code: "4321" });
  const stored = server.store.tables.idempotency.find(1, "keyed");
  expect(Buffer.from(stored?.payloadHash ?? [])).not.toEqual(Buffer.from(request.payloadHash));
  expect(server.otp.codes.replay(server.caller(), request)).toMatchObject({ duplicate: true, payloadMismatch: false });
});
