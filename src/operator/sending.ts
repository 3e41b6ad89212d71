/** Sending a text to one number or many, for the operator and console users; and previewing what would be sent. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { ApiError } from "../domain/api-error.ts";
import { isIdempotencyKey } from "../domain/idempotency.ts";
import { messageLimits } from "../domain/message.ts";
import { invalidRequest, OperatorError, type OperatorProblem } from "../domain/operator-error.ts";
import { type CodedProblem, problemOf } from "../domain/operator-problem.ts";
import { sendWindow } from "../domain/send-window.ts";
import { measureText, withoutTabs } from "../domain/text.ts";
import { availableOf } from "../messaging/billing/balance-guard.ts";
import { type DraftProblem, readDraftContent } from "../messaging/messages/draft.ts";
import { type RefusedRecipient, readRecipients } from "../messaging/messages/recipient-list.ts";
import type { TextToSend } from "../messaging/messages/text-sender.ts";
import { QuotaExceeded } from "../messaging/quotas/quota-guard.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdOf, accountIdText } from "./ids.ts";
import { changes, reads } from "./operation.ts";
import { timeSchema } from "./schemas.ts";

/**
 * A list is held in memory as a whole, and its JSON is parsed in one turn of the event loop: 20 ms. Longer lists need a
 * group.
 */
export const sendRecipientsMax = 50_000;
/** Characters of a number, in any spelling. */
export const recipientLengthMax = 200;
/** Entries listed in an answer. */
const refusedShownMax = 100;

const sendFields = {
  account: t.String(),
  /** Defaults to the account's default sender. */
  sender: t.Optional(t.String()),
  recipients: t.Array(t.String({ maxLength: recipientLengthMax }), {
    minItems: 1,
    maxItems: sendRecipientsMax,
  }),
  message: t.String(),
  clientReference: t.Optional(t.String()),
  sendAt: t.Optional(timeSchema),
};

type SendBody = Static<TObject<typeof sendFields>>;

export type SentAnswer = Awaited<ReturnType<typeof send>>;
export type SendPreviewAnswer = Awaited<ReturnType<typeof preview>>;

export const sendingAdmin = {
  "POST /messages": changes({
    may: "messages.send",
    scope: "account",
    input: { ...sendFields, idempotencyKey: t.String() },
    run: send,
    audit: {
      action: "message.send",
      target: ({ account }) => account,
      told: ({ sender }, sent) => ({ sender, ...sent }),
    },
  }),
  "POST /messages/preview": reads({ may: "messages.send", scope: "account", input: sendFields, run: preview }),
};

/** Throws OperatorError for any error except in its recipients. */
async function read({ directory, recipientRules, bookingClock }: OperatorDeps, body: SendBody) {
  const moment = bookingClock.moment();
  const accountId = accountIdOf(body.account);
  const account = directory.account(accountId);
  if (account === null) throw new OperatorError("account_not_found");
  if (directory.isSuspended(accountId)) throw sendRefused(new ApiError("account_suspended"));
  const given = {
    sender: body.sender === undefined ? [] : [body.sender],
    text: withoutTabs(body.message),
    clientReference: body.clientReference === undefined ? null : withoutTabs(body.clientReference),
    sendAt: body.sendAt === undefined ? null : Date.parse(body.sendAt),
  };
  const isSender = (spelling: string) => directory.sender(accountId, spelling)?.active === true;
  const content = readDraftContent(given, { at: moment.at, isSender, defaultSender: account.defaultSender });
  if ("problems" in content) throw invalidRequest(content.problems.map(draftProblem));
  const list = await readRecipients(body.recipients, recipientRules(accountId));
  const sending: TextToSend = { ...content, accountId, recipients: list.recipients };
  return { sending, list, moment };
}

