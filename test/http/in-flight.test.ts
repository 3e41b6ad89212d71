/** Requests during a start: they wait for its end, for two seconds, and only so many of them. */
import { describe, expect, test } from "bun:test";
import { inFlightRequests, startQueueMax, startWaitMsMax } from "../../src/http/in-flight.ts";
import { nextTurn } from "../../src/platform/next-turn.ts";
import { singleMessage, startApi } from "../support/api.ts";
import { ManualClock, until } from "../support/manual-clock.ts";

/** The result of the wait, once everything that can continue has done so. */
async function outcomes(waits: readonly (Promise<void> | null)[]): Promise<("refused" | "waits" | "goes on")[]> {
  const over = new Set<unknown>();
  for (const wait of waits) void wait?.then(() => over.add(wait));
  await nextTurn();
  return waits.map((wait) => (wait === null ? "refused" : over.has(wait) ? "goes on" : "waits"));
}

test("a request during a start waits for two seconds at most", async () => {
  const clock = new ManualClock(0);
  const requests = inFlightRequests(clock);
  requests.begin();
  const waits = [requests.startToWaitFor()];
  await clock.advance(startWaitMsMax - 1);
  expect(await outcomes(waits)).toEqual(["waits"]);
  await clock.advance(1);
  expect(await outcomes(waits)).toEqual(["goes on"]);
  expect(requests.enter()).toBe(false);
});

test("all waiting requests continue when the start ends, and later ones do not wait", async () => {
  const requests = inFlightRequests(new ManualClock(0));
  requests.begin();
  const waits = Array.from({ length: startQueueMax }, () => requests.startToWaitFor());
  expect(requests.startToWaitFor()).toBeNull();
  requests.open();
  for (const wait of waits) await wait;
  expect(requests.startToWaitFor()).toBeNull();
  expect(requests.enter()).toBe(true);
});

test("a start that ends in a stop releases waiting requests to be refused", async () => {
  const requests = inFlightRequests(new ManualClock(0));
  requests.begin();
  const waits = [requests.startToWaitFor()];
  await requests.close();
  expect(await outcomes(waits)).toEqual(["goes on"]);
  expect(requests.enter()).toBe(false);
});

describe("the public API during a start", () => {
  test("answers waiting requests at the end of the start", async () => {
    const api = await startApi();
    api.api.beginStart();
    expect((await api.fetch("/healthz")).status).toBe(200);
    const sent = api.send("/v1/messages", singleMessage());
    const unknown = api.fetch("/v1/nothing");
    await until(() => api.api.waiting() === 2);
    expect(api.api.inFlight()).toBe(0);
    api.api.startTaking();
    expect([(await sent).status, (await unknown).status]).toEqual([202, 404]);
    await api.stop();
  });

  test("refuses a request that waited too long, and answers no path as missing yet", async () => {
    const api = await startApi();
    api.api.beginStart();
    const waiting = [api.send("/v1/messages", singleMessage()), api.fetch("/receipts/secret")];
    await until(() => api.api.waiting() === 2);
    await api.clock.advance(startWaitMsMax);
    for (const answer of await Promise.all(waiting)) {
      expect([answer.status, answer.headers.get("retry-after") !== null]).toEqual([503, true]);
      expect(await answer.json()).toMatchObject({ code: "service_unavailable" });
    }
    await api.stop();
  });
});
