/** The rows of the list of messages: columns, short reasons, and bands of days with their count and delivery rate. */
import type { MessageSummaryAnswer } from "../../../operator/messages.ts";
import { hiddenText } from "../../../operator/texts.ts";
import { Phone } from "../../components/inline.tsx";
import { numberColumn, timeColumn } from "../../components/message-columns.tsx";
import { Pill } from "../../components/pill.tsx";
import type { Band, Column } from "../../components/records.tsx";
import type { Locale } from "../../locale.ts";
import { reasonText } from "../../page/message-reason.ts";
import type { Words } from "../../words/words.ts";
import { listWords } from "./list-words.ts";
import { epochOf, epochOrNull, hiddenCode, pillOf, type ReadBy, reasonOf } from "./message-state.ts";
import { messagesWords } from "./words.ts";

/** Messages of a day, by the figures: null if they do not know the filter. */
export interface DayCount {
  messages: number;
  /** Of those that are final; null where the filter chooses a status. */
  rate: number | null;
}

interface Shown {
  readBy: ReadBy;
  /** Without a column of texts where the reader may not read them. */
  rows: readonly MessageSummaryAnswer[];
}

/** Without account and route for a customer, who has one and sees none. */
export function messageListColumns(locale: Locale, { readBy, rows }: Shown): readonly Column<MessageSummaryAnswer>[] {
  const { words, language, format } = locale;
  const { head } = messagesWords[language];
  const text: Column<MessageSummaryAnswer> = {
    head: words.terms.text,
    phone: "line",
    fills: true,
    cell: (message) => <Preview message={message} />,
  };
  return [
    timeColumn(words.terms.time, ({ submittedAt }) => submittedAt, "clockSeconds"),
    numberColumn(head.to, "/messages", ({ recipientAtHome }) => recipientAtHome),
    stateColumn(words.terms.status, readBy, locale),
    ...(rows.some(({ preview }) => preview !== hiddenText) ? [text] : []),
    ...(readBy === "customer" ? senderColumn(words.terms.sender) : operatorColumns(words)),
    { head: head.parts, phone: "absent", figure: true, cell: ({ partCount }) => format.number(partCount) },
  ];
}

const senderColumn = (head: string): Column<MessageSummaryAnswer>[] => [
  { head, phone: "word", clip: ({ sender }) => sender, cell: ({ sender }) => <Phone number={sender} /> },
];

const accountOf = ({ account, accountName }: MessageSummaryAnswer) => accountName ?? account;

const operatorColumns = ({ terms }: Words): Column<MessageSummaryAnswer>[] => [
  { head: terms.route, phone: "word", clip: ({ route }) => route ?? "–", cell: ({ route }) => route ?? "–" },
  { head: terms.account, phone: "word", clip: accountOf, cell: accountOf },
];

function Preview({ message }: { message: MessageSummaryAnswer }) {
  const text = message.class === "otp" ? hiddenCode(message.preview) : message.preview;
  return (
    <span class="preview" dir="auto" hx-ignore="">
      {text}
    </span>
  );
}

/** The pill with a reason of few words; the whole sentence is where one points. */
export const stateColumn = (head: string, readBy: ReadBy, locale: Locale): Column<MessageSummaryAnswer> => ({
  head,
  phone: "line",
  cell: (message) => {
    const reason = reasonOf(message, readBy);
    return (
      <div class="state state-short">
        <Pill state={pillOf(message, readBy)} />
        {reason === null ? null : (
          <span class="state-reason" title={reasonText(reason, locale)}>
            {shortReason(message, readBy, locale)}
          </span>
        )}
      </div>
    );
  },
});

/** At most three words. */
export function shortReason(message: MessageSummaryAnswer, readBy: ReadBy, locale: Locale): string {
  const { language, format } = locale;
  const say = listWords[language];
  const due = epochOf(message.sendAt ?? message.submittedAt);
  switch (pillOf(message, readBy)) {
    case "delivered":
      return say.after(format.span((epochOrNull(message.finalAt) ?? due) - due));
    case "sent":
      return say.ago(format.duration(Math.max(0, format.now - (epochOrNull(message.sentAt) ?? due))));
    case "failed":
      return message.error === null ? "" : messagesWords[language].errors[message.error.code];
    case "cancelled":
      return say.beforeItLeft;
    case "unsure":
      return say.twice;
    default:
      return waitReason(message, readBy, locale);
  }
}

function waitReason(message: MessageSummaryAnswer, readBy: ReadBy, { language, format }: Locale) {
  const say = listWords[language];
  const { waitReason: reason, state } = message;
  if (reason === null) return state === "submitting" ? say.handingOver : "";
  if (reason.code === "waits_due")
    return pillOf(message, readBy) === "sending" ? say.again(format.clock(reason.at)) : format.minute(reason.at);
  if (reason.code === "waits_account_suspended") return say.suspended;
  if (readBy === "customer") return say.ahead;
  switch (reason.code) {
    case "waits_quiet_hours":
      return say.quiet(format.clock(reason.until));
    case "waits_next_attempt":
      return say.again(format.clock(reason.at));
    case "waits_routes_down":
      return say.down;
    case "waits_window_full":
    case "waits_rate":
    case "waits_routes_drain":
      return say.busy;
    case "waits_no_route":
    case "waits_no_rule":
    case "waits_no_route_of_target":
      return say.noRoute;
    case "waits_release":
      return say.held;
    default:
      return say.ahead;
  }
}

const dayMs = 24 * 3_600_000;

/** `days`: by the day as `format.date` writes it. */
export function dayBand(at: string, days: ReadonlyMap<string, DayCount>, { language, format }: Locale): Band {
  const say = listWords[language];
  const words = say.dayOf(format.weekday(at), format.day(at));
  const date = format.date(at);
  const isToday = date === format.date(format.now);
  const isYesterday = date === format.date(format.now - dayMs);
  const name = isToday ? say.today(words) : isYesterday ? say.yesterday(words) : words;
  const count = days.get(date);
  if (count === undefined) return { name };
  const messages = format.number(count.messages);
  return { name, aside: count.rate === null ? messages : say.delivered(messages, format.percent(count.rate)) };
}
