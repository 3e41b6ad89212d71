/** Routing plans at work: messages take their targets' routes, targets delay only their own messages, and a changed plan leaves none behind. */
import { afterEach, expect, test } from "bun:test";
import { keyService } from "../../src/messaging/directory/account-service.ts";
import { senderService } from "../../src/messaging/directory/sender-service.ts";
import { WaitingCanceller } from "../../src/messaging/messages/waiting-canceller.ts";
import type { RuleInput } from "../../src/messaging/routing/plan-service.ts";
import { Rerouter } from "../../src/messaging/routing/rerouter.ts";
import { TrafficRules } from "../../src/messaging/rules/traffic-rules.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { refusalOf } from "../support/refusal.ts";
import { ScriptedProvider } from "../support/scripted-provider.ts";
import { createTestServer, senderOf, type TestServer, type TestServerOptions } from "../support/test-server.ts";

let server: TestServer;
let providers: ScriptedProvider[];
afterEach(() => server.stop());

const numbers = { mci: "+989120000010", irancell: "+989350000010", rightel: "+989200000010" };
const anything: RuleInput = { countries: [], ranges: [], networks: [], classes: [], accounts: [], targets: [] };

async function started(options: TestServerOptions = {}): Promise<void> {
  providers = [];
  server = await createTestServer({
    isPlanned: true,
    routes: [{}, {}, {}],
    build(_, events) {
      const provider = new ScriptedProvider(events);
      providers.push(provider);
      return provider;
    },
    ...options,
  });
  await server.start();
}

const addRule = (rule: Partial<RuleInput>, ...routes: string[]) =>
  server.routingPlans.service.addRule("iran", { ...anything, targets: [{ routes, weight: 1 }], ...rule });

async function usePlan(name: string | null): Promise<void> {
  const { store, directory, clock } = server;
  await senderService({ store, directory, clock }).update(1, senderOf(1), { plan: name });
}

function rerouter(): Rerouter {
  const { store, dispatch, routingPlans } = server;
  const rules = new TrafficRules([routingPlans.rules.network, routingPlans.rules.plan], []);
  return new Rerouter({ store, log: silentLog, plans: routingPlans.plans, rules, moved: dispatch.accepted });
}

async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 2_000 && !condition(); turn += 1) await server.clock.advance(5);
  expect(condition()).toBe(true);
}

const texts = (provider: ScriptedProvider | undefined) => provider?.submissions.map(({ text }) => text);

test("messages take the routes of their network's rule, or the sender's own if no rule matches", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  await addRule({ networks: ["irancell"] }, "route-2");
  await addRule({ ranges: ["+98920"] }, "route-3");
  await usePlan("iran");
  const codes = [];
  for (const [text, recipient] of Object.entries(numbers)) codes.push(await server.send({ text, recipient }));
  await until(() => providers.every(({ submissions }) => submissions.length === 1));
  expect(providers.map(texts)).toEqual([["mci"], ["irancell"], ["rightel"]]);
  const rows = codes.map((code) => server.store.tables.messages.byCodeAnywhere(code));
  expect(rows.map((row) => [row?.network, row?.targetId])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
});

test("a target whose route is down does not delay the sender's messages to another target", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  await addRule({ networks: ["Irancell"] }, "route-2");
  await addRule({}, "route-1");
  await usePlan("iran");
  providers[1]?.goDown();
  const recipients = Array.from({ length: 300 }, (_, index) => (index % 3 === 0 ? numbers.mci : numbers.irancell));
  await server.sendAll(recipients.map((recipient, index) => ({ recipient, text: `number ${index}` })));
  await until(() => providers[0]?.submissions.length === 100);
  expect(providers[1]?.submissions).toEqual([]);
  providers[1]?.comeUp();
  await until(() => providers[1]?.submissions.length === 200);
});

test("targets of a rule share messages by weight in parts, and a second route takes over within one", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  const targets = [
    { routes: ["route-1", "route-3"], weight: 3 },
    { routes: ["route-2"], weight: 1 },
  ];
  await addRule({ targets });
  await usePlan("iran");
  providers[0]?.goDown();
  await server.sendAll(Array.from({ length: 80 }, (_, index) => ({ text: "س".repeat(index % 4 === 0 ? 200 : 20) })));
  const parts = (provider: ScriptedProvider | undefined) =>
    provider?.submissions.reduce((sum, { partCount }) => sum + partCount, 0);
  // 20 messages of 3 parts and 60 of 1.
  await until(() => (parts(providers[1]) ?? 0) + (parts(providers[2]) ?? 0) === 120);
  expect(providers.map(parts)).toEqual([0, 30, 90]);
});

