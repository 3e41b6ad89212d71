/** `peyk route trace`: a stream of events, bounded in time, size and number, with an audit entry and nothing stored. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { TraceLine } from "../../src/operator/route-trace.ts";
import type { TraceEvent } from "../../src/providers/route-trace.ts";
import { runCli } from "../support/cli.ts";
import { until } from "../support/manual-clock.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
  const options = { host: "127.0.0.1", port: 2775, systemId: "peyk", password: "x" };
  await server.call("POST", "/routes", { name: "operator-a", kind: "smpp", options });
});
afterEach(() => server.close());

const routeId = () => server.directory.route("operator-a")?.id ?? 0;
const trace = () => server.traces.of(routeId());
const say = (words: string): void => trace().add({ link: "transceiver 1", direction: "out", words: () => words });
const peyk = (...argv: string[]) => runCli(["route", "trace", "operator-a", ...argv, "--socket", server.socketPath]);

const open = (body: object = {}): Promise<Response> =>
  fetch("http://localhost/routes/operator-a/trace", {
    method: "POST",
    unix: server.socketPath,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const linesOf = async (response: Response): Promise<TraceLine[]> =>
  (await response.text())
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the stream of a route trace", () => {
  test("has a beginning, the events, and an end when its time is over", async () => {
    const opening = open({ minutes: 2 });
    await until(() => trace().isOn);
    const until_ = new Date(server.clock.now() + 120_000).toISOString();
    say("submit_sm 1");
    await server.clock.advance(60_000);
    say("submit_sm 2");
    const at = new Date(server.clock.now()).toISOString();
    await server.clock.advance(60_000);
    expect(trace().isOn).toBe(false);
    const lines = await linesOf(await opening);
    expect(lines[0]).toEqual({ kind: "start", route: "operator-a", until: until_ });
    expect(lines[2]).toEqual({ kind: "event", at, link: "transceiver 1", direction: "out", words: "submit_sm 2" });
    expect(lines[3]).toEqual({ kind: "end", why: "time", events: 2, leftOut: 0 });
  });

  test("shows texts only on request", async () => {
    const event: TraceEvent = { link: "a", direction: "in", words: ({ showsTexts }) => `shown: ${showsTexts}` };
    const [masked, shown] = [open({ minutes: 1 }), open({ minutes: 1, showTexts: true })];
    await until(() => trace().isOn);
    const heads = await Promise.all([masked, shown]);
    trace().add(event);
    await server.clock.advance(60_000);
    const told = await Promise.all(heads.map(linesOf));
    expect(told.map((lines) => lines[1])).toMatchObject([{ words: "shown: false" }, { words: "shown: true" }]);
  });

  test("leaves out what arrives faster than it is read, and says how much", async () => {
    const response = await open({ minutes: 1 });
    for (let event = 0; event < 1_000; event += 1) say("x".repeat(7_000));
    await server.clock.advance(60_000);
    const end = (await linesOf(response)).at(-1);
    if (end?.kind !== "end") throw new Error("It has no end");
    expect(end.events + end.leftOut).toBe(1_000);
    expect(end.leftOut).toBeGreaterThan(500);
  });

  test("ends at its limit of bytes", async () => {
    const response = await open({ minutes: 60 });
    const reading = linesOf(response);
    for (let turn = 0; trace().isOn; turn += 1) {
      if (turn > 10_000) throw new Error("It has no limit");
      for (let event = 0; event < 20; event += 1) say("x".repeat(8_000));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect((await reading).at(-1)).toMatchObject({ kind: "end", why: "size" });
  });

  test("ends when the server stops, and when its reader leaves", async () => {
    const stopped = await open();
    server.traces.close();
    expect((await linesOf(stopped)).at(-1)).toMatchObject({ kind: "end", why: "stopped" });
    const left = await open();
    await left.body?.cancel();
    await until(() => {
      say("x");
      return !trace().isOn;
    });
  });

  test("is one of eight at most", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => open()));
    const ninth = await open();
    expect([ninth.status, await ninth.json()]).toMatchObject([409, { code: "traces_busy" }]);
    server.traces.close();
    for (const response of opened) await response.text();
    expect((await open({ minutes: 0.1 })).status).toBe(200);
  });

  test("is refused for an unknown route, a simulator, and more than an hour", async () => {
    expect(await server.call("POST", "/routes/none/trace", {})).toMatchObject({ status: 404 });
    expect(await server.call("POST", "/routes/simulator/trace", {})).toMatchObject({ status: 400 });
    expect(await server.call("POST", "/routes/operator-a/trace", { minutes: 61 })).toMatchObject({ status: 400 });
  });
});

test("the audit records who watched, for how long, and whether texts were shown", async () => {
  const response = await open({ minutes: 3, showTexts: true });
  const newest = () => server.store.tables.audit.search({}, null, 1)[0];
  await until(() => newest()?.outcome === "done");
  expect(newest()).toMatchObject({
    action: "route.trace",
    target: "operator-a",
    after: { minutes: 3, showTexts: true },
  });
  await response.body?.cancel();
});

describe("peyk route trace", () => {
  test("prints a line for each event, and separates beginning and end from them", async () => {
    const running = peyk("--minutes", "1");
    await until(() => trace().isOn);
    say("submit_sm 7\u001b[2J");
    await server.clock.advance(60_000);
    const { code, out, err } = await running;
    expect([code, out]).toEqual([0, "12:00:00.000  transceiver 1  ->  submit_sm 7 [2J\n"]);
    expect(err).toContain("peyk: what goes over route operator-a until 2026-01-05T12:01:00Z; Ctrl-C ends it\n");
    expect(err).toContain("peyk: The time is up: 1 event.\n");
  });

  test("prints each line as JSON, and accepts whole minutes up to sixty", async () => {
    const running = peyk("--minutes", "1", "--json", "--show-texts");
    await until(() => trace().isOn);
    await server.clock.advance(60_000);
    const { out } = await running;
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).kind),
    ).toEqual(["start", "end"]);
    expect((await peyk("--minutes", "61")).code).toBe(2);
  });
});
