/** The queue: order of service, fairness, time, cancel, validity, failover. */

import { afterEach, expect, spyOn, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { keyService } from "../../src/messaging/directory/account-service.ts";
import { WaitingCanceller } from "../../src/messaging/messages/waiting-canceller.ts";
import {
  type ProspectiveMessage,
  type TrafficDecision,
  TrafficRules,
} from "../../src/messaging/rules/traffic-rules.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { StoreUnavailable } from "../../src/store/group-commit.ts";
import { QueueTable } from "../../src/store/queue.ts";
import { settleLoop, until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer, type TestServerOptions } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

const leakedKey = { name: "leaked", permissions: [], requestsPerMinute: null, expiresAt: null };

/** A server whose routes take one message at a time, or as many as `window`. */
async function oneAtATime(routeCount = 1, validityMs?: number, options: TestServerOptions = {}, window = 1) {
  const providers: ScriptedProvider[] = [];
  server = await createTestServer({
    ...options,
    routes: Array.from({ length: routeCount }, () => ({})),
    ...(validityMs === undefined ? {} : { validityMs }),
    build: (_, events) => {
      const provider = new ScriptedProvider(events, { window });
      providers.push(provider);
      return provider;
    },
  });
  await server.start();
  return providers;
}

test("one-time passwords are sent before singles and singles before bulk, whatever arrived first", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  const first = await server.send({ text: "first", class: messageClasses.bulk });
  await settleLoop();
  await server.send({ text: "bulk", class: messageClasses.bulk });
  await server.send({ text: "single", class: messageClasses.single });
  await server.send({ text: "otp", class: messageClasses.otp });
  route?.release();
  await server.clock.advance(10);
  expect(route?.texts).toEqual(["first", "otp", "single", "bulk"]);
  expect(server.statusOf(first)).toBe("sent");
});

test("a higher priority goes first within its account and class only, and a restart keeps the order", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  await server.send({ text: "first" });
  await settleLoop();
  const texts = Array.from({ length: 300 }, (_, index) => `plain ${index}`);
  await server.sendAll(texts.map((text) => ({ text })));
  await server.sendAll([{ text: "others' 0" }, { text: "others' 1" }], 2);
  await server.sendAll(Array.from({ length: 200 }, (_, index) => ({ text: `urgent ${index}`, priority: 3 })));
  await server.send({ text: "one", priority: 1 });
  await server.send({ text: "bulk", priority: 3, class: messageClasses.bulk });
  const { clock, folder } = server;
  await server.dispatch.hold();
  server.store.close();
  const [again] = await oneAtATime(1, undefined, { clock, folder });
  await until(() => (again?.submissions.length ?? 0) >= 504);
  await settleLoop();
  const sent = again?.texts ?? [];
  const own = sent.filter((text) => !text.startsWith("others'") && text !== "first");
  expect(own).toEqual([...Array.from({ length: 200 }, (_, index) => `urgent ${index}`), "one", ...texts, "bulk"]);
  // Accounts take turns whatever their priorities.
  expect(sent.indexOf("others' 1")).toBeLessThanOrEqual(5);
});

test("a scheduled message of high priority waits for its time and does not delay others", async () => {
  const [route] = await oneAtATime();
  const code = await server.send({ text: "later", priority: 3, sendAt: server.clock.now() + 60_000 });
  await server.send({ text: "now" });
  await server.clock.advance(1_000);
  expect(route?.texts).toEqual(["now"]);
  await server.clock.advance(60_000);
  expect(route?.texts).toEqual(["now", "later"]);
  expect(server.statusOf(code)).toBe("sent");
});

test("a campaign of one account delays another account's message by one turn at most", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  await server.sendAll(
    Array.from({ length: 1_000 }, () => ({ text: "campaign", class: messageClasses.bulk })),
    1,
  );
  await server.send({ account: 2, text: "other", class: messageClasses.bulk });
  route?.release();
  await until(() => route?.submissions.length === 1_001);
  expect(route?.texts.indexOf("other")).toBeLessThanOrEqual(2);
});

