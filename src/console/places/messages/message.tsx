/** One message: its state and the reason, what happened to it step by step, its text, its facts. */
import type { ComponentChildren } from "preact";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { Card, CopyButton, Facts } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Code, ForeignText, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { Story } from "../../components/story.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { blockWords } from "./block-words.ts";
import { campaignHref, campaignTitle } from "./campaign-title.ts";
import { isCancellableNow, isResendable, pillOf, reasonOf } from "./message-state.ts";
import { stepsOf, waitText } from "./message-steps.ts";
import { messagesWords, messageWords } from "./words.ts";

/** Replaces a text that contains a one-time password. */
const maskedText = "••••••";

export function MessagePage({ message }: { message: MessageAnswer }) {
  const locale = useLocale();
  const say = useWords(messageWords);
  const { title } = useWords(messagesWords);
  const readBy = useIsCustomer() ? "customer" : "staff";
  const reason = reasonOf(message, readBy);
  return (
    <PageLayout
      title={say.title(message.recipient)}
      heading={<Phone number={message.recipient} />}
      beside={<Pill state={pillOf(message, readBy)} />}
      above={{ title, href: "/messages" }}
      lead={reason === null ? undefined : waitText(reason, message.ahead, locale)}
      actions={<Actions message={message} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={say.story}>
            <Story steps={stepsOf(message, readBy, locale)} />
          </Card>
        </div>
        <div class="stack">
          <Card title={say.text}>
            <ForeignText text={message.message ?? maskedText} />
            {message.message === null ? <p class="muted">{say.hidden}</p> : null}
          </Card>
          <Card title={say.facts}>
            <Facts facts={factsOf(message, readBy === "staff", locale)} />
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

function Actions({ message }: { message: MessageAnswer }) {
  const say = useWords(messageWords);
  const { block } = useWords(blockWords);
  const path = `/messages/${message.trackingCode}`;
  const account = useIsCustomer() ? null : message.account;
  const mayCancel = useMay("messages.cancel");
  const mayResend = useMay("messages.resend");
  return (
    <>
      <CopyButton text={`curl ${message.url} -H 'X-API-Key: …'`} label={say.curl} />
      <ConversationLink number={message.recipient} account={account} />
      {useMay("numbers.block") ? <LinkButton icon="cancelled" href={`${path}/block`} label={block} /> : null}
      {mayCancel && isCancellableNow(message) ? (
        <LinkButton icon="cancelled" href={`${path}/cancel`} label={say.cancel} dialog />
      ) : null}
      {mayResend && isResendable(message) ? (
        <LinkButton look="primary" icon="again" href={`${path}/resend`} label={say.resend} dialog />
      ) : null}
    </>
  );
}

type Fact = readonly [string, ComponentChildren];

function factsOf(message: MessageAnswer, isStaff: boolean, { language, words, format }: Locale): Fact[] {
  const say = messageWords[language];
  const name = say.fact;
  const { price, charge, currency, possibleArrivals, status, validUntil } = message;
  const carrierIds = message.parts.flatMap(({ providerId }) => providerId ?? []);
  const resent = message.timeline.find(({ reason }) => reason.code === "resent_as")?.reason;
  const resentAs = resent?.code === "resent_as" ? resent.trackingCode : null;
  const size = [
    words.counts.parts(format.count(message.partCount)),
    words.counts.characters(format.count(message.characterCount)),
    say.encoding[message.encoding],
  ];
  const facts: (Fact | false)[] = [
    [name.code, <Code>{message.trackingCode}</Code>],
    isStaff && [name.account, <AccountLink message={message} />],
    message.campaign !== null && [name.campaign, <CampaignLink campaign={message.campaign} />],
    message.key !== null && [name.key, <Name>{message.key}</Name>],
    [name.sender, <Phone number={message.sender} />],
    message.clientReference !== null && [name.reference, <Code>{message.clientReference}</Code>],
    [name.parts, size.join(" · ")],
    isStaff && message.route !== null && [name.route, <RouteLink name={message.route} />],
    isStaff && carrierIds.length > 0 && [name.carrierIds, <CarrierIds ids={carrierIds} />],
    price !== null && charge !== null && [name.cost, say.charge[charge](format.amount(price, currency))],
    possibleArrivals !== null && [name.mayHaveArrived, name.times(format.count(possibleArrivals))],
    ["queued", "processing"].includes(status) && [name.validUntil, <Time at={validUntil} as="dayAndClock" />],
    message.resentOf !== null && [name.resendOf, <MessageLink code={message.resentOf} />],
    resentAs !== null && [name.resentAs, <MessageLink code={resentAs} />],
  ];
  return facts.filter((fact) => fact !== false);
}

function AccountLink({ message: { account, accountName } }: { message: MessageAnswer }) {
  return (
    <a href={`/accounts/${account}`}>
      <Name>{accountName ?? account}</Name>
    </a>
  );
}

function CampaignLink({ campaign }: { campaign: NonNullable<MessageAnswer["campaign"]> }) {
  return (
    <a href={campaignHref(campaign.id)}>
      <Name>{campaignTitle(campaign, useLocale())}</Name>
    </a>
  );
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
