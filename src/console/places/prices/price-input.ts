/** What is typed into the forms of prices, as input of the operator API, and its refusals. */
import { billingModes } from "../../../domain/price-list.ts";
import { priceFields } from "../../../fields/money.ts";
import type { FieldErrors } from "../../components/forms.tsx";
import { cleanInput, parseMoment } from "../../format/input.ts";
import type { Locale } from "../../locale.ts";
import { resolveAccount } from "../../page/accounts-and-senders.ts";
import { emptyTexts } from "../../page/declared-form.ts";
import type { PageCall } from "../../page/page.ts";
import { refusedFields } from "../../page/refusal.ts";
import { pricesWords } from "./words.ts";

/** `list`: empty where the page already belongs to one; `from`: a date in the reader's calendar, empty for immediately. */
export const noPrice = { list: "", ...emptyTexts(priceFields) };
/** Either account or route is empty. */
export const noUse = { account: "", mode: "", route: "" };

/** Sets one price of the list, which is created if necessary. @throws OperatorError */
export async function setPrice({ api, locale }: PageCall, list: string, { prefix, price, from }: typeof noPrice) {
  const line = { prefix: cleanInput(prefix), price: cleanInput(price).replace(/[,٬\s]/g, "") };
  const written = { ...line, ...(from !== "" && { from: dayOf(from, locale) }) };
  await api("POST /prices/:list", { list, ...written, listed: false });
}

/** `2026-12-01` for a date in either calendar; anything else is passed on as typed, and refused. */
function dayOf(text: string, { format }: Locale): string {
  const at = parseMoment(text, format);
  if (at === null) return text;
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(format.zone).toPlainDate().toString();
}

/** @throws anything that is not a refusal of the form */
export function refusedPrice(reason: unknown, { locale }: PageCall): FieldErrors {
  const { wrong, nameHint } = pricesWords[locale.language];
  const said = new Map(Object.entries({ ...wrong, list: nameHint }));
  const fields = Object.keys(refusedFields(reason, locale));
  return Object.fromEntries(fields.map((field) => [field, said.get(field) ?? field]));
}

/** Assigns the list to an account or a route. @throws OperatorError */
export async function usePrices({ api, locale }: PageCall, list: string, { account, mode, route }: typeof noUse) {
  if (route !== "") return api("PUT /routes/:name/costs", { name: route, list });
  const id = await resolveAccount(api, account, locale);
  return api("PUT /accounts/:id/billing", { id, list, mode: billingModes.find((one) => one === mode) ?? "prepaid" });
}