test("a backlog larger than memory holds is sent completely, once each, in order", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  const texts = Array.from({ length: 700 }, (_, index) => `number ${index}`);
  await server.sendAll(texts.map((text) => ({ text })));
  await server.sendAll([{ text: "late" }]);
  route?.release();
  await until(() => (route?.submissions.length ?? 0) > 700);
  await settleLoop();
  expect(route?.texts).toEqual([...texts, "late"]);
});

test("a scheduled message is sent at its time, not before", async () => {
  const [route] = await oneAtATime();
  const sendAt = server.clock.now() + 45_000;
  const code = await server.send({ sendAt, class: messageClasses.bulk });
  await server.clock.advance(44_990);
  expect(server.statusOf(code)).toBe("queued");
  await server.clock.advance(20);
  expect(route?.texts).toHaveLength(1);
});

test("a clock set forward sends what is due; a clock set back sends nothing early and leaves nothing stuck", async () => {
  const [route] = await oneAtATime();
  const hour = 3_600_000;
  await server.send({ text: "in two hours", sendAt: server.clock.now() + 2 * hour, class: messageClasses.bulk });
  server.clock.jump(hour);
  await server.clock.advance(2_000);
  expect(route?.texts).toEqual([]);
  server.clock.jump(-2 * hour);
  await server.send({ text: "now" });
  await server.clock.advance(2_000);
  expect(route?.texts).toEqual(["now"]);
  server.clock.jump(3 * hour);
  await server.clock.advance(2_000);
  expect(route?.texts).toEqual(["now", "in two hours"]);
});

test("messages waiting when the clock is set back are sent, also after a restart", async () => {
  const [route] = await oneAtATime();
  route?.goDown();
  await server.send({ text: "waits" });
  server.clock.jump(-3_600_000);
  await server.dispatch.hold();
  server.store.close();
  const { clock, folder } = server;
  const next: ScriptedProvider[] = [];
  server = await createTestServer({
    clock,
    folder,
    build: (_, events) => {
      const provider = new ScriptedProvider(events, { window: 1 });
      next.push(provider);
      return provider;
    },
  });
  await server.start();
  await server.clock.advance(100);
  expect(next[0]?.texts).toEqual(["waits"]);
});

test("a message accepted just before the clock is set back is sent at once, even if newer ones follow a restart", async () => {
  const [route] = await oneAtATime();
  const ahead = async (text: string) => {
    server.clock.jump(24 * 3_600_000);
    const sent = server.send({ text });
    server.clock.jump(-24 * 3_600_000);
    await sent;
  };
  await ahead("at once");
  await server.clock.advance(2_000);
  expect(route?.texts).toEqual(["at once"]);
  route?.goDown();
  await ahead("waits");
  await server.send({ text: "newer" });
  await server.dispatch.hold();
  server.store.close();
  const { clock, folder } = server;
  const [next] = await oneAtATime(1, undefined, { clock, folder });
  await server.clock.advance(2_000);
  expect(next?.texts.toSorted()).toEqual(["newer", "waits"]);
});

test("messages accepted while the clock was ahead go out after a restart, behind any number of newer ones", async () => {
  const [route] = await oneAtATime();
  const ahead = 3 * 24 * 3_600_000;
  route?.goDown();
  server.clock.jump(ahead);
  await server.sendAll(Array.from({ length: 205 }, () => ({ text: "ahead" })));
  await server.send({ text: "scheduled", sendAt: server.clock.now() + 3_600_000 });
  server.clock.jump(-ahead);
  await server.sendAll(Array.from({ length: 1_200 }, () => ({ text: "newer" })));
  await server.dispatch.hold();
  server.store.close();
  const { clock, folder } = server;
  const [next] = await oneAtATime(1, undefined, { clock, folder });
  await until(() => (next?.texts.length ?? 0) >= 1_200);
  await server.clock.advance(2_000);
  await until(() => (next?.texts.length ?? 0) >= 1_405);
  expect(next?.texts.filter((text) => text === "ahead")).toHaveLength(205);
  expect(next?.texts).not.toContain("scheduled");
});

