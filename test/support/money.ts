/** The money according to the ledger, and as the messages themselves imply it. */
import { Database } from "bun:sqlite";
import { join } from "node:path";

interface Money {
  settled: number;
  reserved: number;
}

/** Implemented separately, because the code under test must not verify itself. Valid while no message was pruned. */
const counted = `
  SELECT coalesce((SELECT sum(amount) FROM ledger WHERE account_id = $account), 0)
      - coalesce(sum(CASE WHEN cost IS NOT NULL THEN price END), 0) AS settled,
    coalesce(sum(CASE WHEN cost IS NULL AND state NOT IN ('failed', 'cancelled') THEN price END), 0) AS reserved
  FROM message WHERE account_id = $account AND is_test = 0 AND NOT EXISTS (
    SELECT 1 FROM staged_run WHERE published_at IS NULL
      AND message.id >= first_message_id AND message.id < first_message_id + message_count)`;

const lines = `
  SELECT coalesce(sum(amount - captured), 0) AS settled, coalesce(sum(reserved - captured - released), 0) AS reserved
  FROM ledger WHERE account_id = $account`;

const last = `
  SELECT settled_after AS settled, reserved_after AS reserved FROM ledger WHERE account_id = $account
  ORDER BY number DESC LIMIT 1`;

/** All of `balances` must be equal, and so must both of `charged` and of `cost`. */
export function moneyOf(database: Database, account: number) {
  const read = (sql: string) =>
    database.query<Money, { account: number }>(sql).get({ account }) ?? { settled: 0, reserved: 0 };
  const sumOf = (sql: string) =>
    database.query<{ sum: number }, { account: number }>(sql).get({ account })?.sum ?? Number.NaN;
  return {
    balances: { byMessages: read(counted), byLines: read(lines), last: read(last) },
    charged: {
      ledger: sumOf("SELECT coalesce(sum(captured), 0) AS sum FROM ledger WHERE account_id = $account"),
      charges: sumOf("SELECT coalesce(sum(price), 0) AS sum FROM charge WHERE account_id = $account"),
    },
    cost: {
      messages: sumOf("SELECT coalesce(sum(cost), 0) AS sum FROM message WHERE account_id = $account"),
      charges: sumOf("SELECT coalesce(sum(cost), 0) AS sum FROM charge WHERE account_id = $account"),
    },
    /** The numbers of the ledger's lines, without gaps: nothing is ever removed. */
    isWhole: sumOf("SELECT count(*) = coalesce(max(number), 0) AS sum FROM ledger WHERE account_id = $account") === 1,
  };
}

/** For a folder that no process is serving. */
export function moneyIn(folder: string, account: number) {
  const database = new Database(join(folder, "peyk.db"), { readwrite: true, strict: true });
  try {
    return moneyOf(database, account);
  } finally {
    database.close();
  }
}
