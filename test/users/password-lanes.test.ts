/** Work with passwords: one at a time in each lane, and a short queue. */
import { expect, test } from "bun:test";
import { laneOf, ofClientMax, PasswordLanes, PasswordsBusy, waitingMax } from "../../src/users/password-lanes.ts";
import { settleLoop } from "../support/manual-clock.ts";

type Lane = "console" | "portal";

/** Work that goes on until it is told to end. */
function workshop() {
  const lanes = new PasswordLanes();
  const running: { name: string; end: () => void }[] = [];
  const done: string[] = [];
  let refused = 0;
  const ask = (name: string, { lane = "portal" as Lane, client = name, isStranger = true } = {}) =>
    void lanes
      .run({ lane, client, isStranger }, () => new Promise<void>((end) => running.push({ name, end })))
      .then(
        () => done.push(name),
        (reason: unknown) => {
          if (reason instanceof PasswordsBusy) refused += 1;
        },
      );
  const endOne = async () => {
    running.shift()?.end();
    await settleLoop(2);
  };
  return { ask, endOne, done, running: () => running.map(({ name }) => name), refused: () => refused };
}

test("one password runs at a time, a limited number waits in order, and the next is refused", async () => {
  const { ask, endOne, done, running, refused } = workshop();
  const names = Array.from({ length: 1 + waitingMax }, (_, index) => `${index}`);
  for (const name of names) ask(name);
  await settleLoop(2);
  expect([running(), refused()]).toEqual([["0"], 0]);
  ask("one more");
  await settleLoop(2);
  expect(refused()).toBe(1);
  await endOne();
  ask("later");
  await settleLoop(2);
  expect([running(), refused()]).toEqual([["1"], 1]);
  for (const _ of names) await endOne();
  expect(done).toEqual([...names, "later"]);
});

test("a full lane does not delay the other", async () => {
  const { ask, endOne, running, refused } = workshop();
  for (let count = 0; count < 50; count += 1) ask(`stranger ${count}`);
  ask("owner", { lane: "console" });
  await settleLoop(2);
  expect(running()).toEqual(["stranger 0", "owner"]);
  expect(refused()).toBe(50 - 1 - waitingMax);
  await endOne();
  expect(running()).toEqual(["owner", "stranger 1"]);
});

test("one client has a limited number of turns, and a user waits behind strangers without being refused", async () => {
  const { ask, endOne, done, refused } = workshop();
  for (let count = 0; count <= ofClientMax; count += 1) ask(`${count}`, { client: "one" });
  await settleLoop(2);
  expect(refused()).toBe(1);
  for (let count = 0; count < waitingMax; count += 1) ask(`stranger ${count}`);
  ask("user", { isStranger: false });
  await settleLoop(2);
  expect(refused()).toBe(1 + ofClientMax - 1);
  for (let count = 0; count < 20; count += 1) await endOne();
  expect(done.at(-1)).toBe("user");
  ask("again", { client: "one" });
  await settleLoop(2);
  await endOne();
  expect(done.at(-1)).toBe("again");
});

test("work that fails passes its turn on", async () => {
  const lanes = new PasswordLanes();
  const asker = { lane: "console", client: "one", isStranger: true } as const;
  const failing = lanes.run(asker, () => Promise.reject(new Error("no memory")));
  const next = lanes.run(asker, () => Promise.resolve("done"));
  await expect(failing).rejects.toThrow("no memory");
  expect(await next).toBe("done");
});

test("customers use the portal's lane, everybody else the console's", () => {
  expect(laneOf((role) => role === "customer")).toBe("portal");
  expect(laneOf((role) => role !== "customer")).toBe("console");
});
