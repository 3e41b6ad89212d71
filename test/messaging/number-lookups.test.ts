/** A number's network is asked of a service before its message is accepted: once, only where it matters, and nobody waits for another. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ApiError } from "../../src/domain/api-error.ts";
import { messageClasses } from "../../src/domain/message.ts";
import { Networks } from "../../src/messaging/routing/networks.ts";
import { NumberLookups } from "../../src/messaging/routing/number-lookups.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { silentLog } from "../../src/platform/log.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { openNumberLookup } from "../../src/providers/http/number-lookup.ts";
import { PortedBuilder } from "../../src/store/ported-builder.ts";
import { callerAt } from "../support/caller.ts";
import { type LookupService, startLookupService } from "../support/lookup-service.ts";
import { until } from "../support/manual-clock.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

/** All in a range of IR-MCI. */
const number = (index = 0) => `+98912${String(index).padStart(7, "0")}`;

let server: OperatorServer;
let service: LookupService;
beforeEach(async () => {
  server = await createOperatorServer();
  service = startLookupService();
  for (const [index, name] of ["Clinic", "Shop"].entries()) {
    await server.accounts.create(name);
    await server.senders.add(index + 1, `3000${index + 1}`, true, []);
    await server.keys.create(index + 1, { name: "key", permissions: [], requestsPerMinute: null, expiresAt: null });
  }
  for (const name of ["operator-a", "operator-b"]) await done("POST", "/routes", { name, kind: "simulator" });
  await done("POST", "/plans", { name: "iran" });
  await done("POST", "/plans/iran/rules", { networks: ["Irancell"], targets: [{ routes: ["operator-b"] }] });
  await done("POST", "/plans/iran/rules", { targets: [{ routes: ["operator-a"] }] });
});
afterEach(async () => {
  await service.stop();
  await server.close();
});

