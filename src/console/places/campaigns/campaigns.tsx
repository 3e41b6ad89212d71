/**
 * Campaigns: the list, one with the outcome of its messages, and the confirmations before it is stopped or sent again.
 */
import { useContext } from "preact/hooks";
import { messageErrorCodes } from "../../../domain/message.ts";
import { type CampaignAnswer, type CampaignDetailAnswer, resentMax } from "../../../operator/campaigns.ts";
import { Card, Empty, Facts, HasCommandLine } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { bulkTypedFrom } from "../messages/bulk-view.ts";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { messagesWords } from "../messages/words.ts";
import { CampaignProgress, HandOverMinutes, minutesOf, statusCount } from "./campaign-progress.tsx";
import { campaignsWords } from "./words.ts";

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

/** What the reader may do with a campaign. */
export interface CampaignActions {
  stop: boolean;
  resend: boolean;
}

interface CampaignProps {
  shell: Shell;
  campaign: CampaignDetailAnswer;
  may: CampaignActions;
}

export function CampaignPage({ shell, campaign, may }: CampaignProps) {
  const locale = useLocale();
  const { language } = locale;
  const say = campaignsWords[language];
  const pieces = campaignPieces(campaign, may);
  return (
    <PageLayout
      shell={shell}
      title={campaignTitle(campaign, locale)}
      heading={<Name>{campaignTitle(campaign, locale)}</Name>}
      beside={<span id="campaign-state">{pieces["campaign-state"]}</span>}
      above={{ title: say.title, href: "/campaigns" }}
      lead={say.kind[campaign.kind]}
      live={`${campaignHref(campaign.id)}/live`}
      hasChart={minutesOf(campaign).length > 0}
      actions={
        <>
          <a class="button" href={`/messages.csv?campaign=${campaign.id}`}>
            <Icon name="download" />
            {locale.words.actions.csv}
          </a>
          <a class="button" href={`/messages?campaign=${campaign.id}`}>
            <Icon name="messages" />
            {say.see}
          </a>
          <span id="campaign-stop">{pieces["campaign-stop"]}</span>
        </>
      }
    >
      <div class="stack">
        <div id="campaign-progress">{pieces["campaign-progress"]}</div>
        <div class="columns columns-wide">
          <div class="stack">
            <div id="campaign-minutes">{pieces["campaign-minutes"]}</div>
            <div id="campaign-failed">{pieces["campaign-failed"]}</div>
            {campaign.text === null ? null : (
              <Card title={say.text}>
                <div class="bubble">
                  <ForeignText text={campaign.text} />
                </div>
              </Card>
            )}
          </div>
          <div class="stack">
            <div id="campaign-cost">{pieces["campaign-cost"]}</div>
            <Card title={say.about}>
              <CampaignFacts campaign={campaign} />
            </Card>
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

/** The ids of the places that the page's stream replaces. */
export function campaignPieces(campaign: CampaignDetailAnswer, may: CampaignActions) {
  return {
    "campaign-state": <State campaign={campaign} />,
    "campaign-stop": <Stop campaign={campaign} may={may} />,
    "campaign-progress": <CampaignProgress campaign={campaign} />,
    "campaign-minutes": <HandOverMinutes campaign={campaign} />,
    "campaign-failed": <WhyFailed campaign={campaign} may={may} />,
    "campaign-cost": <Cost campaign={campaign} />,
  };
}

/** Every message has its last status. */
export const hasEnded = (campaign: CampaignDetailAnswer): boolean =>
  statusCount(campaign, "delivered") + statusCount(campaign, "failed") + statusCount(campaign, "cancelled") ===
  campaign.kept;

function State({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { language } = useLocale();
  const queued = statusCount(campaign, "queued");
  if (queued === campaign.kept && campaign.sendAt !== null) return <Pill state="scheduled" />;
  if (queued + statusCount(campaign, "processing") > 0) return <Pill state="sending" />;
  if (statusCount(campaign, "sent") > 0) return <Pill state="sent" />;
  return (
    <TonePill tone="wait" icon="check">
      {campaignsWords[language].ended}
    </TonePill>
  );
}

function Stop({ campaign, may }: { campaign: CampaignDetailAnswer; may: CampaignActions }) {
  const { language } = useLocale();
  if (!may.stop || statusCount(campaign, "queued") === 0) return null;
  return (
    <a class="button button-ends" href={`${campaignHref(campaign.id)}/stop`} data-dialog="">
      <Icon name="cancelled" />
      {campaignsWords[language].stop}
    </a>
  );
}

function WhyFailed({ campaign, may }: { campaign: CampaignDetailAnswer; may: CampaignActions }) {
  const { language, format } = useLocale();
  const say = campaignsWords[language];
  const failed = statusCount(campaign, "failed");
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
      head: say.failedHead.messages,
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
  const resend = may.resend ? (
    <a class="button button-small" href={`${campaignHref(campaign.id)}/resend`} data-dialog="">
      <Icon name="again" />
      {say.resend}
    </a>
  ) : null;
  return (
    <Card title={title} actions={resend} flush>
      <Records label={title} columns={columns} rows={rows} keyOf={({ code }) => code} />
    </Card>
  );
}

function Cost({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { language, format } = useLocale();
  const { cost, money } = campaignsWords[language];
  const { price, currency, charged, held, givenBack } = campaign;
  if (price === null) return null;
  const amount = (value: number) => format.amount(value, currency);
  return (
    <Card title={cost}>
      <Facts
        facts={[
          [money.charged, amount(charged)],
          ...(held === 0 ? [] : [[money.held, amount(held)] as const]),
          ...(givenBack === 0 ? [] : [[money.givenBack, amount(givenBack)] as const]),
          ...(held === 0 ? [] : [[money.most, <strong key="most">{amount(charged + held)}</strong>] as const]),
        ]}
      />
    </Card>
  );
}

function CampaignFacts({ campaign }: { campaign: CampaignDetailAnswer }) {
  const { language, format } = useLocale();
  const { facts, head } = campaignsWords[language];
  const { account, accountName, key, sender, parts, createdAt, sendAt, messages } = campaign;
  const isCustomer = !useContext(HasCommandLine);
  return (
    <Facts
      facts={[
        ...(isCustomer
          ? []
          : [
              [
                head.account,
                <a key="account" href={`/accounts/${account}`}>
                  <Name>{accountName}</Name>
                </a>,
              ] as const,
            ]),
        [facts.by, key === null ? facts.person : <Name key="key">{key}</Name>],
        ...(sender === null ? [] : [[facts.sender, <Phone key="sender" number={sender} />] as const]),
        [facts.began, <Time key="began" at={createdAt} as="dayAndClock" />],
        ...(sendAt === null ? [] : [[facts.sendAt, <Time key="at" at={sendAt} as="dayAndClock" />] as const]),
        [head.messages, format.number(messages)],
        [facts.parts, format.number(parts)],
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

/** What would be sent again. */
export interface ResendPlan {
  messages: number;
  refused: number;
  price: number | null;
  currency: string;
}

export function resendQuestion(campaign: CampaignDetailAnswer, plan: ResendPlan, locale: Locale): ConfirmView {
  const { language, format } = locale;
  const say = campaignsWords[language];
  const count = format.count(plan.messages);
  const left = [...(plan.refused === 0 ? [] : [say.resendRefused(format.count(plan.refused))]), say.resendStays];
  return {
    question: say.resendQuestion(campaignTitle(campaign, locale)),
    goes: [
      say.resendGoes(count),
      ...(plan.price === null ? [] : [say.resendCost(format.amount(plan.price, plan.currency))]),
      ...(plan.messages < resentMax ? [] : [say.resendMost(format.number(resentMax))]),
    ],
    stays: left,
    action: `${campaignHref(campaign.id)}/resend`,
    doIt: say.resendIt(count),
    keep: locale.words.confirm.keep,
    back: campaignHref(campaign.id),
    ...(plan.messages >= bulkTypedFrom && {
      typed: { label: say.typed(count.text), expected: String(plan.messages), value: "" },
    }),
  };
}
