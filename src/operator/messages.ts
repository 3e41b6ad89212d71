/** Messages of all accounts: one with its whole timeline, and a paged search. */

import { type Static, type TObject, Type as t } from "@sinclair/typebox";
import { messageClasses, messageClassNames, messageErrorCodes, publicStatuses } from "../domain/message.ts";
import { networkSourceNames } from "../domain/network-source.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { latinDigits, nationalNumber, parseMobileNumber } from "../domain/phone-number.ts";
import { describeReason } from "../domain/reason.ts";
import { isFinal, possibleArrivals, publicErrorOf, publicStatusOf } from "../domain/status.ts";
import { type MessageService, maskedTextOf, statesOf } from "../messaging/messages/message-service.ts";
import type { QueueAhead } from "../messaging/messages/queue-depth.ts";
import { isoTime } from "../platform/clock.ts";
import type { CallbackRow } from "../store/delivery-log.ts";
import type { FoundMessage } from "../store/message-search.ts";
import type { MessageRow } from "../store/messages.ts";
import { presentTimeZone } from "./accounts.ts";
import { timeOrNull } from "./answers.ts";
import { campaignNaming } from "./campaigns.ts";
import { csvAnswer } from "./csv-answer.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountField } from "./field-schema.ts";
import { accountIdText, campaignIdOf, campaignIdText, credentialIdOf, keyIdOf, listedAccountOf } from "./ids.ts";
import { changes, type Fields, reads } from "./operation.ts";
import { otpStepsAnswer } from "./otp.ts";
import { limitField, oneOf, timeSchema, told } from "./schemas.ts";
import { waitOf } from "./waiting.ts";

const previewLengthMax = 60;

function previewOf(message: FoundMessage | MessageRow): string {
  const text = "text" in message ? message.text : message.beginning;
  const line = maskedTextOf({ class: message.class, text }).replace(/\s+/g, " ").trim();
  const letters = [...line];
  return letters.length > previewLengthMax ? `${letters.slice(0, previewLengthMax).join("")}…` : line;
}

export type MessageSummaryAnswer = ReturnType<typeof messageSummaryAnswer>;

function messageSummaryAnswer(deps: OperatorDeps, message: FoundMessage | MessageRow) {
  const waitReason = waitOf(deps, message);
  return {
    trackingCode: message.trackingCode,
    account: accountIdText(message.accountId),
    accountName: deps.directory.account(message.accountId)?.name ?? null,
    sender: message.sender,
    recipient: message.recipient,
    /** As it is written in its own country, if that is the service's: `09121234567`. */
    recipientAtHome: nationalNumber(message.recipient, deps.facts.defaultRegion),
    status: publicStatusOf(message.state),
    /** Finer than the public status. */
    state: message.state,
    class: messageClassNames[message.class],
    route: deps.messages.routeName(message.routeId),
    /** The first words of its text; the code of a one-time password is masked by asterisks. */
    preview: previewOf(message),
    clientReference: message.clientReference,
    encoding: message.encoding,
    characterCount: message.characterCount,
    partCount: message.partCount,
    attempts: message.attempts,
    error: publicErrorOf(message),
    /** How often it may have reached the phone, after attempts without an answer; null if that is certain. */
    possibleArrivals: possibleArrivals(message),
    /** Why it waits, as a sentence and as a code with values; null for a message that does not wait. */
    waits: waitReason === null ? null : describeReason(waitReason),
    waitReason,
    dueAt: timeOrNull(message.dueAt),
    submittedAt: isoTime(message.submittedAt),
    sendAt: timeOrNull(message.sendAt),
    sentAt: timeOrNull(message.sentAt),
    finalAt: timeOrNull(message.finalAt),
    updatedAt: isoTime(message.updatedAt),
  };
}

export type MessageAnswer = ReturnType<typeof messageAnswer>;

