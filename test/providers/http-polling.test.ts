/** Carriers that do not call: Peyk polls them for reports and for texts from phones, no more often than it must. */
import { afterEach, describe, expect, test } from "bun:test";
import { routeStorage } from "../../src/dispatch/route-storage.ts";
import { silentLog } from "../../src/platform/log.ts";
import type { CarrierNetwork } from "../../src/providers/carrier-network.ts";
import { systemNetwork } from "../../src/providers/connection.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { openStore } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createTestServer, type TestServer, temporaryFolder } from "../support/test-server.ts";
import { fixedRandom, passTimeUntil, RecordedEvents } from "./support.ts";

let closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

function serve(fetch: (request: Request) => Response | Promise<Response>): string {
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
  closing.push(() => void server.stop(true));
  return `http://127.0.0.1:${server.port}`;
}

function optionsOf(file: object) {
  const parsed = parseHttpOptions(file);
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  return parsed.options;
}

/** A carrier that takes messages and answers questions about them. */
function reportingCarrier() {
  const carrier = {
    /** The ids of each question. */
    questions: [] as string[][],
    states: new Map<string, string>(),
    refusal: null as Response | null,
    sent: 0,
  };
  const url = serve((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/send") {
      carrier.sent += 1;
      return Response.json({ id: `m${carrier.sent}` });
    }
    const ids = searchParams.get("ids")?.split(",") ?? [];
    carrier.questions.push(ids);
    if (carrier.refusal !== null) return carrier.refusal.clone();
    return Response.json({ entries: ids.map((id) => ({ id, status: carrier.states.get(id) ?? null })) });
  });
  const reportPoll = {
    request: { url: `${url}/status`, query: { ids: "{{ids}}" } },
    ids: 4,
    everySeconds: 30,
    slowestSeconds: 480,
    hours: 2,
    each: "entries",
    id: { json: "id" },
    state: { json: "status" },
    delivered: ["10"],
    failed: { 11: "undeliverable" },
  };
  // Sockets take real time while the clock advances.
  const responseTimeoutMs = 300_000;
  const file = { request: { url: `${url}/send` }, answer: { id: { json: "id" } }, reportPoll, responseTimeoutMs };
  return { carrier, file };
}

/** Requests to the carrier whose answers have not been read: while there are any, no virtual time should pass. */
let underway = 0;

const countedNetwork: CarrierNetwork = {
  ...systemNetwork,
  async fetch(url, init) {
    underway += 1;
    try {
      const response = await systemNetwork.fetch(url, init);
      return new Response(await response.bytes(), response);
    } finally {
      setTimeout(() => {
        underway -= 1;
      });
    }
  },
};

async function openOver(file: object, { folder, clock }: { folder?: string; clock?: ManualClock } = {}) {
  const server = await createTestServer({
    ...(folder !== undefined && { folder }),
    ...(clock !== undefined && { clock }),
    build: (_, events, ownClock, storage) =>
      new HttpProvider(optionsOf(file), events, {
        clock: ownClock,
        random: fixedRandom,
        log: silentLog,
        storage,
        network: countedNetwork,
      }),
  });
  await server.start();
  return server;
}

const countOf = (server: TestServer, codes: readonly string[], status: string) =>
  codes.filter((code) => server.statusOf(code) === status).length;

async function sendAll(server: TestServer, count: number): Promise<string[]> {
  const { results } = await server.sendAll(Array.from({ length: count }, (_, index) => ({ text: `message ${index}` })));
  const codes = results.map(({ trackingCode }) => trackingCode);
  await passTimeUntil(server.clock, () => countOf(server, codes, "sent") === count, 20_000, 10);
  return codes;
}

const reportsLink = (server: TestServer) => server.routes.get(1)?.provider.health().links[1];