test("messages waiting for a removed rule, or whose sender leaves its plan, are routed again", async () => {
  await started();
  const { service } = server.routingPlans;
  await service.create("iran");
  await addRule({ networks: ["Irancell"] }, "route-2");
  await addRule({}, "route-3");
  await usePlan("iran");
  for (const provider of providers) provider.goDown();
  const recipients = Array.from({ length: 450 }, (_, index) => (index % 3 === 0 ? numbers.mci : numbers.irancell));
  await server.sendAll(recipients.map((recipient, index) => ({ recipient, text: `number ${index}` })));
  const lanes = () => server.store.tables.queue.lanes().map(({ targetId }) => targetId);
  expect(lanes()).toEqual([1, 2]);
  const rerouting = rerouter();
  server.routingPlans.plans.onChange(rerouting.run);

  await service.removeRule("iran", 1);
  await rerouting.settled();
  expect(lanes()).toEqual([2]);
  await usePlan(null);
  rerouting.run();
  await rerouting.settled();
  expect(lanes()).toEqual([0]);
  for (const provider of providers) provider.comeUp();
  await until(() => providers[0]?.submissions.length === 450);
  expect(texts(providers[0])?.sort()).toEqual(recipients.map((_, index) => `number ${index}`).sort());
});

test("messages of a revoked key are cancelled even while they are routed again", async () => {
  await started();
  const { service } = server.routingPlans;
  await service.create("iran");
  await addRule({ networks: ["Irancell"] }, "route-2");
  await usePlan("iran");
  for (const provider of providers) provider.goDown();
  const { store, directory, clock } = server;
  const keys = keyService({ store, directory, clock, random: systemRandom });
  await keys.create(1, { name: "backend", permissions: [], requestsPerMinute: null, expiresAt: null });
  const messages = Array.from({ length: 700 }, (_, index) => ({
    recipient: numbers.irancell,
    text: `number ${index}`,
  }));
  await server.sendAll(messages);
  const key = await keys.revoke(1);
  const rerouting = rerouter();
  await service.removeRule("iran", 1);
  rerouting.run();
  const cancelled = await new WaitingCanceller({ store, directory, clock }).cancel(key);
  await rerouting.settled();
  expect(cancelled).toEqual({ cancelled: 700, unattributed: 0 });
  expect(store.tables.queue.lanes()).toEqual([]);
});

test("a plan with senders, and a route in a plan, cannot be removed", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  await addRule({}, "route-1");
  await usePlan("iran");
  expect(await refusalOf(server.routingPlans.service.remove("iran"))).toContain("Senders use this plan: 30001.");
  await usePlan(null);
  const { rules } = await server.routingPlans.service.remove("iran");
  expect(rules).toHaveLength(1);
  expect(server.routingPlans.plans.all()).toEqual([]);
});

test("ids of targets are never reused, so that no message waits for another target", async () => {
  await started();
  const { service } = server.routingPlans;
  await service.create("iran");
  await addRule({}, "route-1");
  await service.removeRule("iran", 1);
  const plan = await addRule({}, "route-1");
  expect(plan.rules[0]?.targets[0]?.id).toBe(2);
});

test("rules are inserted between others and moved", async () => {
  await started();
  const { service } = server.routingPlans;
  await service.create("iran");
  for (const country of ["IR", "TR", "US"]) await addRule({ countries: [country] }, "route-1");
  const order = ({ rules }: { rules: readonly { match: { countries: readonly string[] } }[] }) =>
    rules.map(({ match }) => match.countries.join()).join(" ");
  expect(order(await service.moveRule("iran", 3, 1))).toBe("US IR TR");
  expect(order(await service.moveRule("iran", 1, 2))).toBe("IR US TR");
  const rule = { ...anything, countries: ["AF"], targets: [{ routes: ["route-1"], weight: 1 }] };
  expect(order(await service.addRule("iran", rule, 2))).toBe("IR AF US TR");
  expect(order(await service.removeRule("iran", 1))).toBe("AF US TR");
  expect(await refusalOf(service.removeRule("iran", 4))).toContain("Plan iran has no rule 4; it has 3.");
  expect(await refusalOf(service.addRule("iran", rule, 5))).toContain("has no rule 5");
});

test("a rule that names something unknown is refused with every mistake", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  const wrong = addRule({ countries: ["XX"], ranges: ["0912"], networks: ["Nowhere"], accounts: [9] }, "route-1");
  expect(await refusalOf(wrong)).toMatch(
    /countries: XX is no two-letter country code, such as IR\nranges: 0912 is no range.*\nnetworks: Nowhere is no network.*\naccounts: acc_9 is no account/,
  );
  expect(await refusalOf(addRule({}, "nowhere"))).toContain("There is no route nowhere.");
});

test("a plan is limited to 100 rules and 1,000 ranges in all", async () => {
  await started();
  await server.routingPlans.service.create("iran");
  const ranges = Array.from({ length: 1_000 }, (_, index) => `+98${1_000 + index}`);
  expect(await refusalOf(addRule({ ranges: [...ranges, "+97"] }, "route-1"))).toContain("at most 1000 ranges");
  await addRule({ ranges }, "route-1");
  expect(await refusalOf(addRule({ ranges: ["+97"] }, "route-1"))).toContain("at most 1000 ranges");
  for (let number = 2; number <= 100; number += 1) await addRule({ countries: ["IR"] }, "route-1");
  expect(await refusalOf(addRule({}, "route-1"))).toContain("at most 100 rules");
}, 180_000);
