/** `peyk webhook …`: the customers' webhooks, their deliveries, and replays of events. */

import { attemptsAtOnceMax, englishWidthReasons } from "../domain/attempt-width.ts";
import { callbacksCountedMax } from "../domain/backlog.ts";
import { pick, type ValuesOf } from "../fields/field.ts";
import { replayFields, webhookFields } from "../fields/webhook.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { DeliveryAnswer, DeliveryAttemptAnswer, NextSecretAnswer, WebhookAnswer } from "../operator/webhooks.ts";
import { calls, flag, lists, noun, ofOneAccount, preset, typed, whole, withoutAccountName } from "./declared.ts";
import { UsageError } from "./errors.ts";
import { formatFields, joinLines, orDash, shortTime, tableOf, yesNo } from "./text.ts";

function activeText({ isActive, switchedOffAt }: WebhookAnswer): string {
  return switchedOffAt === null ? yesNo(isActive) : `off since ${shortTime(switchedOffAt)}`;
}

function waitingText({ waiting }: WebhookAnswer): string {
  return waiting === callbacksCountedMax ? `${callbacksCountedMax} or more` : String(waiting);
}

function webhookText(webhook: WebhookAnswer): string {
  const { lastAttempt: last, recent, failingSince, attemptsAtOnce } = webhook;
  return formatFields([
    ["id", webhook.id],
    ["account", webhook.account],
    ["url", webhook.url],
    ["events", webhook.events.join(", ")],
    ["active", activeText(webhook)],
    ["failing since", shortTime(failingSince)],
    ["waiting", waitingText(webhook)],
    ["next due", shortTime(webhook.nextDueAt)],
    ["attempts at once", attemptsText(attemptsAtOnce)],
    ["last answer", last === null ? "-" : `${last.status ?? last.outcome} after ${last.durationMs} ms`],
    ["accepted", `${recent.delivered} of the newest ${recent.ended}`],
    ["new secret from", shortTime(webhook.nextSecretFrom)],
  ]);
}

function attemptsText({ now, reason, oneUntil }: WebhookAnswer["attemptsAtOnce"]): string {
  const until = oneUntil === null ? "" : ` until ${shortTime(oneUntil)}`;
  return `${now}${until}, of at most ${attemptsAtOnceMax}: ${englishWidthReasons[reason]}`;
}

/** The receiver's answer, cut to one table line. */
const saidCharactersMax = 80;

/** @throws UsageError for options that cannot be combined */
async function replayed(api: OperatorClient, given: Partial<ValuesOf<typeof replayFields>>) {
  const { event, since, subscription, onlyFailed } = given;
  if (event !== undefined && since === undefined && onlyFailed === undefined)
    return subscription === undefined
      ? api("POST /webhooks/replay", { event })
      : api("POST /webhooks/:id/replay", { id: subscription, event });
  if (event === undefined && since !== undefined && subscription !== undefined)
    return api("POST /webhooks/:id/replay", { id: subscription, since, onlyFailed: onlyFailed === true });
  throw new UsageError("Say either --event, or both --since and --subscription.");
}

const webhookTable = tableOf<WebhookAnswer>(
  "There are no webhooks. Register one: peyk webhook create --account ID --url URL",
  {
    WEBHOOK: "id",
    ACCOUNT: "account",
    URL: "url",
    EVENTS: ({ events }) => events.join(", "),
    ACTIVE: activeText,
    WAITING: waitingText,
    "NEXT DUE": ({ nextDueAt }) => shortTime(nextDueAt),
    LATEST: ({ latest }) => latest?.state ?? null,
  },
);

const deliveryTable = tableOf<DeliveryAnswer>("This webhook has no deliveries.", {
  EVENT: "event",
  KIND: "kind",
  OF: ({ subject, step }) => [orDash(subject), step].join(" ").trim(),
  STATE: "state",
  DUE: ({ dueAt }) => shortTime(dueAt),
  CREATED: ({ createdAt }) => shortTime(createdAt),
  ATTEMPTS: ({ attempts }) => attempts.length,
});

const attemptTable = tableOf<DeliveryAttemptAnswer & { event: string }>("", {
  EVENT: "event",
  NO: "number",
  AT: ({ at }) => shortTime(at),
  OUTCOME: "outcome",
  STATUS: "status",
  MS: "durationMs",
  ADDRESS: ({ address }) => orDash(address),
  ANSWER: ({ excerpt, detail }) =>
    (excerpt === "" ? detail : excerpt).replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, saidCharactersMax),
});

