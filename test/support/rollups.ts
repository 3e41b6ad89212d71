/** The stored figures, and a full count of the messages that they must equal. */
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { deliveryTimeClass } from "../../src/domain/delivery-time.ts";

interface Counted {
  messages: number;
  parts: number;
}

interface MessageFigures {
  key: string;
  parts: number;
  /** For a delivered message. */
  tookMs: number | null;
}

/** Implemented separately, because the code under test must not verify itself. */
const fullCount = `
  SELECT (submitted_at / 900000 * 900000) || ' ' || account_id || ' ' || sender_id || ' ' || coalesce(route_id, 0) || ' ' ||
      class || ' ' || network || ' ' ||
      CASE state WHEN 'ready' THEN 'queued' WHEN 'submitting' THEN 'processing' WHEN 'retry_wait' THEN 'processing'
        WHEN 'uncertain' THEN 'processing' WHEN 'submitted' THEN 'sent' ELSE state END
      || ' ' || coalesce(error_code, '') AS key,
    part_count AS parts,
    CASE state WHEN 'delivered' THEN final_at - coalesce(send_at, submitted_at) END AS tookMs
  FROM message
  WHERE is_test = 0 AND NOT EXISTS (
    SELECT 1 FROM staged_run WHERE published_at IS NULL
      AND message.id >= first_message_id AND message.id < first_message_id + message_count)`;

const stored = `
  SELECT slot_at || ' ' || account_id || ' ' || sender_id || ' ' || route_id || ' ' || class || ' ' || network || ' ' ||
    status || ' ' || error_code || ' ' || delivery_time AS key, messages, parts
  FROM rollup WHERE messages <> 0 OR parts <> 0`;

function sorted(counts: Map<string, Counted>): [string, Counted][] {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Both must be equal whenever all messages from before the figures existed are counted, and none was pruned. */
export function figuresOf(database: Database) {
  const counted = new Map<string, Counted>();
  for (const { key, parts, tookMs } of database.query<MessageFigures, []>(fullCount).all()) {
    const whole = `${key} ${tookMs === null ? 0 : deliveryTimeClass(tookMs)}`;
    const count = counted.get(whole) ?? { messages: 0, parts: 0 };
    counted.set(whole, { messages: count.messages + 1, parts: count.parts + parts });
  }
  const rows = database.query<Counted & { key: string }, []>(stored).all();
  const rollups = new Map(rows.map(({ key, messages, parts }) => [key, { messages, parts }]));
  return { rollups: sorted(rollups), counted: sorted(counted) };
}

/** For a folder that no process is serving. */
export function figuresIn(folder: string) {
  const database = new Database(join(folder, "peyk.db"), { readwrite: true });
  try {
    return figuresOf(database);
  } finally {
    database.close();
  }
}
