/** Webhooks of all accounts: list, show deliveries, replay events. Customers register them through the public API. */

import { Type as t } from "@sinclair/typebox";
import { ApiError } from "../domain/api-error.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { pick } from "../fields/field.ts";
import { replayFields, webhookFields } from "../fields/webhook.ts";
import { isoTime } from "../platform/clock.ts";
import type { AttemptRow } from "../store/delivery-log.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import type { AttemptFailure } from "../webhooks/attempt.ts";
import type { DeliveryView, WebhookOverview } from "../webhooks/delivery-service.ts";
import type { NextSecret } from "../webhooks/secret-rotation.ts";
import { WebhookUrlRefused } from "../webhooks/webhook-service.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { fieldSchemas, requiredSchemas } from "./field-schema.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { accountNameOf, answerRows, ownedRangeFields, rangeIn, wholeList } from "./lists.ts";
import { changes, type Fields, reads, type Scope, textIn } from "./operation.ts";
import { limitField } from "./schemas.ts";

export type WebhookAnswer = ReturnType<typeof webhookAnswer>;

export function webhookAnswer(overview: WebhookOverview) {
  const { webhook, pace, waiting, oldestDueAt, latest, lastAttempt, recent } = overview;
  return {
    id: webhook.publicId,
    account: accountIdText(webhook.accountId),
    url: webhook.url,
    events: webhook.events,
    isActive: webhook.active,
    /** When the service switched it off, after five days in which every callback failed; null if it did not. */
    switchedOffAt: timeOrNull(webhook.switchedOffAt),
    /** Since when every callback has failed; null if the last one succeeded. */
    failingSince: timeOrNull(webhook.failingSince),
    /** Counted up to `callbacksCountedMax`. */
    waiting,
    nextDueAt: timeOrNull(oldestDueAt),
    /** How many at once the receiver gets, and why; `oneUntil`: a single one until then, as it asked. */
    attemptsAtOnce: { now: pace.attemptsAtOnce, reason: pace.reason, oneUntil: timeOrNull(pace.heldUntil) },
    /** The newest delivery; null where there was none. */
    latest: latest === null ? null : { state: latest.state, createdAt: isoTime(latest.createdAt) },
    /** Null if nothing was attempted. */
    lastAttempt: lastAttempt === null ? null : attemptFacts(lastAttempt),
    /** Among the newest fifty deliveries: how many have ended, and how many of those the receiver accepted. */
    recent: { ...recent },
    /** When the new signing secret takes over; null if none was created since the current one. */
    nextSecretFrom: timeOrNull(webhook.nextSecretFrom),
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
  };
}

export type NextSecretAnswer = ReturnType<typeof nextSecretAnswer>;

/** The secret only appears in this answer and cannot be retrieved again. */
const nextSecretAnswer = ({ signingSecret, signsFrom }: NextSecret) => ({
  signingSecret,
  signsFrom: isoTime(signsFrom),
});

export type DeliveryAttemptAnswer = ReturnType<typeof deliveryAttemptAnswer>;

export type AttemptFactsAnswer = ReturnType<typeof attemptFacts>;

/** `outcome`: `delivered`, or the class of the failure. */
const attemptFacts = ({ at, failure, status, durationMs }: AttemptRow) => ({
  at: isoTime(at),
  outcome: failure ?? "delivered",
  status,
  durationMs,
});

/**
 * A customer may name any host in a callback's URL; what the operator's name servers say about it, such as an address
 * in the operator's own network, is not for the customer.
 */
const resolvingFailures: ReadonlySet<string | null> = new Set([
  "name_not_found",
  "resolver_failed",
  "address_refused",
] satisfies AttemptFailure[]);

function deliveryAttemptAnswer(attempt: AttemptRow, isForCustomer: boolean) {
  const { number, detail, address, excerpt, failure } = attempt;
  return {
    number,
    ...attemptFacts(attempt),
    /** Empty if `outcome` says it all, and for customers if nothing was dialled. */
    detail: isForCustomer && resolvingFailures.has(failure) ? "" : detail,
    address,
    /** The first bytes of the answer, at most 4 KiB. */
    excerpt: new TextDecoder().decode(excerpt),
  };
}

export type DeliveryAnswer = ReturnType<typeof deliveryAnswer>;

