/** Messages that a carrier did not answer for: how often and when they are sent again, and what their customer sees. */
import { afterEach, expect, test } from "bun:test";
import type { MessageErrorCode } from "../../src/domain/message.ts";
import { possibleArrivals, publicErrorOf } from "../../src/domain/status.ts";
import type { UncertainPolicy } from "../../src/domain/uncertain-policy.ts";
import type { SubmitOutcome } from "../../src/providers/provider.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

const words = { code: "plain", words: "the carrier's words" } as const;
const silence: SubmitOutcome = { kind: "uncertain", reason: words, lateAnswer: false };
const silenceForNow: SubmitOutcome = { kind: "uncertain", reason: words, lateAnswer: true };
const refusal = (error: MessageErrorCode): SubmitOutcome => ({ kind: "rejected", error, reason: words });

async function openRoute(policy: Partial<UncertainPolicy> = {}, validityMs?: number): Promise<ScriptedProvider> {
  let route: ScriptedProvider | undefined;
  server = await createTestServer({
    routes: [policy],
    ...(validityMs === undefined ? {} : { validityMs }),
    build: (_, events) => {
      route = new ScriptedProvider(events);
      return route;
    },
  });
  await server.start();
  if (route === undefined) throw new Error("no route was built");
  return route;
}

function row(code: string) {
  const message = server.store.tables.messages.byCodeAnywhere(code);
  if (message === null) throw new Error(`no message ${code}`);
  return message;
}

const unknown = {
  code: "undeliverable",
  message: "It is not known whether the message was delivered: the network did not answer.",
} as const;

test("after unanswered attempts the customer reads that delivery is unknown, the operator how often it may have arrived", async () => {
  const route = await openRoute();
  route.answerWith(silenceForNow);
  const code = await server.send();
  await server.clock.advance(120_000);
  expect(route.submissions).toHaveLength(3);
  expect(publicErrorOf(row(code))).toEqual(unknown);
  expect(possibleArrivals(row(code))).toBe(3);
});

test("a message refused or expired after an unanswered attempt is reported as possibly delivered", async () => {
  const route = await openRoute({ resendAfterMs: 60_000 }, 600_000);
  const outcomes = [refusal("rejected_by_network"), refusal("recipient_invalid"), null] as const;
  const codes: string[] = [];
  for (const outcome of outcomes) {
    route.answerWith(silence);
    codes.push(await server.send());
    await server.clock.advance(1_000);
    route.answerWith(outcome ?? { kind: "temporary", reason: words });
    await server.clock.advance(700_000);
  }
  expect(codes.map((code) => publicErrorOf(row(code))?.code)).toEqual([
    "undeliverable",
    "recipient_invalid",
    "undeliverable",
  ]);
  expect(codes.map((code) => possibleArrivals(row(code)))).toEqual([1, 1, 1]);
  expect(publicErrorOf(row(codes[0] ?? ""))).toEqual(unknown);
});

test("a failure without unanswered attempts is reported as it is", async () => {
  const route = await openRoute();
  route.answerWith(refusal("rejected_by_network"));
  const code = await server.send();
  await server.clock.advance(1_000);
  expect(publicErrorOf(row(code))).toEqual({
    code: "rejected_by_network",
    message: "The network rejected the message.",
  });
  expect(possibleArrivals(row(code))).toBeNull();
});

test("the route decides how often a message is sent again and how long each resend waits", async () => {
  for (const silent of [silence, silenceForNow]) {
    const route = await openRoute({ resends: 1, resendAfterMs: 90_000 });
    route.answerWith(silent);
    const code = await server.send();
    await server.clock.advance(89_000);
    expect(route.submissions).toHaveLength(1);
    await server.clock.advance(2_000);
    expect(route.submissions).toHaveLength(2);
    await server.clock.advance(200_000);
    expect(route.submissions).toHaveLength(2);
    expect(publicErrorOf(row(code))).toEqual(unknown);
    if (silent === silence) await server.stop();
  }
});

test("temporary refusals use up no resends", async () => {
  const route = await openRoute();
  route.answerWith({ kind: "temporary", reason: words });
  const code = await server.send();
  await server.clock.advance(60_000);
  expect(row(code).attempts).toBeGreaterThanOrEqual(3);
  route.answerWith(silence);
  await server.clock.advance(60_000);
  expect(possibleArrivals(row(code))).toBe(3);
});

test("a late refusal answers its attempt, so that the message did not arrive by it", async () => {
  const route = await openRoute();
  route.answerWith(silenceForNow);
  const code = await server.send();
  await server.clock.advance(1_000);
  route.events.lateAnswer(row(code).id, refusal("rejected_by_network"));
  await server.clock.advance(1_000);
  expect(publicErrorOf(row(code))?.code).toBe("rejected_by_network");
  expect(possibleArrivals(row(code))).toBeNull();
});

test("a resend that the carrier accepts counts as a possible arrival", async () => {
  const route = await openRoute();
  route.answerWith(silenceForNow);
  const code = await server.send();
  await server.clock.advance(1_000);
  route.answerWith(null);
  await server.clock.advance(30_000);
  expect(server.statusOf(code)).toBe("sent");
  expect(possibleArrivals(row(code))).toBe(2);
});