describe("polled receipts", () => {
  test("are requested together, and no more once they arrived", async () => {
    const { carrier, file } = reportingCarrier();
    const server = await openOver(file);
    closing.unshift(() => server.stop());
    const codes = await sendAll(server, 10);
    for (let id = 1; id <= 9; id += 1) carrier.states.set(`m${id}`, "10");
    carrier.states.set("m10", "11");
    await passTimeUntil(server.clock, () => countOf(server, codes, "delivered") === 9, 70_000);
    await passTimeUntil(server.clock, () => countOf(server, codes, "failed") === 1, 5_000);
    expect(carrier.questions.map((ids) => ids.length)).toEqual([4, 4, 2]);
    expect(new Set(carrier.questions.flat()).size).toBe(10);
    await server.clock.advance(7_200_000);
    expect(carrier.questions).toHaveLength(3);
    expect(server.store.tables.awaitedReceipts.routeIds()).toEqual([]);
  });

  test("that stay out are requested less and less often until the receipt's time is over, also after restarts", async () => {
    const { carrier, file } = reportingCarrier();
    let server = await openOver(file);
    await sendAll(server, 1);
    carrier.states.set("m1", "1");
    const startedAt = server.clock.now();
    const askedAt: number[] = [];
    let lastAsked = Number.NEGATIVE_INFINITY;
    // The socket takes real time, and so does a commit.
    const isBehind = () => {
      const [plan] = server.store.tables.awaitedReceipts.due(1, Number.MAX_SAFE_INTEGER, 1);
      // The last question is asked once nothing else is planned.
      if (plan === undefined) return carrier.questions.length <= lastAsked;
      lastAsked = plan.asked;
      return carrier.questions.length < plan.asked || plan.dueAt < server.clock.now() - 3_000;
    };
    const passTo = async (minutes: number) => {
      while (server.clock.now() < startedAt + minutes * 60_000) {
        await server.clock.advance(5_000);
        while (underway > 0) await Bun.sleep(1);
        while (isBehind()) {
          await server.clock.advance(1);
          await Bun.sleep(1);
        }
        while (askedAt.length < carrier.questions.length) askedAt.push(server.clock.now() - startedAt);
      }
    };
    await passTo(20);
    const { folder, clock } = server;
    const stopped = server.routes.stop();
    await clock.advance(1);
    await stopped;
    server.crash();
    server = await openOver(file, { folder, clock });
    closing.unshift(() => server.stop());
    await passTo(200);
    const gaps = askedAt.slice(1).map((at, index) => Math.round((at - (askedAt[index] ?? 0)) / 30_000));
    // In half minutes: doubling up to 480 s, until two hours are over.
    expect(gaps.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 16]);
    expect(new Set(gaps.slice(5))).toEqual(new Set([16]));
    expect(askedAt.at(-1)).toBeLessThanOrEqual(2 * 3_600_000 + 10_000);
    expect(askedAt.at(-1)).toBeGreaterThan(1.8 * 3_600_000);
    expect(server.store.tables.awaitedReceipts.routeIds()).toEqual([]);
  }, 180_000);

  test("are left alone while a carrier says so; the route goes on sending and reports what is wrong", async () => {
    const { carrier, file } = reportingCarrier();
    const server = await openOver(file);
    closing.unshift(() => server.stop());
    carrier.refusal = new Response("slow down", { status: 429, headers: { "Retry-After": "300" } });
    const [code = ""] = await sendAll(server, 1);
    await passTimeUntil(server.clock, () => carrier.questions.length === 1, 70_000);
    await passTimeUntil(server.clock, () => reportsLink(server)?.state === "failing", 5_000);
    expect(reportsLink(server)).toMatchObject({ name: "reports", lastError: "the provider answered 429: slow down" });
    expect(server.routes.get(1)?.up).toBe(true);
    await passTimeUntil(server.clock, () => false, 290_000, 5_000).catch(() => {});
    expect(carrier.questions).toHaveLength(1);
    carrier.refusal = null;
    carrier.states.set("m1", "10");
    await passTimeUntil(server.clock, () => server.statusOf(code) === "delivered", 60_000);
    await passTimeUntil(server.clock, () => reportsLink(server)?.state === "up", 5_000);
  });

  test("are requested again after an unreadable answer, like after any failure", async () => {
    const { carrier, file } = reportingCarrier();
    const server = await openOver(file);
    closing.unshift(() => server.stop());
    carrier.refusal = new Response("<html>Back soon</html>");
    const [code = ""] = await sendAll(server, 1);
    await passTimeUntil(server.clock, () => reportsLink(server)?.state === "failing", 70_000);
    expect(reportsLink(server)).toMatchObject({
      lastError: "the answer cannot be read: the body is no JSON",
      lastReason: { code: "http_answer_unreadable", problem: { kind: "no_json" } },
    });
    carrier.refusal = null;
    carrier.states.set("m1", "10");
    await passTimeUntil(server.clock, () => server.statusOf(code) === "delivered", 70_000);
  });

  test("are requested for messages sent before the route polled, too", async () => {
    const { carrier, file } = reportingCarrier();
    const { reportPoll: _, ...silent } = file;
    const before = await openOver(silent);
    const codes = await sendAll(before, 3);
    const { folder, clock } = before;
    before.crash();
    const server = await openOver(file, { folder, clock });
    closing.unshift(() => server.stop());
    for (const id of ["m1", "m2", "m3"]) carrier.states.set(id, "10");
    await passTimeUntil(clock, () => countOf(server, codes, "delivered") === 3, 70_000);
    expect(carrier.questions).toHaveLength(1);
  });

  test("are requested one by one if the answer does not repeat the id", async () => {
    const asked: string[] = [];
    const url = serve((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/send") return Response.json({ id: "a/b" });
      asked.push(pathname);
      return Response.json({ data: { deliveryState: 1 } });
    });
    const server = await openOver({
      request: { url: `${url}/send` },
      answer: { id: { json: "id" } },
      responseTimeoutMs: 300_000,
      reportPoll: {
        request: { url: `${url}/messages/{{id}}` },
        state: { json: "data.deliveryState" },
        delivered: 1,
        failed: [2],
      },
    });
    closing.unshift(() => server.stop());
    const codes = await sendAll(server, 1);
    await passTimeUntil(server.clock, () => countOf(server, codes, "delivered") === 1, 70_000);
    expect(asked).toEqual(["/messages/a%2Fb"]);
  });
});

