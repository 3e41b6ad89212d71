/** The fields of quotas, of an account or a key, in parts. */
import { quotaPartsMax } from "../domain/quota.ts";
import type { FieldTable } from "./field.ts";

const quotaHint = "Empty for no quota.";

export const quotaFields = {
  day: {
    kind: "number",
    min: 0,
    max: quotaPartsMax,
    none: "none",
    option: "day <parts>",
    help: "parts a day, where the account's time zone is; none lifts it",
    label: "Parts a day",
    hint: quotaHint,
  },
  month: {
    kind: "number",
    min: 0,
    max: quotaPartsMax,
    none: "none",
    option: "month <parts>",
    help: "parts a month (setting default_calendar); none lifts it",
    label: "Parts a month",
    hint: quotaHint,
  },
} as const satisfies FieldTable;
