/** A connection that only reads, for a thread of its own. */
import { Database } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { MessageSearchTable } from "./message-search.ts";
import { RollupReader } from "./rollup-reader.ts";
import { SearchLookup } from "./search-lookup.ts";

/** Negative: KiB. What is walked once need not stay. */
const cacheKib = -8 * 1024;

export interface Reader {
  messages: MessageSearchTable;
  lookup: SearchLookup;
  rollups: RollupReader;
  /** Runs `read` in a transaction of its own. A long one would keep the log from being written back. */
  within<T>(read: () => T): T;
  close(): void;
}

/** `path`: of the database file, which another connection of this process has open for writing. */
export function openReader(path: string): Reader {
  const database = new Database(path, { readonly: true, strict: true });
  database.run(`PRAGMA cache_size = ${cacheKib}`);
  database.run("PRAGMA busy_timeout = 5000");
  return {
    messages: new MessageSearchTable(drizzle(database)),
    lookup: new SearchLookup(database),
    rollups: new RollupReader(database),
    within: (read) => database.transaction(read)(),
    close: () => database.close(),
  };
}
