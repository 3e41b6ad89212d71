/** The message list: search, filters, rows with each message's state and the reason. */
import { roleMay } from "../../../domain/roles.ts";
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { CopyButton, Empty } from "../../components/blocks.tsx";
import { Icon, Phone } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import type { Shell } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { type Chip, Chips, type Column, type PageLinks, Pagination, Records } from "../../components/records.tsx";
import { type SearchFilter, SearchForm } from "../../components/search.tsx";
import { type Locale, useLocale } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { reasonText } from "../../page/message-reason.ts";
import { pillOf, type ReadBy, reasonOf } from "./message-state.ts";
import { bulkWords, messagesWords } from "./words.ts";

export interface FilterField extends Omit<SearchFilter, "label"> {
  name: "status" | "error" | "route" | "account" | "campaign" | "sender" | "range" | "from" | "to";
}

export interface MessagesView {
  query: string;
  filters: readonly FilterField[];
  chips: readonly Chip[];
  readBy: ReadBy;
  rows: readonly MessageSummaryAnswer[];
  pages: PageLinks;
  /** How far back the search got before it stopped, in epoch milliseconds; null if it covered everything. */
  lookedBackTo: number | null;
  /** The stream that reports newly accepted messages; null if none of them could appear on this page. */
  live: string | null;
  /** Hidden fields that the form also carries. */
  hidden: readonly { name: string; value: string }[];
  csv: string;
  /** The actions on all matches; null if none is possible or permitted. */
  bulk: { action: "resend" | "cancel"; href: string } | null;
  /** Link to the same list with fixed times, valid tomorrow too; null if its times are fixed already. */
  fixedTimesPath: string | null;
  /** No message was ever sent. */
  untouched: boolean;
}

export function MessagesPage({ shell, view }: { shell: Shell; view: MessagesView }) {
  const { language, words } = useLocale();
  const maySend = roleMay(shell.role, "messages.send");
  const send = (
    <a class="button button-primary" href="/send">
      <Icon name="send" />
      {words.places.send}
    </a>
  );
  return (
    <PageLayout
      shell={shell}
      title={messagesWords[language].title}
      {...(view.live !== null && { live: view.live })}
      actions={maySend ? send : null}
    >
      {view.untouched ? null : <Search view={view} />}
      <div id={newRowsId} class="new-rows" />
      {view.untouched ? <Untouched maySend={maySend} /> : <Results view={view} />}
    </PageLayout>
  );
}

/** Where `NewRows` is displayed. */
export const newRowsId = "new-rows";

interface NewRowsProps {
  count: number;
  /** There are more. */
  more: boolean;
  /** The list including them. */
  href: string;
}

/** Displayed above the list: rows do not move until the reader asks for the new ones. */
export function NewRows({ count, more, href }: NewRowsProps) {
  const { language, format } = useLocale();
  return (
    <a class="button button-small" href={href}>
      {messagesWords[language].newRows(format.count(count), more)}
    </a>
  );
}

function Untouched({ maySend }: { maySend: boolean }) {
  const { language } = useLocale();
  const say = messagesWords[language];
  const send = (
    <a class="button" href="/send">
      {say.emptyAction}
    </a>
  );
  return (
    <div class="card">
      <Empty icon="messages" title={say.emptyTitle} action={maySend ? send : null} command="peyk message search">
        {say.emptyWords}
      </Empty>
    </div>
  );
}

/** The number of all rows found by a search; null if they differ. */
function numberOf({ query, rows }: MessagesView): string | null {
  const [first] = rows;
  return query !== "" && first !== undefined && rows.every(({ recipient }) => recipient === first.recipient)
    ? first.recipient
    : null;
}

function Search({ view }: { view: MessagesView }) {
  const oneNumber = numberOf(view);
  const { language, words } = useLocale();
  const say = messagesWords[language];
  return (
    <>
      <SearchForm
        action="/messages"
        query={view.query}
        label={say.searchLabel}
        hint={say.searchHint}
        filters={view.filters.map((filter) => ({ ...filter, label: say.filter[filter.name] }))}
        hidden={view.hidden}
        chosen={view.chips.length}
      />
      <div class="list-head">
        <Chips chips={view.chips} all="/messages" />
        <div class="list-tools">
          {oneNumber === null ? null : <ConversationLink number={oneNumber} account={null} isQuiet />}
          {view.fixedTimesPath === null ? null : <CopyButton path={view.fixedTimesPath} label={say.fixedTimes} />}
          {view.bulk === null || view.rows.length === 0 ? null : (
            <a class="button button-quiet button-small" href={view.bulk.href}>
              <Icon name={view.bulk.action === "resend" ? "again" : "cancelled"} />
              {bulkWords[language][view.bulk.action].link}
            </a>
          )}
          <a class="button button-quiet button-small" href={view.csv}>
            <Icon name="download" />
            {words.actions.csv}
          </a>
        </div>
      </div>
    </>
  );
}

function Results({ view }: { view: MessagesView }) {
  const locale = useLocale();
  const { language, format } = locale;
  const say = messagesWords[language];
  if (view.rows.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="search"
          title={say.noneTitle}
          action={
            view.pages.older === null ? undefined : (
              <a class="button" href={view.pages.older} rel="next">
                {say.lookFurther}
              </a>
            )
          }
        >
          {view.query === "" ? say.noneWords : say.searchFinds}
          {view.lookedBackTo === null ? null : <p>{say.looked(format.dayAndClock(view.lookedBackTo))}</p>}
        </Empty>
      </div>
    );
  }
  return (
    <div class="card card-flush">
      <Records
        label={say.title}
        columns={messageListColumns(locale, view.readBy)}
        rows={view.rows}
        keyOf={({ trackingCode }) => trackingCode}
      />
      <Pagination {...view.pages} />
    </div>
  );
}

/** Without the account column for a customer, who has one. */
export function messageListColumns(locale: Locale, readBy: ReadBy): readonly Column<MessageSummaryAnswer>[] {
  const { language, format } = locale;
  const head = messagesWords[language].head;
  return [
    timeColumn(head.time, ({ submittedAt }) => submittedAt),
    numberColumn(head.to, "/messages", ({ recipient }) => recipient),
    {
      head: head.status,
      phone: "line",
      fills: true,
      cell: (message) => {
        const reason = reasonOf(message, readBy);
        return (
          <div class="state">
            <Pill state={pillOf(message, readBy)} />
            {reason === null ? null : <StateReason text={reasonText(reason, locale)} />}
          </div>
        );
      },
    },
    { head: head.sender, phone: "word", clip: ({ sender }) => sender, cell: ({ sender }) => <Phone number={sender} /> },
    ...(readBy === "customer" ? [] : [accountColumn(head.account)]),
    { head: head.parts, phone: "absent", figure: true, cell: ({ partCount }) => format.number(partCount) },
  ];
}

const StateReason = ({ text }: { text: string }) => (
  <span class="state-reason" title={text}>
    {text}
  </span>
);

const accountOf = ({ account, accountName }: MessageSummaryAnswer) => accountName ?? account;

const accountColumn = (head: string): Column<MessageSummaryAnswer> => ({
  head,
  phone: "word",
  clip: accountOf,
  cell: accountOf,
});