function deliveryAnswer(delivery: DeliveryView, isForCustomer: boolean) {
  return {
    event: delivery.eventId,
    kind: delivery.kind,
    /** The tracking code and the status that the event reports. */
    subject: delivery.subject,
    step: delivery.step,
    /** Null if the event is about no message, or the message is gone. */
    recipient: delivery.recipient,
    state: delivery.state,
    dueAt: timeOrNull(delivery.dueAt),
    createdAt: isoTime(delivery.createdAt),
    endedAt: timeOrNull(delivery.endedAt),
    attempts: delivery.attemptsMade.map((attempt) => deliveryAttemptAnswer(attempt, isForCustomer)),
  };
}

const idField = { id: t.String() };

export const webhookOwner: Scope = ({ id }, { webhooks }) => webhooks.present(String(id))?.accountId ?? null;

const secretAudit = {
  target: ({ id }: { id: string }) => id,
  state: ({ webhooks }: OperatorDeps, { id }: { id: string }) => {
    const found = webhooks.present(id);
    if (found === null) return null;
    return { account: accountIdText(found.accountId), nextSecretFrom: timeOrNull(found.nextSecretFrom) };
  },
};

const webhookReads = {
  "GET /webhooks": reads({
    may: "callbacks.read",
    scope: "account",
    input: ownedRangeFields,
    run: async (deps, { account, ...asked }) => {
      const { webhooks, directory } = deps;
      const accountId = listedAccountOf(account, directory);
      const range = rangeIn(asked);
      const part =
        range === null ? wholeList(await webhooks.list(accountId ?? null)) : await webhooks.part(range, accountId);
      return answerRows(part, (view) => ({
        ...webhookAnswer(view),
        accountName: accountNameOf(deps, view.webhook.accountId),
      }));
    },
  }),
  "GET /webhooks/:id": reads({
    may: "callbacks.read",
    scope: webhookOwner,
    input: idField,
    run: (deps, { id }) => shown(deps, id),
  }),
  "GET /webhooks/:id/deliveries": reads({
    may: "callbacks.read",
    scope: webhookOwner,
    input: {
      ...idField,
      limit: limitField,
      /** An event of the webhook: only older ones. */
      before: t.Optional(t.String()),
    },
    run: ({ webhooks }, { id, limit = 50, before }, { caller }) => {
      const deliveries = webhooks.deliveries(id, limit, before);
      if (deliveries === null) throw new OperatorError("webhook_not_found");
      return deliveries.map((delivery) => deliveryAnswer(delivery, caller.accountId !== null));
    },
  }),
};

export const webhookAdmin = {
  ...webhookReads,
  "POST /webhooks/:id/rotate-secret": changes({
    may: "callbacks.secrets",
    scope: webhookOwner,
    input: idField,
    run: async ({ webhookSecrets }, { id }) => {
      const next = await webhookSecrets.begin(id);
      if (next === null) throw new OperatorError("webhook_not_found");
      return nextSecretAnswer(next);
    },
    audit: { action: "webhook.rotate-secret", ...secretAudit },
  }),
  "POST /webhooks/:id/switch-secret": changes({
    may: "callbacks.secrets",
    scope: webhookOwner,
    input: idField,
    run: async ({ webhookSecrets }, { id }) => {
      const isSwitched = await webhookSecrets.switchNow(id);
      if (isSwitched === null) throw new OperatorError("webhook_not_found");
      if (!isSwitched) throw new OperatorError("no_next_secret");
      return { switched: true };
    },
    audit: { action: "webhook.switch-secret", ...secretAudit },
  }),
  /** At one webhook: one event, or everything since a time, or only the failed events of that period. */
  "POST /webhooks/:id/replay": changes({
    may: "callbacks.change",
    scope: webhookOwner,
    input: {
      ...idField,
      ...fieldSchemas(pick(replayFields, "event", "since", "onlyFailed")),
    },
    run: async ({ webhooks }, { id, event, since, onlyFailed }) => {
      if ((event === undefined) === (since === undefined)) {
        throw invalidRequest([problemOf("body", "either_key", { first: "event", second: "since", with: null })]);
      }
      const count =
        event !== undefined
          ? await webhooks.replayAt(id, event)
          : await webhooks.replaySince(id, Date.parse(since ?? ""), onlyFailed);
      const isActive = webhooks.present(id)?.active === true;
      if (count === null) throw new OperatorError(isActive ? "event_not_found" : "webhook_not_found");
      return { deliveries: count };
    },
    audit: {
      action: "webhook.replay",
      target: ({ id }) => id,
      told: ({ id: _, ...asked }, { deliveries }) => ({ ...asked, deliveries }),
    },
  }),
  "POST /webhooks/replay": changes({
    may: "accounts.change",
    input: {
      ...fieldSchemas(pick(replayFields, "event", "since", "subscription")),
    },
    run: async ({ webhooks }, { event, since, subscription }) => {
      if (event !== undefined && since === undefined && subscription === undefined) {
        const deliveries = await webhooks.replayEvent(event);
        if (deliveries === null) throw new OperatorError("event_not_found");
        return { deliveries };
      }
      if (event !== undefined || since === undefined || subscription === undefined) {
        throw invalidRequest([
          problemOf("body", "either_key", { first: "event", second: "since", with: "subscription" }),
        ]);
      }
      const deliveries = await webhooks.replaySince(subscription, Date.parse(since));
      if (deliveries === null) throw new OperatorError("webhook_not_found");
      return { deliveries };
    },
    audit: {
      action: "webhook.replay",
      target: ({ event, subscription = "" }) => event ?? subscription,
      told: ({ since = null }, { deliveries }) => ({ since, deliveries }),
    },
  }),
};

