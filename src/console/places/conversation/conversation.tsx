/** What a number wrote and was sent, one after the other, with a reply from the line that it wrote to. */
import { roleMay } from "../../../domain/roles.ts";
import { Empty } from "../../components/blocks.tsx";
import { LinkButton } from "../../components/buttons.tsx";
import { ForeignText, Name, Phone, Time } from "../../components/inline.tsx";
import { PageLayout } from "../../components/layout.tsx";
import { Pill, type PillState } from "../../components/pill.tsx";
import { useLocale, useWords } from "../../locale.ts";
import { senderText } from "../../page/accounts-and-senders.ts";
import type { ConsoleApi } from "../../page/console-api.ts";
import { conversationHref } from "../../page/conversation-link.tsx";
import { type PageCall, redirect } from "../../page/page.ts";
import { usualPages } from "../../page/usual-pages.tsx";
import { pillOf, readByOf } from "../messages/message-state.ts";
import { conversationWords } from "./words.ts";

/** Of each direction. */
const entriesShown = 30;
/** E.164, as every link to the page has it. */
const numberForm = /^\+[1-9]\d{6,14}$/;

interface Entry {
  code: string;
  /** Epoch milliseconds. */
  at: number;
  /** Null for one that the number wrote. */
  state: PillState | null;
  /** The sender it was sent from, or the line that it was written to. */
  line: string;
  /** Null if it contains a one-time password. */
  text: string | null;
  /** Null for a customer. */
  account: string | null;
}

interface Conversation {
  number: string;
  /** Oldest first. */
  entries: readonly Entry[];
  older: string | null;
  /** The form for sending, filled in; null where the line that it wrote to last may not send. */
  reply: string | null;
}

function ConversationPage({ number, entries, older, reply }: Conversation) {
  const { words, say } = useLocale(conversationWords);
  const answer = reply === null ? null : <LinkButton look="primary" icon="send" href={reply} label={say.reply} />;
  return (
    <PageLayout title={say.title(number)} heading={<Phone number={number} />} lead={say.lead} actions={answer}>
      <div class="card narrow">
        {older === null ? null : (
          <p>
            <LinkButton look="quiet small" href={older} label={words.lists.older} />
          </p>
        )}
        {entries.length === 0 ? (
          <Empty icon="messages" title={say.none}>
            {say.noneWords}
          </Empty>
        ) : (
          <ol class="talk">
            {entries.map((entry) => (
              <Said key={entry.code} entry={entry} />
            ))}
          </ol>
        )}
      </div>
    </PageLayout>
  );
}

function Said({ entry: { code, at, state, line, text, account } }: { entry: Entry }) {
  const say = useWords(conversationWords);
  return (
    <li class={state === null ? "talk-in" : "talk-out"}>
      <div class="bubble">{text === null ? <em>{say.masked}</em> : <ForeignText text={text} />}</div>
      <p class="talk-note">
        <a href={state === null ? `/inbound/${code}` : `/messages/${code}`}>
          <Time at={at} />
        </a>
        <span>
          {state === null ? say.wrote : say.sent} <Phone number={line} />
        </span>
        {account === null ? null : <Name>{account}</Name>}
        {state === null ? null : <Pill state={state} />}
      </p>
    </li>
  );
}

async function conversation({ api, query, viewer }: PageCall) {
  const number = query.get("number") ?? "";
  if (!numberForm.test(number)) return redirect(`/messages?${new URLSearchParams({ q: number })}`);
  const readBy = readByOf(viewer);
  const isStaff = readBy === "staff";
  const account = isStaff ? query.get("account") : null;
  const to = Date.parse(query.get("to") ?? "");
  const asked = {
    limit: entriesShown,
    ...(account !== null && { account }),
    ...(!Number.isNaN(to) && { to: new Date(to).toISOString() }),
  };
  const [sent, written] = await Promise.all([
    api("GET /messages", { ...asked, recipient: number }),
    api("GET /inbound", { ...asked, sender: number }),
  ]);
  const messages = await Promise.all(
    sent.messages.map(({ trackingCode }) => api("GET /messages/:trackingCode", { trackingCode })),
  );
  const outgoing = messages.map(
    (message): Entry => ({
      code: message.trackingCode,
      at: Date.parse(message.submittedAt),
      state: pillOf(message, readBy),
      line: message.sender,
      text: message.message,
      account: isStaff ? message.accountName : null,
    }),
  );
  const incoming = written.messages.map(
    (message): Entry => ({
      code: message.trackingCode,
      at: Date.parse(message.receivedAt),
      state: null,
      line: message.receiver,
      text: message.message,
      account: null,
    }),
  );
  // Where one direction has more, the other is shown no further back.
  const reaches = (entries: readonly Entry[], cursor: string | null) =>
    cursor === null ? 0 : (entries.at(-1)?.at ?? 0);
  const from = Math.max(reaches(outgoing, sent.nextCursor), reaches(incoming, written.nextCursor));
  // Each list is newest first; those of the same moment keep their order.
  const entries = [...outgoing.toReversed(), ...incoming.toReversed()]
    .filter(({ at }) => at >= from)
    .toSorted((a, b) => a.at - b.at);
  const older = from === 0 ? null : conversationHref(number, account, new Date(from).toISOString());
  const last = written.messages[0];
  const reply = last === undefined || !roleMay(viewer.role, "messages.send") ? null : await replyTo(api, number, last);
  return <ConversationPage {...{ number, entries, older, reply }} />;
}

/** From the line that it wrote to, if that is an active sender of its account. */
async function replyTo(
  api: ConsoleApi,
  number: string,
  { account, receiver }: { account: string | null; receiver: string },
): Promise<string | null> {
  if (account === null) return null;
  const digits = receiver.replace(/^\+/, "");
  const { rows } = await api("GET /senders", { account, query: digits, active: true, limit: 10 });
  const sender = rows.find((one) => one.sender === receiver || one.sender === digits);
  if (sender === undefined) return null;
  return `/send?${new URLSearchParams({ to: number, from: senderText(sender) })}`;
}

const { shown } = usualPages("inbound", { read: "inbound.read", change: "messages.send" });

export const conversationPages = [shown("/conversation", conversation)];
