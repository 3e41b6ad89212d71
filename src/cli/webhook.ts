/** `peyk webhook …`: the customers' webhooks, their deliveries, and replays of events. */

import { attemptsAtOnceMax } from "../domain/attempt-width.ts";
import { callbacksCountedMax } from "../domain/backlog.ts";
import { pick, type ValuesOf } from "../fields/field.ts";
import { replayFields, webhookFields } from "../fields/webhook.ts";
import type { OperatorClient } from "../operator/client.ts";
import type { DeliveryAnswer, DeliveryAttemptAnswer, NextSecretAnswer, WebhookAnswer } from "../operator/webhooks.ts";
import { englishWidthReasons } from "../words/en/width-reason.ts";
import { UsageError } from "./errors.ts";
import { saidFields, saidNewFields, withFields, withNewFields } from "./field-options.ts";
import type { CliIo } from "./io.ts";
import { ownedListVerb } from "./list.ts";
import { formatFields, formatTable, joinLines, orDash, shortTime, yesNo } from "./text.ts";
import { wholeNumber } from "./values.ts";
import { ask, noun, verb } from "./verb.ts";

export function webhookCommand(io: CliIo) {
  return noun("webhook", "callbacks to customers' systems")
    .addCommand(create(io))
    .addCommand(list(io))
    .addCommand(show(io))
    .addCommand(update(io))
    .addCommand(test(io))
    .addCommand(remove(io))
    .addCommand(deliveries(io))
    .addCommand(replay(io))
    .addCommand(rotateSecret(io));
}

function create(io: CliIo) {
  const words = {
    does: "register a webhook; its signing secret is shown this once",
    examples: ["peyk webhook create --account acc_1 --url https://hooks.example.com/sms --event message.status"],
  };
  const { account, url, events } = webhookFields;
  const fields = { account, url, events: { ...events, help: `${events.help}; message.status if none is given` } };
  return withNewFields(verb("create", words), fields).action((options) => {
    const { events = ["message.status" as const], ...webhook } = saidNewFields(fields, options);
    return ask(io, options, (api) => api("POST /webhooks", { ...webhook, events }), createdText);
  });
}

const createdText = ({ signingSecret, ...webhook }: WebhookAnswer & { signingSecret: string }) =>
  webhookTable([webhook]) +
  joinLines(["", signingSecret, "", "This is the only time that the signing secret is shown."]);

function update(io: CliIo) {
  const words = {
    does: "choose a webhook's events, or switch it off or on; what waits for one that is switched off is not sent",
    examples: [
      "peyk webhook update 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --event message.status inbound.received",
      "peyk webhook update 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --active no",
    ],
  };
  const fields = pick(webhookFields, "events", "isActive");
  return withFields(verb("update", words).argument("<id>", "the webhook's id"), fields).action((id, options) => {
    const change = saidFields(fields, options);
    return ask(io, options, (api) => api("PATCH /webhooks/:id", { id, ...change }), oneWebhook);
  });
}

