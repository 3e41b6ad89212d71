/**
 * Campaigns: the list, one with the outcome of its messages, and the confirmations before it is stopped or sent again.
 */
import { useContext } from "preact/hooks";
import { messageErrorCodes } from "../../../domain/message.ts";
import { type CampaignAnswer, type CampaignDetailAnswer, resentMax } from "../../../operator/campaigns.ts";
import { Card, Empty, Facts, HasCommandLine } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer } from "../../components/navigation.tsx";
import { Pill, TonePill } from "../../components/pill.tsx";
import { type Column, Records, RowLink } from "../../components/records.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { bulkTypedFrom } from "../messages/bulk-view.ts";
import { campaignHref, campaignTitle } from "../messages/campaign-title.ts";
import { messagesWords } from "../messages/words.ts";
import { CampaignProgress, HandOverMinutes, minutesOf, statusCount } from "./campaign-progress.tsx";
import { campaignsWords } from "./words.ts";

/** `older`: the next older page; null at the end. */
export function CampaignsPage({ campaigns, older }: { campaigns: readonly CampaignAnswer[]; older: string | null }) {
  const say = useWords(campaignsWords);
  const columns = useColumns();
  return (
    <PageLayout title={say.title} lead={say.lead}>
      {campaigns.length === 0 ? (
        <Empty icon="campaign" title={say.emptyTitle} command="peyk campaign list">
          {say.emptyWords}
        </Empty>
      ) : (
        <Card flush>
          <Records label={say.title} columns={columns} rows={campaigns} keyOf={({ id }) => id} />
        </Card>
      )}
      {older === null ? null : (
        <p>
          <LinkButton href={older} label={say.older} />
        </p>
      )}
    </PageLayout>
  );
}

function useColumns(): readonly Column<CampaignAnswer>[] {
  const locale = useLocale();
  const { format } = locale;
  const { head, kind } = useWords(campaignsWords);
  const isOwn = useIsCustomer();
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
  campaign: CampaignDetailAnswer;
  may: CampaignActions;
}

export function CampaignPage({ campaign, may }: CampaignProps) {
  const locale = useLocale();
  const say = useWords(campaignsWords);
  return (
    <PageLayout
      title={campaignTitle(campaign, locale)}
      heading={<Name>{campaignTitle(campaign, locale)}</Name>}
      beside={<State campaign={campaign} />}
      above={{ title: say.title, href: "/campaigns" }}
      lead={say.kind[campaign.kind]}
      hasEnded={hasEnded(campaign)}
      hasChart={minutesOf(campaign).length > 0}
      actions={
        <>
          <LinkButton icon="download" href={`/messages.csv?campaign=${campaign.id}`} label={locale.words.actions.csv} />
          <LinkButton icon="messages" href={`/messages?campaign=${campaign.id}`} label={say.see} />
          <Stop campaign={campaign} may={may} />
        </>
      }
    >
      <div class="stack">
        <CampaignProgress campaign={campaign} />
        <div class="columns columns-wide">
          <div class="stack">
            <HandOverMinutes campaign={campaign} />
            <WhyFailed campaign={campaign} may={may} />
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
const hasEnded = (campaign: CampaignDetailAnswer): boolean =>
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

function Stop({ campaign, may }: CampaignProps) {
  const { language } = useLocale();
  if (!may.stop || statusCount(campaign, "queued") === 0) return null;
  return (
    <a class="button button-ends" href={`${campaignHref(campaign.id)}/stop`} data-dialog="">
      <Icon name="cancelled" />
      {campaignsWords[language].stop}
    </a>
  );
}

function WhyFailed({ campaign, may }: CampaignProps) {
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
    <LinkButton look="small" icon="again" href={`${campaignHref(campaign.id)}/resend`} label={say.resend} dialog />
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

/** What would be sent again. */
interface ResendPlan {
  messages: number;
  refused: number;
  price: number | null;
  currency: string;
}

/** From so many messages on, their number has to be typed. */
export function typedCount({ messages }: Pick<ResendPlan, "messages">, { language, format }: Locale) {
  if (messages < bulkTypedFrom) return null;
  return {
    label: campaignsWords[language].typed(format.count(messages).text),
    expected: String(messages),
    value: "",
  };
}

/** The question before the failed messages are sent again. */
export function resendAsked(campaign: CampaignDetailAnswer, plan: ResendPlan, locale: Locale) {
  const { language, format } = locale;
  const say = campaignsWords[language];
  const count = format.count(plan.messages);
  const typed = typedCount(plan, locale);
  return {
    words: {
      question: say.resendQuestion,
      goes: [
        say.resendGoes(count),
        ...(plan.price === null ? [] : [say.resendCost(format.amount(plan.price, plan.currency))]),
        ...(plan.messages < resentMax ? [] : [say.resendMost(format.number(resentMax))]),
      ],
      stays: [...(plan.refused === 0 ? [] : [say.resendRefused(format.count(plan.refused))]), say.resendStays],
      doIt: say.resendIt(count),
    },
    name: campaignTitle(campaign, locale),
    back: campaignHref(campaign.id),
    ...(typed !== null && { typed }),
  };
}
