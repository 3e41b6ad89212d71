/** The fields of webhooks, and of what they are called with again. */
import type { FieldTable } from "./field.ts";

export const webhookFields = {
  url: { kind: "text", min: 1, max: 2_048, label: "URL" },
  isActive: { kind: "truth", label: "Active" },
} as const satisfies FieldTable;

/** Of a webhook's events since a time. */
export const replayFields = {
  since: { kind: "time", label: "Since" },
  onlyFailed: { kind: "truth", label: "Only failed" },
} as const satisfies FieldTable;
