/** `/explain`: whether a message would be accepted, when it would be sent, by which route and why, and at what cost. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { className, messageClasses, messageLimits } from "../domain/message.ts";
import { networkSourceNames } from "../domain/network-source.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { describeReason } from "../domain/reason.ts";
import { plainTime } from "../domain/time-text.ts";
import type { Remark } from "../messaging/rules/traffic-rules.ts";
import { dueAtOf, type NewMessage } from "../store/messages.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { addressSchema } from "./field-schema.ts";
import { accountIdOf, accountIdText, keyIdOf } from "./ids.ts";
import { reads } from "./operation.ts";
import { classSchema, timeSchema } from "./schemas.ts";
import { routeWait, waitOf } from "./waiting.ts";

const explainFields = {
  account: t.String(),
  sender: t.Optional(t.String()),
  recipient: addressSchema,
  /** Defaults to bulk if it is sent later, like every scheduled message, otherwise to single. */
  class: t.Optional(classSchema),
  /** The requested time of sending; immediately by default. */
  at: t.Optional(timeSchema),
  /** Explains a one-time password by this pattern of the account: its text, its sender and its steps. */
  pattern: t.Optional(t.String()),
  text: t.Optional(t.String({ minLength: 1, maxLength: messageLimits.textMax })),
  /** The API key that would send it: determines its quota, and whether it is a test message. */
  key: t.Optional(t.String()),
};

/** Like most messages, one part in either alphabet. */
const defaultText = "A message";

export type ExplainAnswer = ReturnType<typeof explained>;

export const explainAdmin = {
  "GET /explain": reads({ may: "accounts.read", input: explainFields, run: explained }),
};

function explained(deps: OperatorDeps, query: Static<TObject<typeof explainFields>>) {
  const { directory, explainer } = deps;
  const accountId = accountIdOf(query.account);
  const account = directory.account(accountId);
  if (account === null) throw new OperatorError("account_not_found");
  const { pattern: code } = query;
  const pattern = code === undefined ? null : deps.patterns.show({ accountId, code }).pattern;
  const sender = query.sender ?? pattern?.sender ?? account.defaultSender;
  if (sender === null) throw invalidRequest([problemOf("sender", "no_default_sender", {})]);
  const { refusal, blocked, row, remarks } = explainer.explain({
    accountId,
    apiKeyId: query.key === undefined ? 0 : keyIdOf(query.key),
    sender,
    recipient: query.recipient,
    class: pattern === null ? classOf(query) : messageClasses.otp,
    text: query.text ?? pattern?.text.replaceAll("{{code}}", "000000") ?? defaultText,
    pattern: pattern?.code ?? null,
    sendAt: query.at === undefined ? null : Date.parse(query.at),
  });
  const isSent = row !== null && refusal === null && blocked === null;
  const handover = isSent ? handoverOf(deps, row) : null;
  return {
    account: accountIdText(accountId),
    sender,
    accepted: refusal === null,
    /** The error that a request would get; null if it is accepted. */
    refusal,
    /** Why it would be accepted and then fail with `blocked`; null if it would not. */
    blocked: blocked === null ? null : describeReason(blocked),
    ...termsOf(deps, row, blocked !== null),
    /** The earliest time of handover; null if it would not be sent. */
    dueAt: isSent ? timeOrNull(dueAtOf(row)) : null,
    /** The route that would carry it if it were handed over now; null if it would wait. */
    route: handover?.route ?? null,
    /** That route's cost for all parts, in the currency's smallest unit; null if unknown or not sent. */
    cost: !isSent ? null : costOf(deps, row, handover?.route ?? null),
    /** What each applicable rule decided, in order. */
    remarks: [...remarks, ...(handover?.remarks ?? [])],
  };
}

const classOf = ({ class: name, at }: Pick<Static<TObject<typeof explainFields>>, "class" | "at">) =>
  messageClasses[name ?? (at === undefined ? "single" : "bulk")];

/** The values it would be stored with; nulls if it is refused before they are known. */
function termsOf({ routingPlans: { networks } }: OperatorDeps, row: NewMessage | null, isBlocked: boolean) {
  const network = row?.network ?? 0;
  return {
    recipient: row?.recipient ?? null,
    class: row === null ? null : className(row.class),
    encoding: row?.encoding ?? null,
    partCount: row?.partCount ?? null,
    network: network === 0 ? null : networks.nameOf(network),
    /** What named it. */
    networkSource: network === 0 ? null : networkSourceNames[row?.networkSource ?? 0],
    /** For all parts, in the currency's smallest unit; null for none, and for a blocked message. */
    price: isBlocked ? null : (row?.price ?? null),
    isTest: row?.isTest === 1,
  };
}

function costOf({ prices, routingPlans }: OperatorDeps, row: NewMessage, route: string | null): number | null {
  const ofPart = route === null ? null : prices.costOf(route, routingPlans.networks.pricedAs(row));
  return ofPart === null ? null : ofPart * row.partCount;
}

function handoverOf(deps: OperatorDeps, row: NewMessage): { route: string | null; remarks: Remark[] } {
  const lane = { senderId: row.senderId, class: row.class, targetId: row.targetId ?? 0 };
  const dueAt = dueAtOf(row);
  const isDue = dueAt <= deps.clock.now();
  const wait = waitOf(deps, { ...lane, dueAt, attempts: 0 });
  const byRoute = routeWait(deps, lane);
  const isItsTurn = byRoute.code === "waits_turn";
  const words = [
    isDue ? "It would be due at once." : `It would be due at ${plainTime(dueAt)}.`,
    ...(isDue && wait !== null && wait.code !== byRoute.code ? [`It would wait: ${describeReason(wait)}.`] : []),
    isItsTurn
      ? `Handed over now, it would go by route ${byRoute.route}.`
      : `Handed over now, it would wait: ${describeReason(byRoute)}.`,
  ];
  return { route: isItsTurn ? byRoute.route : null, remarks: [{ rule: "handover", words: words.join(" ") }] };
}
