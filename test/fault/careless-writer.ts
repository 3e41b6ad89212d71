/** The failing control: a program that trusts a sync after a failed one, as programs do that only catch SQLite's errors. */
import { Database } from "bun:sqlite";

const [, , file = "", phase = "write"] = process.argv;
const database = new Database(file, { create: true, strict: true });
database.run("PRAGMA journal_mode = WAL");
database.run("PRAGMA synchronous = FULL");
database.run("CREATE TABLE IF NOT EXISTS row (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");

/** Reads an id from each line, stores it, and reports whether SQLite did. */
async function write(): Promise<void> {
  for await (const line of console) {
    try {
      database.run("INSERT INTO row (id, text) VALUES (?, ?)", [Number(line), "x".repeat(3_000)]);
      console.log("stored");
    } catch {
      console.log("refused");
    }
  }
}

if (phase === "write") await write();
else
  console.log(
    JSON.stringify(
      database
        .query<{ id: number }, []>("SELECT id FROM row")
        .all()
        .map(({ id }) => id),
    ),
  );
