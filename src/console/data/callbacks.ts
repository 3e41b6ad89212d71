/** What the pages of callbacks show: webhooks, their deliveries, and each attempt. */
import type { AttemptFactsAnswer, DeliveryAnswer, WebhookAnswer } from "../../operator/webhooks.ts";
import type { ListPart } from "../components/collection.tsx";
import { type CallbackAnswer, callFailureKind, type WebhookListItem } from "../pages/callbacks.tsx";
import type { DeliveriesView, DeliveryItem } from "../pages/deliveries.tsx";
import type { ConsoleApi } from "./console-api.ts";
import { type AskedPart, rangeOf, shownPart } from "./list-part.ts";

const deliveriesShown = 50;

const timeOf = (text: string | null): number | null => (text === null ? null : Date.parse(text));

/** `isOwn`: a customer's, who has one account. */
export async function webhookItems(
  api: ConsoleApi,
  asked: AskedPart,
  isOwn: boolean,
): Promise<ListPart<WebhookListItem>> {
  const part = await api("GET /webhooks", rangeOf(asked));
  return shownPart(part, asked, ({ accountName, ...webhook }) => itemOf(webhook, isOwn ? null : accountName));
}

function itemOf(webhook: WebhookAnswer, account: string | null): WebhookListItem {
  const { id, url, waiting, lastAttempt, recent, isActive } = webhook;
  const failingSince = timeOf(webhook.failingSince);
  return {
    id,
    url,
    account,
    state: isActive ? (failingSince === null ? "up" : "failed") : "off",
    waiting,
    last: lastAttempt === null ? null : { at: Date.parse(lastAttempt.at), answer: callbackAnswerOf(lastAttempt) },
    answeredRatio: recent.ended === 0 ? null : recent.delivered / recent.ended,
    failingSince,
  };
}

function callbackAnswerOf({ outcome, status, durationMs }: AttemptFactsAnswer): CallbackAnswer {
  if (status !== null) return { kind: "status", status, tookMs: durationMs };
  return outcome === "timeout" ? { kind: "timeout", afterMs: durationMs } : { kind: callFailureKind(outcome) };
}

export const webhookOf = (api: ConsoleApi, id: string): Promise<WebhookAnswer> => api("GET /webhooks/:id", { id });

export async function deliveriesView(api: ConsoleApi, id: string, before: string | null): Promise<DeliveriesView> {
  const query = { limit: deliveriesShown + 1, ...(before !== null && { before }) };
  const [webhook, found] = await Promise.all([
    webhookOf(api, id),
    api("GET /webhooks/:id/deliveries", { id, ...query }),
  ]);
  const shown = found.slice(0, deliveriesShown);
  return {
    webhook: itemOf(webhook, null),
    events: webhook.events,
    switchedOffAt: timeOf(webhook.switchedOffAt),
    nextSecretFrom: timeOf(webhook.nextSecretFrom),
    deliveries: shown.map(deliveryOf),
    olderThan: found.length > deliveriesShown ? (shown.at(-1)?.event ?? null) : null,
  };
}

function deliveryOf(delivery: DeliveryAnswer): DeliveryItem {
  return {
    event: delivery.event,
    kind: delivery.kind,
    subject: delivery.kind === "message.status" ? delivery.subject : null,
    step: delivery.step,
    state: delivery.state,
    dueAt: timeOf(delivery.dueAt),
    createdAt: Date.parse(delivery.createdAt),
    attempts: delivery.attempts.map((attempt) => ({
      at: Date.parse(attempt.at),
      isAccepted: attempt.outcome === "delivered",
      answer: callbackAnswerOf(attempt),
      address: attempt.address,
      said: attempt.excerpt === "" ? attempt.detail : attempt.excerpt,
    })),
  };
}