test("a message held by quiet hours of a clock that was ahead waits for their end today after a restart", async () => {
  const [day, hour] = [24 * 3_600_000, 3_600_000];
  const quiet = {
    apply: (message: ProspectiveMessage, decision: TrafficDecision) => ({
      ...decision,
      dueAt: message.submittedAt + 9 * hour,
    }),
  };
  await oneAtATime(1, undefined, { rules: new TrafficRules([quiet], []) });
  server.clock.jump(3 * day);
  await server.send({ text: "held" });
  server.clock.jump(-3 * day);
  await server.sendAll(Array.from({ length: 1_000 }, () => ({ text: "held, too" })));
  await server.dispatch.hold();
  server.store.close();
  const { clock, folder } = server;
  await oneAtATime(1, undefined, { clock, folder });
  await server.clock.advance(hour);
  await server.dispatch.hold();
  server.store.close();
  // Moved once, it is due before the time at which it was accepted.
  const [next] = await oneAtATime(1, undefined, { clock, folder });
  await server.clock.advance(7 * hour);
  expect(next?.texts).toEqual([]);
  await server.clock.advance(hour + 1_000);
  await until(() => next?.texts.includes("held") === true);
});

test("what a clock that was ahead accepted goes out once the disk takes the change, if it refused it at the start", async () => {
  const [route] = await oneAtATime();
  const ahead = 3 * 24 * 3_600_000;
  route?.goDown();
  server.clock.jump(ahead);
  await server.send({ text: "ahead" });
  server.clock.jump(-ahead);
  await server.sendAll(Array.from({ length: 1_000 }, () => ({ text: "newer" })));
  await server.dispatch.hold();
  server.store.close();
  const { clock, folder } = server;
  const pulled = spyOn(QueueTable.prototype, "pullIn").mockImplementation(() => {
    throw new Error("disk full");
  });
  const [next] = await oneAtATime(1, undefined, { clock, folder });
  await until(() => pulled.mock.calls.length > 0);
  pulled.mockRestore();
  await server.clock.advance(2_000);
  expect(next?.texts).not.toContain("ahead");
  await server.clock.advance(61_000);
  await until(() => next?.texts.includes("ahead") === true);
});

test("a retry scheduled by a clock that was ahead is made once the clock is set right, also after a restart", async () => {
  const [route] = await oneAtATime();
  const day = 24 * 3_600_000;
  const busy = { kind: "temporary", reason: { code: "plain", words: "busy" } } as const;
  const ahead = async (text: string, forMs: number) => {
    server.clock.jump(day);
    await server.send({ text });
    await server.clock.advance(forMs);
    server.clock.jump(-day);
  };
  route?.answerWith(busy);
  await ahead("seen ahead", 1_500);
  route?.answerWith(null);
  await server.clock.advance(1_500);
  expect(route?.texts).toEqual(["seen ahead", "seen ahead"]);
  route?.answerWith(busy);
  await ahead("swept", 100);
  route?.answerWith(null);
  await server.clock.advance(61_000);
  expect(route?.texts.slice(2)).toEqual(["swept", "swept"]);
  route?.answerWith(busy);
  await ahead("after a restart", 100);
  const { clock, folder } = server;
  await server.dispatch.hold();
  server.store.close();
  const [again] = await oneAtATime(1, undefined, { clock, folder });
  await server.clock.advance(100);
  expect(again?.texts).toEqual(["after a restart"]);
});

