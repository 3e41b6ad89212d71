/** One message: its state and the reason, what happened to it step by step, its text, its facts. */
import type { ComponentChildren } from "preact";
import { type Role, roleMay } from "../../../domain/roles.ts";
import type { MessageAnswer } from "../../../operator/messages.ts";
import { Card, CopyButton, Facts } from "../../components/blocks.tsx";
import { Code, ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { Story } from "../../components/story.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import type { Viewer } from "../../page/viewer.ts";
import { blockWords } from "./block-words.ts";
import { campaignHref, campaignTitle } from "./campaign-title.ts";
import { isCancellableNow, isResendable, pillOf, readByOf, reasonOf } from "./message-state.ts";
import { stepsOf, waitText } from "./message-steps.ts";
import { messagesWords, messageWords } from "./words.ts";

interface MessagePageProps {
  shell: Shell;
  message: MessageAnswer;
  viewer: Pick<Viewer, "accountId" | "role">;
}

/** Replaces a text that contains a one-time password. */
const maskedText = "••••••";

export function MessagePage({ shell, message, viewer }: MessagePageProps) {
  const locale = useLocale();
  const { language } = locale;
  const say = messageWords[language];
  const readBy = readByOf(viewer);
  const reason = reasonOf(message, readBy);
  return (
    <PageLayout
      shell={shell}
      title={say.title(message.recipient)}
      heading={<Phone number={message.recipient} />}
      beside={<Pill state={pillOf(message, readBy)} />}
      above={{ title: messagesWords[language].title, href: "/messages" }}
      lead={reason === null ? undefined : waitText(reason, message.ahead, locale)}
      actions={<Actions message={message} role={viewer.role} />}
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

function Actions({ message, role }: { message: MessageAnswer; role: Role }) {
  const { language } = useLocale();
  const say = messageWords[language];
  const path = `/messages/${message.trackingCode}`;
  return (
    <>
      <CopyButton text={`curl ${message.url} -H 'X-API-Key: …'`} label={say.curl} />
      <ConversationLink number={message.recipient} account={role === "customer" ? null : message.account} />
      {roleMay(role, "numbers.block") ? (
        <a class="button" href={`${path}/block`}>
          <Icon name="cancelled" />
          {blockWords[language].block}
        </a>
      ) : null}
      {isCancellableNow(message) && roleMay(role, "messages.cancel") ? (
        <a class="button" href={`${path}/cancel`} data-dialog="">
          <Icon name="cancelled" />
          {say.cancel}
        </a>
      ) : null}
      {isResendable(message) && roleMay(role, "messages.resend") ? (
        <a class="button button-primary" href={`${path}/resend`} data-dialog="">
          <Icon name="again" />
          {say.resend}
        </a>
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