function messageAnswer(deps: OperatorDeps, shown: ReturnType<MessageService["show"]>) {
  const { apiKeyId } = shown.row;
  return {
    ...messageSummaryAnswer(deps, shown.row),
    /**
     * How many of its sender's messages are ahead of it; other senders' messages alternate with these. Null for one
     * that is not due or does not wait.
     */
    ahead: aheadOf(deps, shown.row),
    campaign: campaignOf(deps, shown.row.id),
    /** The name of the API key that sent it; null if there was none, or it is unknown. */
    key: apiKeyId === null ? null : (deps.directory.key(apiKeyId)?.name ?? null),
    /** Null for a one-time password: its code is never shown. */
    message: shown.text,
    /** The code of a one-time password is masked by asterisks. */
    maskedText: shown.maskedText,
    /** Of the recipient's number; null if no network has it. */
    network: networkOf(deps, shown.row),
    /** What named it: `prefix`, its number range; `ported`, the table of ported numbers. */
    networkSource: shown.row.network === 0 ? null : networkSourceNames[shown.row.networkSource],
    /** When the quiet hours ended that it came in; null if it did not wait for them. */
    quietUntil: quietUntilOf(deps, shown.row),
    /** Its price at acceptance, in the currency's smallest unit; null where nothing is charged. */
    price: shown.row.price,
    /** What became of it; null where nothing is charged. */
    charge: chargeOf(shown.row),
    currency: deps.facts.currency,
    /** Its address in the public API. */
    url: `${deps.facts.listen}/v1/messages/${shown.row.trackingCode}`,
    /** The tracking code of the message that this one resends; null for any other. */
    resentOf: shown.resentOf,
    validUntil: isoTime(shown.row.validUntil),
    /** What the traffic rules decided at its acceptance, as far as that is recorded, in the words of `/explain`. */
    remarks: deps.explainer.recall(shown.row),
    /** The challenge that it belongs to, if a code is tried by further steps; null for any other. */
    otp: shown.otpSteps === null ? null : otpStepsAnswer(shown.otpSteps),
    history: shown.history.map((step) => ({ ...step, changedAt: isoTime(step.changedAt) })),
    parts: shown.parts.map(({ number, providerId, receipt, routeName }) => ({
      number,
      route: routeName,
      providerId,
      receipt,
    })),
    timeline: shown.timeline.map(({ at, kind, routeName, reason }) => ({
      at: isoTime(at),
      kind,
      route: routeName,
      detail: describeReason(reason),
      /** The same as a code with values. */
      reason,
    })),
    /** The calls to its webhooks, oldest first, one entry per attempt. Only kept for a while. */
    callbacks: deps.webhooks.callbacksOf(shown.row.trackingCode).map(callbackAnswer),
    /** The next call to one of them; null if none is due. */
    nextCallback: nextCallbackOf(deps, shown.row.trackingCode),
  };
}

const networkOf = ({ routingPlans }: OperatorDeps, { network }: MessageRow): string | null =>
  network === 0 ? null : routingPlans.networks.nameOf(network);

/** By the quiet hours of today: those of its day are not kept. */
function quietUntilOf({ quietHours }: OperatorDeps, row: MessageRow): string | null {
  const { accountId, class: messageClass, sendAt, submittedAt, processingAt } = row;
  const until = quietHours.until(accountId, messageClass, sendAt ?? submittedAt);
  const went = processingAt ?? row.dueAt ?? row.finalAt;
  return until === null || went === null || went < until ? null : isoTime(until);
}

function nextCallbackOf({ webhooks }: OperatorDeps, trackingCode: string) {
  const next = webhooks.nextCallbackOf(trackingCode);
  if (next === null || next.dueAt === null) return null;
  return { url: next.url, step: next.step, dueAt: isoTime(next.dueAt), attempts: next.attempts };
}

/** `held` until the message is handed over, and `given_back` where it never was. */
function chargeOf({ price, cost, state }: MessageRow): "charged" | "held" | "given_back" | null {
  if (price === null) return null;
  if (cost !== null) return "charged";
  return isFinal(state) ? "given_back" : "held";
}

/** The campaign it belongs to; null if it was sent by itself. */
function campaignOf({ campaigns }: OperatorDeps, id: number) {
  const campaign = campaigns.ofMessage(id);
  if (campaign === null) return null;
  return { id: campaignIdText(campaign.id), ...campaignNaming(campaign, campaigns.firstMessage(campaign)) };
}

function aheadOf({ messages, clock }: OperatorDeps, row: MessageRow): QueueAhead | null {
  const now = clock.now();
  return row.dueAt === null || row.dueAt > now ? null : messages.ahead(row, row.dueAt, now);
}

function callbackAnswer({ publicId, url, step, at, failure, status, durationMs }: CallbackRow) {
  /** `outcome`: `delivered`, or the class of the failure. */
  return { webhook: publicId, url, step, at: isoTime(at), outcome: failure ?? "delivered", status, durationMs };
}

const lastDigits = /^[0-9]{4,15}$/;

