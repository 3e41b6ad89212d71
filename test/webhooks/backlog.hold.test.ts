/** A backlog of a million events for a dead endpoint: memory stays small, other webhooks are not delayed, and it can be dropped. */
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { databaseFileName } from "../../src/store/database.ts";
import { ManualClock, until } from "../support/manual-clock.ts";
import { temporaryFolder } from "../support/test-server.ts";
import { okResponse, type TlsReceiver, tlsReceiver } from "../support/tls-receiver.ts";
import { createWebhookServer, receiverPair, type WebhookServer } from "../support/webhook-server.ts";

const waiting = 1_000_000;
const folder = temporaryFolder();
const clock = new ManualClock();
let dead: TlsReceiver;
let good: TlsReceiver;
let trusted: string[];
let deadRow: { id: string; rowId: number };
let goodRow: { id: string; rowId: number };
let server: WebhookServer;

/** Straight into the database: only reading it is tested here. */
function fillBacklog(webhookId: number): void {
  const database = new Database(join(folder.path, databaseFileName), { strict: true });
  const body = JSON.stringify({
    id: "x".repeat(36),
    type: "message.status",
    data: { trackingCode: "y".repeat(26), status: "sent", rest: "z".repeat(150) },
  });
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${waiting})`;
  database.run("PRAGMA synchronous = OFF");
  database.run("BEGIN");
  database.run(
    `${numbers} INSERT INTO event (id, public_id, account_id, kind, subject, step, body, created_at)
     SELECT i, printf('%036d', i), 1, 'message.status', printf('code%010d', i), 'sent', ?, ? FROM n`,
    [body, clock.now()],
  );
  database.run(
    `${numbers} INSERT INTO delivery (id, webhook_id, event_id, state, due_at, created_at) SELECT i, ?1, i, 'waiting', ?2, ?2 FROM n`,
    [webhookId, clock.now()],
  );
  database.run("COMMIT");
  // Otherwise the start finds the remains of a killed process, and reads everything from the disk.
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

beforeAll(async () => {
  dead = await tlsReceiver(receiverPair, () => undefined);
  good = await tlsReceiver(receiverPair, (socket) => void socket.write(okResponse));
  trusted = [dead, good].map(({ port }) => `127.0.0.1:${port}`);
  server = await createWebhookServer({ clock, trusted, folder: folder.path });
  deadRow = await server.register(`https://127.0.0.1:${dead.port}/`);
  goodRow = await server.register(`https://127.0.0.1:${good.port}/`, ["message.status"], 2);
  await server.stop();
  fillBacklog(deadRow.rowId);
}, 180_000);

// Even if a test failed: a server with a million events would keep running beside all following tests.
afterEach(() => server.stop());

afterAll(() => {
  dead.stop();
  good.stop();
  folder.remove();
});

describe("a million events for a dead endpoint", () => {
  test("use little memory and delay neither the start nor another webhook's callbacks", async () => {
    Bun.gc(true);
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    server = await createWebhookServer({ clock, trusted, folder: folder.path });
    await until(() => dead.requests.length === 2);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    const slowest: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const sentAt = performance.now();
      await server.addMessage(["cancelled"], 2);
      await until(() => good.requests.length === round + 1);
      slowest.push(performance.now() - sentAt);
    }
    expect(Math.max(...slowest)).toBeLessThan(250);
    expect(server.deliverer.inFlight).toBeLessThanOrEqual(3);
    Bun.gc(true);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150);
  }, 180_000);

  test("are ended in small steps when the webhook is switched off, while other webhooks are served", async () => {
    server = await createWebhookServer({ clock, trusted, folder: folder.path });
    const seen = good.requests.length;
    await server.service.change(1, deadRow.id, { isActive: false });
    await until(() => server.deliverer.inFlight === 0);
    await server.addMessage(["cancelled"], 2);
    await until(() => good.requests.length === seen + 1);
    await until(() => server.states(goodRow.rowId).every((state) => state === "delivered"));
    const { deliveryLog } = server.store.tables;
    expect(deliveryLog.backlog(deadRow.rowId, waiting).waiting).toBeLessThan(waiting);
    expect(dead.requests.length).toBeLessThanOrEqual(4);
  }, 180_000);
});
