/** Campaigns, for anyone who may read messages: their outcome, stopping them, and sending failed messages again. */
import { roleMay } from "../../../domain/roles.ts";
import { Notice } from "../../components/blocks.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { document, type PageCall, page, redirect } from "../../page/page.ts";
import { CampaignPage, CampaignsPage, campaignHref, resendQuestion, stopQuestion } from "./campaigns.tsx";
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
  const may = { stop: roleMay(viewer.role, "messages.cancel"), resend: roleMay(viewer.role, "messages.resend") };
  return document(<CampaignPage shell={shell("campaigns")} campaign={campaign} may={may} />);
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

async function askResend({ api, params: { id }, shell, locale }: CampaignCall) {
  const [campaign, { messages }] = await Promise.all([
    api("GET /campaigns/:id", { id }),
    api("POST /campaigns/:id/resend", { id, dryRun: true }),
  ]);
  return document(<ConfirmPage shell={shell("campaigns")} view={resendQuestion(campaign, messages, locale)} />);
}

async function resend({ api, params: { id }, locale: { language, format } }: CampaignCall) {
  const { messages } = await api("POST /campaigns/:id/resend", { id });
  return redirect(
    campaignHref(id),
    <Notice tone="ok">{campaignsWords[language].resent(format.count(messages))}</Notice>,
  );
}

export const campaignsPages = [
  page({ method: "GET", path: "/campaigns", action: "messages.read", answer: list }),
  page({ method: "GET", path: "/campaigns/:id", action: "messages.read", answer: show }),
  page({ method: "GET", path: "/campaigns/:id/stop", action: "messages.cancel", answer: askStop }),
  page({ method: "POST", path: "/campaigns/:id/stop", action: "messages.cancel", answer: stop }),
  page({ method: "GET", path: "/campaigns/:id/resend", action: "messages.resend", answer: askResend }),
  page({ method: "POST", path: "/campaigns/:id/resend", action: "messages.resend", answer: resend }),
];