const filterFields = {
  account: t.Optional(t.String()),
  campaign: t.Optional(t.String()),
  sender: t.Optional(t.String()),
  recipient: t.Optional(t.String()),
  reference: t.Optional(t.String()),
  status: t.Optional(oneOf(publicStatuses)),
  route: t.Optional(t.String()),
  error: t.Optional(oneOf(messageErrorCodes)),
  class: t.Optional(oneOf(messageClassNames)),
  /** By its name. */
  network: t.Optional(t.String()),
  /** The key or the credential that it came by: `key_1`, `cred_3`; but for SMPP, a credential means all of its key. */
  via: t.Optional(t.String()),
  /** It took longer than so many milliseconds from when it was due, or takes longer so far. */
  slowerMs: t.Optional(t.Integer({ minimum: 1, maximum: 30 * 86_400_000 })),
  /** It is due in this time, or was at first. */
  dueFrom: t.Optional(timeSchema),
  dueTo: t.Optional(timeSchema),
  from: t.Optional(timeSchema),
  to: t.Optional(timeSchema),
};
type MessageFilter = Static<TObject<typeof filterFields>>;

const cursorSchema = t.String({ pattern: "^[0-9a-z]{1,12}$", ...told("cursor", {}) });

/** Stops counting here: the reader sees a list of fifty. */
const newerMax = 100;
/** For a reader who follows them, a second apart. */
const followedMax = 2_000;

const chosenFields = {
  trackingCodes: t.Array(t.String(), { minItems: 1, maxItems: 500 }),
  dryRun: t.Optional(t.Boolean()),
};

type FilterDeps = Pick<OperatorDeps, "directory" | "facts" | "campaigns" | "clock" | "credentials" | "routingPlans">;

/** Which key, and which SMPP credential of it. */
function waysOf(deps: FilterDeps, via: string | undefined, accountId: number | undefined) {
  if (via === undefined) return {};
  const credential = via.startsWith("cred_") ? deps.credentials.directory.byId(credentialIdOf(via)) : undefined;
  if (credential === null) throw new OperatorError("credential_not_found");
  const key = deps.directory.key(credential?.apiKeyId ?? keyIdOf(via));
  // Another account's is treated as nonexistent.
  if (key === null || (accountId !== undefined && key.accountId !== accountId)) {
    throw new OperatorError(credential === undefined ? "key_not_found" : "credential_not_found");
  }
  return { apiKeyId: key.id, ...(credential?.kind === "smpp" && { smppCredentialId: credential.id }) };
}

/** A search, in the form that the reading thread takes. */
function messageFilter(deps: FilterDeps) {
  const { directory, facts, campaigns, clock } = deps;
  function recipientOf(text: string): { recipient?: string; recipientEnd?: string } {
    const recipient = parseMobileNumber(text, facts.defaultRegion);
    if (recipient !== null) return { recipient };
    const recipientEnd = latinDigits(text).replace(/[ ()+./-]/g, "");
    if (lastDigits.test(recipientEnd)) return { recipientEnd };
    throw invalidRequest([problemOf("recipient", "search_number", {})]);
  }

  /** Also of removed routes: messages keep their names. */
  function routeIdsOf(name: string): number[] {
    const routes = directory.allRoutes().filter((route) => route.name === name);
    if (routes.length === 0) throw new OperatorError("route_not_found");
    return routes.map(({ id }) => id);
  }

  function networkIdOf(name: string): number {
    const network = deps.routingPlans.networks.byName(name);
    if (network === null) throw new OperatorError("network_not_found");
    return network.id;
  }

  /** Another account's is treated as nonexistent. */
  function campaignIn(text: string, accountId: number | undefined): number {
    const { id, accountId: owner } = campaigns.present(campaignIdOf(text));
    if (accountId !== undefined && owner !== accountId) throw new OperatorError("campaign_not_found");
    return id;
  }

  return function filterOf(query: MessageFilter) {
    const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
    const accountId = listedAccountOf(query.account, directory);
    return {
      accountId,
      campaignId: query.campaign === undefined ? undefined : campaignIn(query.campaign, accountId),
      sender: query.sender,
      ...(query.recipient !== undefined && recipientOf(query.recipient)),
      clientReference: query.reference,
      routeIds: query.route === undefined ? undefined : routeIdsOf(query.route),
      errorCode: query.error,
      class: query.class === undefined ? undefined : messageClasses[query.class],
      network: query.network === undefined ? undefined : networkIdOf(query.network),
      ...waysOf(deps, query.via, accountId),
      slower: query.slowerMs === undefined ? undefined : { thanMs: query.slowerMs, now: clock.now() },
      dueFrom: time(query.dueFrom),
      dueTo: time(query.dueTo),
      states: query.status === undefined ? undefined : statesOf(query.status),
      from: time(query.from),
      to: time(query.to),
    };
  };
}

/** A search starts below the cursor of the last page, or below the message that `before` names. */
function beginningOf({ messages }: OperatorDeps, cursor: string | undefined, before: string | undefined) {
  if (cursor !== undefined) return Number.parseInt(cursor, 36);
  return before === undefined ? null : messages.show(before).row.id;
}

