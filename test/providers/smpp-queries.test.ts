/** A message without a receipt is asked about with query_sm, and the SMSC's answer counts as its receipt. */
import { afterEach, describe, expect, test } from "bun:test";
import type { PDU } from "smpp";
import { createSmppServer } from "../support/smpp-server.ts";
import { Smsc, type SmscScript } from "../support/smsc.ts";
import { message, routeTo } from "./support.ts";

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

const minuteMs = 60_000;
const asking = { queryAfterMinutes: 10, queriesPerSecond: 10 };

async function smscWith(script: SmscScript = {}): Promise<Smsc> {
  const smsc = await Smsc.start(script);
  closing.push(() => smsc.stop());
  return smsc;
}

async function serverWith(script: SmscScript, file: Readonly<Record<string, unknown>> = asking) {
  const smsc = await smscWith(script);
  const server = await createSmppServer(smsc, file);
  closing.push(server.stop);
  await server.passUntil(() => server.link().state === "bound", 1_000);
  return { smsc, server };
}

const queriesOf = (smsc: Smsc) => smsc.pdus.filter(({ command }) => command === "query_sm");

describe("a message without a receipt", () => {
  test("is queried when its time comes, by the id and sender of its submit, and gets a final status", async () => {
    const { smsc, server } = await serverWith({ onQuery: () => ({ message_state: 2 }) });
    const code = await server.send();
    await server.passUntil(() => server.statusOf(code) === "sent", 1_000);
    await server.clock.advance(9 * minuteMs);
    expect(queriesOf(smsc)).toBeEmpty();
    await server.passUntil(() => server.statusOf(code) === "delivered", minuteMs + 5_000);
    const [submit] = smsc.submits;
    expect(queriesOf(smsc)).toMatchObject([
      {
        message_id: "00000001",
        source_addr_ton: submit?.source.ton,
        source_addr_npi: submit?.source.npi,
        source_addr: submit?.source.address,
      },
    ]);
  });

  test.each([
    [5, "failed", "UNDELIV"],
    [3, "failed", "EXPIRED"],
    [8, "failed", "REJECTD"],
  ] as const)("in queried state %d is %s", async (state, status, words) => {
    const { server } = await serverWith({ onQuery: () => ({ message_state: state, error_code: 7 }) });
    const code = await server.send();
    await server.passUntil(() => server.statusOf(code) === status, 11 * minuteMs);
    expect(server.timelineOf(code)).toEqual([`receipt_failed: Part 1: stat:${words} by query_sm, error_code:7`]);
  });

  test("still on its way is queried again after twice as long, and the timeline says so once", async () => {
    const asked: number[] = [];
    const onQuery = () => {
      asked.push(server.clock.now());
      return { message_state: asked.length < 4 ? 1 : 2 };
    };
    const { server } = await serverWith({ onQuery }, { queryAfterMinutes: 1 });
    const code = await server.send();
    await server.passUntil(() => server.statusOf(code) === "delivered", 20 * minuteMs);
    const waits = asked.slice(1).map((at, index) => Math.round((at - (asked[index] ?? 0)) / minuteMs));
    expect(waits).toEqual([2, 4, 8]);
    expect(server.timelineOf(code)).toEqual(["receipt_intermediate: Part 1: stat:ENROUTE by query_sm, error_code:0"]);
  });

  test("whose receipt arrives in time is not queried, and leaves nothing behind", async () => {
    const { smsc, server } = await serverWith({ receipts: { when: "after" }, onQuery: () => ({ message_state: 2 }) });
    const codes = await Promise.all(Array.from({ length: 20 }, () => server.send()));
    await server.passUntil(() => codes.every((code) => server.statusOf(code) === "delivered"), 2_000);
    expect(server.store.tables.awaitedReceipts.routeIds()).toEqual([1]);
    await server.passUntil(() => server.store.tables.awaitedReceipts.routeIds().length === 0, 11 * minuteMs);
    expect(queriesOf(smsc)).toBeEmpty();
  });

  test("on a route without the setting is never queried", async () => {
    const { smsc, server } = await serverWith({ onQuery: () => ({ message_state: 2 }) }, {});
    const code = await server.send();
    await server.passUntil(() => server.statusOf(code) === "sent", 1_000);
    expect(server.store.tables.awaitedReceipts.routeIds()).toEqual([]);
    await server.clock.advance(30 * minuteMs);
    expect(queriesOf(smsc)).toBeEmpty();
  });

  test("on a route that no longer has the setting is dropped at the next start", async () => {
    const { server } = await serverWith({}, {});
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      routeId: 1,
      dueAt: 5,
      messageId: index + 1,
      asked: 0,
    }));
    await server.store.write(({ awaitedReceipts }) => {
      for (const row of rows) awaitedReceipts.insert(row);
    });
    await server.dispatch.hold();
    await server.dispatch.start(server.routes);
    expect(server.store.tables.awaitedReceipts.routeIds()).toEqual([]);
  });
});

