/** Messages from phones: the list, and one message. */
import type { ComponentChildren } from "preact";
import { Card, Empty, Facts } from "../../components/blocks.tsx";
import { Code, ForeignText, Icon, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Chip, Chips, type Column, type PageLinks, Pagination, Records } from "../../components/records.tsx";
import { type SearchFilter, SearchForm } from "../../components/search.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { messagesWords, messageWords } from "../messages/words.ts";
import { inboundWords } from "./words.ts";

/** What is unusual about an inbound message. */
export type InboundMark = "unmapped" | "incomplete" | "binary";

export interface InboundListItem {
  code: string;
  /** Epoch milliseconds. */
  at: number;
  from: string;
  to: string;
  text: string;
  /** Null for a customer, and if no line assigns it to an account. */
  account: string | null;
  marks: readonly InboundMark[];
}

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
          <Records label={say.title} columns={columns(locale)} rows={view.rows} keyOf={({ code }) => code} />
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
  const { head, mark } = inboundWords[language];
  return [
    timeColumn(head.time),
    numberColumn(head.from, "/inbound", ({ from }) => from),
    {
      head: head.text,
      phone: "line",
      cell: ({ text, marks }) => (
        <>
          <ForeignText text={text} clamp />
          {marks.length === 0 ? null : (
            <div class="marks">
              <Pill state="attention" />
              <span class="state-reason">{marks.map((one) => mark[one]).join(" · ")}</span>
            </div>
          )}
        </>
      ),
    },
    { head: head.to, phone: "word", cell: ({ to }) => <Phone number={to} /> },
    { head: head.account, phone: "word", cell: ({ account }) => (account === null ? null : <Name>{account}</Name>) },
  ];
}

export interface InboundMessageView extends InboundListItem {
  accountId: string | null;
  /** Null for a customer. */
  route: string | null;
  partsReceived: number;
  parts: number;
  /** In hexadecimal; null for a text. */
  octets: string | null;
  /** Epoch milliseconds; null while it belongs to no account. */
  availableAt: number | null;
  mayReply: boolean;
  mayAddLine: boolean;
}

export function InboundMessagePage({ shell, view }: { shell: Shell; view: InboundMessageView }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = inboundWords[language];
  const [received, total] = [format.count(view.partsReceived), format.count(view.parts)];
  const lead: Record<InboundMark, string> = {
    unmapped: say.unmapped,
    incomplete: say.incomplete(received, total),
    binary: say.binary,
  };
  return (
    <PageLayout
      shell={shell}
      title={say.messageTitle(view.from)}
      heading={<Phone number={view.from} />}
      beside={view.marks.length === 0 ? undefined : <Pill state="attention" />}
      above={{ title: say.title, href: "/inbound" }}
      lead={view.marks.length === 0 ? undefined : view.marks.map((mark) => lead[mark]).join(" ")}
      actions={<MessageActions view={view} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={say.head.text}>
            <ForeignText text={view.text} />
          </Card>
          {view.octets === null ? null : (
            <Card title={say.octets}>
              <pre class="code-lines" dir="ltr">
                {view.octets}
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

function MessageActions({ view }: { view: InboundMessageView }) {
  const { language } = useLocale();
  const say = inboundWords[language];
  const isMapped = !view.marks.includes("unmapped");
  return (
    <>
      {view.mayAddLine && !isMapped ? (
        <a class="button button-primary" href={`/inbound/lines?number=${encodeURIComponent(view.to)}`}>
          {say.giveLine}
        </a>
      ) : null}
      {view.mayReply && isMapped ? (
        <a class="button button-primary" href={`/send?to=${encodeURIComponent(view.from)}`}>
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
  return [
    [name.code, <Code>{view.code}</Code>],
    [name.line, <Phone number={view.to} />],
    ...(view.account === null || view.accountId === null
      ? []
      : [
          [
            name.account,
            <a href={`/accounts/${view.accountId}`}>
              <Name>{view.account}</Name>
            </a>,
          ] as const,
        ]),
    [name.parts, say.partsOf(format.number(view.partsReceived), format.number(view.parts))],
    ...(view.route === null ? [] : [[name.route, <Code>{view.route}</Code>] as const]),
    [name.received, <Time at={view.at} as="dayAndClock" />],
    ...(view.availableAt === null ? [] : [[name.available, <Time at={view.availableAt} as="dayAndClock" />] as const]),
  ];
}
