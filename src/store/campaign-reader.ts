/** Outcomes of a campaign's messages, for the reader thread. */
import type { Database } from "bun:sqlite";
import type { MessageErrorCode, MessageState } from "../domain/message.ts";
import { onFirstUse } from "../platform/on-first-use.ts";
import { type CampaignRun, prepareRuns } from "./campaigns.ts";

/** Messages with the same state and error. Money is in the currency's smallest unit; null if there is none. */
export interface CampaignShare {
  state: MessageState;
  errorCode: MessageErrorCode | null;
  messages: number;
  parts: number;
  /** The price at which they were accepted. */
  price: number | null;
  /** The price of those that were charged: a message has a cost, be it 0, from its hand-over on. */
  charged: number | null;
  /** The price of those that were never handed over. */
  uncharged: number | null;
  /** When the first of those that wait is due, in epoch milliseconds; null if none waits. */
  dueAt: number | null;
}

/** Messages handed over in one minute, by their present status. */
export interface HandedOverMinute {
  /** Epoch milliseconds. */
  at: number;
  delivered: number;
  sent: number;
  failed: number;
}

export interface CampaignCount {
  shares: CampaignShare[];
  /** Null before the first hand-over; epoch milliseconds. `minutes`: those of the last hour that have any, ascending. */
  handedOver: { firstAt: number; lastAt: number; minutes: HandedOverMinute[] } | null;
}

/** Messages handed over in the same minute that have the same state now. Times in epoch milliseconds. */
export interface HandedOverShare {
  minuteAt: number;
  state: MessageState;
  messages: number;
  firstAt: number;
  lastAt: number;
}

const prepare = (database: Database) => ({
  runs: prepareRuns(database),
  runBefore: database.prepare<CampaignRun, [number, number]>(
    `SELECT first_message_id AS firstMessageId, message_count AS messageCount
     FROM campaign_run WHERE campaign_id = ? AND first_message_id < ? ORDER BY first_message_id DESC LIMIT 1`,
  ),
  shares: database.prepare<CampaignShare, [number, number]>(
    `SELECT state, error_code AS errorCode, count(*) AS messages, sum(part_count) AS parts, sum(price) AS price,
       sum(CASE WHEN cost IS NOT NULL THEN price END) AS charged, sum(CASE WHEN cost IS NULL THEN price END) AS uncharged,
       min(due_at) AS dueAt
     FROM message WHERE id >= ? AND id < ? GROUP BY state, error_code`,
  ),
  handedOver: database.prepare<HandedOverShare, [number, number]>(
    `SELECT sent_at / 60000 * 60000 AS minuteAt, state, count(*) AS messages, min(sent_at) AS firstAt, max(sent_at) AS lastAt
     FROM message WHERE id >= ? AND id < ? AND sent_at IS NOT NULL GROUP BY minuteAt, state`,
  ),
});

export class CampaignReader {
  readonly #sql: () => ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = onFirstUse(() => prepare(database));
  }

  runs(campaignId: number): CampaignRun[] {
    return this.#sql().runs.all(campaignId);
  }

  /** The newest of its runs that starts below `end`; null if there is none. */
  runBefore(campaignId: number, end: number): CampaignRun | null {
    return this.#sql().runBefore.get(campaignId, end);
  }

  /** Shares of the messages with ids from `firstId` up to but not including `end`. */
  shares(firstId: number, end: number): CampaignShare[] {
    return this.#sql().shares.all(firstId, end);
  }

  /** Of the same messages, those that were handed over. */
  handedOver(firstId: number, end: number): HandedOverShare[] {
    return this.#sql().handedOver.all(firstId, end);
  }
}