test("a message whose route is down stays queued, can be cancelled, and never reaches the route", async () => {
  const [route] = await oneAtATime();
  route?.goDown();
  const code = await server.send();
  await server.clock.advance(5_000);
  expect(server.statusOf(code)).toBe("queued");
  expect((await server.canceller.cancel(1, code)).status).toBe("cancelled");
  const again = await server.canceller.cancel(1, code);
  route?.comeUp();
  await server.clock.advance(5_000);
  expect(route?.texts).toEqual([]);
  expect(again).toEqual(await server.canceller.cancel(1, code));
});

test("a message handed to a route cannot be cancelled", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  const code = await server.send();
  await settleLoop();
  await expect(server.canceller.cancel(1, code)).rejects.toMatchObject({ code: "message_not_cancellable" });
  await expect(server.canceller.cancel(2, code)).rejects.toMatchObject({ code: "message_not_found" });
  route?.release();
});

test("each waiting message of a revoked key is either cancelled or handed over, never both or neither", async () => {
  const [route] = await oneAtATime(1, undefined, {}, 40);
  const key = (await keyService({ ...server, random: systemRandom }).create(1, leakedKey)).key;
  const { results } = await server.sendAll(Array.from({ length: 1_000 }, (_, index) => ({ text: `text ${index}` })));
  const { cancelled } = await new WaitingCanceller(server).cancel(key);
  const codes = results.map(({ trackingCode }) => trackingCode);
  await until(() => codes.every((code) => ["sent", "cancelled"].includes(server.statusOf(code))));
  const sent = new Set(route?.texts);
  for (const [index, code] of codes.entries()) {
    expect({ code, sent: sent.has(`text ${index}`) }).toEqual({ code, sent: server.statusOf(code) === "sent" });
  }
  expect(cancelled).toBe(1_000 - sent.size);
  expect(sent.size).toBeGreaterThan(1);
  expect(cancelled).toBeGreaterThan(1);
});

test("in a thousand races a message is either cancelled or dispatched, never both", async () => {
  const [route] = await oneAtATime();
  const codes: string[] = [];
  const cancelled = new Set<string>();
  for (let round = 0; round < 1_000; round += 1) {
    route?.hold();
    await server.send({ text: "keeps the window shut" });
    const code = await server.send({ text: `round ${round}` });
    codes.push(code);
    // The window opens at the same moment, one to three turns of the event loop before, or just after the cancel.
    if (round % 5 !== 4) route?.release();
    await settleLoop(round % 4);
    const cancel = server.canceller.cancel(1, code);
    if (round % 5 === 4) route?.release();
    await cancel.then(
      () => cancelled.add(code),
      () => {},
    );
  }
  await until(() => codes.every((code) => ["sent", "cancelled"].includes(server.statusOf(code))));
  for (const [round, code] of codes.entries()) {
    const sent = route?.texts.includes(`round ${round}`) === true;
    expect({ code, sent }).toEqual({ code, sent: !cancelled.has(code) });
  }
  expect(cancelled.size).toBeGreaterThan(0);
  expect(cancelled.size).toBeLessThan(1_000);
}, 180_000);

test("a message that no route took within its validity fails as expired, whether queued or retrying", async () => {
  const [route] = await oneAtATime(1, 600_000);
  route?.answerWith({ kind: "temporary", reason: { code: "plain", words: "busy" } });
  const retried = await server.send();
  await settleLoop();
  route?.goDown();
  const waiting = await server.send();
  await server.clock.advance(599_000);
  expect([server.statusOf(retried), server.statusOf(waiting)]).toEqual(["processing", "queued"]);
  await server.clock.advance(62_000);
  expect(server.historyOf(waiting)).toEqual(["queued", "failed"]);
  expect(server.historyOf(retried)).toEqual(["queued", "processing", "failed"]);
  expect(server.store.tables.messages.byCodeAnywhere(waiting)?.errorCode).toBe("expired");
});

