/**
 * Campaigns: the list, one with the outcome of its messages, and the confirmations before it is stopped or sent again.
 */

import { messageErrorCodes } from "../../../domain/message.ts";
import { type CampaignDetailAnswer, type ListedCampaign, resentMax } from "../../../operator/campaigns.ts";
import { Card, Empty, Facts } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Hatches } from "../../components/chart-drawing.tsx";
import { ListEnd, RecordsCard } from "../../components/collection.tsx";
import { AccountLink, ForeignText, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { typedCount } from "../messages/bulk-view.ts";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { bulkWords, messagesWords } from "../messages/words.ts";
import { CampaignProgress, HandOverMinutes, meterCounts, minutesOf } from "./campaign-progress.tsx";
import { bandsOf, CampaignPill, campaignState, isUnderWay, useCampaignColumns } from "./campaign-row.tsx";
import { campaignsWords } from "./words.ts";

interface CampaignsProps {
  campaigns: readonly ListedCampaign[];
  /** The next older page; null at the end. */
  older: string | null;
}

export function CampaignsPage({ campaigns, older }: CampaignsProps) {
  const locale = useLocale();
  const { words, say } = useLocale(campaignsWords);
  const columns = useCampaignColumns(campaigns);
  const { rows, bandOf } = bandsOf(campaigns, locale);
  return (
    <PageLayout title={words.places.campaigns} lead={leadOf(campaigns, locale)}>
      <Hatches />
      <RecordsCard
        title={words.places.campaigns}
        hasHead={false}
        keyOf={({ id }) => id}
        {...{ columns, rows, bandOf, older }}
        picture
      >
        <Empty icon="campaign" title={say.emptyTitle} command="peyk campaign list">
          {say.emptyWords}
        </Empty>
      </RecordsCard>
      <ListEnd
        count={rows.length}
        icon="campaign"
        action={useMay("messages.send") && <LinkButton icon="send" href="/send" label={words.places.send} />}
      >
        {say.emptyWords}
      </ListEnd>
    </PageLayout>
  );
}

/** How much is under way, where something is. */
function leadOf(campaigns: readonly ListedCampaign[], { language, format }: Locale): string {
  const say = campaignsWords[language];
  const going = campaigns.filter(isUnderWay);
  const left = going.reduce((sum, { outcome }) => sum + (outcome == null ? 0 : meterCounts(outcome).waiting), 0);
  return going.length === 0 ? say.lead : say.leadUnderWay(format.count(going.length), format.count(left));
}

interface CampaignProps {
  campaign: CampaignDetailAnswer;
}

export function CampaignPage({ campaign }: CampaignProps) {
  const locale = useLocale();
  const { words, say } = useLocale(campaignsWords);
  return (
    <PageLayout
      title={campaignTitle(campaign, locale)}
      heading={<Name>{campaignTitle(campaign, locale)}</Name>}
      beside={<CampaignPill {...campaignState(campaign, locale)} />}
      above={{ title: words.places.campaigns, href: "/campaigns" }}
      lead={say.kind[campaign.kind]}
      hasEnded={hasEnded(campaign)}
      hasChart={minutesOf(campaign).length > 0}
      actions={
        <>
          <LinkButton icon="download" href={`/messages.csv?campaign=${campaign.id}`} label={locale.words.actions.csv} />
          <LinkButton icon="messages" href={`/messages?campaign=${campaign.id}`} label={say.see} />
          <Stop campaign={campaign} />
        </>
      }
    >
      <div class="stack">
        <CampaignProgress campaign={campaign} />
        <div class="columns columns-wide">
          <div class="stack">
            <HandOverMinutes campaign={campaign} />
            <WhyFailed campaign={campaign} />
            {campaign.text === null ? null : (
              <Card title={say.text}>
                <div class="bubble">
                  <ForeignText text={campaign.text} />
                </div>
              </Card>
            )}
          </div>
          <div class="stack">
            <Cost campaign={campaign} />
            <Card title={say.about}>
              <CampaignFacts campaign={campaign} />
            </Card>
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

/** Every message has its last status. */
const hasEnded = (campaign: CampaignDetailAnswer): boolean => {
  const { waiting, sent } = meterCounts(campaign);
  return waiting + sent === 0;
};

function Stop({ campaign }: CampaignProps) {
  const { stop } = useWords(campaignsWords);
  if (!useMay("messages.cancel") || campaign.statuses.queued === 0) return null;
  return <LinkButton look="ends" icon="cancelled" href={`${campaignHref(campaign.id)}/stop`} label={stop} dialog />;
}

function WhyFailed({ campaign }: CampaignProps) {
  const mayResend = useMay("messages.resend");
  const { words, language, format, say } = useLocale(campaignsWords);
  const { failed } = meterCounts(campaign);
  if (failed === 0) return null;
  const rows = messageErrorCodes
    .map((code) => ({ code, messages: campaign.errors[code] ?? 0 }))
    .filter(({ messages }) => messages > 0)
    .toSorted((a, b) => b.messages - a.messages);
  const columns: readonly Column<(typeof rows)[number]>[] = [
    {
      head: say.failedHead.reason,
      phone: "title",
      cell: ({ code }) => (
        <RowLink href={`/messages?campaign=${campaign.id}&status=failed&error=${code}`}>
          {messagesWords[language].errors[code]}
        </RowLink>
      ),
    },
    {
      head: words.terms.messages,
      phone: "aside",
      figure: true,
      cell: ({ messages }) => format.number(messages),
    },
    {
      head: say.failedHead.share,
      phone: "absent",
      figure: true,
      cell: ({ messages }) => format.percent(messages / failed),
    },
  ];
  const title = say.whyFailed(format.count(failed));
  const resend = mayResend ? (
    <LinkButton look="small" icon="again" href={`${campaignHref(campaign.id)}/resend`} label={say.resend} dialog />
  ) : null;
  return <RecordsCard title={title} actions={resend} columns={columns} rows={rows} keyOf={({ code }) => code} />;
}

function Cost({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { words, format, say } = useLocale(campaignsWords);
  const { money } = say;
  const { price, currency, charged, held, givenBack } = campaign;
  if (price === null) return null;
  const amount = (value: number) => format.amount(value, currency);
  return (
    <Card title={words.terms.cost}>
      <Facts
        facts={[
          [money.charged, amount(charged)],
          held !== 0 && [money.held, amount(held)],
          givenBack !== 0 && [money.givenBack, amount(givenBack)],
          held !== 0 && [money.most, <strong key="most">{amount(charged + held)}</strong>],
        ]}
      />
    </Card>
  );
}

function CampaignFacts({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { words, format, say } = useLocale(campaignsWords);
  const { facts } = say;
  const { account, accountName, key, sender, parts, createdAt, sendAt, messages } = campaign;
  return (
    <Facts
      facts={[
        !useIsCustomer() && [words.terms.account, <AccountLink key="account" id={account} name={accountName} />],
        [facts.by, key === null ? facts.person : <Name key="key">{key}</Name>],
        sender !== null && [words.terms.sender, <Phone key="sender" number={sender} />],
        [facts.began, <Time key="began" at={createdAt} as="dayAndClock" />],
        sendAt !== null && [facts.sendAt, <Time key="at" at={sendAt} as="dayAndClock" />],
        [words.terms.messages, format.number(messages)],
        [words.terms.parts, format.number(parts)],
      ]}
    />
  );
}

/** What would be sent again. */
interface ResendPlan {
  messages: number;
  refused: number;
  price: number | null;
  currency: string;
}

/** The question before the failed messages are sent again. */
export function resendAsked(campaign: CampaignDetailAnswer, plan: ResendPlan, locale: Locale) {
  const { language, format } = locale;
  const say = campaignsWords[language];
  const { cost, cut, resend } = bulkWords[language];
  const count = format.count(plan.messages);
  const typed = typedCount(plan.messages, locale);
  return {
    words: {
      question: say.resendQuestion,
      goes: [
        say.resendGoes(count),
        ...(plan.price === null ? [] : [cost(format.amount(plan.price, plan.currency))]),
        ...(plan.messages < resentMax ? [] : [cut(format.number(resentMax))]),
      ],
      stays: [...(plan.refused === 0 ? [] : [say.resendRefused(format.count(plan.refused))]), resend.stays],
      doIt: resend.doIt(count),
    },
    name: campaignTitle(campaign, locale),
    back: campaignHref(campaign.id),
    ...(typed !== null && { typed }),
  };
}
