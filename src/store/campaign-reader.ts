/** Outcomes of a campaign's messages, for the reader thread. */
import type { Database } from "bun:sqlite";
import type { MessageErrorCode, MessageState } from "../domain/message.ts";
import type { CampaignRun } from "./campaigns.ts";

/** Messages with the same state and error. Money is in the currency's smallest unit; null if there is none. */
export interface CampaignShare {
  state: MessageState;
  errorCode: MessageErrorCode | null;
  messages: number;
  parts: number;
  /** The price at which they were accepted. */
  price: number | null;
}

const prepare = (database: Database) => ({
  runs: database.prepare<CampaignRun, [number]>(
    `SELECT first_message_id AS firstMessageId, message_count AS messageCount
     FROM campaign_run WHERE campaign_id = ? ORDER BY first_message_id`,
  ),
  shares: database.prepare<CampaignShare, [number, number]>(
    `SELECT state, error_code AS errorCode, count(*) AS messages, sum(part_count) AS parts, sum(price) AS price
     FROM message WHERE id >= ? AND id < ? GROUP BY state, error_code`,
  ),
});

export class CampaignReader {
  readonly #database: Database;
  #prepared: ReturnType<typeof prepare> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  get #sql(): ReturnType<typeof prepare> {
    this.#prepared ??= prepare(this.#database);
    return this.#prepared;
  }

  runs(campaignId: number): CampaignRun[] {
    return this.#sql.runs.all(campaignId);
  }

  /** Shares of the messages with ids from `firstId` up to but not including `end`. */
  shares(firstId: number, end: number): CampaignShare[] {
    return this.#sql.shares.all(firstId, end);
  }
}
