/** The fields of webhooks, and of what they are called with again. */
import { eventKinds } from "../domain/event.ts";
import { ofAccount } from "./account.ts";
import type { FieldTable } from "./field.ts";

export const webhookFields = {
  account: ofAccount,
  url: {
    kind: "text",
    min: 1,
    max: 2_048,
    isRequired: true,
    option: "url <url>",
    help: "public HTTPS address on port 443",
    label: "URL",
  },
  events: {
    kind: "list",
    min: 1,
    max: 100,
    of: { kind: "choice", words: eventKinds, label: "Event" },
    empty: "none",
    option: "event <kind...>",
    help: `may be repeated: ${eventKinds.join(", ")}`,
    label: "Events",
  },
  isActive: {
    kind: "truth",
    option: "active <word>",
    help: 'whether events are sent to it (choices: "yes", "no")',
    label: "Active",
  },
} as const satisfies FieldTable;

/** What is delivered again: an event, or a webhook's events since a time. */
export const replayFields = {
  event: {
    kind: "id",
    option: "event <id>",
    help: "one event, to every active webhook that received it before, or to the one of --subscription",
    label: "Event",
  },
  since: {
    kind: "time",
    option: "since <date>",
    help: "everything since this date, delivered or not",
    label: "Since",
  },
  subscription: { kind: "id", option: "subscription <id>", help: "the webhook", label: "Webhook" },
  onlyFailed: { kind: "truth", option: "failed", help: "with --since: only what failed", label: "Only failed" },
} as const satisfies FieldTable;
