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

test("an ordinary number is delivered", async () => {
  expect(await outcome("+989121234567", 200)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("00 is delivered", async () => {
  expect(await outcome("+989121234500", 200)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("01 is undeliverable after it was sent", async () => {
  const { history, error } = await outcome("+989121234501", 200);
  expect(history).toEqual(["queued", "processing", "sent", "failed"]);
  expect(error).toBe("undeliverable");
});

test("02 is rejected at submit", async () => {
  const { history, error } = await outcome("+989121234502", 200);
  expect(history).toEqual(["queued", "processing", "failed"]);
  expect(error).toBe("rejected_by_network");
});

test("03 stays sent: no receipt ever comes", async () => {
  const { history } = await outcome("+989121234503", 24 * 3_600_000);
  expect(history).toEqual(["queued", "processing", "sent"]);
});

test("04 is refused twice for now, then delivered", async () => {
  expect(await outcome("+989121234504", 60_000)).toEqual({ history: delivered, error: null, attempts: 3 });
});

test("05 is throttled for three seconds at no cost, then delivered", async () => {
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

test("05 does not hold up others", async () => {
  server = await createTestServer();
  await server.start();
  const throttled = await server.send({ recipient: "+989121234505" });
  const other = await server.send({ recipient: "+989121234500" });
  await server.clock.advance(200);
  expect(server.statusOf(throttled)).toBe("processing");
  expect(server.statusOf(other)).toBe("delivered");
});

test("06 expires in the network", async () => {
  const { history, error } = await outcome("+989121234506", 200);
  expect(history).toEqual(["queued", "processing", "sent", "failed"]);
  expect(error).toBe("expired");
});

test("07 is delivered though its receipt comes before the submit answer", async () => {
  expect(await outcome("+989121234507", 300)).toEqual({ history: delivered, error: null, attempts: 1 });
});

test("08 is never answered: it is sent again, and fails when nobody ever answers", async () => {
  const { history, error, attempts } = await outcome("+989121234508", 120_000);
  expect(history).toEqual(["queued", "processing", "failed"]);
  expect({ error, attempts }).toEqual({ error: "undeliverable", attempts: 3 });
});

test("its phones keep the newest 200 texts that were delivered, and no others", async () => {
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

test("what it had in hand at a kill gets its receipt after the next start, the rest stays as it is", async () => {
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

test("a long text is delivered when each of its parts is", async () => {
  server = await createTestServer();
  await server.start();
  const code = await server.send({ text: "سلام ".repeat(40) });
  await server.clock.advance(49);
  await server.clock.advance(60);
  const message = server.store.tables.messages.byCodeAnywhere(code);
  expect({ parts: message?.partCount, delivered: message?.partsDelivered }).toEqual({ parts: 3, delivered: 3 });
  expect(server.statusOf(code)).toBe("delivered");
});
