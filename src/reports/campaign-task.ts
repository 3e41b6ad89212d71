/** Counts the messages of a campaign by outcome. */

import type { CampaignShare } from "../store/campaign-reader.ts";
import type { CampaignRun } from "../store/campaigns.ts";
import type { Reader } from "../store/reader.ts";
import type { CampaignRequest, ReadTask } from "./protocol.ts";

/** Messages counted per step: 1 to 3 ms. */
const stepMessages = 2_000;

export class CampaignTask implements ReadTask<CampaignShare[]> {
  readonly #reader: Reader;
  readonly #campaignId: number;
  readonly #shares = new Map<string, CampaignShare>();
  #runs: CampaignRun[] | null = null;

  constructor(reader: Reader, { campaignId }: CampaignRequest) {
    this.#reader = reader;
    this.#campaignId = campaignId;
  }

  step(): CampaignShare[] | null {
    this.#runs ??= this.#reader.campaigns.runs(this.#campaignId);
    for (let left = stepMessages; left > 0; ) {
      const run = this.#runs.shift();
      if (run === undefined) return [...this.#shares.values()];
      const { firstMessageId, messageCount } = run;
      const taken = Math.min(left, messageCount);
      for (const share of this.#reader.campaigns.shares(firstMessageId, firstMessageId + taken)) this.#add(share);
      if (taken < messageCount) {
        this.#runs.unshift({ firstMessageId: firstMessageId + taken, messageCount: messageCount - taken });
      }
      left -= taken;
    }
    return null;
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
  }
}
