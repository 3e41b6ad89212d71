/** The list of messages: search, filters, rows with the reason for where each is. */
import { roleMay } from "../../domain/roles.ts";
import { CopyButton, Empty } from "../components/blocks.tsx";
import { Icon, Name, Phone } from "../components/inline.tsx";
import { PageLayout } from "../components/layout.tsx";
import { numberColumn, timeColumn } from "../components/message-columns.tsx";
import type { Shell } from "../components/navigation.tsx";
import { Pill, type PillState } from "../components/pill.tsx";
import { type Chip, Chips, type Column, type PageLinks, Pagination, Records } from "../components/records.tsx";
import { type SearchFilter, SearchForm } from "../components/search.tsx";
import { type Locale, useLocale } from "../locale.ts";
import { type MessageReason, reasonText } from "./reason.ts";

export interface MessageListItem {
  code: string;
  /** Epoch milliseconds of acceptance. */
  at: number;
  to: string;
  sender: string;
  /** Null for a customer, who has one account. */
  account: string | null;
  state: PillState;
  reason: MessageReason | null;
  parts: number;
}

export interface FilterField extends Omit<SearchFilter, "label"> {
  name: "status" | "error" | "route" | "account" | "sender" | "range" | "from" | "to";
}

export interface MessagesView {
  query: string;
  filters: readonly FilterField[];
  chips: readonly Chip[];
  rows: readonly MessageListItem[];
  pages: PageLinks;
  /** How far the search looked before it stopped: epoch milliseconds; null where it looked everywhere. */
  lookedBackTo: number | null;
  /** The stream that tells what was accepted since; null where nothing new would stand on the page. */
  live: string | null;
  /** What the form carries beside its fields. */
  hidden: readonly { name: string; value: string }[];
  csv: string;
  /** What can be done with all that is found; null where nothing can, or the reader may not. */
  bulk: { deed: "resend" | "cancel"; href: string } | null;
  /** The same list tomorrow; null where its times are fixed. */
  fixedTimesPath: string | null;
  /** Nothing was ever sent. */
  untouched: boolean;
}

export function MessagesPage({ shell, view }: { shell: Shell; view: MessagesView }) {
  const { words } = useLocale();
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
      title={words.messages.title}
      {...(view.live !== null && { live: view.live })}
      actions={maySend ? send : null}
    >
      {view.untouched ? null : <Search view={view} />}
      <div id={newRowsId} class="new-rows" />
      {view.untouched ? <Untouched maySend={maySend} /> : <Results view={view} />}
    </PageLayout>
  );
}

/** Where `NewRows` is shown. */
export const newRowsId = "new-rows";

interface NewRowsProps {
  count: number;
  /** There are more. */
  more: boolean;
  /** The list with them. */
  href: string;
}

/** Told above the list: rows stay where they are until the reader asks for the new ones. */
export function NewRows({ count, more, href }: NewRowsProps) {
  const { words, format } = useLocale();
  return (
    <a class="button button-small" href={href}>
      {words.messages.newRows(format.count(count), more)}
    </a>
  );
}

function Untouched({ maySend }: { maySend: boolean }) {
  const { words } = useLocale();
  const send = (
    <a class="button" href="/send">
      {words.messages.emptyAction}
    </a>
  );
  return (
    <div class="card">
      <Empty
        icon="messages"
        title={words.messages.emptyTitle}
        action={maySend ? send : null}
        command="peyk message search"
      >
        {words.messages.emptyWords}
      </Empty>
    </div>
  );
}

function Search({ view }: { view: MessagesView }) {
  const { words } = useLocale();
  return (
    <>
      <SearchForm
        action="/messages"
        query={view.query}
        label={words.messages.searchLabel}
        hint={words.messages.searchHint}
        filters={view.filters.map((filter) => ({ ...filter, label: words.messages.filter[filter.name] }))}
        hidden={view.hidden}
        chosen={view.chips.length}
      />
      <div class="list-head">
        <Chips chips={view.chips} all="/messages" />
        <div class="list-tools">
          {view.fixedTimesPath === null ? null : (
            <CopyButton path={view.fixedTimesPath} label={words.messages.fixedTimes} />
          )}
          {view.bulk === null || view.rows.length === 0 ? null : (
            <a class="button button-quiet button-small" href={view.bulk.href}>
              <Icon name={view.bulk.deed === "resend" ? "again" : "cancelled"} />
              {words.bulk[view.bulk.deed].link}
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
  const { words, format } = locale;
  if (view.rows.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="search"
          title={words.messages.noneTitle}
          action={
            view.pages.older === null ? undefined : (
              <a class="button" href={view.pages.older} rel="next">
                {words.messages.lookFurther}
              </a>
            )
          }
        >
          {view.query === "" ? words.messages.noneWords : words.messages.searchFinds}
          {view.lookedBackTo === null ? null : <p>{words.messages.looked(format.dayAndClock(view.lookedBackTo))}</p>}
        </Empty>
      </div>
    );
  }
  return (
    <div class="card card-flush">
      <Records
        label={words.messages.title}
        columns={messageListColumns(locale, view.rows)}
        rows={view.rows}
        keyOf={({ code }) => code}
      />
      <Pagination {...view.pages} />
    </div>
  );
}

/** Without the account where all are of one. */
export function messageListColumns(
  locale: Locale,
  rows: readonly MessageListItem[],
): readonly Column<MessageListItem>[] {
  const { words, format } = locale;
  const head = words.messages.head;
  const isOfOneAccount = rows.every(({ account }) => account === null);
  return [
    timeColumn(head.time),
    numberColumn(head.to, "/messages", ({ to }) => to),
    {
      head: head.status,
      phone: "line",
      cell: ({ state, reason }) => (
        <div class="state">
          <Pill state={state} />
          {reason === null ? null : <span class="state-reason">{reasonText(reason, locale)}</span>}
        </div>
      ),
    },
    { head: head.sender, phone: "word", cell: ({ sender }) => <Phone number={sender} /> },
    ...(isOfOneAccount ? [] : [accountColumn(head.account)]),
    { head: head.parts, phone: "absent", figure: true, cell: ({ parts }) => format.number(parts) },
  ];
}

const accountColumn = (head: string): Column<MessageListItem> => ({
  head,
  phone: "word",
  cell: ({ account }) => (account === null ? null : <Name>{account}</Name>),
});