test("messages of a short validity expire behind a thousand that stay valid, and while the route is down", async () => {
  const [route] = await oneAtATime();
  route?.goDown();
  await server.sendAll(Array.from({ length: 1_000 }, () => ({})));
  const short = Array.from({ length: 450 }, () => ({ validityMs: 60_000 }));
  const codes = (await server.sendAll(short)).results.map(({ trackingCode }) => trackingCode);
  await server.sendAll(Array.from({ length: 10 }, () => ({})));
  await server.clock.advance(119_000);
  await until(() => codes.every((code) => server.statusOf(code) === "failed"));
  expect(
    server.store.tables.queue.depth({ senderId: 1, class: messageClasses.single, targetId: 0, priority: 0 }, 9_999),
  ).toMatchObject({ waiting: 1_010 });
});

test("a sender's second route takes over while the first is down, and hands back", async () => {
  const [first, second] = await oneAtATime(2);
  first?.goDown();
  await server.send({ text: "over" });
  await server.clock.advance(10);
  first?.comeUp();
  await server.send({ text: "back" });
  await server.clock.advance(10);
  expect([first?.texts, second?.texts]).toEqual([["back"], ["over"]]);
});

test("a temporary refusal tries the next route at once, and waits only after the last", async () => {
  const [first, second] = await oneAtATime(2);
  first?.answerWith({ kind: "temporary", reason: { code: "plain", words: "busy" } });
  second?.answerWith({ kind: "temporary", reason: { code: "plain", words: "busy, too" } });
  const code = await server.send({ text: "m" });
  await server.clock.advance(3_000);
  expect([first?.texts, second?.texts]).toEqual([["m"], ["m"]]);
  first?.answerWith(null);
  await server.clock.advance(7_000);
  expect(first?.texts).toEqual(["m", "m"]);
  expect(server.statusOf(code)).toBe("sent");
});

test("a target whose route is down or full does not delay the sender's other targets, also after a restart", async () => {
  const routesOf = (_: number, targetId: number) => [targetId];
  let targetId = 0;
  const rules = new TrafficRules([{ apply: (_, judgement) => ({ ...judgement, targetId }) }], []);
  const [down, full, free] = await oneAtATime(3, undefined, { routesOf, rules });
  down?.goDown();
  full?.hold();
  const texts = Array.from({ length: 200 }, (_, index) => `number ${index}`);
  for (targetId of [1, 2, 3]) await server.sendAll(texts.map((text) => ({ text })));
  await until(() => free?.submissions.length === 200);
  expect([down?.texts, full?.texts, free?.texts]).toEqual([[], ["number 0"], texts]);
  full?.release();
  await until(() => full?.submissions.length === 200);
  expect(server.store.tables.queue.lanes()).toEqual([
    { senderId: 1, class: messageClasses.single, targetId: 1, priority: 0 },
  ]);
  const { clock, folder } = server;
  await server.dispatch.hold();
  server.store.close();
  const [still] = await oneAtATime(3, undefined, { routesOf, clock, folder });
  await until(() => still?.submissions.length === 200);
  expect(still?.texts).toEqual(texts);
});

test("messages of a suspended account are held, and sent when it is resumed", async () => {
  const [route] = await oneAtATime();
  const account = server.directory.account(1);
  if (account === null) throw new Error("no account 1");
  server.directory.putAccount({ ...account, status: "suspended" });
  const code = await server.send();
  await server.clock.advance(2_000);
  expect(server.statusOf(code)).toBe("queued");
  server.directory.putAccount({ ...account, status: "active" });
  server.dispatch.changed();
  await server.clock.advance(10);
  expect(route?.texts).toHaveLength(1);
});

test("a message that keeps being refused fails after its last attempt", async () => {
  const [route] = await oneAtATime();
  route?.answerWith({
    kind: "temporary",
    reason: { code: "plain", words: "0x45" },
    attemptsMax: 2,
    error: "rejected_by_network",
  });
  const code = await server.send();
  await server.clock.advance(20_000);
  expect(route?.texts).toHaveLength(2);
  expect(server.historyOf(code)).toEqual(["queued", "processing", "failed"]);
});

