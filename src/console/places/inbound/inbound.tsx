/** Messages from phones: the list, and one message. */
import type { ComponentChildren } from "preact";
import type { InboundAnswer } from "../../../operator/inbound.ts";
import { Card, Empty, Facts } from "../../components/blocks.tsx";
import { Code, ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Chip, Chips, type Column, type PageLinks, Pagination, Records } from "../../components/records.tsx";
import { type SearchFilter, SearchForm } from "../../components/search.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { messagesWords, messageWords } from "../messages/words.ts";
import { inboundWords } from "./words.ts";

export const inboundMarks = ["unmapped", "incomplete", "binary"] as const satisfies readonly (keyof InboundAnswer)[];
/** What is unusual about an inbound message. */
export type InboundMark = (typeof inboundMarks)[number];

const marksOf = (message: InboundAnswer): InboundMark[] => inboundMarks.filter((mark) => message[mark]);

/** `accountName`: null for a customer, and if no line assigns it to an account. */
export type InboundListItem = InboundAnswer & { accountName: string | null };

export interface InboundFilterField extends Omit<SearchFilter, "label"> {
  name: "account" | "line" | "mark" | "range";
}

export interface InboundView {
  query: string;
  filters: readonly InboundFilterField[];
  chips: readonly Chip[];
  rows: readonly InboundListItem[];
  pages: PageLinks;
  /** The reader may use the simulated phone. */
  hasPhone: boolean;
  /** No message has ever arrived. */
  untouched: boolean;
}

export function InboundPage({ shell, view }: { shell: Shell; view: InboundView }) {
  const { language } = useLocale();
  const say = inboundWords[language];
  return (
    <PageLayout shell={shell} title={say.title} actions={<Actions hasPhone={view.hasPhone} />}>
      {view.untouched ? (
        <div class="card">
          <Empty
            icon="inbox"
            title={say.emptyTitle}
            action={
              <a class="button" href="/inbound/lines">
                {say.lines}
              </a>
            }
            command='peyk inbound simulate --from 09121234567 --to 30001234 --message "Hello"'
          >
            {say.emptyWords}
          </Empty>
        </div>
      ) : (
        <Found view={view} />
      )}
    </PageLayout>
  );
}

function Actions({ hasPhone }: { hasPhone: boolean }) {
  const { language } = useLocale();
  const say = inboundWords[language];
  return (
    <>
      {hasPhone ? (
        <a class="button" href="/inbound/phone">
          {say.phone}
        </a>
      ) : null}
      <a class="button" href="/inbound/lines">
        {say.lines}
      </a>
    </>
  );
}

function Found({ view }: { view: InboundView }) {
  const locale = useLocale();
  const say = inboundWords[locale.language];
  return (
    <>
      <SearchForm
        action="/inbound"
        query={view.query}
        label={say.searchLabel}
        hint={say.searchHint}
        filters={view.filters.map((filter) => ({ ...filter, label: say.filter[filter.name] }))}
        chosen={view.chips.length}
      />
      <div class="list-head">
        <Chips chips={view.chips} all="/inbound" />
      </div>
      {view.rows.length === 0 ? (
        <div class="card">
          <Empty icon="search" title={say.noneTitle} action={<LookFurther older={view.pages.older} />}>
            {say.noneWords}
          </Empty>
        </div>
      ) : (
        <div class="card card-flush">
          <Records
            label={say.title}
            columns={columns(locale)}
            rows={view.rows}
            keyOf={({ trackingCode }) => trackingCode}
          />
          <Pagination {...view.pages} />
        </div>
      )}
    </>
  );
}

function LookFurther({ older }: { older: string | null }) {
  const { language } = useLocale();
  if (older === null) return null;
  return (
    <a class="button" href={older} rel="next">
      {messagesWords[language].lookFurther}
    </a>
  );
}