describe("polled texts", () => {
  /** A polling route, on a store that outlives it. */
  function open(inboundPoll: object, folder = temporaryFolder()) {
    const clock = new ManualClock();
    const events = new RecordedEvents();
    const store = openStore({ folder: folder.path, now: clock.now() });
    const options = optionsOf({ request: { url: "http://127.0.0.1:1/" }, inboundPoll, responseTimeoutMs: 300_000 });
    const storage = routeStorage(store, 1);
    const provider = new HttpProvider(options, events, { clock, random: fixedRandom, log: silentLog, storage });
    provider.start();
    const stop = async () => {
      const stopped = provider.stop(0);
      await clock.advance(0);
      await stopped;
      store.close();
    };
    return { clock, events, provider, folder, stop };
  }

  const inbox = Array.from({ length: 5 }, (_, index) => ({
    n: index + 1,
    from: "09121234567",
    to: "3000",
    body: `text ${index + 1}`,
  }));
  const fields = { each: "items", sender: { json: "from" }, text: { json: "body" }, id: { json: "n" } };

  test("are read page by page from where the last answer ended, also after a restart", async () => {
    const asked: (string | null)[] = [];
    const url = serve((request) => {
      const after = new URL(request.url).searchParams.get("after");
      asked.push(after);
      return Response.json({ items: inbox.filter(({ n }) => n > Number(after)).slice(0, 2) });
    });
    const poll = {
      ...fields,
      request: { url, query: { after: "{{cursor}}" } },
      receiver: { json: "to" },
      cursor: { greatest: "n" },
      cursorStart: "0",
      pageSize: 2,
    };
    const first = open(poll);
    await passTimeUntil(first.clock, () => asked.length === 3, 5_000, 1);
    await passTimeUntil(first.clock, () => first.events.parts.length === 5, 5_000, 1);
    expect(asked).toEqual(["0", "2", "4"]);
    expect(first.events.parts[0]).toMatchObject({
      sender: "09121234567",
      receiver: "3000",
      text: "text 1",
      providerId: "1",
    });
    await first.clock.advance(9_000);
    expect(asked).toHaveLength(3);
    await first.stop();

    const again = open(poll, first.folder);
    closing.unshift(again.stop, again.folder.remove);
    await passTimeUntil(again.clock, () => asked.length === 4, 5_000, 1);
    expect(asked[3]).toBe("5");
    expect(again.events.parts).toEqual([]);
  });

  test("that could not be stored are requested again", async () => {
    const asked: (string | null)[] = [];
    const url = serve((request) => {
      const after = new URL(request.url).searchParams.get("after");
      asked.push(after);
      return Response.json({ items: after === "0" ? inbox : [], next: after === "0" ? "5" : after });
    });
    const route = open({
      ...fields,
      request: { url, query: { after: "{{cursor}}" } },
      receiver: { json: "to" },
      cursor: { answer: "next" },
      cursorStart: "0",
    });
    closing.unshift(route.stop, route.folder.remove);
    route.events.commit = () => Promise.reject(new Error("the disk is full"));
    await passTimeUntil(route.clock, () => route.provider.health().links[1]?.state === "failing", 5_000, 1);
    route.events.commit = () => Promise.resolve();
    await passTimeUntil(route.clock, () => asked.includes("5"), 10_000, 100);
    expect(asked.slice(0, 2)).toEqual(["0", "0"]);
    expect(route.events.parts.slice(5).map(({ text }) => text)).toEqual(inbox.map(({ body }) => body));
  });

  test("are requested line by line, and an unreadable one does not cost the others", async () => {
    const unread = new Map([
      [
        "1000",
        [
          { from: "0912", body: "a", n: 1 },
          { body: "no sender", n: 2 },
          { from: "0913", body: "b", n: 3 },
        ],
      ],
      ["2000", [{ from: "0914", body: "c", n: 4 }]],
    ]);
    const asked: string[] = [];
    const url = serve(async (request) => {
      const line = new URLSearchParams(await request.text()).get("linenumber") ?? "";
      asked.push(line);
      const items = unread.get(line) ?? [];
      unread.delete(line);
      return Response.json({ items });
    });
    const route = open({
      ...fields,
      request: { url, body: { form: { linenumber: "{{line}}" } } },
      lines: ["1000", "2000"],
    });
    closing.unshift(route.stop, route.folder.remove);
    await passTimeUntil(route.clock, () => asked.length === 4, 5_000, 1);
    expect(asked).toEqual(["1000", "1000", "2000", "2000"]);
    expect(route.events.parts.map(({ receiver, text }) => `${receiver} ${text}`)).toEqual([
      "1000 a",
      "1000 b",
      "2000 c",
    ]);
  });
});