test("a late answer settles an uncertain message, which is otherwise sent again", async () => {
  const [route] = await oneAtATime();
  route?.answerWith({ kind: "uncertain", reason: { code: "plain", words: "no answer in 10 s" }, lateAnswer: true });
  const answered = await server.send({ text: "answered late" });
  const silent = await server.send({ text: "never answered" });
  await server.clock.advance(1_000);
  route?.answerWith(null);
  route?.events.lateAnswer(1, { kind: "accepted", partIds: ["late-1"] });
  await server.clock.advance(1_000);
  expect(server.statusOf(answered)).toBe("sent");
  expect(server.statusOf(silent)).toBe("processing");
  await server.clock.advance(20_000);
  expect(server.statusOf(silent)).toBe("sent");
  expect(route?.texts).toEqual(["answered late", "never answered", "never answered"]);
});

test("a message claimed but unanswered at a crash is sent again, or fails if the route says so", async () => {
  for (const onUncertain of ["resend", "fail"] as const) {
    const [route] = await oneAtATime();
    route?.hold();
    const code = await server.send({ text: "in flight" });
    await settleLoop();
    server.crash();
    const { clock, folder } = server;
    const next: ScriptedProvider[] = [];
    server = await createTestServer({
      clock,
      folder,
      routes: [{ onUncertain }],
      build: (_, events) => {
        const provider = new ScriptedProvider(events, { window: 1 });
        next.push(provider);
        return provider;
      },
    });
    await server.start();
    await server.clock.advance(10);
    expect(next[0]?.texts).toEqual(onUncertain === "resend" ? ["in flight"] : []);
    expect(server.statusOf(code)).toBe(onUncertain === "resend" ? "sent" : "failed");
    const told = server.store.tables.timeline.ofMessage(1).map(({ kind }) => kind);
    expect(told).toContain("uncertain");
    if (onUncertain === "resend") await server.stop();
  }
});

test("a disk that refuses claims stops the queue, which resumes by itself once the disk recovers", async () => {
  const [route] = await oneAtATime();
  const write = server.store.write.bind(server.store);
  route?.goDown();
  const code = await server.send();
  server.store.write = () => Promise.reject(new StoreUnavailable(new Error("disk full")));
  route?.comeUp();
  await settleLoop();
  expect(route?.texts).toEqual([]);
  server.store.write = write;
  await server.clock.advance(1_100);
  expect(server.statusOf(code)).toBe("sent");
});

test("a provider that throws leaves its message uncertain and frees its place in the window", async () => {
  const [route] = await oneAtATime();
  route?.breakOnce();
  const code = await server.send();
  await server.clock.advance(1_000);
  expect(server.statusOf(code)).toBe("sent");
  expect(server.store.tables.timeline.ofMessage(1).map(({ kind }) => kind)).toContain("uncertain");
});

test("a message being claimed when the service stops is still handed over", async () => {
  const [route] = await oneAtATime();
  const sent = await server.send({ text: "last" });
  expect(route?.texts).toEqual([]);
  await server.dispatch.hold();
  expect(route?.texts).toEqual(["last"]);
  await server.send({ text: "too late" });
  await server.clock.advance(2_000);
  expect({ texts: route?.texts, status: server.statusOf(sent) }).toEqual({ texts: ["last"], status: "sent" });
});

test("finding the lanes takes as long with 5,000 messages in one as with one", async () => {
  const [route] = await oneAtATime();
  route?.hold();
  const { queue } = server.store.tables;
  const leastMs = () =>
    Math.min(
      ...Array.from({ length: 50 }, () => {
        const from = performance.now();
        expect(queue.lanes()).toHaveLength(1);
        return performance.now() - from;
      }),
    );
  await server.sendAll([{ text: "taken" }, { text: "waits" }]);
  await settleLoop();
  const few = leastMs();
  await server.sendAll(Array.from({ length: 5_000 }, (_, index) => ({ text: `waits ${index}` })));
  // Stepping over all of them took thirty times as long.
  expect(leastMs() / few).toBeLessThan(8);
});
