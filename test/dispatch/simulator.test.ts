/** Every behaviour of the embedded simulator, as a customer sees it. */
import { afterEach, expect, test } from "bun:test";
import type { PublicStatus } from "../../src/domain/message.ts";
import { ManualClock, settleLoop } from "../support/manual-clock.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

async function outcome(recipient: string, afterMs: number) {
  server = await createTestServer();
  await server.start();
  const code = await server.send({ recipient });
  await server.clock.advance(afterMs);
  const message = server.store.tables.messages.byCodeAnywhere(code);
  return { history: server.historyOf(code), error: message?.errorCode ?? null, attempts: message?.attempts };
}

const delivered: PublicStatus[] = ["queued", "processing", "sent", "delivered"];

test("a number without a special ending is delivered", async () => {
  expect(await outcome("+989121234567", 200)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("a number ending in 00 is delivered", async () => {
  expect(await outcome("+989121234500", 200)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("a number ending in 01 is sent and turns out undeliverable", async () => {
  const { history, error } = await outcome("+989121234501", 200);
  expect(history).toEqual(["queued", "processing", "sent", "failed"]);
  expect(error).toBe("undeliverable");
});

test("a number ending in 02 is rejected at submit", async () => {
  const { history, error } = await outcome("+989121234502", 200);
  expect(history).toEqual(["queued", "processing", "failed"]);
  expect(error).toBe("rejected_by_network");
});

test("a number ending in 03 stays sent, without any receipt", async () => {
  const { history } = await outcome("+989121234503", 24 * 3_600_000);
  expect(history).toEqual(["queued", "processing", "sent"]);
});

test("a number ending in 04 is refused temporarily twice, then delivered", async () => {
  expect(await outcome("+989121234504", 60_000)).toEqual({ history: delivered, error: null, attempts: 3 });
});

test("a number ending in 05 is throttled for three seconds without using an attempt, then delivered", async () => {
  expect(await outcome("+989121234505", 2_900)).toEqual({
    history: ["queued", "processing"],
    error: null,
    attempts: 0,
  });
  await server.clock.advance(400);
  const [code] = await server.sendAll([{ recipient: "+989121234500" }]).then(({ results }) => results);
  await server.clock.advance(400);
  expect(server.historyOf(code?.trackingCode ?? "")).toEqual(delivered);
});

test("a number ending in 05 does not delay others", async () => {
  server = await createTestServer();
  await server.start();
  const throttled = await server.send({ recipient: "+989121234505" });
  const other = await server.send({ recipient: "+989121234500" });
  await server.clock.advance(200);
  expect(server.statusOf(throttled)).toBe("processing");
  expect(server.statusOf(other)).toBe("delivered");
});

test("a number ending in 06 expires in the network", async () => {
  const { history, error } = await outcome("+989121234506", 200);
  expect(history).toEqual(["queued", "processing", "sent", "failed"]);
  expect(error).toBe("expired");
});

test("a number ending in 07 is delivered although its receipt comes before the submit answer", async () => {
  expect(await outcome("+989121234507", 300)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("a number ending in 08 is never answered, sent again, and fails in the end", async () => {
  const { history, error, attempts } = await outcome("+989121234508", 120_000);
  expect(history).toEqual(["queued", "processing", "failed"]);
  expect({ error, attempts }).toEqual({ error: "undeliverable", attempts: 3 });
});

test("the simulated phones keep the newest 200 delivered texts and no others", async () => {
  server = await createTestServer();
  await server.start();
  const texts = Array.from({ length: 210 }, (_, index) => `text ${index}`);
  await server.sendAll(texts.map((text) => ({ text })));
  await server.sendAll(["01", "02", "03", "06"].map((ending) => ({ recipient: `+9891212345${ending}`, text: "lost" })));
  await server.clock.advance(200);
  await server.send({ text: "the last", recipient: "+989121234507" });
  await server.clock.advance(300);
  const received = server.routes.received();
  expect(received.map(({ text }) => text).sort()).toEqual([...texts.slice(11), "the last"].sort());
  expect(received[0]).toMatchObject({ text: "the last", recipient: "+989121234507", sender: "30001", routeId: 1 });
});

test("messages in the simulator's hands at a kill get receipts after the restart, and others stay unchanged", async () => {
  server = await createTestServer();
  await server.start();
  const send = (draft: object) => server.sendAll([draft]).then(({ results }) => results[0]?.trackingCode ?? "");
  const done = await send({ recipient: "+989121234500" });
  const silent = await send({ recipient: "+989121234503" });
  await server.clock.advance(200);
  const short = await send({ recipient: "+989121234567" });
  const long = await send({ text: "سلام ".repeat(40) });
  const failing = await send({ recipient: "+989121234501" });
  await server.clock.advance(60);
  const codes = [done, silent, short, long, failing];
  expect(codes.map(server.statusOf)).toEqual(["delivered", "sent", "sent", "sent", "sent"]);
  server.crash();
  const { folder, clock } = server;
  server = await createTestServer({ folder, clock: new ManualClock(clock.now() + 60_000) });
  await server.start();
  await settleLoop();
  await server.clock.advance(200);
  expect(codes.map(server.statusOf)).toEqual(["delivered", "sent", "delivered", "delivered", "failed"]);
});

test("a long text is delivered once each of its parts is", async () => {
  server = await createTestServer();
  await server.start();
  const code = await server.send({ text: "سلام ".repeat(40) });
  await server.clock.advance(49);
  await server.clock.advance(60);
  const message = server.store.tables.messages.byCodeAnywhere(code);
  expect({ parts: message?.partCount, delivered: message?.partsDelivered }).toEqual({ parts: 3, delivered: 3 });
  expect(server.statusOf(code)).toBe("delivered");
});
