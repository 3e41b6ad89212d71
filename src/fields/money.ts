/** The fields of prices, and of what is entered into an account's ledger. */
import { entryMax } from "../domain/price-list.ts";
import type { FieldTable } from "./field.ts";

const word = { kind: "text", max: 40 } as const;

/** One price of a list: of the numbers that begin so, from a day on. */
export const priceFields = {
  prefix: { ...word, label: "Beginning" },
  price: { ...word, label: "Price" },
  from: { ...word, label: "From" },
} as const satisfies FieldTable;

export const entryFields = {
  amount: { kind: "number", min: 1, max: entryMax, label: "Amount" },
  /** With which a repeat adds nothing. */
  reference: {
    kind: "text",
    max: 64,
    pattern: /^[!-~]{1,64}$/,
    problem: { code: "latin_word", values: { max: 64 } },
    label: "Reference",
  },
} as const satisfies FieldTable;

export const correctionFields = {
  ...entryFields,
  amount: { ...entryFields.amount, min: -entryMax },
} as const satisfies FieldTable;