/** Messages chosen for resending or cancelling. */
const chosenAudit = {
  target: ({ trackingCodes }: { trackingCodes: readonly string[] }) =>
    trackingCodes.length === 1 ? String(trackingCodes[0]) : `${trackingCodes.length} messages`,
  told: (_: Fields, messages: readonly unknown[]) => ({ messages }),
};
const isChange = ({ dryRun }: { dryRun?: boolean }) => dryRun !== true;

const messageReads = {
  "GET /messages": reads({
    may: "messages.read",
    scope: "account",
    input: {
      ...filterFields,
      limit: limitField,
      before: t.Optional(t.String()),
      cursor: t.Optional(cursorSchema),
    },
    run: async (deps, { limit = 50, before, cursor, ...filter }, { signal }) => {
      const found = messageFilter(deps)(filter);
      const page = await deps.reports.search(found, beginningOf(deps, cursor, before), limit, signal);
      return {
        /**
         * Newest first. A page may be short or empty before the end: a search runs for a few seconds and can be
         * continued.
         */
        messages: page.messages.map((message) => messageSummaryAnswer(deps, message)),
        /** Cursor of the next page; null when all messages were searched. */
        nextCursor: page.continueBefore === null ? null : page.continueBefore.toString(36),
        /** When the oldest message searched was accepted; null if there was none. */
        lookedBackTo: timeOrNull(page.lookedBackTo),
      };
    },
  }),
  "GET /messages/newer": reads({
    may: "messages.read",
    scope: "account",
    /** `since`: `newest` from a previous answer; if omitted, nothing is counted. */
    /** `rows`: so many of them are answered themselves; with any, they are counted further. */
    input: {
      ...filterFields,
      since: t.Optional(cursorSchema),
      rows: t.Optional(t.Integer({ minimum: 0, maximum: 50 })),
    },
    run: async (deps, { since, rows = 0, ...filter }, { signal }) => {
      const after = since === undefined ? null : Number.parseInt(since, 36);
      const limit = rows === 0 ? newerMax : followedMax;
      const found = await deps.reports.newer(messageFilter(deps)(filter), { after, limit, shown: rows }, signal);
      const { count, newest } = found;
      return {
        messages: count,
        /** There may be more of them. */
        more: count === limit,
        /** Newest first. */
        rows: found.messages.map((message) => messageSummaryAnswer(deps, message)),
        /** The `since` of the next request. */
        newest: newest.toString(36),
      };
    },
  }),
  "GET /messages/export": reads({
    may: "messages.read",
    scope: "account",
    /** `timeZone`: for the times in the export, UTC by default. */
    input: { ...filterFields, timeZone: t.Optional(t.String()) },
    run: (deps, { timeZone, ...filter }, { caller, signal }) => {
      if (timeZone !== undefined) presentTimeZone(timeZone);
      const routeNames = Object.fromEntries(deps.directory.allRoutes().map(({ id, name }) => [id, name]));
      const writing = { routeNames, isForCustomer: caller.accountId !== null, timeZone };
      return csvAnswer(deps.reports.export(messageFilter(deps)(filter), writing, signal));
    },
  }),
  "GET /messages/:trackingCode": reads({
    may: "messages.read",
    scope: ({ trackingCode }, { messages }) => messages.show(String(trackingCode)).row.accountId,
    input: { trackingCode: t.String(), account: accountField },
    run: (deps, { trackingCode, account }) => {
      const shown = deps.messages.show(trackingCode);
      const accountId = listedAccountOf(account, deps.directory);
      if (accountId !== undefined && shown.row.accountId !== accountId) throw new OperatorError("message_not_found");
      return messageAnswer(deps, shown);
    },
  }),
};

export const messageAdmin = {
  ...messageReads,
  "POST /messages/resend": changes({
    may: "messages.resend",
    input: { ...chosenFields, again: t.Optional(t.Boolean()) },
    isChange,
    run: async ({ resender, facts: { currency } }, { trackingCodes, again = false, dryRun = false }) =>
      (await resender.resend(trackingCodes, { again, dryRun })).map((one) => ({ ...one, currency })),
    audit: { action: "message.resend", ...chosenAudit },
  }),
  "POST /messages/cancel": changes({
    may: "messages.cancel",
    scope: "account",
    input: { ...chosenFields, account: accountField },
    isChange,
    run: ({ operatorCanceller, directory }, { trackingCodes, dryRun = false, account }) =>
      operatorCanceller.cancel(trackingCodes, { dryRun, accountId: listedAccountOf(account, directory) }),
    audit: { action: "message.cancel", ...chosenAudit },
  }),
};
