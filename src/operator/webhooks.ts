/** Webhooks of all accounts: list, show deliveries, replay events. Customers register them by the public API. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import type { AttemptRow } from "../store/delivery-log.ts";
import type { DeliveryView, WebhookOverview } from "../webhooks/delivery-service.ts";
import type { NextSecret } from "../webhooks/secret-rotation.ts";
import { timeOrNull } from "./answers.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { accountQuerySchema, timeSchema } from "./schemas.ts";

export type WebhookAnswer = ReturnType<typeof webhookAnswer>;

export function webhookAnswer({ webhook, waiting, oldestDueAt, latest, lastAttempt, recent }: WebhookOverview) {
  return {
    id: webhook.publicId,
    account: accountIdText(webhook.accountId),
    url: webhook.url,
    events: webhook.events,
    isActive: webhook.active,
    /** When the service switched it off, after five days in which every callback failed; null where it did not. */
    switchedOffAt: timeOrNull(webhook.switchedOffAt),
    /** Since when every callback has failed; null where the last one succeeded. */
    failingSince: timeOrNull(webhook.failingSince),
    /** Counted up to `callbacksCountedMax`. */
    waiting,
    nextDueAt: timeOrNull(oldestDueAt),
    /** The newest delivery; null where there was none. */
    latest: latest === null ? null : { state: latest.state, createdAt: isoTime(latest.createdAt) },
    /** Null where nothing was tried. */
    lastAttempt: lastAttempt === null ? null : attemptFacts(lastAttempt),
    /** Of the newest fifty deliveries: how many have ended, and how many of these the receiver accepted. */
    recent: { ...recent },
    /** From when the new signing secret signs; null where none was made since the present one. */
    nextSecretFrom: timeOrNull(webhook.nextSecretFrom),
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
  };
}

export type NextSecretAnswer = ReturnType<typeof nextSecretAnswer>;

/** The secret is in this answer alone and cannot be had again. */
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

function deliveryAttemptAnswer(attempt: AttemptRow) {
  const { number, detail, address, excerpt } = attempt;
  return {
    number,
    ...attemptFacts(attempt),
    detail,
    address,
    /** The first bytes of the answer, at most 4 KiB. */
    excerpt: new TextDecoder().decode(excerpt),
  };
}

export type DeliveryAnswer = ReturnType<typeof deliveryAnswer>;

function deliveryAnswer(delivery: DeliveryView) {
  return {
    event: delivery.eventId,
    kind: delivery.kind,
    /** The tracking code and the status that the event reports. */
    subject: delivery.subject,
    step: delivery.step,
    state: delivery.state,
    dueAt: timeOrNull(delivery.dueAt),
    createdAt: isoTime(delivery.createdAt),
    endedAt: timeOrNull(delivery.endedAt),
    attempts: delivery.attemptsMade.map(deliveryAttemptAnswer),
  };
}

const replaySchema = t.Object({
  event: t.Optional(t.String()),
  since: t.Optional(timeSchema),
  subscription: t.Optional(t.String()),
});

/** At one webhook: an event, or everything since a time, or only what failed of it. */
const replayHereSchema = t.Union([
  t.Object({ event: t.String() }),
  t.Object({ since: timeSchema, onlyFailed: t.Optional(t.Boolean()) }),
]);

export function webhookRoutes({ directory, webhooks, webhookSecrets }: OperatorDeps) {
  async function replay({ event, since, subscription }: typeof replaySchema.static): Promise<number> {
    if (event !== undefined && since === undefined && subscription === undefined) {
      const count = await webhooks.replayEvent(event);
      if (count === null) throw new OperatorError("event_not_found");
      return count;
    }
    if (event !== undefined || since === undefined || subscription === undefined) {
      throw invalidRequest([{ key: "body", message: "takes either event, or since and subscription" }]);
    }
    const count = await webhooks.replaySince(subscription, Date.parse(since));
    if (count === null) throw new OperatorError("webhook_not_found");
    return count;
  }

  return new Elysia({ prefix: "/webhooks" })
    .get(
      "/",
      async ({ query }) => (await webhooks.list(listedAccountOf(query.account, directory) ?? null)).map(webhookAnswer),
      { query: accountQuerySchema },
    )
    .get("/:id", ({ params }) => {
      const found = webhooks.show(params.id);
      if (found === null) throw new OperatorError("webhook_not_found");
      return webhookAnswer(found);
    })
    .get(
      "/:id/deliveries",
      ({ params, query }) => {
        const deliveries = webhooks.deliveries(params.id, query.limit ?? 50, query.before);
        if (deliveries === null) throw new OperatorError("webhook_not_found");
        return deliveries.map(deliveryAnswer);
      },
      {
        query: t.Object({
          limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
          /** An event of the webhook's: only those before it. */
          before: t.Optional(t.String()),
        }),
      },
    )
    .post("/:id/rotate-secret", async ({ params }) => {
      const next = await webhookSecrets.begin(params.id);
      if (next === null) throw new OperatorError("webhook_not_found");
      return nextSecretAnswer(next);
    })
    .post("/:id/switch-secret", async ({ params }) => {
      const isSwitched = await webhookSecrets.switchNow(params.id);
      if (isSwitched === null) throw new OperatorError("webhook_not_found");
      if (!isSwitched) throw new OperatorError("no_next_secret");
      return { switched: true };
    })
    .post(
      "/:id/replay",
      async ({ params, body }) => {
        const count =
          "event" in body
            ? await webhooks.replayAt(params.id, body.event)
            : await webhooks.replaySince(params.id, Date.parse(body.since), body.onlyFailed);
        if (count === null) throw new OperatorError("event" in body ? "event_not_found" : "webhook_not_found");
        return { deliveries: count };
      },
      { body: replayHereSchema },
    )
    .post("/replay", async ({ body }) => ({ deliveries: await replay(body) }), { body: replaySchema });
}
