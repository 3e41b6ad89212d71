/** The message list: search, filters, rows with each message's state and the reason. */

import { CopyButton, Empty } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { Icon } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { useMay } from "../../components/navigation.tsx";
import { Chips, Pagination, Records } from "../../components/records.tsx";
import { SearchForm } from "../../components/search.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { FollowingBar, freshRowsId } from "./following.tsx";
import { listWords } from "./list-words.ts";
import { dayBand, messageListColumns } from "./message-list.tsx";
import { type FilterField, filterNames, type MessagesView } from "./messages-view.ts";
import { bulkWords, messagesWords } from "./words.ts";

export function MessagesPage(view: MessagesView) {
  const { words } = useLocale();
  const send = <LinkButton look="primary" icon="send" href="/send" label={words.places.send} />;
  const { live, untouched } = view;
  return (
    <PageLayout
      title={words.places.messages}
      {...(live !== null && { live })}
      actions={useMay("messages.send") ? send : null}
    >
      {untouched ? null : <Search {...view} />}
      {view.tail?.isOn === true ? null : <div id={newRowsId} class="new-rows" />}
      {untouched ? <Untouched /> : <Results {...view} />}
    </PageLayout>
  );
}

/** Those that are offered by name: the others are asked for less often. */
const offered = ["class", "network", "slower", "due", "via"] as const;

const unsetFilters = (filters: readonly FilterField[]) =>
  offered.filter((name) => filters.some((filter) => filter.name === name && filter.value === ""));

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
  const { format } = useLocale();
  const { newRows } = useWords(messagesWords);
  return <LinkButton look="small" href={href} label={newRows(format.count(count), more)} />;
}

function Untouched() {
  const say = useWords(messagesWords);
  const send = useMay("messages.send") ? <LinkButton href="/send" label={say.emptyAction} /> : null;
  return (
    <div class="card">
      <Empty icon="messages" title={say.emptyTitle} action={send} command="peyk message search">
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

function Search(view: MessagesView) {
  const { query, filters, hidden, chips, rows, fixedTimesPath, bulk, csv, tail } = view;
  const oneNumber = numberOf(view);
  const locale = useLocale(messagesWords);
  const { words, say } = locale;
  const bulkSay = useWords(bulkWords);
  const names = filterNames(locale);
  const { follow } = useWords(listWords);
  return (
    <>
      <SearchForm
        action="/messages"
        query={query}
        label={say.searchLabel}
        hint={say.searchHint}
        filters={filters.map((filter) => ({ ...filter, label: names[filter.name] }))}
        hidden={hidden}
        chosen={chips.length}
      />
      <div class="list-head">
        <Chips
          chips={chips}
          all="/messages"
          more={unsetFilters(filters).map((name) => ({ name: names[name], field: `field-${name}` }))}
        />
        <div class="list-tools">
          {oneNumber === null ? null : <ConversationLink number={oneNumber} account={null} isQuiet />}
          {fixedTimesPath === null ? null : <CopyButton path={fixedTimesPath} label={say.fixedTimes} />}
          {bulk === null || rows.length === 0 ? null : (
            <LinkButton
              look="quiet small"
              icon={bulk.action === "resend" ? "again" : "cancelled"}
              href={bulk.href}
              label={bulkSay[bulk.action].link}
            />
          )}
          {tail === null || tail.isOn || rows.length === 0 ? null : (
            <a class="button button-quiet button-small" href={tail.goOn} data-tail="">
              <Icon name="play" />
              {follow} <kbd>T</kbd>
            </a>
          )}
          <LinkButton look="quiet small" icon="download" href={csv} label={words.actions.csv} />
        </div>
      </div>
    </>
  );
}

function Results({ rows, pages, query, lookedBackTo, readBy, days, tail }: MessagesView) {
  const locale = useLocale(messagesWords);
  const { words, format, say } = locale;
  if (rows.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="search"
          title={say.noneTitle}
          action={
            pages.older === null ? undefined : (
              <a class="button" href={pages.older} rel="next">
                {say.lookFurther}
              </a>
            )
          }
        >
          {query === "" ? say.noneWords : say.searchFinds}
          {lookedBackTo === null ? null : <p>{say.looked(format.dayAndClock(lookedBackTo))}</p>}
        </Empty>
      </div>
    );
  }
  const columns = messageListColumns(locale, { readBy, rows });
  return (
    <div class="card card-flush">
      {tail?.isOn === true ? <FollowingBar {...tail} /> : null}
      <Records
        label={words.places.messages}
        freshId={freshRowsId}
        columns={columns}
        rows={rows}
        keyOf={({ trackingCode }) => trackingCode}
        bandOf={({ submittedAt }) => dayBand(submittedAt, days, locale)}
      />
      <Pagination {...pages} />
    </div>
  );
}
