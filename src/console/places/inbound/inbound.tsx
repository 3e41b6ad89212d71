/** Messages from phones: the list, and one message. */

import type { InboundAnswer } from "../../../operator/inbound.ts";
import { Card, Empty, type Fact, Facts } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { AccountLink, Code, ForeignText, Phone, Slug, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { accountColumn, numberColumn, timeColumn } from "../../components/message-columns.tsx";
import { useIsCustomer, useMay } from "../../components/navigation.tsx";
import { Pill } from "../../components/pill.tsx";
import { Chips, type Column, Pagination, Records } from "../../components/records.tsx";
import { SearchForm } from "../../components/search.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { ConversationLink } from "../../page/conversation-link.tsx";
import { messagesWords, messageWords } from "../messages/words.ts";
import { type InboundListItem, type InboundMark, inboundMarks, type inboundSearch } from "./inbound-view.ts";
import { inboundWords } from "./words.ts";

const marksOf = (message: InboundAnswer): InboundMark[] => inboundMarks.filter((mark) => message[mark]);

type FoundMessages = Awaited<ReturnType<typeof inboundSearch>>;

export function InboundPage(found: FoundMessages) {
  const { words, say } = useLocale(inboundWords);
  const lines = <LinkButton href="/inbound/lines" label={say.lines} />;
  const actions = (
    <>
      {useMay("simulator.use") ? <LinkButton href="/inbound/phone" label={say.phone} /> : null}
      {lines}
    </>
  );
  const command = 'peyk inbound simulate --from 09121234567 --to 30001234 --message "Hello"';
  return (
    <PageLayout title={words.places.inbound} actions={actions}>
      {found.untouched ? (
        <div class="card">
          <Empty icon="inbox" title={say.emptyTitle} action={lines} command={command}>
            {say.emptyWords}
          </Empty>
        </div>
      ) : (
        <Found {...found} />
      )}
    </PageLayout>
  );
}

function Found({ sought, filters, chips, rows, pages }: FoundMessages) {
  const { words, say } = useLocale(inboundWords);
  const columns = useColumns();
  return (
    <>
      <SearchForm
        action="/inbound"
        query={sought}
        label={say.searchLabel}
        hint={say.searchHint}
        filters={filters.map((filter) => ({ ...filter, label: say.filter[filter.name] }))}
        chosen={chips.length}
      />
      <div class="list-head">
        <Chips chips={chips} all="/inbound" />
      </div>
      {rows.length === 0 ? (
        <div class="card">
          <Empty icon="search" title={say.noneTitle} action={<LookFurther older={pages.older} />}>
            {say.noneWords}
          </Empty>
        </div>
      ) : (
        <div class="card card-flush">
          <Records
            label={words.places.inbound}
            columns={columns}
            rows={rows}
            keyOf={({ trackingCode }) => trackingCode}
          />
          <Pagination {...pages} />
        </div>
      )}
    </>
  );
}

function LookFurther({ older }: { older: string | null }) {
  const say = useWords(messagesWords);
  if (older === null) return null;
  return (
    <a class="button" href={older} rel="next">
      {say.lookFurther}
    </a>
  );
}

function useColumns(): readonly Column<InboundListItem>[] {
  const { words } = useLocale();
  const { head } = useWords(inboundWords);
  return [
    timeColumn(words.terms.time, ({ receivedAt }) => receivedAt),
    numberColumn(words.terms.from, "/inbound", ({ senderAtHome }) => senderAtHome),
    {
      head: words.terms.text,
      phone: "line",
      cell: (row) => (
        <>
          <ForeignText text={row.message} clamp />
          <Marks marks={marksOf(row)} />
        </>
      ),
    },
    { head: head.to, phone: "word", cell: ({ receiver }) => <Phone number={receiver} /> },
    accountColumn(words.terms.account),
  ];
}

function Marks({ marks }: { marks: readonly InboundMark[] }) {
  const { mark } = useWords(inboundWords);
  if (marks.length === 0) return null;
  return (
    <div class="marks">
      <Pill state="attention" />
      <span class="state-reason">{marks.map((one) => mark[one]).join(" · ")}</span>
    </div>
  );
}

interface ShownMessage {
  message: InboundListItem;
}

export function InboundMessagePage({ message }: ShownMessage) {
  const { words, format, say } = useLocale(inboundWords);
  const messageSay = useWords(messageWords);
  const facts = useFacts(message);
  const marks = marksOf(message);
  const [received, total] = [format.count(message.partsReceived), format.count(message.partCount)];
  const lead: Record<InboundMark, string> = {
    unmapped: say.unmapped,
    incomplete: say.incomplete(received, total),
    binary: say.binary,
  };
  return (
    <PageLayout
      title={say.messageTitle(message.sender)}
      heading={<Phone number={message.sender} />}
      beside={marks.length === 0 ? undefined : <Pill state="attention" />}
      above={{ title: words.places.inbound, href: "/inbound" }}
      lead={marks.length === 0 ? undefined : marks.map((mark) => lead[mark]).join(" ")}
      actions={<MessageActions message={message} />}
    >
      <div class="columns columns-wide">
        <div class="stack">
          <Card title={words.terms.text}>
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
          <Card title={messageSay.facts}>
            <Facts facts={facts} />
          </Card>
        </div>
      </div>
    </PageLayout>
  );
}

function MessageActions({ message: { sender, receiver, account, unmapped } }: ShownMessage) {
  const say = useWords(inboundWords);
  const isCustomer = useIsCustomer();
  const [mayAddLine, mayReply] = [useMay("accounts.change"), useMay("messages.send")];
  const [line, to] = [encodeURIComponent(receiver), encodeURIComponent(sender)];
  return (
    <>
      {sender.startsWith("+") ? <ConversationLink number={sender} account={isCustomer ? null : account} /> : null}
      {mayAddLine && unmapped ? (
        <LinkButton look="primary" href={`/inbound/lines?number=${line}`} label={say.giveLine} />
      ) : null}
      {mayReply && !unmapped ? (
        <LinkButton look="primary" icon="send" href={`/send?to=${to}`} label={say.reply} />
      ) : null}
    </>
  );
}

function useFacts(message: InboundListItem): (Fact | false)[] {
  const { words, format, say } = useLocale(inboundWords);
  const isCustomer = useIsCustomer();
  const name = say.fact;
  const { account, accountName, route, availableAt } = message;
  return [
    [words.terms.code, <Code>{message.trackingCode}</Code>],
    [name.line, <Phone number={message.receiver} />],
    account !== null &&
      accountName !== null && [words.terms.account, <AccountLink key="account" id={account} name={accountName} />],
    [words.terms.parts, say.partsOf(format.number(message.partsReceived), format.number(message.partCount))],
    !isCustomer && route !== null && [words.terms.route, <Slug>{route}</Slug>],
    [name.received, <Time at={message.receivedAt} as="dayAndClock" />],
    availableAt !== null && [name.available, <Time at={availableAt} as="dayAndClock" />],
  ];
}
