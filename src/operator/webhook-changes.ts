/** What a customer may also do through the public API: register webhooks, choose their events, test and remove them. */

import { Type as t } from "@sinclair/typebox";
import { ApiError } from "../domain/api-error.ts";
import { invalidRequest, OperatorError } from "../domain/operator-error.ts";
import { problemOf } from "../domain/operator-problem.ts";
import { pick } from "../fields/field.ts";
import { webhookFields } from "../fields/webhook.ts";
import type { WebhookRow } from "../store/webhooks.ts";
import { WebhookUrlRefused } from "../webhooks/webhook-service.ts";
import type { OperatorDeps } from "./deps.ts";
import { fieldSchemas, requiredSchemas } from "./field-schema.ts";
import { accountIdText, listedAccountOf } from "./ids.ts";
import { changes, type Fields, textIn } from "./operation.ts";
import { webhookAnswer, webhookOwner } from "./webhooks.ts";

const idField = { id: t.String() };

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
