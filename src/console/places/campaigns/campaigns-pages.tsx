/** Campaigns, for anyone who may read messages: their outcome, stopping them, and sending failed messages again. */
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { parseWholeNumber } from "../../format/input.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import type { Viewer } from "../../page/viewer.ts";
import { campaignHref } from "../messages/campaign-title.ts";
import type { CampaignEvents } from "./campaign-events.tsx";
import { type CampaignActions, CampaignPage, CampaignsPage, resendQuestion, stopQuestion } from "./campaigns.tsx";
import { campaignsWords } from "./words.ts";

const shownMax = 50;

type CampaignCall = PageCall<{ readonly id: string }>;

async function list({ api, query, shell, viewer }: PageCall) {
  const before = query.get("before");
  const found = await api("GET /campaigns", { limit: shownMax + 1, ...(before !== null && { before }) });
  const campaigns = found.slice(0, shownMax);
  const last = campaigns.at(-1);
  const older = found.length > shownMax && last !== undefined ? `/campaigns?before=${last.id}` : null;
  const isOwn = viewer.accountId !== null;
  return document(<CampaignsPage shell={shell("campaigns")} campaigns={campaigns} older={older} isOwn={isOwn} />);
}

async function show({ api, params: { id }, shell, viewer }: CampaignCall) {
  const campaign = await api("GET /campaigns/:id", { id });
  return document(<CampaignPage shell={shell("campaigns")} campaign={campaign} may={actionsOf(viewer)} />);
}

const actionsOf = ({ role }: Viewer): CampaignActions => ({
  stop: roleMay(role, "messages.cancel"),
  resend: roleMay(role, "messages.resend"),
});

async function live({ api, params: { id }, viewer }: CampaignCall, events: CampaignEvents): Promise<PageAnswer> {
  const read = () => api("GET /campaigns/:id", { id });
  // Reports every problem with the request before the stream begins.
  await read();
  const locale = { language: viewer.language, zone: viewer.zone };
  return { kind: "events", events: events.for({ locale, may: actionsOf(viewer), read }) };
}

async function askStop({ api, params: { id }, shell, locale }: CampaignCall) {
  const view = stopQuestion(await api("GET /campaigns/:id", { id }), locale);
  return document(<ConfirmPage shell={shell("campaigns")} view={view} />);
}

async function stop({ api, params: { id }, locale: { language, format } }: CampaignCall) {
  const { cancelled } = await api("POST /campaigns/:id/stop", { id });
  return redirect(
    campaignHref(id),
    <Notice tone="ok">{campaignsWords[language].stopped(format.count(cancelled))}</Notice>,
  );
}

async function resendQuestionOf({ api, params: { id }, locale }: CampaignCall) {
  const [campaign, plan] = await Promise.all([
    api("GET /campaigns/:id", { id }),
    api("POST /campaigns/:id/resend", { id, dryRun: true }),
  ]);
  return { plan, view: resendQuestion(campaign, plan, locale) };
}

async function askResend(call: CampaignCall) {
  const { plan, view } = await resendQuestionOf(call);
  if (plan.messages === 0) {
    const { id } = call.params;
    return redirect(campaignHref(id), <Notice tone="info">{campaignsWords[call.locale.language].resendNone}</Notice>);
  }
  return document(<ConfirmPage shell={call.shell("campaigns")} view={view} />);
}

async function resend(call: CampaignCall) {
  const {
    api,
    params: { id },
    form,
    shell,
    locale: { language, format, words },
  } = call;
  const { plan, view } = await resendQuestionOf(call);
  const value = form.text("typed");
  if (view.typed !== undefined && parseWholeNumber(value) !== plan.messages) {
    const typed = { ...view.typed, value, error: words.forms.typeCount(format.number(plan.messages)) };
    return formAgain(<ConfirmPage shell={shell("campaigns")} view={{ ...view, typed }} />);
  }
  const { messages } = await api("POST /campaigns/:id/resend", { id });
  return redirect(
    campaignHref(id),
    <Notice tone="ok">{campaignsWords[language].resent(format.count(messages))}</Notice>,
  );
}

export const campaignsPages = (events: CampaignEvents) => [
  page({ method: "GET", path: "/campaigns", action: "messages.read", answer: list }),
  page({ method: "GET", path: "/campaigns/:id", action: "messages.read", answer: show }),
  page({
    method: "GET",
    path: "/campaigns/:id/live",
    action: "messages.read",
    answer: (call) => live(call, events),
  }),
  page({ method: "GET", path: "/campaigns/:id/stop", action: "messages.cancel", answer: askStop }),
  page({ method: "POST", path: "/campaigns/:id/stop", action: "messages.cancel", answer: stop }),
  page({ method: "GET", path: "/campaigns/:id/resend", action: "messages.resend", answer: askResend }),
  page({ method: "POST", path: "/campaigns/:id/resend", action: "messages.resend", answer: resend }),
];
