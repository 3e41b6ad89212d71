import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { permissions } from "../../src/domain/permissions.ts";
import { apiKeyLookup, looksLikeApiKey, newApiKey } from "../../src/messaging/directory/api-key.ts";
import { openDirectory } from "../../src/messaging/directory/directory.ts";
import { systemRandom } from "../../src/platform/random.ts";
import { createOperatorServer, type OperatorServer } from "../support/operator.ts";

let house: OperatorServer;
beforeEach(async () => {
  house = await createOperatorServer();
});
afterEach(() => house.close());

const dayMs = 86_400_000;
const wish = { name: "backend", permissions, requestsPerMinute: null, expiresAt: null };
const holderOf = (apiKey: string) => house.directory.keyByHash(apiKeyLookup(apiKey));

/** What the disk holds, read anew. */
const reread = () => openDirectory(house.store.tables, house.clock);

describe("an API key", () => {
  test("is peyk_ and 43 characters of base64url, another one each time", () => {
    const keys = Array.from({ length: 50 }, () => newApiKey(systemRandom));
    expect(keys.every(looksLikeApiKey)).toBe(true);
    expect(new Set(keys).size).toBe(50);
  });

  test("opens its account's door as soon as it is issued, and after a restart, though only its hash is stored", async () => {
    const { id } = await house.accounts.create("Clinic");
    const { apiKey, key } = await house.keys.create(id, wish);
    expect(holderOf(apiKey)).toMatchObject({ key: { id: key.id, name: "backend" }, account: { id, name: "Clinic" } });
    expect(reread().keyByHash(apiKeyLookup(apiKey))?.key.id).toBe(key.id);
    const stored = await Bun.file(`${house.folder}/peyk.db-wal`).text();
    expect(stored.includes(apiKey)).toBe(false);
    expect(holderOf(`${apiKey}x`)).toBeNull();
  });

  test("that was rotated keeps its id, and its old secret for the grace time to the millisecond", async () => {
    const { id } = await house.accounts.create("Clinic");
    const first = await house.keys.create(id, wish);
    const second = await house.keys.rotate(first.key.id, dayMs);
    expect(second.key.id).toBe(first.key.id);
    house.clock.jump(dayMs - 1);
    expect(holderOf(first.apiKey)?.key.id).toBe(first.key.id);
    house.clock.jump(1);
    expect(holderOf(first.apiKey)).toBeNull();
    expect(holderOf(second.apiKey)?.key.id).toBe(first.key.id);
  });

  test("that was rotated twice forgets its first secret, and with no grace the old one ends at once", async () => {
    const { id } = await house.accounts.create("Clinic");
    const first = await house.keys.create(id, wish);
    const second = await house.keys.rotate(first.key.id, dayMs);
    const third = await house.keys.rotate(first.key.id, dayMs);
    expect([holderOf(first.apiKey), holderOf(second.apiKey)?.key.id]).toEqual([null, first.key.id]);
    const fourth = await house.keys.rotate(first.key.id, 0);
    expect([holderOf(second.apiKey), holderOf(third.apiKey), holderOf(fourth.apiKey)?.key.id]).toEqual([
      null,
      null,
      first.key.id,
    ]);
  });

  test("that was revoked is unknown with both of its secrets, and cannot be rotated", async () => {
    const { id } = await house.accounts.create("Clinic");
    const first = await house.keys.create(id, wish);
    const second = await house.keys.rotate(first.key.id, dayMs);
    await house.keys.revoke(first.key.id);
    expect([holderOf(first.apiKey), holderOf(second.apiKey)]).toEqual([null, null]);
    expect(reread().keyByHash(apiKeyLookup(second.apiKey))).toBeNull();
    await expect(house.keys.rotate(first.key.id, dayMs)).rejects.toMatchObject({ code: "key_revoked" });
  });

  test("is unknown from the millisecond of its expiry on", async () => {
    const { id } = await house.accounts.create("Clinic");
    const { apiKey } = await house.keys.create(id, { ...wish, expiresAt: house.clock.now() + dayMs });
    house.clock.jump(dayMs - 1);
    expect(holderOf(apiKey)).not.toBeNull();
    house.clock.jump(1);
    expect(holderOf(apiKey)).toBeNull();
  });
});

