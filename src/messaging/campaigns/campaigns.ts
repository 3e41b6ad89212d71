/** Campaigns as their sender sees them: looks them up, stops them and lists their failed messages. */
import type { MessageState } from "../../domain/message.ts";
import { OperatorError } from "../../domain/operator-error.ts";
import { isCancellable, isFinal, publicStatusOf } from "../../domain/status.ts";
import type { Clock } from "../../platform/clock.ts";
import { nextTurn } from "../../platform/next-turn.ts";
import type { CampaignCount } from "../../store/campaign-reader.ts";
import type { CampaignRow } from "../../store/campaigns.ts";
import type { MessageRow } from "../../store/messages.ts";
import type { Store } from "../../store/store.ts";
import { cancelledPerWrite, cancelRow } from "../messages/cancel.ts";

export interface CampaignsDeps {
  store: Store;
  clock: Pick<Clock, "now" | "monotonic" | "after">;
  /** Runs on the reader thread. */
  count(campaignId: number): Promise<CampaignCount>;
}

/** A count this old is repeated at the next look, however many people are looking at the campaign. */
const recountMs = 5_000;

/** What a list shows of a campaign that goes on is counted again after this many times as long as it took. */
const restFactor = 20;
/** That of an ended one changes only as messages are removed. */
const endedRecountMs = 600_000;
const keptCountsMax = 500;

interface KeptCount {
  /** Monotonic. */
  nextAt: number;
  /** How many messages it had: its requests may add more. */
  messages: number;
  count: CampaignCount;
  hasEnded: boolean;
}

const isWaiting = (state: MessageState): boolean => ["queued", "processing"].includes(publicStatusOf(state));

/** Messages examined per turn of the event loop: about 2 ms. */
const sliceRead = 200;

export class Campaigns {
  readonly #counts = new Map<number, { at: number; count: Promise<CampaignCount> }>();

  /** The ones asked for last at the end. */
  readonly #kept = new Map<number, KeptCount>();
  readonly #counting = new Set<number>();

  constructor(private readonly deps: CampaignsDeps) {}

  /** In the store's order. */
  newest(accountId: number | null, before: number | null, limit: number): CampaignRow[] {
    return this.deps.store.tables.campaigns.newest(accountId, before, limit);
  }

  /** Throws `campaign_not_found`. */
  present(id: number): CampaignRow {
    const campaign = this.deps.store.tables.campaigns.byId(id);
    if (campaign === null) throw new OperatorError("campaign_not_found");
    return campaign;
  }

  ofMessage(id: number): CampaignRow | null {
    return this.deps.store.tables.campaigns.ofMessage(id);
  }

