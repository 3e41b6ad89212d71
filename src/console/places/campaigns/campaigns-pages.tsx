/** Campaigns, for anyone who may read messages: their outcome, stopping them, and sending failed messages again. */

import type { PageCall } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import { otherCount } from "../messages/bulk-view.ts";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { CampaignPage, CampaignsPage, resendAsked } from "./campaigns.tsx";
import { campaignsWords } from "./words.ts";

const shownMax = 50;

type CampaignCall = PageCall<{ readonly id: string }>;

const { live, question } = usualPages("campaigns", { read: "messages.read", change: "messages.cancel" });

const wordsOf = ({ locale }: PageCall) => campaignsWords[locale.language];

async function campaigns({ api, query }: PageCall) {
  const before = query.get("before");
  const asked = { limit: shownMax + 1, outcomes: true, ...(before !== null && { before }) };
  const found = await api("GET /campaigns", asked);
  const page = found.slice(0, shownMax);
  const last = page.at(-1);
  const older = found.length > shownMax && last !== undefined ? `/campaigns?before=${last.id}` : null;
  return { campaigns: page, older };
}

const campaignOf = ({ api, params: { id } }: CampaignCall) => api("GET /campaigns/:id", { id });

const stopping = question("/campaigns/:id/stop", {
  async ask(call) {
    const campaign = await campaignOf(call);
    const { goes, ...words } = wordsOf(call).stopping;
    return {
      words: { ...words, goes: goes(call.locale.format.count(campaign.statuses.queued ?? 0)) },
      name: campaignTitle(campaign, call.locale),
      back: campaignHref(campaign.id),
    };
  },
  async run(call) {
    const { id } = call.params;
    const { cancelled } = await call.api("POST /campaigns/:id/stop", { id });
    return done(campaignHref(id), wordsOf(call).stopped(call.locale.format.count(cancelled)));
  },
});

const planOf = ({ api, params: { id } }: CampaignCall) => api("POST /campaigns/:id/resend", { id, dryRun: true });

const resending = question("/campaigns/:id/resend", {
  action: "messages.resend",
  async ask(call) {
    const [campaign, plan] = await Promise.all([campaignOf(call), planOf(call)]);
    if (plan.messages > 0) return resendAsked(campaign, plan, call.locale);
    return done(campaignHref(campaign.id), wordsOf(call).resendNone, { tone: "info" });
  },
  async run(call) {
    const { id } = call.params;
    const other = otherCount((await planOf(call)).messages, call);
    if (other !== null) return other;
    const { messages } = await call.api("POST /campaigns/:id/resend", { id });
    return done(campaignHref(id), wordsOf(call).resent(call.locale.format.count(messages)));
  },
});

export const campaignsPages = [
  ...live("/campaigns", { load: campaigns, View: CampaignsPage }),
  ...live("/campaigns/:id", {
    load: async (call) => ({ campaign: await campaignOf(call) }),
    View: CampaignPage,
  }),
  ...stopping,
  ...resending,
];
