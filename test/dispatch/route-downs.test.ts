/** When a route took no messages: kept since it was started, and why, without the moment that connecting takes. */
import { afterEach, expect, test } from "bun:test";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

test("a route keeps when it was gone and why, and an outage that lasts is open", async () => {
  const providers: ScriptedProvider[] = [];
  server = await createTestServer({
    build: (_, events) => {
      const provider = new ScriptedProvider(events, { window: 1 });
      providers.push(provider);
      return provider;
    },
  });
  await server.start();
  const downs = () => server.routes.state(1)?.downs;
  expect(downs()).toEqual([]);
  await server.clock.advance(60_000);
  const from = server.clock.now();
  providers[0]?.goDown();
  expect(downs()).toEqual([{ from, to: null, why: { code: "bind_unanswered" } }]);
  await server.clock.advance(5_000);
  providers[0]?.comeUp();
  expect(downs()).toEqual([{ from, to: from + 5_000, why: { code: "bind_unanswered" } }]);
  for (let index = 0; index < 100; index += 1) {
    providers[0]?.goDown();
    providers[0]?.comeUp();
  }
  expect(downs()).toHaveLength(100);
});
