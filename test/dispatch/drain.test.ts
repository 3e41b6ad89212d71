/** A draining route: it gets no new messages, and those it has are answered and reported. */
import { afterEach, expect, test } from "bun:test";
import { settleLoop, until } from "../support/manual-clock.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

async function started(routeCount: number): Promise<ScriptedProvider[]> {
  const providers: ScriptedProvider[] = [];
  server = await createTestServer({
    routes: Array.from({ length: routeCount }, () => ({})),
    build: (_, events) => {
      const provider = new ScriptedProvider(events, {});
      providers.push(provider);
      return provider;
    },
  });
  await server.start();
  return providers;
}

/** Drains the first route, or takes it back. */
const drain = (isDraining: boolean) =>
  server.routes.apply(server.configurations.map((one, index) => (index === 0 ? { ...one, isDraining } : one)));

test("a draining route still gets answers to its messages, while new messages take the sender's next route", async () => {
  const [first, second] = await started(2);
  first?.hold();
  const before = await server.send({ text: "before" });
  await until(() => first?.submissions.length === 1);
  drain(true);
  const after = await server.send({ text: "after" });
  await until(() => server.statusOf(after) === "sent");
  expect([first?.texts, second?.texts]).toEqual([["before"], ["after"]]);
  expect(server.routes.state(1)).toMatchObject({ isDraining: true, unanswered: 1, health: { up: true } });
  first?.release();
  await until(() => server.statusOf(before) === "sent");
  expect(server.routes.state(1)).toMatchObject({ unanswered: 0 });
});

test("messages without another route wait, can be cancelled, and go when draining ends; binds stay", async () => {
  const [route, ...others] = await started(1);
  drain(true);
  const [kept, cancelled] = [await server.send({ text: "kept" }), await server.send({ text: "cancelled" })];
  await settleLoop();
  expect(route?.texts).toEqual([]);
  await server.canceller.cancel(1, cancelled);
  drain(false);
  await until(() => server.statusOf(kept) === "sent");
  expect(route?.texts).toEqual(["kept"]);
  expect(others).toEqual([]);
});
