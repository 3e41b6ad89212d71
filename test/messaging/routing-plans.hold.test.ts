/** Evaluating large routing plans, and many plans, does not block the event loop. */
import { afterEach, expect, test } from "bun:test";
import { expectNoHold } from "../support/longest-turn.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, type TestServer } from "../support/test-server.ts";

let server: TestServer;
afterEach(() => server.stop());

async function started(): Promise<void> {
  server = await createTestServer({
    isPlanned: true,
    routes: [{}, {}, {}],
    build: (_, events) => new ScriptedProvider(events),
  });
  await server.start();
}

test("the routes in use are listed at once, however many senders share a plan of many rules", async () => {
  await started();
  const { service, plans } = server.routingPlans;
  await service.create("iran");
  const range = (index: number) => [`+98912${1_000 + index}`];
  const targets = [{ routes: ["route-2", "route-3"], weight: 1 }];
  const any = { countries: [], networks: [], classes: [], accounts: [], targets };
  for (let index = 0; index < 100; index += 1) await service.addRule("iran", { ...any, ranges: range(index) });
  const planId = plans.byName("iran")?.id ?? null;
  const sender = server.directory.senderById(1);
  if (sender === null) throw new Error("There is no sender 1");
  for (let id = 100; id < 10_100; id += 1) server.directory.putSender({ ...sender, id, sender: `4${id}`, planId });
  let used: ReadonlySet<number> = new Set();
  // Walking the whole plan for each sender took 195 ms.
  await expectNoHold(async () => {
    used = plans.usedRoutes();
  });
  expect([...used].sort()).toEqual([1, 2, 3]);
  expect(plans.routesUsedBy(100)).toEqual([2, 3, 1]);
  expect(plans.firstRouteUsedBy(100)).toBe(2);
});

test("many plans are checked without collecting all senders for each", async () => {
  await started();
  const { directory } = server;
  const { service, plans, problemsOf } = server.routingPlans;
  await service.create("iran");
  const [plan, account, sender] = [plans.byName("iran"), directory.account(1), directory.senderById(1)];
  if (plan === null || account === null || sender === null) throw new Error("There is no plan, account or sender");
  for (let id = 100; id < 5_100; id += 1) {
    directory.putAccount({ ...account, id });
    directory.putSender({ ...sender, id, accountId: id });
  }
  // Two hundred times took 437 ms.
  await expectNoHold(async () => {
    for (let count = 0; count < 50; count += 1) problemsOf(plan);
  });
  const isActive = () => directory.activeSenders().some(({ id }) => id === 100);
  expect(isActive()).toBe(true);
  directory.putAccount({ ...account, id: 100, status: "suspended" });
  expect(isActive()).toBe(false);
});
