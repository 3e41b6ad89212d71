/** Requests that carry many messages: gathered, answered individually, and a refusal affects only its own message. */
import { afterEach, describe, expect, test } from "bun:test";
import { messageClasses } from "../../src/domain/message.ts";
import { silentLog } from "../../src/platform/log.ts";
import { HttpProvider } from "../../src/providers/http/http-provider.ts";
import { parseHttpOptions } from "../../src/providers/http/options.ts";
import { ManualClock, settleLoop, until } from "../support/manual-clock.ts";
import { fixedRandom, message, noStorage, RecordedEvents, worded } from "./support.ts";

let closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing) await close();
  closing = [];
});

interface Item {
  to: string;
  text: string;
  ref: string;
}

interface Asked {
  sender: string;
  items: Item[];
}

type Answer = (asked: Asked) => Response | Promise<Response>;

const list = { "{{each}}": { to: "{{recipientNational}}", text: "{{text}}", ref: "{{trackingCode}}" } };

/** A carrier that takes lists, and the route to it. */
function routeTo(answer: Answer, batch: object, set: object = {}) {
  const asked: Asked[] = [];
  const carrier = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body: Asked = await request.json();
      asked.push(body);
      return answer(body);
    },
  });
  const parsed = parseHttpOptions({
    request: { url: `http://127.0.0.1:${carrier.port}/`, body: { json: { sender: "{{sender}}", items: list } } },
    answer: { accepted: { json: { path: "ok", equals: true } }, rejected: { status: 422 } },
    batch: {
      messages: 3,
      waitMs: 20,
      list: "items",
      id: { json: "id" },
      rejected: { json: { path: "state", equals: "bad" } },
      ...batch,
    },
    window: 2,
    ...set,
  });
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const clock = new ManualClock();
  const events = new RecordedEvents();
  const provider = new HttpProvider(parsed.options, events, {
    clock,
    random: fixedRandom,
    log: silentLog,
    storage: noStorage,
  });
  provider.start();
  closing.push(async () => {
    const stopped = provider.stop(0);
    await clock.advance(0);
    await stopped;
    void carrier.stop(true);
  });
  return { provider, clock, asked };
}

const ids = (items: readonly Item[]) => items.map(({ text }) => ({ id: `id-${text}` }));
const good: Answer = ({ items }) => Response.json({ ok: true, items: ids(items) });
const accepted = (text: string) => ({ kind: "accepted", partIds: [`id-${text}`] }) as const;

describe("messages to an HTTP provider share a request", () => {
  test("at once when it is full, otherwise when the first has waited", async () => {
    const { provider, clock, asked } = routeTo(good, {});
    const outcomes = ["a", "b", "c", "d"].map((text) => provider.submit(message(text)));
    expect(await Promise.all(outcomes.slice(0, 3))).toEqual([accepted("a"), accepted("b"), accepted("c")]);
    expect(asked).toHaveLength(1);
    await clock.advance(19);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await outcomes[3]).toEqual(accepted("d"));
    expect(asked.map(({ items }) => items.length)).toEqual([3, 1]);
    expect(asked[0]?.items[0]).toMatchObject({ to: "09121234567", text: "a" });
    expect(provider.health().window).toBe(6);
  });

  test("only if they agree in all that the request states once", async () => {
    const { provider, clock, asked } = routeTo(good, {});
    const outcomes = ["x", "y", "x", "y"].map((sender, index) => provider.submit(message(`${index}`, { sender })));
    await clock.advance(20);
    await Promise.all(outcomes);
    expect(asked.map(({ sender, items }) => [sender, items.map(({ text }) => text)])).toEqual([
      ["x", ["0", "2"]],
      ["y", ["1", "3"]],
    ]);
  });

  test("with one-time passwords among themselves only, and a refused one alone", async () => {
    const { provider, clock, asked } = routeTo(good, { messages: 10 });
    const outcomes = [
      message("plain"),
      message("code 1", { class: messageClasses.otp }),
      message("again", { attempt: 2 }),
      message("again too", { attempt: 3 }),
      message("code 2", { class: messageClasses.otp }),
    ].map((one) => provider.submit(one));
    await clock.advance(20);
    await Promise.all(outcomes);
    expect(asked.map(({ items }) => items.map(({ text }) => text)).sort()).toEqual([
      ["again"],
      ["again too"],
      ["code 1", "code 2"],
      ["plain"],
    ]);
  });

  test("in as many concurrent requests as the window allows", async () => {
    const holds: (() => void)[] = [];
    const held: Answer = async (asked) => {
      await new Promise<void>((resolve) => holds.push(resolve));
      return good(asked);
    };
    const { provider, asked } = routeTo(held, { messages: 2 });
    const outcomes = [..."abcdef"].map((text) => provider.submit(message(text)));
    await until(() => holds.length === 2);
    await settleLoop();
    expect(asked).toHaveLength(2);
    for (let released = 0; released < 3; released += 1) {
      await until(() => holds.length > released);
      holds[released]?.();
    }
    expect(await Promise.all(outcomes)).toEqual([..."abcdef"].map(accepted));
  });
});

