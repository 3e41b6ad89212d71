/** Names that do not resolve are asked about once in a while, however many callbacks are due there. */
import { beforeEach, expect, test } from "bun:test";
import { FailedNames } from "../../src/webhooks/failed-names.ts";
import { ResolverFailed } from "../../src/webhooks/resolver.ts";
import { ManualClock } from "../support/manual-clock.ts";

let clock: ManualClock;
let asked: string[];
let answer: (name: string) => Promise<readonly string[]>;
let names: FailedNames;
beforeEach(() => {
  clock = new ManualClock();
  asked = [];
  answer = () => Promise.resolve([]);
  const resolve = (name: string) => {
    asked.push(name);
    return answer(name);
  };
  names = new FailedNames({ resolve }, clock);
});

test("a name without an address is looked up again after 5, 10, 20, 40 and then 60 seconds", async () => {
  const askedAt: number[] = [];
  for (let second = 0; second <= 200; second += 1) {
    const before = asked.length;
    expect(await names.resolve("absent.example")).toEqual([]);
    if (asked.length > before) askedAt.push(second);
    await clock.advance(1_000);
  }
  expect(askedAt).toEqual([0, 5, 15, 35, 75, 135, 195]);
});

test("1,500 callbacks in 70 seconds cause four look-ups", async () => {
  for (let count = 0; count < 1_500; count += 1) {
    await names.resolve("absent.example");
    await clock.advance(70_000 / 1_500);
  }
  expect(asked).toHaveLength(4);
});

test("a name that has an address again is looked up each time, and its next failure waits 5 seconds", async () => {
  await names.resolve("moved.example");
  answer = () => Promise.resolve(["192.0.2.1"]);
  expect(await names.resolve("moved.example")).toEqual([]);
  await clock.advance(5_000);
  expect(await names.resolve("moved.example")).toEqual(["192.0.2.1"]);
  expect(await names.resolve("moved.example")).toEqual(["192.0.2.1"]);
  expect(asked).toHaveLength(3);
  answer = () => Promise.resolve([]);
  await names.resolve("moved.example");
  await clock.advance(4_999);
  await names.resolve("moved.example");
  expect(asked).toHaveLength(4);
  await clock.advance(1);
  await names.resolve("moved.example");
  expect(asked).toHaveLength(5);
});

test("a failure of the name server is repeated unchanged", async () => {
  answer = () => Promise.reject(new ResolverFailed("timed out"));
  for (let count = 0; count < 3; count += 1) {
    const told = names.resolve("dead.example").catch((reason: unknown) => reason);
    expect(await told).toEqual(new ResolverFailed("timed out"));
  }
  expect(asked).toHaveLength(1);
});

test("a name is looked up once at a time, and does not delay others", async () => {
  const hanging = Promise.withResolvers<readonly string[]>();
  answer = (name) => (name === "hangs.example" ? hanging.promise : Promise.resolve(["192.0.2.1"]));
  const both = [names.resolve("hangs.example"), names.resolve("hangs.example")];
  expect(await names.resolve("good.example")).toEqual(["192.0.2.1"]);
  hanging.resolve([]);
  expect(await Promise.all(both)).toEqual([[], []]);
  expect(asked).toEqual(["hangs.example", "good.example"]);
});

test("a look-up without an answer is repeated once nobody waits for it", async () => {
  answer = () => new Promise(() => undefined);
  void names.resolve("silent.example");
  await clock.advance(9_999);
  void names.resolve("silent.example");
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  answer = () => Promise.resolve(["192.0.2.1"]);
  expect(await names.resolve("silent.example")).toEqual(["192.0.2.1"]);
});

test("ten thousand names are remembered, and the oldest is dropped for the next", async () => {
  for (let index = 0; index <= 10_000; index += 1) await names.resolve(`absent-${index}.example`);
  asked.length = 0;
  await names.resolve("absent-1.example");
  await names.resolve("absent-10000.example");
  expect(asked).toEqual([]);
  await names.resolve("absent-0.example");
  expect(asked).toEqual(["absent-0.example"]);
});