async function done(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await server.call(method, path, body);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

const routeByPlan = (account = 1) => done("PATCH", `/accounts/acc_${account}/senders/3000${account}`, { plan: "iran" });
const set = (changes: object = {}) => done("PUT", "/number-lookup", { file: service.file(changes) });

async function send(recipients: readonly string[], account = 1, apiKeyId = account) {
  const drafts = recipients.map((recipient) => ({
    ...{ sender: `3000${account}`, recipient, text: "Hello", clientReference: null, sendAt: null },
    class: messageClasses.single,
  }));
  const { results } = await server.acceptor.accept(callerAt(server.clock.now(), account, apiKeyId), null, drafts);
  return results.map(({ trackingCode }) => server.store.tables.messages.byCodeAnywhere(trackingCode));
}

const [prefix, ported, lookup] = [0, 1, 2];
const networkId = (name: string) => server.routingPlans.networks.byName(name)?.id ?? 0;

test("the answer routes the message, stands in it and in explain, and is asked for once", async () => {
  await routeByPlan();
  const state = await set();
  expect(JSON.stringify(state)).not.toContain("secret-of-the-service");
  service.networks.set(number(), "43235");
  const explained = () => done("GET", `/explain?account=acc_1&sender=30001&recipient=${encodeURIComponent(number())}`);
  expect(await explained()).toMatchObject({ network: "IR-MCI", networkSource: "prefix", route: "operator-a" });
  expect(JSON.stringify(await explained())).toContain("would be looked up first");
  const [row] = await send([number()]);
  expect(row).toMatchObject({ network: networkId("Irancell"), networkSource: lookup });
  expect(await explained()).toMatchObject({ network: "Irancell", networkSource: "lookup", route: "operator-b" });
  await send([number(), number()]);
  expect(service.asked).toEqual([number()]);
  const code = row?.trackingCode ?? "";
  expect(await done("GET", `/messages/${code}`)).toMatchObject({ network: "Irancell", networkSource: "lookup" });
  expect(await done("GET", `/ported-numbers/${encodeURIComponent(number())}`)).toMatchObject({ source: "lookup" });
});

test("nobody is asked where nothing depends on it, for a test key, or about a number in the table", async () => {
  await set();
  await send([number()]);
  await done("PATCH", "/accounts/acc_1/senders/30001", { plan: "iran" });
  await done("POST", "/plans/iran/rules/1/move", { to: 2 });
  await done("PATCH", "/plans/iran/rules/2", { classes: ["otp"] });
  await send([number()]);
  await done("PATCH", "/accounts/acc_1/senders/30001", { plan: null });
  await done("POST", "/prices/retail", { prefix: "*", price: "50" });
  await done("POST", "/prices/retail", { prefix: "+90935", price: "70" });
  await done("PUT", "/accounts/acc_1/billing", { list: "retail", mode: "postpaid" });
  await send([number()]);
  expect(service.asked).toEqual([]);
  await done("POST", "/prices/retail", { prefix: "+9890", price: "300" });
  service.networks.set(number(), "Irancell");
  expect(await send([number()])).toMatchObject([{ networkSource: lookup, price: 300 }]);
  service.networks.set(number(1), "IR-MCI");
  expect(await send([number(1)])).toMatchObject([{ networkSource: lookup, price: 50 }]);
  expect(service.asked).toEqual([number(), number(1)]);
  const { key } = await server.keys.create(1, {
    ...{ name: "try", permissions: [], requestsPerMinute: null, expiresAt: null },
    isTest: true,
  });
  expect(await send([number(2)], 1, key.id)).toMatchObject([{ isTest: 1, networkSource: prefix }]);
  const table = new PortedBuilder(server.folder);
  table.add(Number(number(3).slice(1)), 0);
  const built = table.finish(["Irancell"]);
  table.close();
  await done("POST", "/ported-numbers", { sum: "sum" in built ? built.sum : "" });
  expect(await send([number(3)])).toMatchObject([{ networkSource: ported, price: 300 }]);
  expect(service.asked).toHaveLength(2);
});

test("many requests for a number ask once", async () => {
  await routeByPlan();
  await routeByPlan(2);
  await set();
  const held = Promise.withResolvers<Response>();
  service.answer = () => held.promise;
  const sent = [1, 2, 1, 2, 1].map((account) => send([number()], account));
  await until(() => service.asked.length > 0);
  held.resolve(Response.json({ result: { network: "Irancell" } }));
  for (const [row] of await Promise.all(sent)) expect(row).toMatchObject({ networkSource: lookup });
  expect(service.asked).toEqual([number()]);
});

test("an account whose numbers hang takes half of the questions, and delays nobody else's message", async () => {
  await routeByPlan();
  await routeByPlan(2);
  await set({ window: 4, timeLimitMs: 10_000 });
  const hanging = Promise.withResolvers<void>();
  service.answer = (asked) =>
    asked === number(999)
      ? Response.json({ result: { network: "Irancell" } })
      : hanging.promise.then(() => Response.json({ result: { network: "Irancell" } }));
  const many = Promise.all(Array.from({ length: 50 }, (_, index) => send([number(index)])));
  await until(() => service.asked.length === 2);
  expect(await send([number(999)], 2)).toMatchObject([{ networkSource: lookup }]);
  expect(service.asked).toHaveLength(3);
  hanging.resolve();
  expect((await many).flat().filter((row) => row?.networkSource === lookup)).toHaveLength(50);
});

describe("without an answer in time", () => {
  beforeEach(async () => {
    await routeByPlan();
    service.answer = () => new Promise(() => {});
  });

  test("the range decides", async () => {
    await set({ timeLimitMs: 100 });
    expect(await send([number()])).toMatchObject([{ network: networkId("IR-MCI"), networkSource: prefix }]);
  });

  test("the request is refused, if the operator wants it, and a later one asks again", async () => {
    await set({ timeLimitMs: 100, withoutAnswer: "refuse" });
    const refused = await send([number()]).catch((reason: unknown) => reason);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: "service_unavailable", retryAfterSeconds: 10 });
    await until(() => server.lookups.state()?.lastProblem !== null);
    service.answer = null;
    service.networks.set(number(), "Irancell");
    expect(await send([number()])).toMatchObject([{ networkSource: lookup }]);
  });

  test("five times, it is told, and the service rests instead of delaying every message", async () => {
    await set({ timeLimitMs: 100 });
    for (let index = 0; index < 5; index += 1) await send([number(index)]);
    const state = () => server.lookups.state();
    await until(() => state()?.problem === "unanswered");
    await send([number(5)]);
    expect(service.asked).toHaveLength(5);
    expect(state()?.lastProblem?.words).toContain("0.1 s");
    service.answer = () => Response.json({ result: { network: "Irancell" } });
    expect(await done("POST", "/number-lookup/test", { number: number(6) })).toMatchObject({ network: "Irancell" });
    expect(state()?.problem).toBeNull();
  });
});

