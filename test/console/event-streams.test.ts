/** Streams of server-sent events: their heartbeat, and everything that ends them. */
import { beforeEach, expect, test } from "bun:test";
import type { PageEvent } from "../../src/console/page/page.ts";
import { EventStreams } from "../../src/console/server/event-streams.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";

let clock: ManualClock;
let streams: EventStreams;
let ended: Set<number>;
let senders: Set<(event: PageEvent) => void>;
beforeEach(() => {
  clock = new ManualClock();
  ended = new Set();
  senders = new Set();
  streams = new EventStreams({ clock, isOpen: ({ sessionId }) => !ended.has(sessionId) });
});

const events = {
  start(send: (event: PageEvent) => void) {
    senders.add(send);
    return () => senders.delete(send);
  },
};

const open = (sessionId: number, signal = new AbortController().signal, userId = 1) =>
  streams.open({ userId, sessionId }, events, signal);

/** Collects what arrives; `isDone` once the stream has ended. */
function follow(response: Response | null) {
  const seen = { text: "", isDone: false };
  const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
  void (async () => {
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) break;
      seen.text += piece.value;
    }
    seen.isDone = true;
  })();
  return seen;
}

const sendAll = (event: PageEvent) => {
  for (const send of senders) send(event);
};

test("an unnamed event carries markup, a named one data; lines and ids follow the format", async () => {
  const seen = follow(open(1));
  sendAll({ name: null, data: "<p>one\ntwo</p>" });
  sendAll({ name: "outcomes", data: "{}" });
  await settleLoop();
  expect(seen.text).toBe(": still here\n\nid: 1\ndata: <p>one\ndata: two</p>\n\nevent: outcomes\nid: 2\ndata: {}\n\n");
});

test("a silent stream sends a sign of life every 15 seconds", async () => {
  const seen = follow(open(1));
  await clock.advance(46_000);
  expect(seen.text.split("still here").length - 1).toBe(4);
});

test("a stream ends with its session: at once on sign-out, otherwise before it sends anything more", async () => {
  const [first, second, third, fourth] = [follow(open(1)), follow(open(2)), follow(open(3)), follow(open(4))];
  ended.add(4);
  await clock.advance(1_000);
  expect(fourth.isDone).toBe(true);
  streams.endSession({ userId: 1, sessionId: 1 });
  ended.add(2);
  sendAll({ name: null, data: "news" });
  await settleLoop();
  expect([first.isDone, second.isDone, third.isDone]).toEqual([true, true, false]);
  expect([first.text, second.text, third.text].map((text) => text.includes("news"))).toEqual([false, false, true]);
  expect([streams.count, senders.size]).toEqual([1, 1]);
});

test("another user's stream does not end with a session of the same id", async () => {
  const [own, other] = [follow(open(1)), follow(open(1, undefined, 2))];
  streams.endSession({ userId: 2, sessionId: 1 });
  await settleLoop();
  expect([own.isDone, other.isDone]).toEqual([false, true]);
});

test("a stream whose session has ended meanwhile never starts", async () => {
  ended.add(1);
  const seen = follow(open(1));
  await settleLoop();
  expect([seen.isDone, streams.count, senders.size]).toEqual([true, 0, 0]);
});

test("nothing keeps running for a reader that has gone, or after a stop", async () => {
  const leaving = new AbortController();
  follow(open(1, leaving.signal));
  const staying = follow(open(1));
  leaving.abort();
  expect([streams.count, senders.size]).toEqual([1, 1]);
  streams.stop();
  await settleLoop();
  expect([staying.isDone, streams.count, senders.size]).toEqual([true, 0, 0]);
});

test("a reader that takes nothing does not block the others", () => {
  open(1);
  for (let count = 0; count < 100; count += 1) sendAll({ name: null, data: "news" });
  expect(streams.count).toBe(0);
});

test("a user has eight streams at most, and other users theirs", () => {
  for (let count = 0; count < 8; count += 1) expect(open(1)).not.toBeNull();
  expect(open(2)).toBeNull();
  expect(open(2, undefined, 2)).not.toBeNull();
});
