import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { permissions } from "../../src/domain/permissions.ts";
import { apiKeyLookup, newApiKey } from "../../src/messaging/directory/api-key.ts";
import { Directory } from "../../src/messaging/directory/directory.ts";
import { RouteService } from "../../src/messaging/directory/route-service.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { routeKinds } from "../../src/providers/route-kinds.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let server: OperatorServer;
beforeEach(async () => {
  server = await createOperatorServer();
});
afterEach(() => server.close());

const dayMs = 86_400_000;
const keyInput = { name: "backend", permissions, requestsPerMinute: null, expiresAt: null };
const holderOf = (apiKey: string) => server.directory.keyByHash(apiKeyLookup(apiKey));

/** The directory, read again from disk. */
const reread = () => new Directory(server.store.tables, server.clock);

describe("an API key", () => {
  test("is peyk_ and 43 random characters of base64url", () => {
    const keys = Array.from({ length: 50 }, () => newApiKey(systemRandom));
    expect(keys.every((key) => /^peyk_[A-Za-z0-9_-]{43}$/.test(key))).toBe(true);
    expect(new Set(keys).size).toBe(50);
  });

  test("authenticates as soon as it is created and after a restart, though only its hash is stored", async () => {
    const { id } = await server.accounts.create("Clinic");
    const { apiKey, key } = await server.keys.create(id, keyInput);
    expect(holderOf(apiKey)).toMatchObject({ key: { id: key.id, name: "backend" }, account: { id, name: "Clinic" } });
    expect(reread().keyByHash(apiKeyLookup(apiKey))?.key.id).toBe(key.id);
    const stored = await Bun.file(`${server.folder}/peyk.db-wal`).text();
    expect(stored.includes(apiKey)).toBe(false);
    expect(holderOf(`${apiKey}x`)).toBeNull();
  });

  test("keeps its id when rotated, and its old secret for the grace period to the millisecond", async () => {
    const { id } = await server.accounts.create("Clinic");
    const first = await server.keys.create(id, keyInput);
    const second = await server.keys.rotate(first.key.id, dayMs);
    expect(second.key.id).toBe(first.key.id);
    server.clock.jump(dayMs - 1);
    expect(holderOf(first.apiKey)?.key.id).toBe(first.key.id);
    server.clock.jump(1);
    expect(holderOf(first.apiKey)).toBeNull();
    expect(holderOf(second.apiKey)?.key.id).toBe(first.key.id);
  });

  test("forgets its first secret when rotated twice, and the old one at once without a grace period", async () => {
    const { id } = await server.accounts.create("Clinic");
    const first = await server.keys.create(id, keyInput);
    const second = await server.keys.rotate(first.key.id, dayMs);
    const third = await server.keys.rotate(first.key.id, dayMs);
    expect([holderOf(first.apiKey), holderOf(second.apiKey)?.key.id]).toEqual([null, first.key.id]);
    const fourth = await server.keys.rotate(first.key.id, 0);
    expect([holderOf(second.apiKey), holderOf(third.apiKey), holderOf(fourth.apiKey)?.key.id]).toEqual([
      null,
      null,
      first.key.id,
    ]);
  });

  test("is unknown with both secrets once revoked, and cannot be rotated", async () => {
    const { id } = await server.accounts.create("Clinic");
    const first = await server.keys.create(id, keyInput);
    const second = await server.keys.rotate(first.key.id, dayMs);
    await server.keys.revoke(first.key.id);
    expect([holderOf(first.apiKey), holderOf(second.apiKey)]).toEqual([null, null]);
    expect(reread().keyByHash(apiKeyLookup(second.apiKey))).toBeNull();
    await expect(server.keys.rotate(first.key.id, dayMs)).rejects.toMatchObject({ code: "key_revoked" });
  });

  test("is unknown from the millisecond of its expiry", async () => {
    const { id } = await server.accounts.create("Clinic");
    const { apiKey } = await server.keys.create(id, { ...keyInput, expiresAt: server.clock.now() + dayMs });
    server.clock.jump(dayMs - 1);
    expect(holderOf(apiKey)).not.toBeNull();
    server.clock.jump(1);
    expect(holderOf(apiKey)).toBeNull();
  });
});

