/** The fields of patterns. */
import type { FieldTable } from "./field.ts";

export const patternFields = {
  name: { kind: "line", max: 120, label: "Name" },
  sender: { kind: "sender", none: "none", label: "Sender" },
  /** Under which it is registered at the carriers. */
  templateId: {
    kind: "text",
    max: 64,
    pattern: /^[!-~]{1,64}$/,
    problem: { code: "ascii_word", values: { max: 64 } },
    none: "none",
    label: "Template id",
  },
} as const satisfies FieldTable;
