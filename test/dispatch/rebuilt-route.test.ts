/** A route that is rebuilt while messages are claimed for it: its window holds for what the former one leaves to it. */
import { afterEach, expect, test } from "bun:test";
import { settleLoop, until } from "../support/manual-clock.ts";
import { noClaimRules } from "../support/no-rules.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

test("a claim being written counts against the window of the route that replaces its own", async () => {
  const providers: ScriptedProvider[] = [];
  let revision = 1;
  const rebuild = () => {
    revision += 1;
    server.routes.apply(server.configurations.map((one) => ({ ...one, revision: String(revision) })));
  };
  server = await createTestServer({
    build: (_, events) => {
      const provider = new ScriptedProvider(events, { window: 1 });
      provider.hold();
      providers.push(provider);
      return provider;
    },
    claimRules: () => ({
      ...noClaimRules,
      blocks: () => {
        if (revision === 1) rebuild();
        return null;
      },
    }),
  });
  await server.start();
  await server.sendAll([{ text: "first" }, { text: "second" }]);
  await until(() => providers[1]?.submissions.length === 1);
  await settleLoop();
  expect(providers.map(({ texts }) => texts)).toEqual([[], ["first"]]);
  expect(server.routes.state(1)).toMatchObject({ unanswered: 1 });
  providers[1]?.release();
  await until(() => providers[1]?.submissions.length === 2);
  await until(() => server.routes.state(1)?.unanswered === 0);
});
