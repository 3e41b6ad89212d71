/** One message: its state and the reason, what happened to it step by step, its text, its facts. */

import type { ComponentChildren } from "preact";
import type { MessageAnswer, MessageSummaryAnswer } from "../../../operator/messages.ts";
import { Card, CopyButton, Facts } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { RecordsCard } from "../../components/collection.tsx";
import { AccountLink, Code, ForeignText, Name, Phone, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Column, RowLink } from "../../components/records.tsx";
import { Story } from "../../components/story.tsx";
import { type Locale, useLocale, useWords } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { blockWords } from "./block-words.ts";
import { campaignHref, campaignTitle } from "./campaign-title.ts";
import { type Headline, headlineOf, longMs } from "./message-headline.ts";
import { stateColumn } from "./message-list.tsx";
import { hiddenCode, isCancellableNow, isResendable, pillOf } from "./message-state.ts";
import { stepsOf } from "./message-steps.ts";
import { waitsOf } from "./message-waits.ts";
import { OtpStepsCard } from "./otp-steps-card.tsx";
import { TimeBar } from "./time-bar.tsx";
import { messageTimeWords } from "./time-words.ts";
import { messageWords } from "./words.ts";

interface MessageView {
  message: MessageAnswer;
  /** Other messages to the same number, newest first. */
  earlier?: readonly MessageSummaryAnswer[];
  /** From when its route's messages are due until their receipt; null if unknown. */
  usualMs?: number | null;
}

export function MessagePage({ message, earlier = [], usualMs = null }: MessageView) {
  const locale = useLocale();
  const say = useWords(messageWords);
  const readBy = useIsCustomer() ? "customer" : "staff";
  const waited = waitsOf(message, readBy, locale);
  const headline = headlineOf({ ...waited, message, readBy, usualMs }, locale);
  const [first, last] = [waited.waits[0], waited.waits.at(-1)];
  const isLong = first !== undefined && last !== undefined && last.to - first.from >= longMs;
  return (
    <PageLayout
      title={say.title(message.recipient)}
      heading={<Phone number={message.recipientAtHome} />}
      beside={
        <span role="status">
          <Pill state={pillOf(message, readBy)} />
        </span>
      }
      above={{ title: locale.words.places.messages, href: "/messages" }}
      lead={headline === null ? undefined : <HeadlineWords {...headline} />}
      hasEnded={message.finalAt !== null && message.nextCallback === null}
      actions={<Actions message={message} hasEarlier={earlier.length > 0} />}
    >
      <div class="stack">
        {isLong ? (
          <section class="card">
            <TimeBar message={message} usualMs={usualMs} {...waited} />
          </section>
        ) : null}
        <div class="columns columns-story">
          <div class="stack">
            <Card title={say.story} flush>
              <Story steps={stepsOf(message, readBy, locale)} />
            </Card>
            {message.otp === null ? null : <OtpStepsCard challenge={message.otp} />}
            <Earlier message={message} earlier={earlier} />
          </div>
          <div class="stack">
            <TextCard message={message} />
            <Card title={say.facts}>
              <Facts facts={factsOf(message, readBy === "staff", locale)} />
            </Card>
          </div>
        </div>
      </div>
    </PageLayout>
  );
}

const HeadlineWords = ({ outcome, cause }: Headline) => (
  <>
    <b>{outcome}</b> {cause}
  </>
);

/** The text; its size, encoding and parts unfold. */
function TextCard({ message }: { message: MessageAnswer }) {
  const { words, format } = useLocale();
  const { hidden, size } = useWords(messageTimeWords);
  const isCode = message.message === null;
  const parts = words.counts.parts(format.count(message.partCount));
  const characters = words.counts.characters(format.count(message.characterCount));
  return (
    <Card title={words.terms.text}>
      <div class="bubble">
        <ForeignText text={isCode ? hiddenCode(message.maskedText) : message.maskedText} />
      </div>
      {isCode ? <p class="muted small">{hidden}</p> : null}
      <details class="fold">
        <summary>{size(parts, characters)}</summary>
        <Parts message={message} />
      </details>
    </Card>
  );
}

function Parts({ message: { encoding, parts } }: { message: MessageAnswer }) {
  const { words, say } = useLocale(messageWords);
  const isCustomer = useIsCustomer();
  const ids = isCustomer ? [] : parts.flatMap(({ providerId }) => providerId ?? []);
  return (
    <Facts
      facts={[
        [words.terms.encoding, say.encoding[encoding]],
        ids.length > 0 && [say.fact.carrierIds, <CarrierIds key="ids" ids={ids} />],
      ]}
    />
  );
}