describe("senders and routes", () => {
  test("a sender without a route uses the simulator, and one with routes uses them in order", async () => {
    const { id } = await server.accounts.create("Clinic");
    const plain = await server.senders.add(id, "30001", true, []);
    const [a, b] = [await server.routes.add("a", "simulator", {}), await server.routes.add("b", "simulator", {})];
    const routed = await server.senders.add(id, "30002", true, ["b", "a"]);
    expect(server.directory.routesOf(plain.id).map((routeId) => server.directory.routeById(routeId)?.name)).toEqual([
      "simulator",
    ]);
    expect(server.directory.routesOf(routed.id)).toEqual([b.id, a.id]);
    await server.senders.update(id, "30002", { routes: ["a"] });
    expect(server.directory.routesOf(routed.id)).toEqual([a.id]);
    expect(reread().routesOf(routed.id)).toEqual([a.id]);
  });

  test("a removed sender is unknown to new messages, known to old ones, and keeps its id when added again", async () => {
    const { id } = await server.accounts.create("Clinic");
    const sender = await server.senders.add(id, "30001", true, []);
    await server.accounts.update(id, { defaultSender: "30001" });
    await server.senders.remove(id, "30001");
    expect(server.directory.sender(id, "30001")).toBeNull();
    expect(server.directory.senderById(sender.id)?.sender).toBe("30001");
    expect(server.directory.account(id)?.defaultSender).toBeNull();
    expect((await server.senders.add(id, "30001", true, [])).id).toBe(sender.id);
    expect(server.directory.sender(id, "30001")?.active).toBe(true);
  });

  test("every change reaches its subscribers after it is on disk", async () => {
    const told: string[] = [];
    const stop = server.directory.subscribe({
      routeChanged: (route) => told.push(`${route.name} ${route.enabled} ${route.removedAt !== null}`),
      accountChanged: (account) => told.push(`${account.name} ${reread().account(account.id)?.status}`),
    });
    await server.routes.add("a", "simulator", {});
    await server.routes.setEnabled("a", false);
    await server.routes.remove("a");
    const { id } = await server.accounts.create("Clinic");
    await server.accounts.suspend(id);
    stop();
    await server.accounts.resume(id);
    expect(told).toEqual(["a true false", "a false false", "a false true", "Clinic active", "Clinic suspended"]);
  });

  test("a route's password is sealed on disk, given only to the provider, and kept when the file changes", async () => {
    const file = { host: "smsc.example", port: 2775, systemId: "peyk", password: "s3cret-password" };
    const added = await server.routes.add("operator", "smpp", file);
    expect(added.options).not.toContain("s3cret");
    expect(server.routes.fileOf(added)).toEqual(file);
    const stored = await Bun.file(`${server.folder}/peyk.db-wal`).text();
    expect(stored.includes("s3cret-password")).toBe(false);
    const updated = await server.routes.update("operator", { host: "smsc.example", port: 2775, systemId: "peyk2" });
    expect(server.routes.fileOf(updated)).toEqual({ ...file, systemId: "peyk2" });
    const elsewhere = server.routes.update("operator", { host: "smsc.example", port: 2776, systemId: "peyk2" });
    await expect(elsewhere).rejects.toMatchObject({ problems: [{ key: "password", code: "secret_again" }] });
  });

  test("no two routes have the same address for their carriers' calls, unless they had it before", async () => {
    const routes = new RouteService({ ...server, kinds: routeKinds });
    const calls = { callbackUrl: "https://sms.example/from/carrier/", callbackSecret: "0123456789abcdef" };
    const file = {
      request: { method: "POST", url: "https://carrier.example", body: { form: { to: "{{recipient}}" } } },
      answer: { id: { json: "id" } },
      receipts: { id: "id", state: "state", delivered: "ok", failed: "bad" },
    };
    const first = await routes.add("first", "http", { ...file, ...calls });
    const taken = { problems: [{ key: "callbackSecret", code: "calls_of_route", values: { route: "first" } }] };
    // The host is not compared: a proxy hands the path on.
    const elsewhere = { ...file, ...calls, callbackUrl: "https://other.example/from/carrier" };
    await expect(routes.add("second", "http", elsewhere)).rejects.toMatchObject(taken);
    const other = { ...file, ...calls, callbackSecret: "fedcba9876543210" };
    const second = await routes.add("second", "http", other);
    await expect(routes.update("second", { ...file, ...calls })).rejects.toMatchObject(taken);
    await routes.add("third", "http", { ...other, callbackUrl: "https://sms.example/from/third" });
    const { options, sealedSecrets } = first;
    await server.store.write((tables) => tables.routes.update(second.id, { options, sealedSecrets }));
    expect(await routes.update("second", { ...file, ...calls, window: 5 })).toMatchObject({ name: "second" });
  });

  test("the operator's own simulator route replaces the built-in one, even for senders that chose that one", async () => {
    const { id } = await server.accounts.create("Clinic");
    const sender = await server.senders.add(id, "30001", true, ["simulator"]);
    const own = await server.routes.add("simulator", "simulator", { delayMs: 5 });
    expect(server.directory.routesOf(sender.id)).toEqual([own.id]);
    await expect(server.routes.add("simulator", "simulator", {})).rejects.toMatchObject({ code: "route_exists" });
  });

  test("of 20 concurrent additions of one route, one succeeds", async () => {
    const racers = Array.from({ length: 20 }, () => server.routes.add("a", "simulator", {}));
    const outcomes = await Promise.allSettled(racers);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(server.directory.routes().map(({ name }) => name)).toEqual(["simulator", "a"]);
  });
});