/** What would be sent, and which entries of the list cannot be: nothing is stored. */
async function preview(deps: OperatorDeps, body: SendBody) {
  const { directory, routingPlans, textSender, running, facts } = deps;
  const { sending, list, moment } = await read(deps, body);
  const { encoding, characterCount, partCount } = measureText(sending.text);
  const routeIds = routingPlans.plans.routesUsedBy(directory.sender(sending.accountId, sending.sender)?.id ?? 0);
  const up = routeIds.map((id) => running.state(id)).find((state) => state?.health.up);
  return {
    account: accountIdText(sending.accountId),
    sender: sending.sender,
    /** E.164, without duplicates. */
    recipients: list.recipients,
    repeats: list.repeats,
    refusedCount: list.refused.length,
    /** The first of them; `position` counts from 1. */
    refused: list.refused.slice(0, refusedShownMax),
    encoding,
    characterCount,
    /** Per message. */
    partCount,
    sendAt: timeOrNull(sending.sendAt),
    /** For all messages together, in the currency's smallest unit; null where nothing is charged. */
    price: await textSender.priceOf(sending, moment),
    /** What a prepaid account can spend before it; null for any other. */
    available: availableTo(deps, sending.accountId),
    currency: facts.currency,
    /** The routes that may carry a message of the sender now: those of its plan in rule order, then its own. */
    routes: routeIds.flatMap((id) => directory.routeById(id)?.name ?? []),
    /** For the first of them that is up; null if it is not limited, or none is up. */
    partsPerSecond: up?.partsPerSecondNow ?? null,
  };
}

function availableTo({ prices, balances }: OperatorDeps, accountId: number): number | null {
  return prices.billingOf(accountId)?.mode === "prepaid" ? availableOf(balances.balanceOf(accountId)) : null;
}

/** A repeat with the same key sends nothing again. */
async function send(deps: OperatorDeps, body: SendBody & { idempotencyKey: string }) {
  if (!isIdempotencyKey(body.idempotencyKey)) {
    throw invalidRequest([problemOf("idempotencyKey", "printable_ascii_length", { max: 100 })]);
  }
  const { sending, list, moment } = await read(deps, body);
  if (list.refused.length > 0) throw invalidRequest(list.refused.slice(0, refusedShownMax).map(recipientProblem));
  const sent = await withRefusals(deps.textSender.send(body.idempotencyKey, sending, moment));
  return { messages: sent.messageCount, firstTrackingCode: sent.firstTrackingCode, duplicate: sent.duplicate };
}

function draftProblem(problem: DraftProblem): OperatorProblem {
  switch (problem) {
    case "sender_missing":
      return problemOf("sender", "no_default_sender", {});
    case "sender_not_permitted":
      return problemOf("sender", "inactive_sender", {});
    case "reference_too_long":
    case "reference_not_clean":
      return problemOf("clientReference", "text", { min: 0, max: messageLimits.referenceMax });
    case "schedule_out_of_range":
      return problemOf("sendAt", "send_window", sendWindow);
    default:
      return problemOf("message", "text", { min: 1, max: messageLimits.textMax });
  }
}

function recipientProblem({ position, value, problem }: RefusedRecipient): OperatorProblem {
  const key = `recipients.${position - 1}`;
  return problemOf(key, problem === "not_mobile" ? "not_mobile" : "country_not_allowed", { value });
}

/** Refusals under the public API's rules, in the operator API's words. */
async function withRefusals<T>(accepted: Promise<T>): Promise<T> {
  try {
    return await accepted;
  } catch (reason) {
    if (!(reason instanceof ApiError)) throw reason;
    throw sendRefused(reason);
  }
}

function sendRefused(reason: ApiError): OperatorError {
  const { message } = reason;
  const coded = codedRefusal(reason);
  return new OperatorError(
    "send_refused",
    { code: "public_refusal", values: { message } },
    coded === null ? [] : [{ key: "", ...coded }],
  );
}

function codedRefusal(reason: ApiError): CodedProblem | null {
  if (reason instanceof QuotaExceeded) return { code: "quota_exceeded", values: reason.values };
  switch (reason.code) {
    case "balance_exhausted":
    case "account_suspended":
    case "idempotency_key_conflict":
      return { code: reason.code, values: {} };
    case "sender_not_permitted":
      return { code: "inactive_sender", values: {} };
    default:
      return null;
  }
}