describe("each message of a shared request gets its own outcome", () => {
  const send = async ({ provider, clock }: ReturnType<typeof routeTo>, ...texts: string[]) => {
    const outcomes = texts.map((text) => provider.submit(message(text)));
    await clock.advance(20);
    return (await Promise.all(outcomes)).map(worded);
  };

  test("by position, so that a refusal concerns its message alone", async () => {
    const route = routeTo(({ items }) => {
      const own = items.map(({ text }) =>
        text === "b" ? { state: "bad", why: "no such number" } : { id: `id-${text}` },
      );
      return Response.json({ ok: true, items: own });
    }, {});
    expect(await send(route, "a", "b", "c")).toMatchObject([
      accepted("a"),
      { kind: "rejected", detail: expect.stringContaining("no such number") },
      accepted("c"),
    ]);
  });

  test("from a list of bare ids, too", async () => {
    const bare: Answer = ({ items }) => Response.json({ ok: true, items: items.map((_, index) => 500 + index) });
    const route = routeTo(bare, { id: { json: "" } });
    expect(await send(route, "a", "b")).toEqual([
      { kind: "accepted", partIds: ["500"] },
      { kind: "accepted", partIds: ["501"] },
    ]);
  });

  test("by key in any order, and one missing from the answer is uncertain", async () => {
    const keyed: Answer = ({ items }) => {
      const [first, , third] = items;
      return Response.json({
        ok: true,
        items: [third, first].map((one) => ({ ref: one?.ref, id: `id-${one?.text}` })),
      });
    };
    const route = routeTo(keyed, { key: { json: "ref", equals: "{{trackingCode}}" } });
    expect(await send(route, "a", "b", "c")).toMatchObject([
      accepted("a"),
      { kind: "uncertain", detail: expect.stringContaining("answered for 2 of 3 messages") },
      accepted("c"),
    ]);
    expect(route.provider.health().up).toBe(true);
  });

  test("by key, so that two messages with the same key do not share a request", async () => {
    const keyed: Answer = ({ items }) =>
      Response.json({ ok: true, items: items.map(({ to, text }) => ({ to, id: `id-${text}` })) });
    const route = routeTo(keyed, { key: { json: "to", equals: "{{recipientNational}}" } });
    expect(await send(route, "a", "b")).toEqual([accepted("a"), accepted("b")]);
    expect(route.asked.map(({ items }) => items.length)).toEqual([1, 1]);
  });

  test("except that a list of another length decides none by position", async () => {
    const route = routeTo(({ items }) => Response.json({ ok: true, items: ids(items.slice(1)) }), {});
    expect((await send(route, "a", "b")).map(({ kind }) => kind)).toEqual(["uncertain", "uncertain"]);
  });

  test("by halves after a refusal of the whole request, until only the bad message is refused", async () => {
    const whole: Answer = (asked) =>
      asked.items.some(({ text }) => text === "bad") ? new Response("a number is wrong", { status: 422 }) : good(asked);
    const route = routeTo(whole, { messages: 8 });
    const texts = ["a", "b", "c", "bad", "e", "f", "g", "h"];
    const outcomes = await send(route, ...texts);
    expect(outcomes.map(({ kind }) => kind)).toEqual(texts.map((text) => (text === "bad" ? "rejected" : "accepted")));
    expect(route.asked.map(({ items }) => items.length)).toEqual([8, 4, 2, 2, 1, 1, 4]);
  });

  test("from the whole answer when it is busy, and none was sent if the provider is unreachable", async () => {
    const route = routeTo(() => new Response("busy", { status: 503, headers: { "Retry-After": "9" } }), {});
    expect(await send(route, "a", "b")).toMatchObject([
      { kind: "temporary", pauseRouteMs: 9_000 },
      { kind: "temporary", pauseRouteMs: 9_000 },
    ]);
    const gone = routeTo(
      good,
      {},
      {
        request: { url: "http://127.0.0.1:1/", body: { json: { items: list } } },
      },
    );
    expect((await send(gone, "a", "b")).map(({ kind }) => kind)).toEqual(["not_sent", "not_sent"]);
  });

  test("even if the route stops", async () => {
    const route = routeTo(good, {});
    const waiting = route.provider.submit(message("a"));
    const stopped = route.provider.stop(0);
    expect(await waiting).toMatchObject({ kind: "not_sent" });
    await route.clock.advance(0);
    await stopped;
  });
});

test("the mistakes of a batch file are named", () => {
  const problems = (set: object) => {
    const url = "https://carrier.example/";
    const parsed = parseHttpOptions({ request: { url, body: { json: { items: list } } }, batch: {}, ...set });
    return "problems" in parsed ? parsed.problems.map(({ key }) => key) : [];
  };
  expect(problems({})).toEqual([]);
  expect(problems({ batch: undefined })).toEqual(["batch"]);
  expect(problems({ request: { url: "https://carrier.example/", body: { json: { text: "{{text}}" } } } })).toEqual([
    "batch",
  ]);
  expect(problems({ batch: { key: { json: "ref", equals: "{{nonsense}}" } } })).toEqual(["batch.key.equals"]);
  const nested = { "{{each}}": { a: { "{{each}}": "{{text}}" } } };
  expect(problems({ request: { url: "https://carrier.example/", body: { json: nested } } })).toEqual([
    "request.body.json",
  ]);
});
