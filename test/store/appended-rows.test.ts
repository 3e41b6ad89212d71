/** Rows gathered by a commit are stored as if each had been inserted at once. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { AppendedRows } from "../../src/store/appended-rows.ts";
import { GroupCommit } from "../../src/store/group-commit.ts";

const insert = (rows: number) => `INSERT INTO row (id, name) VALUES ${Array(rows).fill("(?, ?)").join(", ")}`;

function openRows() {
  const database = new Database(":memory:", { strict: true });
  database.run("CREATE TABLE row (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT");
  const commits = new GroupCommit(database, { committed: () => {} });
  const appended = new AppendedRows(database, 2, insert);
  commits.gather(appended);
  const names = () =>
    database
      .query<{ name: string }, []>("SELECT name FROM row ORDER BY id")
      .all()
      .map(({ name }) => name);
  return { database, commits, appended, names };
}

test("in any mix of writes in one commit the failing ones are dropped, and the others are stored in order", async () => {
  const step = fc.record({ kind: fc.constantFrom("append", "read", "fail"), rows: fc.integer({ min: 1, max: 70 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { database, commits, appended, names } = openRows();
      let id = 0;
      const expected: string[] = [];
      const outcomes = steps.map(({ kind, rows }) => {
        const run = Array.from({ length: rows }, () => ({ id: ++id, name: `row ${id}` }));
        const append = () => {
          for (const row of run) appended.add([row.id, row.name]);
          if (kind === "fail") throw new Error("refused");
        };
        if (kind !== "read") {
          if (kind === "append") expected.push(...run.map(({ name }) => name));
          return commits.append(append, () => null);
        }
        const before = [...expected];
        // A read that throws would be made again alone, and so see everything.
        return commits.write(names).then((seen) => expect(seen).toEqual(before));
      });
      const settled = await Promise.allSettled(outcomes);
      expect(settled.map(({ status }) => status)).toEqual(
        steps.map(({ kind }) => (kind === "fail" ? "rejected" : "fulfilled")),
      );
      expect(names()).toEqual(expected);
      expect(appended.isEmpty).toBe(true);
      database.close();
    }),
    { numRuns: 60 },
  );
});

test("rows of which the table refuses one fail their own write alone", async () => {
  const { database, commits, appended, names } = openRows();
  const append = (id: number, name: string) =>
    commits.append(
      () => appended.add([id, name]),
      () => name,
    );
  const outcomes = await Promise.allSettled([append(1, "a"), append(2, "a"), append(3, "b")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(names()).toEqual(["a", "b"]);
  database.close();
});
