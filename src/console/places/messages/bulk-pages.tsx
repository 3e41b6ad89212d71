/** Resending or cancelling all messages that a search finds: a confirmation that says how many, then the action. */

import { Notice } from "../../components/blocks.tsx";
import type { ConfirmView } from "../../components/confirm.tsx";
import { ConfirmPage } from "../../components/confirm.tsx";
import { parseWholeNumber } from "../../format/input.ts";
import { document, formAgain, type PageAnswer, type PageCall, page, redirect } from "../../page/page.ts";
import {
  type BulkAction,
  type BulkCodes,
  type BulkPlan,
  bulkCodes,
  bulkMessagesMax,
  bulkQuery,
  bulkTypedFrom,
  performBulk,
  resendPrice,
} from "./bulk-view.ts";
import { type MessageQuery, messageQueryOf, queryText } from "./message-query.ts";
import { readByOf } from "./message-state.ts";
import { bulkWords } from "./words.ts";

const actions = { resend: "messages.resend", cancel: "messages.cancel" } as const;

const pagesOf = (action: BulkAction) => [
  page({ method: "GET", path: `/messages/${action}`, action: actions[action], answer: (call) => ask(call, action) }),
  page({
    method: "POST",
    path: `/messages/${action}`,
    action: actions[action],
    answer: (call) => perform(call, action),
  }),
];

export const bulkPages = [...pagesOf("resend"), ...pagesOf("cancel")];

const listOf = (query: MessageQuery): string => `/messages${queryText(query)}`;

function questionOf(
  { locale }: PageCall,
  action: BulkAction,
  query: MessageQuery,
  { codes, isCut }: BulkCodes,
  cost: BulkPlan | null,
): ConfirmView {
  const { language, format } = locale;
  const say = bulkWords[language][action];
  const count = format.count(codes.length);
  return {
    question: say.ask(count),
    goes: [
      say.goes,
      ...(cost === null ? [] : [bulkWords[language].cost(format.amount(cost.price, cost.currency))]),
      ...(isCut ? [bulkWords[language].cut(format.number(bulkMessagesMax))] : []),
    ],
    stays: [say.stays],
    action: `/messages/${action}${queryText(query)}`,
    doIt: say.doIt(count),
    keep: say.keep,
    back: listOf(query),
    ...(codes.length >= bulkTypedFrom && {
      typed: { label: bulkWords[language].typed(count.text), expected: String(codes.length), value: "" },
    }),
  };
}

async function ask(call: PageCall, action: BulkAction): Promise<PageAnswer> {
  const { api, locale, shell, signal } = call;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), action, locale.format.now);
  const found = await bulkCodes(api, query, locale, signal);
  if (found.codes.length === 0)
    return redirect(listOf(query), <Notice tone="info">{bulkWords[locale.language].none}</Notice>);
  const cost = action === "resend" ? await resendPrice(api, found.codes, signal) : null;
  return document(<ConfirmPage shell={shell("messages")} view={questionOf(call, action, query, found, cost)} />);
}

async function perform(call: PageCall, action: BulkAction): Promise<PageAnswer> {
  const { api, locale, form, shell, signal } = call;
  const { language, format, words } = locale;
  const query = bulkQuery(messageQueryOf(call.query, readByOf(call.viewer)), action, format.now);
  const found = await bulkCodes(api, query, locale, signal);
  const question = questionOf(call, action, query, found, null);
  if (question.typed !== undefined && parseWholeNumber(form.text("typed")) !== found.codes.length) {
    const error = words.forms.typeCount(format.number(found.codes.length));
    const typed = { ...question.typed, value: form.text("typed"), error };
    const cost = action === "resend" ? await resendPrice(api, found.codes, signal) : null;
    const again = { ...questionOf(call, action, query, found, cost), typed };
    return formAgain(<ConfirmPage shell={shell("messages")} view={again} />);
  }
  const { done, refused } = await performBulk(api, action, found.codes);
  const say = bulkWords[language][action];
  const notice = (
    <Notice tone={refused === 0 ? "ok" : "warn"}>
      {say.done(format.count(done))}
      {refused === 0 ? null : ` ${bulkWords[language].refused(format.count(refused))}`}
    </Notice>
  );
  return redirect(listOf({ ...query, status: "" }), notice);
}