  /** Outcomes and hand-overs of its messages, at most five seconds old. */
  count({ id }: CampaignRow): Promise<CampaignCount> {
    const now = this.deps.clock.monotonic();
    for (const [one, { at }] of this.#counts) if (now - at >= recountMs) this.#counts.delete(one);
    const known = this.#counts.get(id);
    if (known !== undefined) return known.count;
    const count = this.deps.count(id);
    this.#counts.set(id, { at: now, count });
    count.catch(() => this.#counts.delete(id));
    return count;
  }

  /**
   * For a list: what is known after `waitMs` at most, each as old as it took to count and five seconds at least; null
   * for what is still being counted, one campaign after the other.
   */
  async counts(campaigns: readonly CampaignRow[], waitMs: number): Promise<(CampaignCount | null)[]> {
    const now = this.deps.clock.monotonic();
    const isDue = ({ id, messageCount }: CampaignRow) => {
      const kept = this.#kept.get(id);
      return kept === undefined || kept.messages !== messageCount || now >= kept.nextAt;
    };
    const due = campaigns.filter((campaign) => isDue(campaign) && !this.#counting.has(campaign.id));
    if (due.length > 0) {
      const { promise: waited, resolve } = Promise.withResolvers<void>();
      const timer = this.deps.clock.after(waitMs, resolve);
      await Promise.race([waited, this.#countEach(due)]);
      timer.cancel();
    }
    return campaigns.map(({ id }) => this.#kept.get(id)?.count ?? null);
  }

  /** Those of which messages wait, as far as they are counted after `waitMs`; an ended one is counted once. */
  async underWay(campaigns: readonly CampaignRow[], waitMs: number): Promise<CampaignRow[]> {
    const open = campaigns.filter(({ id, messageCount }) => {
      const kept = this.#kept.get(id);
      return kept === undefined || kept.messages !== messageCount || !kept.hasEnded;
    });
    const counts = await this.counts(open, waitMs);
    return open.filter((_, index) => counts[index]?.shares.some(({ state }) => isWaiting(state)));
  }

  async #countEach(campaigns: readonly CampaignRow[]): Promise<void> {
    for (const { id } of campaigns) this.#counting.add(id);
    for (const campaign of campaigns) {
      const begunAt = this.deps.clock.monotonic();
      // Not counted this time, such as when the service stops: the list shows it without its outcome.
      const count = await this.count(campaign).catch(() => null);
      this.#counting.delete(campaign.id);
      if (count !== null) this.#keep(campaign, count, begunAt);
    }
  }

  #keep({ id, messageCount }: CampaignRow, count: CampaignCount, begunAt: number): void {
    const now = this.deps.clock.monotonic();
    const hasEnded = count.shares.every(({ state }) => isFinal(state));
    const rest = hasEnded ? endedRecountMs : Math.max(recountMs, restFactor * (now - begunAt));
    this.#kept.delete(id);
    this.#kept.set(id, { nextAt: now + rest, messages: messageCount, count, hasEnded });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptCountsMax && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** The oldest stored message: its sender and text represent all of them. */
  firstMessage({ id }: CampaignRow): MessageRow | null {
    const { campaigns, messages } = this.deps.store.tables;
    for (const { firstMessageId } of campaigns.runs(id)) {
      const first = messages.byId(firstMessageId);
      if (first !== null) return first;
    }
    return null;
  }

  /**
   * Cancels the messages not handed over yet, and resolves with their number. Messages accepted under its name
   * meanwhile are sent.
   */
  async stop(campaign: CampaignRow, { byOperator }: { byOperator: boolean }): Promise<number> {
    const { store, clock } = this.deps;
    const reason = byOperator ? ({ code: "operator_cancelled" } as const) : null;
    let cancelled = 0;
    this.#counts.delete(campaign.id);
    this.#kept.delete(campaign.id);
    for await (const rows of this.#messages(campaign, isCancellable)) {
      for (let from = 0; from < rows.length; from += cancelledPerWrite) {
        const slice = rows.slice(from, from + cancelledPerWrite);
        cancelled += await store.write((tables) => {
          const at = clock.now();
          // Read again: the dispatcher may have claimed some.
          const waiting = slice
            .flatMap(({ id }) => tables.messages.byId(id) ?? [])
            .filter((row) => isCancellable(row.state));
          for (const row of waiting) cancelRow(tables, row, at, reason);
          return waiting.length;
        });
      }
    }
    return cancelled;
  }

  /** Tracking codes of the failed messages, some at a time. */
  async *failed(campaign: CampaignRow): AsyncGenerator<string[]> {
    for await (const rows of this.#messages(campaign, (state) => state === "failed")) {
      yield rows.map(({ trackingCode }) => trackingCode);
    }
  }

  async *#messages({ id }: CampaignRow, isMeant: (state: MessageState) => boolean): AsyncGenerator<MessageRow[]> {
    const { campaigns, messages } = this.deps.store.tables;
    for (const { firstMessageId, messageCount } of campaigns.runs(id)) {
      for (let read = 0; read < messageCount; read += sliceRead) {
        const ids = Array.from(
          { length: Math.min(sliceRead, messageCount - read) },
          (_, index) => firstMessageId + read + index,
        );
        const rows = ids.flatMap((one) => messages.byId(one) ?? []).filter(({ state }) => isMeant(state));
        if (rows.length > 0) yield rows;
        await nextTurn();
      }
    }
  }
}
