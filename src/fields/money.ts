/** The fields of prices, and of what is entered into an account's ledger. */
import { billingModes, entryMax, priceFileCharactersMax, problemsMax } from "../domain/price-list.ts";
import type { FieldTable } from "./field.ts";
import { mailAddress } from "./receiver.ts";

const word = { kind: "text", max: 40, script: "digits" } as const;

/** One price of a list: of the numbers that begin so, from a day on. */
export const priceFields = {
  prefix: {
    ...word,
    isRequired: true,
    option: "prefix <digits>",
    help: "beginning of a number, such as 98912; * for every number",
    label: "First digits",
    examples: ["98912, *"],
  },
  price: {
    ...word,
    isRequired: true,
    inputMode: "numeric",
    beside: true,
    option: "price <amount>",
    help: "of a part, a whole number of the currency's smallest unit (setting currency)",
    label: "Price of a part",
    hint: "A whole number of the currency's smallest unit.",
  },
  from: {
    ...word,
    hasDefault: true,
    beside: true,
    option: "from <date>",
    help: "the day from which on it counts, such as 2026-12-01 or 1405-09-10; at once when left out",
    label: "From",
    hint: "A day such as 2026-12-01; empty for at once.",
  },
} as const satisfies FieldTable;

/** The price that ends. */
export const endedPriceFields = {
  prefix: priceFields.prefix,
  from: { ...priceFields.from, help: "only the price that begins on this coming day" },
} as const satisfies FieldTable;

export const priceImportFields = {
  csv: {
    kind: "text",
    max: priceFileCharactersMax,
    problem: { code: "csv_too_large", values: { megabytes: 1 } },
    isRequired: true,
    label: "File",
  },
  /** Up to this many wrong lines are left out; with more, nothing is imported. */
  leaveOut: { kind: "number", min: 0, max: problemsMax - 1, label: "Wrong lines left out" },
} as const satisfies FieldTable;

/** By which list an account pays, and when. */
export const billingFields = {
  list: { kind: "id", isRequired: true, label: "Price list" },
  mode: { kind: "choice", words: billingModes, isRequired: true, label: "Pays" },
} as const satisfies FieldTable;

export const entryFields = {
  amount: {
    kind: "number",
    min: 1,
    max: entryMax,
    isRequired: true,
    option: "amount <amount>",
    help: "a whole number of the currency's smallest unit (setting currency)",
    label: "Amount",
    hint: "A whole number; a correction may be below zero.",
  },
  note: {
    kind: "line",
    max: 200,
    beside: true,
    option: "note <text>",
    help: "what it is for, up to 200 characters",
    label: "Note",
    hint: "Shown in the ledger, to the customer too.",
  },
  /** With which a repeat adds nothing. */
  reference: {
    kind: "text",
    max: 64,
    pattern: /^[!-~]{1,64}$/,
    problem: { code: "latin_word", values: { max: 64 } },
    option: "reference <name>",
    help: "such as the number of the payment: entered once, however often the command is run with it",
    label: "Reference",
  },
} as const satisfies FieldTable;

export const correctionFields = {
  amount: {
    ...entryFields.amount,
    min: -entryMax,
    help: "as for topup; one below zero takes away: --amount=-500",
  },
  note: { ...entryFields.note, isRequired: true, help: "why, up to 200 characters" },
  reference: entryFields.reference,
} as const satisfies FieldTable;

/** When a customer's user is told by mail that the balance is low. */
export const balanceWatchFields = {
  below: { kind: "number", min: 1, max: 1_000_000_000_000, isRequired: true, label: "Below" },
  mail: { ...mailAddress, isRequired: true, label: "Mail address" },
} as const satisfies FieldTable;