function test(io: CliIo) {
  const words = {
    does: "send a test event to a webhook; peyk webhook deliveries shows its answer",
    examples: ["peyk webhook test 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
  };
  const queued = ({ event }: { event: string }) => `Test event ${event} is in the queue.\n`;
  return verb("test", words)
    .argument("<id>", "the webhook's id")
    .action((id, options) => ask(io, options, (api) => api("POST /webhooks/:id/test", { id }), queued));
}

function remove(io: CliIo) {
  const words = {
    does: "remove a webhook; what waits for it is not sent",
    examples: ["peyk webhook remove 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
  };
  const removed = ({ url, account }: { url: string; account: string }) => `Webhook ${url} of ${account} removed.\n`;
  return verb("remove", words)
    .argument("<id>", "the webhook's id")
    .action((id, options) => ask(io, options, (api) => api("DELETE /webhooks/:id", { id }), removed));
}

function rotateSecret(io: CliIo) {
  const words = {
    does: "make a new signing secret, which signs from the moment that it is switched to, or after 24 h",
    examples: [
      "peyk webhook rotate-secret 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
      "peyk webhook rotate-secret 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --switch    (once the receiver has it)",
    ],
  };
  return verb("rotate-secret", words)
    .argument("<id>", "the webhook's id")
    .option("--switch", "let the new secret, which was shown before, sign from now on")
    .action((id, options) => {
      if (options.switch !== true) {
        const text = (next: NextSecretAnswer) => nextSecretText(id, next);
        return ask(io, options, (api) => api("POST /webhooks/:id/rotate-secret", { id }), text);
      }
      const switched = "The new secret signs from now on; the old one has ended.\n";
      return ask(
        io,
        options,
        (api) => api("POST /webhooks/:id/switch-secret", { id }),
        () => switched,
      );
    });
}

function nextSecretText(id: string, { signingSecret, signsFrom }: NextSecretAnswer): string {
  const lines = [
    signingSecret,
    "",
    "This is the only time that it is shown. The old one signs until the receiver has it and you say:",
    `  peyk webhook rotate-secret ${id} --switch`,
    `Without that, the new one signs from ${shortTime(signsFrom)} on.`,
  ];
  return joinLines(lines);
}

function list(io: CliIo) {
  const words = {
    does: "list webhooks with the deliveries that wait",
    examples: ["peyk webhook list --account acc_1", "peyk webhook list --query example.com --limit 100"],
  };
  return ownedListVerb(io, words, {
    part: (api, query) => api("GET /webhooks", query),
    whole: ({ accountName: _, ...row }) => row,
    table: webhookTable,
  });
}

function show(io: CliIo) {
  const words = {
    does: "show a webhook, its last answer, and how many attempts it gets at once",
    examples: ["peyk webhook show 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11"],
  };
  return verb("show", words)
    .argument("<id>", "the webhook's id")
    .action((id, options) => ask(io, options, (api) => api("GET /webhooks/:id", { id }), webhookText));
}

const activeText = ({ isActive, switchedOffAt }: WebhookAnswer) =>
  switchedOffAt === null ? yesNo(isActive) : `off since ${shortTime(switchedOffAt)}`;

const waitingText = ({ waiting }: WebhookAnswer) =>
  waiting === callbacksCountedMax ? `${callbacksCountedMax} or more` : String(waiting);

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

const oneWebhook = (webhook: WebhookAnswer) => webhookTable([webhook]);

function webhookTable(webhooks: readonly WebhookAnswer[]): string {
  if (webhooks.length === 0) return "There are no webhooks. Register one: peyk webhook create --account ID --url URL\n";
  const rows = webhooks.map((webhook) => [
    webhook.id,
    webhook.account,
    webhook.url,
    webhook.events.join(", "),
    activeText(webhook),
    waitingText(webhook),
    shortTime(webhook.nextDueAt),
    orDash(webhook.latest?.state ?? null),
  ]);
  return formatTable(["WEBHOOK", "ACCOUNT", "URL", "EVENTS", "ACTIVE", "WAITING", "NEXT DUE", "LATEST"], rows);
}

function deliveries(io: CliIo) {
  const words = {
    does: "show the newest deliveries of a webhook, each with its attempts",
    examples: ["peyk webhook deliveries 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11 --limit 10"],
  };
  return verb("deliveries", words)
    .argument("<id>", "the webhook's id")
    .option("--limit <n>", "at most this many, 1 to 500", "50")
    .action((id, { limit, ...options }) => {
      const query = { limit: wholeNumber("--limit", limit, 1, 500) };
      return ask(io, options, (api) => api("GET /webhooks/:id/deliveries", { id, ...query }), deliveryText);
    });
}

function deliveryText(all: readonly DeliveryAnswer[]): string {
  if (all.length === 0) return "This webhook has no deliveries.\n";
  const rows = all.map((delivery) => [
    delivery.event,
    delivery.kind,
    [orDash(delivery.subject), delivery.step].join(" ").trim(),
    delivery.state,
    shortTime(delivery.dueAt),
    shortTime(delivery.createdAt),
    String(delivery.attempts.length),
  ]);
  const attempts = all.flatMap(({ event, attempts }) => attempts.map((attempt) => attemptRow(event, attempt)));
  const head = formatTable(["EVENT", "KIND", "OF", "STATE", "DUE", "CREATED", "ATTEMPTS"], rows);
  if (attempts.length === 0) return head;
  return `${head}\n${formatTable(["EVENT", "NO", "AT", "OUTCOME", "STATUS", "MS", "ADDRESS", "ANSWER"], attempts)}`;
}

/** The receiver's answer, cut to one table line. */
const saidCharactersMax = 80;

function attemptRow(event: string, attempt: DeliveryAttemptAnswer): string[] {
  const answer = attempt.excerpt === "" ? attempt.detail : attempt.excerpt;
  return [
    event,
    String(attempt.number),
    shortTime(attempt.at),
    attempt.outcome,
    orDash(attempt.status),
    String(attempt.durationMs),
    orDash(attempt.address),
    answer.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, saidCharactersMax),
  ];
}

function replay(io: CliIo) {
  const words = {
    does: "deliver an event again, or all events of a webhook since a time; their ids stay the same",
    examples: [
      "peyk webhook replay --event 01a1fa60-707e-749d-b535-f01a26142351",
      "peyk webhook replay --since 2026-11-20 --subscription 0b2f4a52-7f0e-4c7b-9a57-0c1d7a6c0f11",
    ],
  };
  return withFields(verb("replay", words), replayFields).action((options) =>
    ask(io, options, replayCall(saidFields(replayFields, options)), ({ deliveries: count }) =>
      joinLines([count === 1 ? "1 delivery is due again." : `${count} deliveries are due again.`]),
    ),
  );
}

/** @throws UsageError for options that cannot be combined */
function replayCall({ event, since, subscription, onlyFailed }: Partial<ValuesOf<typeof replayFields>>) {
  if (event !== undefined && since === undefined && onlyFailed === undefined) {
    return (api: OperatorClient) =>
      subscription === undefined
        ? api("POST /webhooks/replay", { event })
        : api("POST /webhooks/:id/replay", { id: subscription, event });
  }
  if (event === undefined && since !== undefined && subscription !== undefined) {
    const body = { since, onlyFailed: onlyFailed === true };
    return (api: OperatorClient) => api("POST /webhooks/:id/replay", { id: subscription, ...body });
  }
  throw new UsageError("Say either --event, or both --since and --subscription.");
}