const webhookOf = (input: Fields, answer: Fields) => textIn(answer, "id") ?? textIn(input, "id") ?? "";

const webhookAudit = {
  target: webhookOf,
  state: ({ webhooks }: OperatorDeps, input: Fields, answer: Fields) => {
    const found = webhooks.present(webhookOf(input, answer));
    if (found === null) return null;
    const { url, events, active } = found;
    return { account: accountIdText(found.accountId), url, events: events.join(", "), isActive: active };
  },
};

/** @throws OperatorError `webhook_not_found` */
function presentWebhook({ webhooks }: OperatorDeps, id: string): WebhookRow {
  const found = webhooks.present(id);
  if (found === null) throw new OperatorError("webhook_not_found");
  return found;
}

function shown({ webhooks }: OperatorDeps, id: string) {
  const found = webhooks.show(id);
  if (found === null) throw new OperatorError("webhook_not_found");
  return webhookAnswer(found);
}

/** Refusals under the public API's rules, in the operator API's words. */
async function withRefusals<T>(change: Promise<T>): Promise<T> {
  try {
    return await change;
  } catch (reason) {
    if (reason instanceof WebhookUrlRefused) {
      throw invalidRequest([problemOf("url", "webhook_url", { reason: reason.reason })]);
    }
    if (!(reason instanceof ApiError)) throw reason;
    const { code } = reason;
    if (code === "webhook_not_found" || code === "webhook_limit_reached" || code === "webhook_inactive") {
      throw new OperatorError(code);
    }
    throw reason;
  }
}

export const webhookChanges = {
  /** `signingSecret` only appears in this answer. */
  "POST /webhooks": changes({
    may: "callbacks.secrets",
    scope: "account",
    input: requiredSchemas(pick(webhookFields, "account", "url", "events")),
    run: async (deps, { account, url, events }) => {
      const accountId = listedAccountOf(account, deps.directory) ?? 0;
      const { webhook, signingSecret } = await withRefusals(deps.webhookService.create(accountId, { url, events }));
      return { ...shown(deps, webhook.id), signingSecret };
    },
    audit: { action: "webhook.create", ...webhookAudit },
  }),
  "PATCH /webhooks/:id": changes({
    may: "callbacks.change",
    scope: webhookOwner,
    input: { ...idField, ...fieldSchemas(pick(webhookFields, "events", "isActive")) },
    run: async (deps, { id, events, isActive }) => {
      const { accountId } = presentWebhook(deps, id);
      const change = { ...(events !== undefined && { events }), ...(isActive !== undefined && { isActive }) };
      if (Object.keys(change).length === 0) throw invalidRequest([problemOf("body", "nothing_to_change", {})]);
      await withRefusals(deps.webhookService.change(accountId, id, change));
      return shown(deps, id);
    },
    audit: { action: "webhook.update", ...webhookAudit },
  }),
  "DELETE /webhooks/:id": changes({
    may: "callbacks.change",
    scope: webhookOwner,
    input: idField,
    run: async (deps, { id }) => {
      const { accountId, url } = presentWebhook(deps, id);
      await withRefusals(deps.webhookService.remove(accountId, id));
      return { id, account: accountIdText(accountId), url };
    },
    audit: { action: "webhook.remove", ...webhookAudit },
  }),
  /** Puts a `webhook.test` event into its queue. */
  "POST /webhooks/:id/test": changes({
    may: "callbacks.change",
    scope: webhookOwner,
    input: idField,
    run: async (deps, { id }) => ({
      event: await withRefusals(deps.webhookService.test(presentWebhook(deps, id).accountId, id)),
    }),
    audit: { action: "webhook.test", target: ({ id }) => id, told: (_, { event }) => ({ event }) },
  }),
};
