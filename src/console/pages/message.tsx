/** One message: where it is and why, what became of it step by step, its text, its facts. */
import type { ComponentChildren } from "preact";
import type { MessageEncoding } from "../../domain/message.ts";
import type { QueueAhead } from "../../messaging/messages/queue-depth.ts";
import { Card, CopyButton, Facts } from "../components/blocks.tsx";
import { Code, ForeignText, Icon, Name, Phone, Time } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { Story, type StoryStep } from "../components/story.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { type MessageEvent, stepOf, waitText } from "./message-step.ts";
import type { MessageReason } from "./reason.ts";

export interface MessageView {
  code: string;
  to: string;
  state: PillState;
  reason: MessageReason | null;
  /** How many go before it while it waits for its turn. */
  ahead: QueueAhead | null;
  /** Oldest first. */
  events: readonly MessageEvent[];
  text: string;
  /** A one-time password stands in it, masked. */
  masked: boolean;
  encoding: MessageEncoding;
  characters: number;
  parts: number;
  sender: string;
  account: { id: string; name: string } | null;
  /** Null where a person sent it, or that is not known. */
  key: string | null;
  reference: string | null;
  route: string | null;
  /** `amount`: in the currency's smallest unit. Null where nothing is charged. */
  cost: { amount: number; currency: string } | null;
  carrierIds: readonly string[];
  /** The message that this one sends again. */
  resendOf: string | null;
  /** The message that sends this one again. */
  resentAs: string | null;
  /** How often it may have reached the phone; null where that is known. */
  possibleArrivals: number | null;
  /** Until when it is tried: epoch milliseconds; null for one that is final or was handed over. */
  validUntil: number | null;
  mayCancel: boolean;
  mayResend: boolean;
  curl: string;
}

export function MessagePage({ shell, view }: { shell: Shell; view: MessageView }) {
  const locale = useLocale();
  const { words } = locale;
  return (
    <PageLayout
      shell={shell}
      title={words.message.title(view.to)}
      heading={<Phone number={view.to} />}
      beside={<Pill state={view.state} />}
      above={{ title: words.messages.title, href: "/messages" }}
      lead={view.reason === null ? undefined : waitText(view.reason, view.ahead, locale)}
      actions={<Actions view={view} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={words.message.story}>
            <Story steps={view.events.map((event): StoryStep => stepOf(event, locale))} />
          </Card>
        </div>
        <div class="stack">
          <Card title={words.message.text}>
            <ForeignText text={view.text} />
            {view.masked ? <p class="muted">{words.message.hidden}</p> : null}
          </Card>
          <Card title={words.message.facts}>
            <Facts facts={factsOf(view, locale)} />
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ view }: { view: MessageView }) {
  const { words } = useLocale();
  const path = `/messages/${view.code}`;
  return (
    <>
      <CopyButton text={view.curl} label={words.message.curl} />
      {view.mayCancel ? (
        <a class="button" href={`${path}/cancel`} data-dialog="">
          <Icon name="cancelled" />
          {words.message.cancel}
        </a>
      ) : null}
      {view.mayResend ? (
        <a class="button button-primary" href={`${path}/resend`} data-dialog="">
          <Icon name="again" />
          {words.message.resend}
        </a>
      ) : null}
    </>
  );
}

function factsOf(view: MessageView, { words, format }: Locale): (readonly [string, ComponentChildren])[] {
  const name = words.message.fact;
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
  if (view.key !== null) facts.push([name.key, <Name>{view.key}</Name>]);
  facts.push([name.sender, <Phone number={view.sender} />]);
  if (view.reference !== null) facts.push([name.reference, <Code>{view.reference}</Code>]);
  const counted = [
    words.counts.parts(format.count(view.parts)),
    words.counts.characters(format.count(view.characters)),
  ];
  facts.push([name.parts, [...counted, words.message.encoding[view.encoding]].join(" · ")]);
  if (view.route !== null) facts.push([name.route, <RouteLink name={view.route} />]);
  if (view.carrierIds.length > 0) facts.push([name.carrierIds, <CarrierIds ids={view.carrierIds} />]);
  if (view.cost !== null) facts.push([name.cost, format.amount(view.cost.amount, view.cost.currency)]);
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
