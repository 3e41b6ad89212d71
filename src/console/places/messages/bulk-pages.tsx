/** Resending or cancelling all messages that a search finds: a confirmation that says how many, then the action. */
import type { PageCall } from "../../page/page.ts";
import { done, usualPages } from "../../page/usual-pages.tsx";
import {
  type BulkAction,
  bulkCodes,
  bulkMessagesMax,
  bulkQuery,
  otherCount,
  performBulk,
  resendPrice,
  typedCount,
} from "./bulk-view.ts";
import { type MessageQuery, messageQueryOf, queryText } from "./message-query.ts";
import { readByOf } from "./message-state.ts";
import { bulkWords } from "./words.ts";

const { question } = usualPages("messages", { read: "messages.read", change: "messages.resend" });

const actions = { resend: "messages.resend", cancel: "messages.cancel" } as const;

const listOf = (query: MessageQuery): string => `/messages${queryText(query)}`;

const wordsOf = ({ locale }: PageCall) => bulkWords[locale.language];

async function asked(call: PageCall, action: BulkAction) {
  const { api, locale, signal } = call;
  const { format } = locale;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), action, format.now);
  const { codes, isCut } = await bulkCodes(api, query, locale, signal);
  const say = wordsOf(call);
  if (codes.length === 0) return done(listOf(query), say.none, { tone: "info" });
  const cost = action === "resend" ? await resendPrice(api, codes, signal) : null;
  const count = format.count(codes.length);
  const { ask, goes, doIt, ...words } = say[action];
  const typed = typedCount(codes.length, locale);
  return {
    words: {
      ...words,
      question: ask(count),
      goes: [
        goes,
        ...(cost === null ? [] : [say.cost(format.amount(cost.price, cost.currency))]),
        ...(isCut ? [say.cut(format.number(bulkMessagesMax))] : []),
      ],
      doIt: doIt(count),
    },
    action: `/messages/${action}${queryText(query)}`,
    back: listOf(query),
    ...(typed !== null && { typed }),
  };
}

async function performed(call: PageCall, action: BulkAction) {
  const { api, locale, signal } = call;
  const { format } = locale;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), action, format.now);
  const { codes } = await bulkCodes(api, query, locale, signal);
  const other = otherCount(codes.length, call);
  if (other !== null) return other;
  const { done: changed, refused } = await performBulk(api, action, codes);
  const say = wordsOf(call);
  const told = [say[action].done(format.count(changed)), refused === 0 ? "" : say.refused(format.count(refused))];
  return done(listOf({ ...query, status: "" }), told.join(" ").trim(), { tone: refused === 0 ? "ok" : "warn" });
}

const pagesOf = (action: BulkAction) =>
  question(`/messages/${action}`, {
    action: actions[action],
    ask: (call) => asked(call, action),
    run: (call) => performed(call, action),
  });

export const bulkPages = [...pagesOf("resend"), ...pagesOf("cancel")];
