/** The engine that PostgreSQL is. */
import type { Engine } from "./engine.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { PostgresLease } from "./postgres-lease.ts";
import { dropOldEntries, PostgresLogReader, PostgresLogWriter } from "./postgres-log.ts";

export const postgresEngine = (addresses: readonly string[]): Engine => ({
  session(options) {
    const connection = new PostgresConnection(addresses, options);
    return {
      lease: new PostgresLease(connection),
      reader: new PostgresLogReader(connection),
      writer: new PostgresLogWriter(connection),
      dropOldEntries: (...limits) => dropOldEntries(connection, ...limits),
      reconnect: () => connection.reconnect(),
      close: () => connection.close(),
    };
  },
});