describe("a useless answer is told, and the range decides", () => {
  const html = { headers: { "content-type": "text/html" } };
  const cases: Readonly<Record<string, readonly [() => Response, RegExp]>> = {
    HTML: [() => new Response("<html>Sign in</html>", html), /200.*<html>Sign in/],
    "a redirect": [() => Response.redirect("http://127.0.0.1:1/"), /302/],
    "a network nobody knows": [
      () => Response.json({ result: { network: "43299\u001b[2J" } }),
      /"43299\ufffd\[2J", which is no/,
    ],
    "half an answer": [() => new Response('{"result":{"network":"43'), /200/],
    "no network": [() => Response.json({ result: {} }), /200/],
    "an object for a network": [() => Response.json({ result: { network: { name: "Irancell" } } }), /200/],
    "an empty network": [() => Response.json({ result: { network: "" } }), /200/],
    "an error": [() => new Response("busy", { status: 500 }), /500.*busy/],
    "more than it reads": [() => new Response(`{"result":{"network":"${"x".repeat(100_000)}`), /200/],
    "what it did not ask for": [
      () => new Response(Bun.gzipSync("x"), { headers: { "content-encoding": "gzip" } }),
      /encoded as gzip/,
    ],
  };
  for (const [what, [answer, told]] of Object.entries(cases)) {
    test(what, async () => {
      await routeByPlan();
      await set();
      service.answer = answer;
      expect(await send([number()])).toMatchObject([{ network: networkId("IR-MCI"), networkSource: prefix }]);
      expect(server.lookups.state()?.lastProblem?.words).toMatch(told);
      await send([number()]);
      expect(service.asked).toHaveLength(1);
      const tried = await done("POST", "/number-lookup/test", { number: number() });
      expect(tried).toMatchObject({ network: null, problem: expect.stringMatching(told) });
    });
  }
});

test("a day's budget is never exceeded, also over a restart, and the next day has its own", async () => {
  await routeByPlan();
  await set({ budgetPerDay: 2 });
  service.answer = () => Response.json({ result: { network: "Irancell" } });
  await send([number(0), number(1), number(2)]);
  expect(service.asked).toHaveLength(2);
  expect(server.lookups.state()).toMatchObject({ asked: 2, problem: "budget" });
  await server.lookups.settled();
  const again = new NumberLookups({
    ...server,
    networks: new Networks(server.store.tables),
    log: silentLog,
    clock: systemClock,
    open: async (file) => openNumberLookup(file, { random: systemRandom, clock: systemClock }),
  });
  await again.open();
  await again.ask(callerAt(server.clock.now()), new Set([number(3)]));
  expect(service.asked).toHaveLength(2);
  await server.clock.advance(24 * 3_600_000);
  await again.ask(callerAt(server.clock.now()), new Set([number(3)]));
  expect(again.networkOf(number(3))).toBe(networkId("Irancell"));
  await again.settled();
});

test("an answer counts for its days, and is forgotten with the service", async () => {
  await routeByPlan();
  await set({ cacheDays: 1 });
  service.networks.set(number(), "Irancell");
  await send([number()]);
  await server.clock.advance(24 * 3_600_000 - 1);
  await send([number()]);
  expect(service.asked).toHaveLength(1);
  await server.clock.advance(1);
  await send([number()]);
  expect(service.asked).toHaveLength(2);
  await done("DELETE", "/number-lookup");
  expect(await send([number()])).toMatchObject([{ networkSource: prefix }]);
  expect((await server.call("DELETE", "/number-lookup")).status).toBe(404);
});

test("a file with another key is told, and does not stop the start", async () => {
  await set();
  const log: string[] = [];
  const again = new NumberLookups({
    ...server,
    networks: new Networks(server.store.tables),
    log: Object.assign(Object.create(silentLog), { error: (_: unknown, words: string) => log.push(words) }),
    sealer: (await import("../../src/platform/seal.ts")).createSealer(systemRandom.bytes(32)),
    clock: systemClock,
    open: async (file) => openNumberLookup(file, { random: systemRandom, clock: systemClock }),
  });
  await again.open();
  expect(again.state()).toMatchObject({ settings: null, problem: "unusable" });
  expect(log).toHaveLength(1);
});

describe("a wrong file changes nothing, and each wrong field is told", () => {
  const cases: Readonly<Record<string, readonly [object, string]>> = {
    "no request": [{ request: undefined }, "request"],
    "no network": [{ network: undefined }, "network"],
    "two places": [{ network: { json: "a", body: "(b)" } }, "network"],
    "no budget": [{ budgetPerDay: undefined }, "budgetPerDay"],
    "a budget of nothing": [{ budgetPerDay: 0 }, "budgetPerDay"],
    "a time limit too long": [{ timeLimitMs: 10_001 }, "timeLimitMs"],
    "days beyond a year": [{ cacheDays: 366 }, "cacheDays"],
    "a text of a message": [{ request: { url: "http://127.0.0.1/{{text}}" } }, "request.url"],
    "another choice": [{ withoutAnswer: "guess" }, "withoutAnswer"],
    "an unknown key": [{ cacheDay: 3 }, "cacheDay"],
  };
  for (const [what, [changes, key]] of Object.entries(cases)) {
    test(what, async () => {
      await set();
      const answer = await server.call("PUT", "/number-lookup", { file: service.file(changes) });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain(`"${key}"`);
      expect(server.lookups.state()?.settings).toMatchObject({ budgetPerDay: 1000 });
    });
  }
});