describe("an SMSC queried for messages", () => {
  test("that does not know query_sm is not queried again, and the route says so", async () => {
    const { smsc, server } = await serverWith({});
    const codes = await Promise.all(Array.from({ length: 5 }, () => server.send()));
    await server.passUntil(() => queriesOf(smsc).length === 1, 11 * minuteMs);
    await server.clock.advance(minuteMs);
    expect(queriesOf(smsc)).toHaveLength(1);
    expect(codes.map((code) => server.statusOf(code))).toEqual(codes.map(() => "sent"));
    expect(server.routes.get(1)?.provider.health().warnings).toEqual([
      "The SMSC knows no query_sm: receipts that stay out are not asked for. Remove queryAfterMinutes.",
    ]);
  });

  test("that finds none of the messages is reported to the operator", async () => {
    const { smsc, server } = await serverWith({ onQuery: () => ({ command_status: 0x67 }) });
    for (let sent = 0; sent < 3; sent += 1) await server.send();
    await server.passUntil(() => queriesOf(smsc).length === 3, 11 * minuteMs);
    await server.clock.advance(1_000);
    expect(server.routes.get(1)?.provider.health().warnings?.join()).toContain("ESME_RQUERYFAIL (0x67)");
  });

  test("that does not answer a query gets no second one over the bind until the first times out", async () => {
    const { smsc, server } = await serverWith({ onQuery: () => "silence" });
    for (let sent = 0; sent < 5; sent += 1) await server.send();
    await server.passUntil(() => queriesOf(smsc).length === 1, 11 * minuteMs);
    await server.clock.advance(9_000);
    expect(queriesOf(smsc)).toHaveLength(1);
    await server.passUntil(() => queriesOf(smsc).length === 2, 3_000);
    expect(server.link().state).toBe("bound");
  });
});

describe("queries to an SMSC", () => {
  const parts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      providerId: `id-${index}`,
      sender: "3000",
      recipient: "+989121234567",
    }));

  test("keep to their rate", async () => {
    const smsc = await smscWith({ onQuery: () => ({ message_state: 2 }) });
    const { provider, clock } = await routeTo(smsc, { queryAfterMinutes: 1, queriesPerSecond: 4 });
    closing.push(() => provider.stop(0));
    expect(provider.receiptQueries?.room()).toBe(4);
    provider.receiptQueries?.ask(parts(40));
    expect(provider.receiptQueries?.room()).toBe(0);
    for (let passedMs = 0; passedMs < 5_000; passedMs += 50) await clock.advance(50);
    expect(queriesOf(smsc).length).toBeWithin(18, 22);
  });

  test("pause as long as the route does after throttling", async () => {
    const smsc = await smscWith({ onQuery: () => ({ command_status: 0x58 }) });
    const set = { queryAfterMinutes: 1, queriesPerSecond: 10, throttlePauseMs: 3_000 };
    const { provider, clock } = await routeTo(smsc, set);
    closing.push(() => provider.stop(0));
    provider.receiptQueries?.ask(parts(10));
    for (let passedMs = 0; passedMs < 10_000; passedMs += 50) await clock.advance(50);
    expect(queriesOf(smsc).length).toBeWithin(3, 5);
  });

  test("wait while the window is full, and leave it to submits", async () => {
    const held: PDU[] = [];
    const smsc = await smscWith({
      onSubmit: ({ pdu }) => {
        held.push(pdu);
        return "silence";
      },
      onQuery: () => "silence",
    });
    const { provider, clock } = await routeTo(smsc, { window: 2, ...asking });
    closing.push(() => provider.stop(0));
    const submits = [1, 2, 3].map(() => provider.submit(message("x")));
    provider.receiptQueries?.ask(parts(3));
    await clock.advance(1_000);
    expect([held.length, queriesOf(smsc).length]).toEqual([2, 0]);
    const answer = (pdu: PDU | undefined, id: string) => {
      if (pdu !== undefined) smsc.sessions[0]?.send(pdu.response({ message_id: id }));
    };
    answer(held[0], "1");
    await clock.advance(1_000);
    expect([held.length, queriesOf(smsc).length]).toEqual([3, 0]);
    answer(held[1], "2");
    await clock.advance(1_000);
    expect(queriesOf(smsc)).toHaveLength(1);
    // The query is unanswered; a submit still takes the free place in the window.
    submits.push(provider.submit(message("y")));
    await clock.advance(100);
    expect(held).toHaveLength(4);
    for (const [index, pdu] of held.slice(2).entries()) answer(pdu, `${index + 3}`);
    expect((await Promise.all(submits)).every(({ kind }) => kind === "accepted")).toBe(true);
  });
});
