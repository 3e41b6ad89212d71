/** What runs at once is bounded, and no account has more than half of it while it has many tasks. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { AccountTurns } from "../../src/messaging/routing/account-turns.ts";

interface Running {
  account: number;
  end(): void;
}

test("every task runs once; never too many at once, never more than half of one account, and accounts take turns", async () => {
  const accounts = fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      accounts,
      fc.infiniteStream(fc.nat()),
      async (most, all, picks) => {
        const turns = new AccountTurns(most);
        const running: Running[] = [];
        const begun: number[] = [];
        const done = all.map((account) =>
          turns.run(account, () => {
            begun.push(account);
            return new Promise((end) => running.push({ account, end }));
          }),
        );
        while (running.length > 0) {
          expect(running.length).toBeLessThanOrEqual(most);
          for (const account of all)
            expect(running.filter((one) => one.account === account).length).toBeLessThanOrEqual(Math.ceil(most / 2));
          const { value = 0 } = picks.next();
          const [ended] = running.splice(value % running.length, 1);
          ended?.end();
          await Bun.sleep(0);
        }
        await Promise.all(done);
        expect(begun.toSorted()).toEqual(all.toSorted());
      },
    ),
    { numRuns: 50 },
  );
});

test("one that comes after many of another account runs next", async () => {
  const turns = new AccountTurns(2);
  const begun: string[] = [];
  const gate = Promise.withResolvers<void>();
  const add = (account: number, name: string) =>
    turns.run(account, () => {
      begun.push(name);
      return gate.promise;
    });
  const all = [..."abcdef"].map((name) => add(1, name));
  all.push(add(2, "other"));
  expect(begun).toEqual(["a", "other"]);
  gate.resolve();
  await Promise.all(all);
  expect(begun.toSorted()).toEqual([..."abcdef", "other"].toSorted());
});

test("beyond two thousand waiting tasks of an account, further ones do not run, and others do", async () => {
  const turns = new AccountTurns(2);
  const gate = Promise.withResolvers<void>();
  let ran = 0;
  const task = () => {
    ran += 1;
    return gate.promise;
  };
  const first = Array.from({ length: 2_001 }, () => turns.run(1, task));
  await turns.run(1, task);
  expect(ran).toBe(1);
  const other = turns.run(2, task);
  gate.resolve();
  await Promise.all([...first, other]);
  expect(ran).toBe(2_002);
});
