/** Sending again or cancelling all messages that a search finds: a question that names how many, then the deed. */

import { Notice } from "../components/blocks.tsx";
import type { ConfirmView } from "../components/confirm.tsx";
import {
  type BulkCodes,
  type BulkDeed,
  bulkCodes,
  bulkDo,
  bulkMessagesMax,
  bulkQuery,
  bulkTypedFrom,
} from "../data/bulk.ts";
import { readByOf } from "../data/message.ts";
import { type MessageQuery, messageQueryOf, queryText } from "../data/message-query.ts";
import { parseWholeNumber } from "../format/input.ts";
import { ConfirmPage } from "../pages/confirm.tsx";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "./page.ts";

const actions = { resend: "messages.resend", cancel: "messages.cancel" } as const;

const pagesOf = (deed: BulkDeed) => [
  page({ method: "GET", path: `/messages/${deed}`, action: actions[deed], answer: (call) => ask(call, deed) }),
  page({ method: "POST", path: `/messages/${deed}`, action: actions[deed], answer: (call) => perform(call, deed) }),
];

export const bulkPages = [...pagesOf("resend"), ...pagesOf("cancel")];

const listOf = (query: MessageQuery): string => `/messages${queryText(query)}`;

function questionOf(
  { locale }: PageCall,
  deed: BulkDeed,
  query: MessageQuery,
  { codes, isCut }: BulkCodes,
): ConfirmView {
  const { words, format } = locale;
  const say = words.bulk[deed];
  const count = format.count(codes.length);
  return {
    question: say.ask(count),
    goes: [say.goes, ...(isCut ? [words.bulk.cut(format.number(bulkMessagesMax))] : [])],
    stays: [say.stays],
    action: `/messages/${deed}${queryText(query)}`,
    doIt: say.doIt(count),
    keep: say.keep,
    back: listOf(query),
    ...(codes.length >= bulkTypedFrom && {
      typed: { label: words.bulk.typed(count.text), expected: String(codes.length), value: "" },
    }),
  };
}

async function ask(call: PageCall, deed: BulkDeed): Promise<PageAnswer> {
  const { api, locale, shell, signal } = call;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), deed, locale.format.now);
  const found = await bulkCodes(api, query, locale, signal);
  if (found.codes.length === 0) return redirect(listOf(query), <Notice tone="info">{locale.words.bulk.none}</Notice>);
  return document(<ConfirmPage shell={shell("messages")} view={questionOf(call, deed, query, found)} />);
}

async function perform(call: PageCall, deed: BulkDeed): Promise<PageAnswer> {
  const { api, locale, form, shell, signal } = call;
  const { words, format } = locale;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), deed, format.now);
  const found = await bulkCodes(api, query, locale, signal);
  const question = questionOf(call, deed, query, found);
  if (question.typed !== undefined && parseWholeNumber(form.text("typed")) !== found.codes.length) {
    const error = words.send.error.typed(format.number(found.codes.length));
    const typed = { ...question.typed, value: form.text("typed"), error };
    return formAgain(<ConfirmPage shell={shell("messages")} view={{ ...question, typed }} />);
  }
  const { done, refused } = await bulkDo(api, deed, found.codes);
  const say = words.bulk[deed];
  const notice = (
    <Notice tone={refused === 0 ? "ok" : "warn"}>
      {say.done(format.count(done))}
      {refused === 0 ? null : ` ${words.bulk.refused(format.count(refused))}`}
    </Notice>
  );
  return redirect(listOf({ ...query, status: "" }), notice);
}