test("missing and wrong polling rules in a file are named before the route is added", () => {
  const { file } = reportingCarrier();
  const problems = (set: object) => {
    const parsed = parseHttpOptions({ ...file, ...set });
    return "problems" in parsed ? parsed.problems.map(({ key }) => key) : [];
  };
  expect(problems({})).toEqual([]);
  expect(problems({ answer: {} })).toEqual(["answer.id"]);
  const { reportPoll } = file;
  expect(problems({ reportPoll: { ...reportPoll, request: { url: "https://carrier.example/reports" } } })).toContain(
    "reportPoll.request",
  );
  expect(problems({ reportPoll: { ...reportPoll, id: undefined } })).toEqual(["reportPoll.id"]);
  expect(problems({ reportPoll: { ...reportPoll, request: { url: "https://c.example/{{text}}?{{ids}}" } } })).toEqual([
    "reportPoll.request.url",
  ]);
  const texts = {
    each: "items",
    sender: "from",
    text: "body",
    receiver: "to",
    request: { url: "https://c.example/{{cursor}}" },
  };
  expect(problems({ inboundPoll: texts })).toEqual(["inboundPoll.cursor"]);
  expect(problems({ inboundPoll: { ...texts, request: { url: "https://c.example/{{line}}" } } })).toEqual([
    "inboundPoll.lines",
  ]);
});
