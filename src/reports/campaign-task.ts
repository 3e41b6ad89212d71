/** Counts the messages of a campaign by outcome. */

import { publicStatusOf } from "../domain/status.ts";
import type { CampaignCount, CampaignShare, HandedOverMinute, HandedOverShare } from "../store/campaign-reader.ts";
import type { CampaignRun } from "../store/campaigns.ts";
import type { Reader } from "../store/reader.ts";
import type { CampaignRequest, ReadTask } from "./protocol.ts";

/** Messages counted per step: 1 to 3 ms. */
const stepMessages = 2_000;

/** The minutes of the answer, up to the last hand-over. */
const minutesMax = 60;
const minuteMs = 60_000;

export class CampaignTask implements ReadTask<CampaignCount> {
  readonly #reader: Reader;
  readonly #campaignId: number;
  readonly #shares = new Map<string, CampaignShare>();
  readonly #minutes = new Map<number, HandedOverMinute>();
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;
  #runs: CampaignRun[] | null = null;

  constructor(reader: Reader, { campaignId }: CampaignRequest) {
    this.#reader = reader;
    this.#campaignId = campaignId;
  }

  step(): CampaignCount | null {
    this.#runs ??= this.#reader.campaigns.runs(this.#campaignId);
    for (let left = stepMessages; left > 0; ) {
      const run = this.#runs.shift();
      if (run === undefined) return { shares: [...this.#shares.values()], handedOver: this.#handedOver() };
      const { firstMessageId, messageCount } = run;
      const taken = Math.min(left, messageCount);
      const end = firstMessageId + taken;
      for (const share of this.#reader.campaigns.shares(firstMessageId, end)) this.#add(share);
      for (const share of this.#reader.campaigns.handedOver(firstMessageId, end)) this.#addMinute(share);
      if (taken < messageCount) {
        this.#runs.unshift({ firstMessageId: firstMessageId + taken, messageCount: messageCount - taken });
      }
      left -= taken;
    }
    return null;
  }

  #handedOver(): CampaignCount["handedOver"] {
    if (this.#minutes.size === 0) return null;
    const from = this.#lastAt - minutesMax * minuteMs;
    const minutes = [...this.#minutes.values()].filter(({ at }) => at > from).sort((a, b) => a.at - b.at);
    return { firstAt: this.#firstAt, lastAt: this.#lastAt, minutes };
  }

  #addMinute({ minuteAt, state, messages, firstAt, lastAt }: HandedOverShare): void {
    const minute = this.#minutes.get(minuteAt) ?? { at: minuteAt, delivered: 0, sent: 0, failed: 0 };
    const status = publicStatusOf(state);
    minute[status === "delivered" || status === "failed" ? status : "sent"] += messages;
    this.#minutes.set(minuteAt, minute);
    this.#firstAt = Math.min(this.#firstAt, firstAt);
    this.#lastAt = Math.max(this.#lastAt, lastAt);
  }

  #add(share: CampaignShare): void {
    const name = `${share.state} ${share.errorCode ?? ""}`;
    const known = this.#shares.get(name);
    if (known === undefined) {
      this.#shares.set(name, share);
      return;
    }
    known.messages += share.messages;
    known.parts += share.parts;
    for (const money of ["price", "charged", "uncharged"] as const) {
      const amount = share[money];
      if (amount !== null) known[money] = (known[money] ?? 0) + amount;
    }
    if (share.dueAt !== null) known.dueAt = Math.min(share.dueAt, known.dueAt ?? share.dueAt);
  }
}