function Earlier({ message, earlier }: { message: MessageAnswer; earlier: readonly MessageSummaryAnswer[] }) {
  const locale = useLocale();
  const { terms } = locale.words;
  const { earlier: title } = useWords(messageTimeWords);
  const isCustomer = useIsCustomer();
  if (earlier.length === 0) return null;
  const link = <ConversationLink number={message.recipient} account={isCustomer ? null : message.account} isQuiet />;
  const columns: readonly Column<MessageSummaryAnswer>[] = [
    {
      head: terms.time,
      phone: "title",
      cell: ({ trackingCode, submittedAt }) => (
        <RowLink href={`/messages/${trackingCode}`}>
          <Time at={submittedAt} />
        </RowLink>
      ),
    },
    stateColumn(terms.status, isCustomer ? "customer" : "staff", locale),
    { head: terms.sender, phone: "word", cell: ({ sender }) => <Phone number={sender} /> },
  ];
  return (
    <RecordsCard title={title} actions={link} columns={columns} rows={earlier} keyOf={(one) => one.trackingCode} />
  );
}

function Actions({ message, hasEarlier }: { message: MessageAnswer; hasEarlier: boolean }) {
  const { words, say } = useLocale(messageWords);
  const { block } = useWords(blockWords);
  const path = `/messages/${message.trackingCode}`;
  const account = useIsCustomer() ? null : message.account;
  const mayCancel = useMay("messages.cancel");
  const mayResend = useMay("messages.resend");
  return (
    <>
      <CopyButton text={`curl ${message.url} -H 'X-API-Key: …'`} label={say.curl} />
      {hasEarlier ? null : <ConversationLink number={message.recipient} account={account} />}
      {useMay("numbers.block") ? <LinkButton icon="cancelled" href={`${path}/block`} label={block} /> : null}
      {mayCancel && isCancellableNow(message) ? (
        <LinkButton icon="cancelled" href={`${path}/cancel`} label={say.cancel} dialog />
      ) : null}
      {mayResend && isResendable(message) ? (
        <LinkButton look="primary" icon="again" href={`${path}/resend`} label={words.actions.sendAgain} dialog />
      ) : null}
    </>
  );
}

type Fact = readonly [string, ComponentChildren];

function factsOf(message: MessageAnswer, isStaff: boolean, { language, format, words }: Locale): Fact[] {
  const say = messageWords[language];
  const time = messageTimeWords[language];
  const name = say.fact;
  const { account, accountName, price, charge, currency, possibleArrivals, status, validUntil } = message;
  const { networkSource: source } = message;
  const resent = message.timeline.find(({ reason }) => reason.code === "resent_as")?.reason;
  const resentAs = resent?.code === "resent_as" ? resent.trackingCode : null;
  const facts: (Fact | false)[] = [
    isStaff && [words.terms.account, <AccountLink id={account} name={accountName ?? account} />],
    message.campaign !== null && [words.terms.campaign, <CampaignLink campaign={message.campaign} />],
    message.key !== null && [words.terms.key, <Name>{message.key}</Name>],
    [words.terms.sender, <Phone number={message.sender} />],
    message.clientReference !== null && [words.terms.reference, <Code>{message.clientReference}</Code>],
    [words.terms.class, time.className[message.class]],
    isStaff && message.route !== null && [words.terms.route, <RouteLink name={message.route} />],
    isStaff &&
      message.network !== null && [
        words.terms.network,
        <>
          <Name>{message.network}</Name>
          {source !== null && source !== "prefix" && name.namedBy[source]}
        </>,
      ],
    price !== null && charge !== null && [words.terms.cost, say.charge[charge](format.amount(price, currency))],
    possibleArrivals !== null && [name.mayHaveArrived, name.times(format.count(possibleArrivals))],
    ["queued", "processing"].includes(status) && [name.validUntil, <Time at={validUntil} as="dayAndClock" />],
    message.resentOf !== null && [name.resendOf, <MessageLink code={message.resentOf} />],
    resentAs !== null && [name.resentAs, <MessageLink code={resentAs} />],
    [words.terms.code, <Code>{message.trackingCode}</Code>],
  ];
  return facts.filter((fact) => fact !== false);
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
      <Slug>{name}</Slug>
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
