/** What an operator sees of a message: its parts, its way, and the steps of a one-time password. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { joining } from "../../src/messaging/messages/joined-campaign.ts";
import { maskedTextOf } from "../../src/messaging/messages/message-service.ts";
import { callerAt } from "../support/caller.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  await server.accounts.create("Clinic");
});
afterEach(() => server.close());

const { otp, single } = messageClasses;
const show = (code: string) => server.messages.show(code);
const idOf = (code: string) => server.store.tables.messages.byCodeAnywhere(code)?.id ?? 0;

test("a message that does not exist is not found", () => {
  expect(() => show("nothing")).toThrow("message_not_found");
});

test("the text of a one-time password is shown as it was stored with its code masked", () => {
  expect(maskedTextOf({ class: single, text: "code 1234" })).toBe("code 1234");
  expect(maskedTextOf({ class: otp, text: "code **** for 5 * 5" })).toBe("code **** for 5 * 5");
  expect(maskedTextOf({ class: otp, text: "code 1234 for 5 * 5" })).toBe("******");
});

test("names of routes stand by their entries, and one that never was has none", async () => {
  await server.storeMessage({ trackingCode: "A" });
  const [route] = server.directory.routes();
  const entry = { at: 1, kind: "retry", reason: { code: "operator_cancelled" } } as const;
  await server.store.write(({ timeline, parts }) => {
    for (const routeId of [null, route?.id ?? 0, 99]) timeline.add(idOf("A"), { ...entry, routeId });
    parts.insert(idOf("A"), 1, route?.id ?? 0, "x");
  });
  expect(show("A").timeline.map(({ routeName }) => routeName)).toEqual([null, route?.name ?? "", null]);
  expect(show("A").parts.map(({ routeName, receipt }) => [routeName, receipt])).toEqual([[route?.name ?? "", null]]);
  expect([server.messages.routeName(null), server.messages.routeName(99)]).toEqual([null, null]);
});

test("the final receipt of a single part is the message's state, and each of several has its own", async () => {
  for (const [code, partCount] of [
    ["ONE", 1],
    ["TWO", 2],
  ] as const) {
    await server.storeMessage({ trackingCode: code, partCount });
    await server.store.write(({ messages, parts }) => {
      const at = server.clock.now();
      for (let number = 1; number <= partCount; number += 1) parts.insert(idOf(code), number, 1, `${code}${number}`);
      const row = messages.byCodeAnywhere(code);
      const submitting = row && messages.move(row, { to: "submitting", at, routeId: 1, attempts: 1 });
      const submitted = submitting && messages.move(submitting, { to: "submitted", at });
      if (submitted === null) throw new Error("not moved");
      if (partCount === 2) parts.setReceipt({ messageId: submitted.id, number: 1 }, "delivered");
    });
  }
  const receipts = (code: string) => show(code).parts.map(({ receipt }) => receipt);
  expect([receipts("ONE"), receipts("TWO")]).toEqual([[null], ["delivered", null]]);
  await server.store.write(({ messages }) => {
    for (const [code, to] of [
      ["ONE", "delivered"],
      ["TWO", "failed"],
    ] as const) {
      const row = messages.byCodeAnywhere(code);
      if (row === null) throw new Error("not stored");
      const end = { to, at: server.clock.now() };
      messages.move(row, to === "failed" ? { ...end, to, errorCode: "undeliverable" } : { ...end, to: "delivered" });
    }
  });
  expect([receipts("ONE"), receipts("TWO")]).toEqual([["delivered"], ["delivered", null]]);
});

test("a challenge shows its steps: those that began with their messages, and which were passed over", async () => {
  const at = server.clock.now();
  for (const code of ["FIRST", "SECOND", "OTHER"]) await server.storeMessage({ trackingCode: code, class: otp });
  await server.storeMessage({ trackingCode: "PLAIN" });
  const first = idOf("FIRST");
  await server.store.write(({ otpSends, otpSteps }) => {
    const challenge = { accountId: 1, recipient: "+989121234567", sentAt: at, codeHash: new Uint8Array(32) };
    otpSends.insertChallenge({
      ...{ ...challenge, messageId: first, challengeId: "c", expiresAt: at + 60_000, resendAt: at + 1_000 },
    });
    const steps = [
      { by: "channel", channel: "call", waitSeconds: 20 },
      { by: "sms", waitSeconds: 30 },
      { by: "sms", waitSeconds: 40 },
    ] as const;
    otpSteps.insert({ messageId: first, accountId: 1, steps: [...steps], dueAt: at, sealed: new Uint8Array(1) });
    const live = () => {
      const [sequence] = otpSteps.due(at + 60_000, 1);
      if (sequence === undefined) throw new Error("Nothing goes on");
      return sequence;
    };
    otpSteps.begin(live(), null, at + 1, at + 2);
    otpSteps.begin(live(), idOf("SECOND"), at + 2, at + 3);
  });
  const shown = (code: string) => {
    const { otpSteps } = show(code);
    if (otpSteps === null) return null;
    const { steps, ...rest } = otpSteps;
    return { ...rest, steps: steps.map(({ row, ...step }) => ({ ...step, code: row?.trackingCode ?? null })) };
  };
  const expected = {
    ...{ dueAt: at + 3, outcome: null, endedAt: null, verifiedAt: null },
    steps: [
      { by: "sms", channel: undefined, beganAt: at, isPassed: true, code: "FIRST" },
      { by: "channel", channel: "call", beganAt: null, isPassed: true, code: null },
      { by: "sms", channel: undefined, beganAt: at + 2, isPassed: true, code: "SECOND" },
      { by: "sms", channel: undefined, beganAt: null, isPassed: false, code: null },
    ],
  } satisfies ReturnType<typeof shown>;
  expect(shown("FIRST")).toEqual(expected);
  expect(shown("SECOND")).toEqual(expected);
  expect([shown("OTHER"), shown("PLAIN")]).toEqual([null, null]);
  await server.store.write(({ otpSends, otpSteps }) => {
    otpSends.countAnswer(first, at + 9);
    otpSteps.end(first, "verified", at + 9);
  });
  expect(shown("SECOND")).toMatchObject({ dueAt: null, outcome: "verified", endedAt: at + 9, verifiedAt: at + 9 });
});

test("a message that was sent again names the one before, as long as that is kept", async () => {
  for (const trackingCode of ["A", "B"]) await server.storeMessage({ trackingCode });
  expect(show("B").resentOf).toBeNull();
  await server.store.write(({ messages }) => messages.setResentOf(idOf("B"), idOf("A")));
  expect(show("B").resentOf).toBe("A");
  await server.store.write(({ messages }) => messages.setResentOf(idOf("B"), 99));
  expect(show("B").resentOf).toBeNull();
});

test("a single message without a name is no campaign, and every other request is", async () => {
  const caller = callerAt(server.clock.now());
  expect(joining(caller, 1, { kind: "batch" })).toBeUndefined();
  await server.storeMessage({ trackingCode: "A" });
  await server.storeMessage({ trackingCode: "B" });
  const { campaigns } = server.store.tables;
  await server.store.write((tables) => joining(caller, 1, { kind: "batch", name: "spring" })?.(tables, 1));
  expect(campaigns.ofMessage(1)).toMatchObject({ kind: "batch", name: "spring", accountId: 1, apiKeyId: 1 });
  await server.store.write((tables) => joining(caller, 2, { kind: "group", groupCode: "g" })?.(tables, 2));
  expect(campaigns.ofMessage(2)).toMatchObject({ kind: "group", name: null, groupCode: "g", createdAt: caller.at });
});
