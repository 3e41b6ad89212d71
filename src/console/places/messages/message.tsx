/** One message: its state and the reason, what happened to it step by step, its text, its facts. */
import type { ComponentChildren } from "preact";
import type { MessageEncoding } from "../../../domain/message.ts";
import type { QueueAhead } from "../../../messaging/messages/queue-depth.ts";
import { Card, CopyButton, Facts } from "../../components/blocks.tsx";
import { Code, ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { Story, type StoryStep } from "../../components/story.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import type { MessageReason } from "../../page/reason.ts";
import { campaignHref, campaignTitle } from "./campaign-title.ts";
import { type MessageEvent, stepOf, waitText } from "./message-step.ts";
import { messagesWords, messageWords } from "./words.ts";

export interface MessageView {
  code: string;
  to: string;
  state: PillState;
  reason: MessageReason | null;
  /** How many messages are ahead of it in the queue. */
  ahead: QueueAhead | null;
  /** Oldest first. */
  events: readonly MessageEvent[];
  text: string;
  /** It contains a one-time password, which is masked. */
  masked: boolean;
  encoding: MessageEncoding;
  characters: number;
  parts: number;
  sender: string;
  account: { id: string; name: string } | null;
  /** Null if it was sent by itself. */
  campaign: { id: string; name: string | null; group: string | null } | null;
  /** Null where a person sent it, or that is not known. */
  key: string | null;
  reference: string | null;
  route: string | null;
  /** `amount`: in the currency's smallest unit. Null where nothing is charged. */
  cost: { amount: number; currency: string; charge: keyof (typeof messageWords)["en"]["charge"] } | null;
  carrierIds: readonly string[];
  /** The message that this one resends. */
  resendOf: string | null;
  /** The message that resends this one. */
  resentAs: string | null;
  /** How often it may have reached the phone; null if that is certain. */
  possibleArrivals: number | null;
  /** When attempts end, in epoch milliseconds; null for a message that is final or was handed over. */
  validUntil: number | null;
  mayCancel: boolean;
  mayResend: boolean;
  curl: string;
}

export function MessagePage({ shell, view }: { shell: Shell; view: MessageView }) {
  const locale = useLocale();
  const { language } = locale;
  const say = messageWords[language];
  return (
    <PageLayout
      shell={shell}
      title={say.title(view.to)}
      heading={<Phone number={view.to} />}
      beside={<Pill state={view.state} />}
      above={{ title: messagesWords[language].title, href: "/messages" }}
      lead={view.reason === null ? undefined : waitText(view.reason, view.ahead, locale)}
      actions={<Actions view={view} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={say.story}>
            <Story steps={view.events.map((event): StoryStep => stepOf(event, locale))} />
          </Card>
        </div>
        <div class="stack">
          <Card title={say.text}>
            <ForeignText text={view.text} />
            {view.masked ? <p class="muted">{say.hidden}</p> : null}
          </Card>
          <Card title={say.facts}>
            <Facts facts={factsOf(view, locale)} />
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ view }: { view: MessageView }) {
  const { language } = useLocale();
  const say = messageWords[language];
  const path = `/messages/${view.code}`;
  return (
    <>
      <CopyButton text={view.curl} label={say.curl} />
      {view.mayCancel ? (
        <a class="button" href={`${path}/cancel`} data-dialog="">
          <Icon name="cancelled" />
          {say.cancel}
        </a>
      ) : null}
      {view.mayResend ? (
        <a class="button button-primary" href={`${path}/resend`} data-dialog="">
          <Icon name="again" />
          {say.resend}
        </a>
      ) : null}
    </>
  );
}

function factsOf(view: MessageView, { language, words, format }: Locale): (readonly [string, ComponentChildren])[] {
  const say = messageWords[language];
  const name = say.fact;
  const facts: (readonly [string, ComponentChildren])[] = [[name.code, <Code>{view.code}</Code>]];
  if (view.account !== null) {
    const { id, name: title } = view.account;
    facts.push([
      name.account,
      <a href={`/accounts/${id}`}>
        <Name>{title}</Name>
      </a>,
    ]);
  }
  if (view.campaign !== null) {
    facts.push([
      name.campaign,
      <a href={campaignHref(view.campaign.id)}>
        <Name>{campaignTitle(view.campaign, { language })}</Name>
      </a>,
    ]);
  }
  if (view.key !== null) facts.push([name.key, <Name>{view.key}</Name>]);
  facts.push([name.sender, <Phone number={view.sender} />]);
  if (view.reference !== null) facts.push([name.reference, <Code>{view.reference}</Code>]);
  const counted = [
    words.counts.parts(format.count(view.parts)),
    words.counts.characters(format.count(view.characters)),
  ];
  facts.push([name.parts, [...counted, say.encoding[view.encoding]].join(" · ")]);
  if (view.route !== null) facts.push([name.route, <RouteLink name={view.route} />]);
  if (view.carrierIds.length > 0) facts.push([name.carrierIds, <CarrierIds ids={view.carrierIds} />]);
  if (view.cost !== null) {
    const { amount, currency, charge } = view.cost;
    facts.push([name.cost, say.charge[charge](format.amount(amount, currency))]);
  }
  if (view.possibleArrivals !== null)
    facts.push([name.mayHaveArrived, name.times(format.count(view.possibleArrivals))]);
  if (view.validUntil !== null) facts.push([name.validUntil, <Time at={view.validUntil} as="dayAndClock" />]);
  if (view.resendOf !== null) facts.push([name.resendOf, <MessageLink code={view.resendOf} />]);
  if (view.resentAs !== null) facts.push([name.resentAs, <MessageLink code={view.resentAs} />]);
  return facts;
}

function MessageLink({ code }: { code: string }) {
  return (
    <a href={`/messages/${code}`}>
      <Code>{code}</Code>
    </a>
  );
}

function RouteLink({ name }: { name: string }) {
  return (
    <a href={`/routes/${encodeURIComponent(name)}`}>
      <Code>{name}</Code>
    </a>
  );
}

function CarrierIds({ ids }: { ids: readonly string[] }) {
  return (
    <ul class="bare">
      {ids.map((id) => (
        <li key={id}>
          <Code>{id}</Code>
        </li>
      ))}
    </ul>
  );
}
