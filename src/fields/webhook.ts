/** The fields of webhooks, and of what they are called with again. */
import { eventKinds } from "../domain/event.ts";
import type { FieldTable } from "./field.ts";

export const webhookFields = {
  url: { kind: "text", min: 1, max: 2_048, label: "URL" },
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

/** Of a webhook's events since a time. */
export const replayFields = {
  since: { kind: "time", label: "Since" },
  onlyFailed: { kind: "truth", label: "Only failed" },
} as const satisfies FieldTable;
