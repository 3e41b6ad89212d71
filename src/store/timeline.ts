/** The timeline of a message for the operator: refusals, retries, uncertainty, failover. The public history is in its row. */
import type { Database } from "bun:sqlite";
import { decodeReason, encodeReason, type Reason } from "../domain/reason.ts";

export interface TimelineEntry {
  at: number;
  kind: string;
  routeId: number | null;
  reason: Reason;
}

type StoredEntry = Omit<TimelineEntry, "reason"> & { detail: string };

export type TimelineTable = ReturnType<typeof timelineTable>;

export function timelineTable(database: Database) {
  const insertion = database.prepare(
    "INSERT INTO timeline (message_id, at, kind, route_id, detail) VALUES (?, ?, ?, ?, ?)",
  );
  const ofMessage = database.prepare<StoredEntry, [number]>(
    "SELECT at, kind, route_id AS routeId, detail FROM timeline WHERE message_id = ? ORDER BY id",
  );
  return {
    add(messageId: number, entry: TimelineEntry): void {
      insertion.run(messageId, entry.at, entry.kind, entry.routeId, encodeReason(entry.reason));
    },
    ofMessage: (messageId: number): TimelineEntry[] =>
      ofMessage.all(messageId).map(({ detail, ...entry }) => ({ ...entry, reason: decodeReason(detail) })),
  };
}