describe("senders and routes", () => {
  test("a sender without a route uses the simulator, one with routes uses them in order", async () => {
    const { id } = await house.accounts.create("Clinic");
    const plain = await house.senders.add(id, "30001", true, []);
    const [a, b] = [await house.routes.add("a", "simulator", {}), await house.routes.add("b", "simulator", {})];
    const routed = await house.senders.add(id, "30002", true, ["b", "a"]);
    expect(house.directory.routesOf(plain.id).map((routeId) => house.directory.routeById(routeId)?.name)).toEqual([
      "simulator",
    ]);
    expect(house.directory.routesOf(routed.id)).toEqual([b.id, a.id]);
    await house.senders.setRoutes(id, "30002", ["a"]);
    expect(house.directory.routesOf(routed.id)).toEqual([a.id]);
    expect(reread().routesOf(routed.id)).toEqual([a.id]);
  });

  test("a removed sender is gone for new messages, known for old ones, and the same one when it comes back", async () => {
    const { id } = await house.accounts.create("Clinic");
    const sender = await house.senders.add(id, "30001", true, []);
    await house.accounts.update(id, { defaultSender: "30001" });
    await house.senders.remove(id, "30001");
    expect(house.directory.sender(id, "30001")).toBeNull();
    expect(house.directory.senderById(sender.id)?.sender).toBe("30001");
    expect(house.directory.account(id)?.defaultSender).toBeNull();
    expect((await house.senders.add(id, "30001", true, [])).id).toBe(sender.id);
    expect(house.directory.sender(id, "30001")?.active).toBe(true);
  });

  test("every change reaches who subscribed, after it is on disk", async () => {
    const told: string[] = [];
    const stop = house.directory.subscribe({
      routeChanged: (route) => told.push(`${route.name} ${route.enabled} ${route.removedAt !== null}`),
      accountChanged: (account) => told.push(`${account.name} ${reread().account(account.id)?.status}`),
    });
    await house.routes.add("a", "simulator", {});
    await house.routes.setEnabled("a", false);
    await house.routes.remove("a");
    const { id } = await house.accounts.create("Clinic");
    await house.accounts.suspend(id);
    stop();
    await house.accounts.resume(id);
    expect(told).toEqual(["a true false", "a false false", "a false true", "Clinic active", "Clinic suspended"]);
  });

  test("a route's password is sealed on disk, given to the provider alone, and stays when the file changes", async () => {
    const file = { host: "smsc.example", port: 2775, systemId: "peyk", password: "s3cret-password" };
    const added = await house.routes.add("operator", "smpp", file);
    expect(added.options).not.toContain("s3cret");
    expect(house.routes.fileOf(added)).toEqual(file);
    const stored = await Bun.file(`${house.folder}/peyk.db-wal`).text();
    expect(stored.includes("s3cret-password")).toBe(false);
    const updated = await house.routes.update("operator", { host: "smsc.example", port: 2776, systemId: "peyk" });
    expect(house.routes.fileOf(updated)).toEqual({ ...file, port: 2776 });
  });

  test("the built-in simulator gives way to one of the operator's own, and senders that chose it follow", async () => {
    const { id } = await house.accounts.create("Clinic");
    const sender = await house.senders.add(id, "30001", true, ["simulator"]);
    const own = await house.routes.add("simulator", "simulator", { delayMs: 5 });
    expect(house.directory.routesOf(sender.id)).toEqual([own.id]);
    await expect(house.routes.add("simulator", "simulator", {})).rejects.toMatchObject({ code: "route_exists" });
  });

  test("of 20 racing to add one route, one does", async () => {
    const racers = Array.from({ length: 20 }, () => house.routes.add("a", "simulator", {}));
    const outcomes = await Promise.allSettled(racers);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(house.directory.routes().map(({ name }) => name)).toEqual(["simulator", "a"]);
  });
});