function deliveryText(all: readonly DeliveryAnswer[]): string {
  const attempts = all.flatMap(({ event, attempts }) => attempts.map((attempt) => ({ event, ...attempt })));
  return deliveryTable(all) + (attempts.length === 0 ? "" : `\n${attemptTable(attempts)}`);
}

const { account, url, events } = webhookFields;
const newEvents = { ...events, help: `${events.help}; message.status if none is given` };
const of = { id: "the webhook's id" };

export const webhookCommand = noun("webhook", "callbacks to customers' systems", {
  create: calls({
    does: "register a webhook; its signing secret is shown this once",
    examples: ["peyk webhook create --account acc_1 --url https://hooks.example.com/sms --event message.status"],
    options: { account, url, events: newEvents },
    call: (api, { events = ["message.status" as const], ...given }) => api("POST /webhooks", { ...given, events }),
    text: (webhook) =>
      webhookTable([webhook]) +
      joinLines(["", webhook.signingSecret, "", "This is the only time that the signing secret is shown."]),
  }),
  list: lists({
    does: "list webhooks with the deliveries that wait",
    examples: ["peyk webhook list --account acc_1", "peyk webhook list --query example.com --limit 100"],
    options: ofOneAccount,
    part: (api, query) => api("GET /webhooks", query),
    whole: withoutAccountName,
    table: webhookTable,
  }),
  show: calls({
    does: "show a webhook, its last answer, and how many attempts it gets at once",
    examples: ["peyk webhook show 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
    of,
    call: (api, given) => api("GET /webhooks/:id", given),
    text: webhookText,
  }),
  update: calls({
    does: "choose a webhook's events, or switch it off or on; what waits for one that is switched off is not sent",
    examples: [
      "peyk webhook update 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --event message.status inbound.received",
      "peyk webhook update 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --active no",
    ],
    of,
    options: pick(webhookFields, "events", "isActive"),
    call: (api, given) => api("PATCH /webhooks/:id", given),
    text: (webhook) => webhookTable([webhook]),
  }),
  test: calls({
    does: "send a test event to a webhook; peyk webhook deliveries shows its answer",
    examples: ["peyk webhook test 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
    of,
    call: (api, given) => api("POST /webhooks/:id/test", given),
    text: ({ event }) => `Test event ${event} is in the queue.\n`,
  }),
  remove: calls({
    does: "remove a webhook; what waits for it is not sent",
    examples: ["peyk webhook remove 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
    of,
    call: (api, given) => api("DELETE /webhooks/:id", given),
    text: ({ url, account }) => `Webhook ${url} of ${account} removed.\n`,
  }),
  deliveries: calls({
    does: "show the newest deliveries of a webhook, each with its attempts",
    examples: ["peyk webhook deliveries 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --limit 10"],
    of,
    options: {
      limit: preset(whole("limit <n>", "at most this many, 1 to 500", 1, 500), "50"),
      before: typed("before <event>", "only those of older events than this one, for the next page"),
    },
    call: (api, given) => api("GET /webhooks/:id/deliveries", given),
    text: deliveryText,
  }),
  replay: calls({
    does: "deliver an event again, or all events of a webhook since a time; their ids stay the same",
    examples: [
      "peyk webhook replay --event 01a1fa60-707e-749d-b535-f01a26142351",
      "peyk webhook replay --since 2026-11-20 --subscription 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
    ],
    options: replayFields,
    call: replayed,
    text: ({ deliveries: count }) =>
      joinLines([count === 1 ? "1 delivery is due again." : `${count} deliveries are due again.`]),
  }),
  "rotate-secret": calls({
    does: "make a new signing secret, which signs from the moment that it is switched to, or after 24 h",
    examples: [
      "peyk webhook rotate-secret 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
      "peyk webhook rotate-secret 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --switch    (once the receiver has it)",
    ],
    of,
    options: { switch: flag("switch", "let the new secret, which was shown before, sign from now on") },
    call: async (api, { id, switch: isSwitch }) =>
      isSwitch === true
        ? api("POST /webhooks/:id/switch-secret", { id })
        : api("POST /webhooks/:id/rotate-secret", { id }),
    text: (answer, { id }) =>
      "signsFrom" in answer ? nextSecretText(id, answer) : "The new secret signs from now on; the old one has ended.\n",
  }),
});

function nextSecretText(id: string, { signingSecret, signsFrom }: NextSecretAnswer): string {
  return joinLines([
    signingSecret,
    "",
    "This is the only time that it is shown. The old one signs until the receiver has it and you say:",
    `  peyk webhook rotate-secret ${id} --switch`,
    `Without that, the new one signs from ${shortTime(signsFrom)} on.`,
  ]);
}
