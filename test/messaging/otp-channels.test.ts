/** Steps of one-time passwords by a channel: what it is handed, what it costs, and when it is passed over. */
import { afterEach, describe, expect, test } from "bun:test";
import { codeIn as codeInText } from "../../src/domain/otp.ts";
import type { OtpStep } from "../../src/domain/otp-steps.ts";
import { termsBy } from "../../src/messaging/directory/step-way.ts";
import { settleLoop } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createSendingServer, makeChannel, requestOf, type SendingServer } from "../support/sending-server.ts";
import { senderOf } from "../support/test-server.ts";

let server: SendingServer;
let routes: ScriptedProvider[] = [];
afterEach(() => server.stop());

/** Two routes for SMS, and a third that is a channel. */
async function open(steps: readonly OtpStep[], file: object = { kind: "channel" }): Promise<void> {
  routes = [];
  server = await createSendingServer({
    routes: [{}, {}, {}],
    build: (_, events) => {
      const route = new ScriptedProvider(events);
      if (routes.push(route) === 3) Object.assign(route, { needsCode: true });
      return route;
    },
  });
  await makeChannel(server, 3, file);
  await server.start();
  await server.otp.plans.set({ accountId: 0, pattern: "", steps });
}

const sms = (waitSeconds: number): OtpStep => ({ by: "sms", waitSeconds });
const channel = (waitSeconds: number, name = "route-3"): OtpStep => ({ by: "channel", channel: name, waitSeconds });
const challenge = (recipient = "+989121234567") =>
  server.otp.challenges.send(server.caller(1), requestOf("POST /v1/otp/challenges"), {
    ...{ sender: senderOf(1), recipient, codeLength: 6, ttlSeconds: 300 },
  });
const counts = () => routes.map(({ submissions }) => submissions.length);
const sequence = () => server.store.tables.otpSteps.sequenceOf(1);
const row = (id: number) => server.store.tables.messages.byId(id);

describe("a step by a channel", () => {
  test("is handed number, text and code after its wait, and its receipt ends the steps", async () => {
    await open([sms(10), channel(20), sms(30)]);
    const { challengeId } = await challenge();
    await server.clock.advance(29_999);
    expect(counts()).toEqual([1, 1, 0]);
    await server.clock.advance(1);
    expect(counts()).toEqual([1, 1, 1]);
    const [submission] = routes[2]?.submissions ?? [];
    const code = /\d{6}/.exec(routes[0]?.submissions[0]?.text ?? "")?.[0] ?? "";
    expect(submission).toMatchObject({ recipient: "+989121234567", text: `Your code: ${code}`, code, partCount: 1 });
    expect(routes[0]?.submissions[0]).not.toHaveProperty("code");
    expect(row(3)?.text).not.toContain(code);
    void routes[2]?.events.receipt({ ids: ["3-1"], state: "delivered", detail: "", at: server.clock.now() });
    await settleLoop();
    expect(sequence()).toMatchObject({ outcome: "delivered", sealed: null });
    await server.clock.advance(60_000);
    expect(counts()).toEqual([1, 1, 1]);
    expect((await server.otp.challenges.verify(1, challengeId, code)).status).toBe("verified");
    expect(server.otp.plans.tried(0)).toMatchObject([{ messages: 3, routeId: 3, verified: 1 }]);
  });

  test("does not wait for an SMS whose routes are down, nor turn the next SMS away from a route", async () => {
    await open([channel(5), sms(5)]);
    routes[0]?.goDown();
    routes[1]?.goDown();
    await challenge();
    await server.clock.advance(5_000);
    expect(counts()).toEqual([0, 0, 1]);
    for (const route of routes.slice(0, 2)) route.comeUp();
    await server.clock.advance(5_000);
    expect(counts()).toEqual([1, 1, 1]);
  });

  test("is passed over while its route is gone, switched off, drained, or no channel", async () => {
    for (const change of [
      { removedAt: 1 },
      { enabled: false },
      { drainingSince: 1 },
      { options: JSON.stringify({ kind: "sms" }) },
    ]) {
      await open([channel(5), sms(5)]);
      const changed = await server.store.write((tables) => tables.routes.update(3, change));
      if (changed !== null) server.directory.putRoute(changed);
      await challenge();
      await server.clock.advance(10_000);
      expect(counts()).toEqual([1, 1, 0]);
      await server.stop();
    }
    await open([]);
  });

  test("is passed over as the last one, too, however soon its route is there again", async () => {
    await open([sms(5), channel(5)]);
    const switched = async (enabled: boolean) => {
      const changed = await server.store.write((tables) => tables.routes.update(3, { enabled }));
      if (changed !== null) server.directory.putRoute(changed);
    };
    await switched(false);
    await challenge();
    await server.clock.advance(10_000);
    await switched(true);
    await server.clock.advance(60_000);
    expect(counts()).toEqual([1, 1, 0]);
    expect(sequence()).toMatchObject({ dueAt: null });
  });

  test("takes no code to a number that is not its challenge's, for two at once", async () => {
    await open([channel(5)]);
    await challenge();
    await challenge("+989121234568");
    await server.clock.advance(5_000);
    const codes = routes[2]?.submissions.map(({ recipient, code, text }) => [recipient, text.endsWith(code ?? "?")]);
    expect(codes).toEqual([
      ["+989121234567", true],
      ["+989121234568", true],
    ]);
  });
});

test("steps by no route, or by one that is no channel, are refused and change nothing", async () => {
  await open([sms(5)]);
  const set = (name: string) => server.otp.plans.set({ accountId: 0, pattern: "", steps: [sms(9), channel(5, name)] });
  await expect(set("nobody")).rejects.toMatchObject({ code: "route_not_found" });
  await expect(set("route-1")).rejects.toMatchObject({ code: "invalid" });
  expect(server.otp.plans.all()).toMatchObject([{ steps: [sms(5)] }]);
});

test("a channel's message costs its own price, or that of one part, and nothing where nothing is charged", async () => {
  await open([]);
  const asSms = { price: 30, partCount: 3 };
  expect(termsBy({ channelId: 3, price: 7 }, asSms)).toEqual({ price: 7, partCount: 1, targetId: -4 });
  expect(termsBy({ channelId: 3, price: 0 }, asSms).price).toBe(0);
  expect(termsBy({ channelId: 3, price: null }, asSms).price).toBe(10);
  expect(termsBy({ channelId: 3, price: 7 }, { partCount: 3 }).price).toBeNull();
  expect(termsBy({ channelId: null, price: null }, asSms)).toEqual({});
});

test("the code is found where the masked text differs, whatever stands around it", async () => {
  await open([]);
  const cases = [
    ["123456", "******", "123456"],
    ["*** 1234", "*** ****", "1234"],
    ["1234 and 1234", "**** and ****", "1234"],
    ["رمز ۱۲: 98765.", "رمز ۱۲: *****.", "98765"],
    ["😀 4321", "😀 ****", "4321"],
    ["nothing", "nothing", ""],
  ] as const;
  for (const [text, masked, code] of cases) expect(codeInText(text, masked)).toBe(code);
});
