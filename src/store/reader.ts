/** A read-only connection for a separate thread. */
import { drizzle } from "drizzle-orm/bun-sqlite";
import { CampaignReader } from "./campaign-reader.ts";
import { MessageSearchTable } from "./message-search.ts";
import { PlannedConnection } from "./planned-connection.ts";
import { RollupReader } from "./rollup-reader.ts";
import { SearchLookup } from "./search-lookup.ts";

/** Negative: KiB. Pages that a scan reads once need not stay in the cache. */
const cacheKib = -8 * 1024;

export interface Reader {
  messages: MessageSearchTable;
  lookup: SearchLookup;
  rollups: RollupReader;
  campaigns: CampaignReader;
  /** Runs `read` in its own transaction. A long one would block checkpoints. */
  within<T>(read: () => T): T;
  close(): void;
}

/** `path`: the database file, which another connection of this process has open for writing. */
export function openReader(path: string): Reader {
  const database = new PlannedConnection(path, { readonly: true, strict: true });
  database.run(`PRAGMA cache_size = ${cacheKib}`);
  database.run("PRAGMA busy_timeout = 5000");
  return {
    messages: new MessageSearchTable(drizzle(database)),
    lookup: new SearchLookup(database),
    rollups: new RollupReader(database),
    campaigns: new CampaignReader(database),
    within: (read) => database.transaction(read)(),
    close: () => database.close(),
  };
}
