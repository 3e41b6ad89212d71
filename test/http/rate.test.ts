/** The rate of a key: windows of sixty seconds from their first request, with headers that keep an obedient client below it. */
import { afterEach, expect, test } from "bun:test";
import fc from "fast-check";
import { rateWindows } from "../../src/platform/rate-window.ts";
import { type Api, singleMessage, startApi } from "../support/api.ts";
import { ManualClock } from "../support/manual-clock.ts";

const started: Api[] = [];
afterEach(async () => {
  for (const api of started.splice(0)) await api.stop();
});

async function start(options: Parameters<typeof startApi>[0] = {}): Promise<Api> {
  const api = await startApi(options);
  started.push(api);
  return api;
}

const rateOf = ({ status, headers }: Response) => ({
  status,
  policy: headers.get("ratelimit-policy"),
  rate: headers.get("ratelimit"),
  limit: headers.get("x-ratelimit-limit"),
  remaining: headers.get("x-ratelimit-remaining"),
  reset: headers.get("x-ratelimit-reset"),
  retryAfter: headers.get("retry-after"),
});

test("every authenticated response describes the rate window, and a 429 says when to retry", async () => {
  const api = await start({ requestsPerMinute: 3 });
  const ask = () => api.call("GET", "/v1/senders");
  const endsAt = api.clock.now() / 1000 + 60;
  const expected = (status: number, remaining: number, seconds: number, retryAfter: string | null = null) => ({
    status,
    policy: '"default";q=3;w=60',
    rate: `"default";r=${remaining};t=${seconds}`,
    limit: "3",
    remaining: `${remaining}`,
    reset: `${endsAt}`,
    retryAfter,
  });
  expect(rateOf(await ask())).toEqual(expected(200, 2, 60));
  await api.clock.advance(30_500);
  expect(rateOf(await api.call("GET", "/v1/messages/nothing"))).toEqual(expected(404, 1, 30));
  expect(rateOf(await api.send("/v1/messages", {}))).toEqual(expected(400, 0, 30));
  expect(rateOf(await ask())).toEqual(expected(429, 0, 30, "30"));
  await api.clock.advance(29_499);
  expect(rateOf(await ask())).toEqual(expected(429, 0, 1, "1"));
  await api.clock.advance(1);
  expect(rateOf(await ask())).toMatchObject({ status: 200, remaining: "2", rate: '"default";r=2;t=60' });
});

test("requests of a suspended account or without permission count, and carry the headers", async () => {
  const api = await start();
  const { accountId, apiKey } = await api.customer({ requestsPerMinute: 5, permissions: ["senders:read"] });
  const headers = { "X-API-Key": apiKey };
  const denied = await api.send("/v1/messages", singleMessage(), "k", headers);
  expect(rateOf(denied)).toMatchObject({ status: 403, remaining: "4" });
  await api.accounts.suspend(accountId);
  expect(rateOf(await api.call("GET", "/v1/senders", { headers }))).toMatchObject({ status: 403, remaining: "3" });
});

test("a key without its own rate has that of the settings, 120 by default", async () => {
  const api = await start();
  const { apiKey } = await api.customer({ requestsPerMinute: null });
  const ask = () => api.call("GET", "/v1/senders", { headers: { "X-API-Key": apiKey } });
  const responses: Response[] = [];
  for (let count = 0; count < 121; count += 1) responses.push(await ask());
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(120);
  expect(responses.at(-1)?.status).toBe(429);
});

test("keys of one account have separate windows", async () => {
  const api = await start({ requestsPerMinute: 1 });
  const other = await api.keys.create(api.accountId, {
    name: "b",
    permissions: ["senders:read"],
    requestsPerMinute: 1,
    expiresAt: null,
  });
  expect((await api.call("GET", "/v1/senders")).status).toBe(200);
  expect((await api.call("GET", "/v1/senders", { headers: { "X-API-Key": other.apiKey } })).status).toBe(200);
  expect((await api.call("GET", "/v1/senders")).status).toBe(429);
});

test("unknown paths, wrong methods and failed keys have no window, for lack of a key", async () => {
  const api = await start();
  const responses = [
    await api.call("GET", "/v1/nothing"),
    await api.call("PUT", "/v1/messages"),
    await api.call("GET", "/v1/senders", { headers: { "X-API-Key": "wrong" } }),
  ];
  for (const response of responses) expect(rateOf(response)).toMatchObject({ policy: null, rate: null, limit: null });
});

test("windows use the monotonic clock, so that the wall clock may jump", async () => {
  const api = await start({ requestsPerMinute: 1 });
  await api.call("GET", "/v1/senders");
  api.clock.jump(3_600_000);
  const late = await api.call("GET", "/v1/senders");
  expect(rateOf(late)).toMatchObject({ status: 429, reset: `${api.clock.now() / 1000 + 60}` });
  api.clock.jump(-7_200_000);
  expect((await api.call("GET", "/v1/senders")).status).toBe(429);
  await api.clock.advance(60_000);
  expect((await api.call("GET", "/v1/senders")).status).toBe(200);
});

test("a client that obeys the headers is never refused", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 40 }),
      async (limit, pauses) => {
        const clock = new ManualClock();
        const windows = rateWindows<string>(clock, 10);
        for (const pauseMs of pauses) {
          await clock.advance(pauseMs);
          const state = windows.take("client", limit);
          expect(state.admitted).toBe(true);
          if (state.remaining === 0) await clock.advance(state.endsInSeconds * 1000);
        }
      },
    ),
    { numRuns: 50 },
  );
});

test("no Retry-After is longer than the window, whatever fraction of a millisecond the clock shows", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (startMs) => {
      const clock = Object.assign(new ManualClock(), { monotonic: () => startMs });
      expect(rateWindows<string>(clock, 10).take("client", 1).endsInSeconds).toBe(60);
    }),
    { numRuns: 1000 },
  );
});

test("the number of windows is limited: ended ones are dropped first, then the oldest", async () => {
  const clock = new ManualClock();
  const windows = rateWindows<number>(clock, 3);
  windows.take(1, 1);
  await clock.advance(30_000);
  for (const subject of [2, 3]) windows.take(subject, 1);
  expect(windows.take(1, 1).admitted).toBe(false);
  windows.take(4, 1);
  expect(windows.subjects).toBe(3);
  expect(windows.take(2, 1).admitted).toBe(false);
  await clock.advance(60_000);
  windows.take(5, 1);
  expect(windows.subjects).toBe(1);
  for (let subject = 10; subject < 1000; subject += 1) windows.take(subject, 1);
  expect(windows.subjects).toBe(3);
});
