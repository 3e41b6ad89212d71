/**
 * Campaigns: each is a request of many messages, stored as a run of message rows, or several requests joined under one
 * name.
 */
import type { Database } from "bun:sqlite";
import type { CampaignKind } from "../domain/campaign.ts";
import { onFirstUse } from "../platform/on-first-use.ts";
import { columnsOf, type RowOf } from "./columns.ts";
import { campaign, campaignRun } from "./schema.ts";

const columns = columnsOf(
  campaign,
  "id",
  "accountId",
  "kind",
  "name",
  "groupCode",
  "apiKeyId",
  "createdAt",
  "messageCount",
);
const runColumns = columnsOf(campaignRun, "firstMessageId", "messageCount");

export type CampaignRow = RowOf<typeof columns>;
/** `messageCount` messages starting at `firstMessageId`. */
export type CampaignRun = RowOf<typeof runColumns>;

/** What a request says about its campaign. */
export interface NewCampaign {
  accountId: number;
  kind: CampaignKind;
  name: string | null;
  groupCode: string | null;
  apiKeyId: number;
  createdAt: number;
}

export const prepareRuns = (database: Database) =>
  database.prepare<CampaignRun, [number]>(
    `SELECT ${runColumns} FROM campaign_run WHERE campaign_id = ? ORDER BY first_message_id`,
  );

const prepare = (database: Database) => ({
  byId: database.prepare<CampaignRow, [number]>(`SELECT ${columns} FROM campaign WHERE id = ?`),
  newest: database.prepare<CampaignRow, [number | null, number | null, number]>(
    `SELECT ${columns} FROM campaign
     WHERE (?1 IS NULL OR account_id = ?1) AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
  ),
  join: database.prepare<{ id: number }, [number, number, string]>(
    `UPDATE campaign SET message_count = message_count + ?1 WHERE account_id = ?2 AND name = ?3 RETURNING id`,
  ),
  insert: database.prepare<{ id: number }, [number, string, string | null, string | null, number, number, number]>(
    `INSERT INTO campaign (account_id, kind, name, group_code, api_key_id, created_at, message_count)
     VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
  ),
  insertRun: database.prepare(
    "INSERT INTO campaign_run (first_message_id, campaign_id, message_count) VALUES (?, ?, ?)",
  ),
  runs: prepareRuns(database),
  nameOfRun: database.prepare<{ name: string | null }, [number]>(
    `SELECT name FROM campaign_run JOIN campaign ON campaign.id = campaign_id WHERE first_message_id = ?`,
  ),
  ofMessage: database.prepare<{ campaignId: number; firstMessageId: number; messageCount: number }, [number]>(
    `SELECT campaign_id AS campaignId, first_message_id AS firstMessageId, message_count AS messageCount
     FROM campaign_run WHERE first_message_id <= ? ORDER BY first_message_id DESC LIMIT 1`,
  ),
  // Runs whose last message is older than the oldest message or stub kept.
  forgottenRuns: database.prepare(
    `DELETE FROM campaign_run WHERE first_message_id IN (
       SELECT first_message_id FROM campaign_run
       WHERE first_message_id + message_count <= min(
         (SELECT coalesce(min(id), 0) FROM message), (SELECT coalesce(min(message_id), ${Number.MAX_SAFE_INTEGER}) FROM message_stub))
       ORDER BY first_message_id LIMIT ?)`,
  ),
  forgotten: database.prepare(
    `DELETE FROM campaign WHERE id IN (
       SELECT id FROM (SELECT id FROM campaign ORDER BY id LIMIT ?)
       WHERE NOT EXISTS (SELECT 1 FROM campaign_run WHERE campaign_id = id))`,
  ),
});

export class CampaignTable {
  /** Prepared on first use: an installation that only sends single messages never needs it. */
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  byId(id: number): CampaignRow | null {
    return this.#sql().byId.get(id);
  }

  /** Newest first; only those of `accountId` unless it is null, and with an id below `before` unless that is null. */
  newest(accountId: number | null, before: number | null, limit: number): CampaignRow[] {
    return this.#sql().newest.all(accountId, before, limit);
  }

  /** Call in the transaction that inserts the run's messages. A name joins what the account already sent under it. */
  add({ accountId, kind, name, groupCode, apiKeyId, createdAt }: NewCampaign, run: CampaignRun): void {
    const { firstMessageId, messageCount } = run;
    const joined = name === null ? null : this.#sql().join.get(messageCount, accountId, name);
    const added = joined ?? this.#sql().insert.get(accountId, kind, name, groupCode, apiKeyId, createdAt, messageCount);
    if (added === null) throw new Error("A campaign was not stored");
    this.#sql().insertRun.run(firstMessageId, added.id, messageCount);
  }

  runs(id: number): CampaignRun[] {
    return this.#sql().runs.all(id);
  }

  /** The campaign name of the request that starts with this message; null if it had none. */
  nameOfRun(firstMessageId: number): string | null {
    return this.#sql().nameOfRun.get(firstMessageId)?.name ?? null;
  }

  /** The campaign that the message belongs to. */
  ofMessage(id: number): CampaignRow | null {
    const run = this.#sql().ofMessage.get(id);
    return run !== null && id < run.firstMessageId + run.messageCount ? this.byId(run.campaignId) : null;
  }

  /** Removes up to `limit` campaigns whose messages are gone. Returns the number removed. Writes. */
  prune(limit: number): number {
    const runs = this.#sql().forgottenRuns.run(limit).changes;
    return runs === 0 ? 0 : runs + this.#sql().forgotten.run(limit).changes;
  }
}
