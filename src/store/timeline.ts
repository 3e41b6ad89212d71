/** The operator's finer account of a message: refusals, retries, uncertainty, failover. The public history is in its row. */
import type { Database } from "bun:sqlite";

export interface TimelineEntry {
  at: number;
  kind: string;
  routeId: number | null;
  detail: string;
}

export type TimelineTable = ReturnType<typeof timelineTable>;

/** Providers can be talkative; an entry keeps this many characters of what they said. */
const detailLengthMax = 500;

export function timelineTable(database: Database) {
  const insertion = database.prepare(
    "INSERT INTO timeline (message_id, at, kind, route_id, detail) VALUES (?, ?, ?, ?, ?)",
  );
  const ofMessage = database.prepare<TimelineEntry, [number]>(
    "SELECT at, kind, route_id AS routeId, detail FROM timeline WHERE message_id = ? ORDER BY id",
  );
  return {
    add(messageId: number, entry: TimelineEntry): void {
      insertion.run(messageId, entry.at, entry.kind, entry.routeId, entry.detail.slice(0, detailLengthMax));
    },
    ofMessage: (messageId: number): TimelineEntry[] => ofMessage.all(messageId),
  };
}
