/** Keeps an open campaign's figures and actions current. Nothing runs while no such page is open. */
import type { CampaignDetailAnswer } from "../../../operator/campaigns.ts";
import type { Clock, Timer } from "../../../platform/clock.ts";
import type { Logger } from "../../../platform/log.ts";
import { renderPartial } from "../../html.tsx";
import { createLocale, type Locale } from "../../locale.ts";
import type { PageEvents } from "../../page/page.ts";
import { type CampaignActions, campaignPieces, hasEnded } from "./campaigns.tsx";

interface CampaignEventsDeps {
  clock: Pick<Clock, "after" | "monotonic" | "now">;
  log: Pick<Logger, "error">;
}

interface OpenCampaign {
  locale: Pick<Locale, "language"> & { zone: string };
  may: CampaignActions;
  read(): Promise<CampaignDetailAnswer>;
}

/** The count itself is repeated at most every five seconds, for all readers together. */
const lookMs = 5_000;
/** Requests may still join a named campaign whose messages have all ended. */
const endedLookMs = 60_000;
/** Counting pauses for this many times as long as it took. */
const restFactor = 20;

export class CampaignEvents {
  readonly #deps: CampaignEventsDeps;

  constructor(deps: CampaignEventsDeps) {
    this.#deps = deps;
  }

  for(open: OpenCampaign): PageEvents {
    return {
      start: (send) => {
        let hasLeft = false;
        let timer: Timer | null = null;
        const shown = new Map<string, string>();
        const { clock, log } = this.#deps;
        const look = async () => {
          const begunAt = clock.monotonic();
          let rest = lookMs;
          try {
            const campaign = await open.read();
            if (hasEnded(campaign)) rest = endedLookMs;
            for (const [id, data] of this.#pieces(open, campaign)) {
              if (hasLeft || shown.get(id) === data) continue;
              shown.set(id, data);
              send({ name: null, data });
            }
          } catch (reason) {
            log.error({ err: reason }, "an open campaign was not brought up to date");
          }
          const wait = Math.max(rest, restFactor * (clock.monotonic() - begunAt));
          if (!hasLeft) timer = clock.after(wait, () => void look());
        };
        timer = clock.after(lookMs, () => void look());
        return () => {
          hasLeft = true;
          timer?.cancel();
        };
      },
    };
  }

  #pieces({ locale, may }: OpenCampaign, campaign: CampaignDetailAnswer): [string, string][] {
    const drawn = createLocale({ ...locale, now: this.#deps.clock.now() });
    return Object.entries(campaignPieces(campaign, may)).map(([id, piece]) => {
      const markup = renderPartial(drawn, piece);
      return [id, `<hx-partial hx-target="#${id}" hx-swap="innerMorph">${markup}</hx-partial>`];
    });
  }
}
