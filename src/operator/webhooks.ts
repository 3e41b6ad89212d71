/** Webhooks of all accounts: what became of every callback, and delivering events once more. Registering is the customers' part. */
import { Elysia, t } from "elysia";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { isoTime } from "../platform/clock.ts";
import type { AttemptRow } from "../store/delivery-log.ts";
import type { DeliveryView, WebhookOverview } from "../webhooks/delivery-service.ts";
import type { OperatorDeps } from "./deps.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { timeSchema } from "./schemas.ts";
import { timeOrNull } from "./views.ts";

function overview({ webhook, waiting, oldestDueAt, latest }: WebhookOverview) {
  return {
    id: webhook.publicId,
    account: accountIdText(webhook.accountId),
    url: webhook.url,
    events: webhook.events,
    isActive: webhook.active,
    /** Counted up to `callbacksCountedMax`. */
    waiting,
    nextDueAt: timeOrNull(oldestDueAt),
    /** What became of the newest event. */
    latest: latest === null ? null : { state: latest.state, createdAt: isoTime(latest.createdAt) },
    createdAt: isoTime(webhook.createdAt),
    updatedAt: isoTime(webhook.updatedAt),
  };
}

function attemptView({ number, at, failure, detail, status, address, durationMs, excerpt }: AttemptRow) {
  return {
    number,
    at: isoTime(at),
    /** `delivered`, or the class of the failure. */
    outcome: failure ?? "delivered",
    status,
    detail,
    address,
    durationMs,
    /** The first bytes of the answer, at most 4 KiB. */
    excerpt: new TextDecoder().decode(excerpt),
  };
}

function deliveryView(delivery: DeliveryView) {
  return {
    event: delivery.eventId,
    kind: delivery.kind,
    /** The tracking code that the event speaks of, and the status that was reached. */
    subject: delivery.subject,
    step: delivery.step,
    state: delivery.state,
    dueAt: timeOrNull(delivery.dueAt),
    createdAt: isoTime(delivery.createdAt),
    endedAt: timeOrNull(delivery.endedAt),
    attempts: delivery.attemptsMade.map(attemptView),
  };
}

const replaySchema = t.Object({
  event: t.Optional(t.String()),
  since: t.Optional(timeSchema),
  subscription: t.Optional(t.String()),
});

export function webhookRoutes({ directory, webhooks }: OperatorDeps) {
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
      ({ query }) => {
        return webhooks.list(listedAccountOf(query.account, directory) ?? null).map(overview);
      },
      { query: t.Object({ account: t.Optional(t.String()) }) },
    )
    .get(
      "/:id/deliveries",
      ({ params, query }) => {
        const deliveries = webhooks.deliveries(params.id, query.limit ?? 50);
        if (deliveries === null) throw new OperatorError("webhook_not_found");
        return deliveries.map(deliveryView);
      },
      {
        query: t.Object({
          limit: t.Optional(t.Numeric({ minimum: 1, maximum: 500, error: "must be from 1 to 500" })),
        }),
      },
    )
    .post("/replay", async ({ body }) => ({ deliveries: await replay(body) }), { body: replaySchema });
}
