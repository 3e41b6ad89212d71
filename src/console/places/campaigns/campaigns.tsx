/**
 * Campaigns: the list, one with the outcome of its messages, and the confirmations before it is stopped or sent again.
 */
import type { CampaignAnswer, CampaignDetailAnswer } from "../../../operator/campaigns.ts";
import { Card, Empty, Facts, Figures, Progress } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ForeignText, Name, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import type { Tone } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { campaignsWords } from "./words.ts";

export const campaignHref = (id: string): string => `/campaigns/${id}`;

export function campaignTitle({ id, name, group }: CampaignAnswer, { language }: Locale): string {
  const say = campaignsWords[language];
  return name ?? (group === null ? say.unnamed(id) : say.toGroup(group));
}

interface CampaignsProps {
  shell: Shell;
  campaigns: readonly CampaignAnswer[];
  /** The next older page; null at the end. */
  older: string | null;
  /** For a customer, who has one account. */
  isOwn: boolean;
}

export function CampaignsPage({ shell, campaigns, older, isOwn }: CampaignsProps) {
  const locale = useLocale();
  const say = campaignsWords[locale.language];
  return (
    <PageLayout shell={shell} title={say.title} lead={say.lead}>
      {campaigns.length === 0 ? (
        <Empty icon="campaign" title={say.emptyTitle} command="peyk campaign list">
          {say.emptyWords}
        </Empty>
      ) : (
        <Card flush>
          <Records label={say.title} columns={columnsOf(locale, isOwn)} rows={campaigns} keyOf={({ id }) => id} />
        </Card>
      )}
      {older === null ? null : (
        <p>
          <a class="button" href={older}>
            {say.older}
          </a>
        </p>
      )}
    </PageLayout>
  );
}

function columnsOf(locale: Locale, isOwn: boolean): readonly Column<CampaignAnswer>[] {
  const { language, format } = locale;
  const { head, kind } = campaignsWords[language];
  const account: Column<CampaignAnswer> = {
    head: head.account,
    phone: "word",
    cell: ({ accountName }) => <Name>{accountName}</Name>,
  };
  return [
    {
      head: head.name,
      phone: "title",
      cell: (campaign) => (
        <RowLink href={campaignHref(campaign.id)}>
          <Name>{campaignTitle(campaign, locale)}</Name>
        </RowLink>
      ),
    },
    ...(isOwn ? [] : [account]),
    { head: head.kind, phone: "word", cell: (campaign) => kind[campaign.kind] },
    { head: head.messages, phone: "word", named: true, figure: true, cell: ({ messages }) => format.number(messages) },
    { head: head.created, phone: "aside", cell: ({ createdAt }) => <Time at={createdAt} /> },
  ];
}

interface CampaignProps {
  shell: Shell;
  campaign: CampaignDetailAnswer;
  may: { stop: boolean; resend: boolean };
}

const outcomes = ["queued", "processing", "sent", "delivered", "failed", "cancelled"] as const;
const tones: Partial<Record<(typeof outcomes)[number], Tone>> = { delivered: "ok", failed: "bad" };

export function CampaignPage({ shell, campaign, may }: CampaignProps) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = campaignsWords[language];
  const { id, statuses, kept } = campaign;
  const count = (status: string) => statuses[status] ?? 0;
  const ended = count("delivered") + count("failed") + count("cancelled");
  const actions = (
    <>
      {may.stop && count("queued") > 0 ? (
        <a class="button button-danger" href={`${campaignHref(id)}/stop`} data-dialog="">
          {say.stop}
        </a>
      ) : null}
      {may.resend && count("failed") > 0 ? (
        <a class="button" href={`${campaignHref(id)}/resend`} data-dialog="">
          {say.resend}
        </a>
      ) : null}
    </>
  );
  return (
    <PageLayout shell={shell} title={campaignTitle(campaign, locale)} actions={actions}>
      <div class="stack">
        <Card title={say.progress}>
          <Progress
            done={format.count(ended)}
            total={format.count(kept)}
            label={say.done(format.number(ended), format.number(kept))}
          />
          <Figures
            figures={outcomes.map((status) => ({
              label: say.outcome[status],
              value: format.number(count(status)),
              ...(tones[status] !== undefined && count(status) > 0 && { tone: tones[status] }),
            }))}
          />
          <p class="muted">{say.counted}</p>
        </Card>
        <Card title={say.about}>
          <CampaignFacts campaign={campaign} />
        </Card>
      </div>
    </PageLayout>
  );
}

function CampaignFacts({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { language, format } = useLocale();
  const { facts, kind, head } = campaignsWords[language];
  const { accountName, key, sender, text, parts, price, currency, createdAt, sendAt, messages } = campaign;
  return (
    <Facts
      facts={[
        [head.account, <Name key="account">{accountName}</Name>],
        [head.kind, kind[campaign.kind]],
        [facts.by, key === null ? facts.person : <Name key="key">{key}</Name>],
        [facts.began, <Time key="began" at={createdAt} />],
        ...(sendAt === null ? [] : [[facts.sendAt, <Time key="at" at={sendAt} />] as const]),
        [head.messages, format.number(messages)],
        [facts.parts, format.number(parts)],
        ...(price === null || currency === null ? [] : [[facts.price, format.amount(price, currency)] as const]),
        ...(sender === null ? [] : [[facts.sender, <Name key="sender">{sender}</Name>] as const]),
        ...(text === null ? [] : [[facts.text, <ForeignText key="text" text={text} />] as const]),
      ]}
    />
  );
}

export function stopQuestion(campaign: CampaignDetailAnswer, locale: Locale): ConfirmView {
  const say = campaignsWords[locale.language];
  return {
    question: say.stopQuestion(campaignTitle(campaign, locale)),
    goes: [say.stopGoes(locale.format.count(campaign.statuses.queued ?? 0))],
    stays: [say.stopStays],
    action: `${campaignHref(campaign.id)}/stop`,
    doIt: say.stopIt,
    keep: say.keep,
    back: campaignHref(campaign.id),
  };
}

export function resendQuestion(campaign: CampaignDetailAnswer, messages: number, locale: Locale): ConfirmView {
  const say = campaignsWords[locale.language];
  return {
    question: say.resendQuestion(campaignTitle(campaign, locale)),
    goes: [say.resendGoes(locale.format.count(messages))],
    stays: [say.resendStays],
    action: `${campaignHref(campaign.id)}/resend`,
    doIt: say.resendIt,
    keep: say.keep,
    back: campaignHref(campaign.id),
  };
}