function columns({ language }: Locale): readonly Column<InboundListItem>[] {
  const { head } = inboundWords[language];
  return [
    timeColumn(head.time, ({ receivedAt }) => receivedAt),
    numberColumn(head.from, "/inbound", ({ sender }) => sender),
    {
      head: head.text,
      phone: "line",
      cell: (row) => (
        <>
          <ForeignText text={row.message} clamp />
          <Marks marks={marksOf(row)} />
        </>
      ),
    },
    { head: head.to, phone: "word", cell: ({ receiver }) => <Phone number={receiver} /> },
    {
      head: head.account,
      phone: "word",
      cell: ({ accountName }) => (accountName === null ? null : <Name>{accountName}</Name>),
    },
  ];
}

function Marks({ marks }: { marks: readonly InboundMark[] }) {
  const { mark } = inboundWords[useLocale().language];
  if (marks.length === 0) return null;
  return (
    <div class="marks">
      <Pill state="attention" />
      <span class="state-reason">{marks.map((one) => mark[one]).join(" · ")}</span>
    </div>
  );
}

export interface InboundMessageView {
  message: InboundListItem;
  isStaff: boolean;
  mayReply: boolean;
  mayAddLine: boolean;
}

export function InboundMessagePage({ shell, view }: { shell: Shell; view: InboundMessageView }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = inboundWords[language];
  const { message } = view;
  const marks = marksOf(message);
  const [received, total] = [format.count(message.partsReceived), format.count(message.partCount)];
  const lead: Record<InboundMark, string> = {
    unmapped: say.unmapped,
    incomplete: say.incomplete(received, total),
    binary: say.binary,
  };
  return (
    <PageLayout
      shell={shell}
      title={say.messageTitle(message.sender)}
      heading={<Phone number={message.sender} />}
      beside={marks.length === 0 ? undefined : <Pill state="attention" />}
      above={{ title: say.title, href: "/inbound" }}
      lead={marks.length === 0 ? undefined : marks.map((mark) => lead[mark]).join(" ")}
      actions={<MessageActions view={view} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={say.head.text}>
            <ForeignText text={message.message} />
          </Card>
          {message.octets === null ? null : (
            <Card title={say.octets}>
              <pre class="code-lines" dir="ltr">
                {message.octets}
              </pre>
            </Card>
          )}
        </div>
        <div class="stack">
          <Card title={messageWords[language].facts}>
            <Facts facts={factsOf(view, locale)} />
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

function MessageActions({ view: { message, isStaff, mayAddLine, mayReply } }: { view: InboundMessageView }) {
  const { language } = useLocale();
  const say = inboundWords[language];
  return (
    <>
      {message.sender.startsWith("+") ? (
        <ConversationLink number={message.sender} account={isStaff ? message.account : null} />
      ) : null}
      {mayAddLine && message.unmapped ? (
        <a class="button button-primary" href={`/inbound/lines?number=${encodeURIComponent(message.receiver)}`}>
          {say.giveLine}
        </a>
      ) : null}
      {mayReply && !message.unmapped ? (
        <a class="button button-primary" href={`/send?to=${encodeURIComponent(message.sender)}`}>
          <Icon name="send" />
          {say.reply}
        </a>
      ) : null}
    </>
  );
}

function factsOf(view: InboundMessageView, { language, format }: Locale): (readonly [string, ComponentChildren])[] {
  const say = inboundWords[language];
  const name = say.fact;
  const { message, isStaff } = view;
  const { account, accountName, route, availableAt } = message;
  return [
    [name.code, <Code>{message.trackingCode}</Code>],
    [name.line, <Phone number={message.receiver} />],
    ...(account === null || accountName === null
      ? []
      : [
          [
            name.account,
            <a href={`/accounts/${account}`}>
              <Name>{accountName}</Name>
            </a>,
          ] as const,
        ]),
    [name.parts, say.partsOf(format.number(message.partsReceived), format.number(message.partCount))],
    ...(isStaff && route !== null ? [[name.route, <Code>{route}</Code>] as const] : []),
    [name.received, <Time at={message.receivedAt} as="dayAndClock" />],
    ...(availableAt === null ? [] : [[name.available, <Time at={availableAt} as="dayAndClock" />] as const]),
  ];
}
