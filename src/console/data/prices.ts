/** What the forms of prices ask for, and where their refusals stand. */
import { OperatorError } from "../../domain/operator-error.ts";
import { billingModes } from "../../store/schema.ts";
import type { FieldErrors } from "../components/forms.tsx";
import { cleanInput, parseMoment } from "../format/input.ts";
import type { Locale } from "../locale.ts";
import type { PriceFields, PriceUseFields } from "../pages/price-list.tsx";
import { refusedFields, UnknownAccount } from "../pages/refusal.ts";
import type { ConsoleApi } from "./console-api.ts";
import { typedAccount } from "./typed-options.ts";

const modeOf = (text: string) => billingModes.find((mode) => mode === text);

/** Writes one price; an empty day is at once. @throws OperatorError */
export async function setPrice(api: ConsoleApi, list: string, fields: PriceFields, locale: Locale): Promise<void> {
  const { prefix, price, from } = fields;
  const line = { prefix: cleanInput(prefix), price: cleanInput(price).replace(/[,٬\s]/g, "") };
  const written = { ...line, ...(from !== "" && { from: dayOf(from, locale) }) };
  await api("POST /prices/:list", { list, ...written, listed: false });
}

/** `2026-12-01` of a day of either calendar; what is none stays as it was typed, and is refused. */
function dayOf(text: string, { format: { zone } }: Locale): string {
  const at = parseMoment(text, zone);
  if (at === null) return text;
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** @throws what is no refusal of a form */
export function refusedPrice(reason: unknown, locale: Locale): FieldErrors {
  const { prices } = locale.words;
  const say = { ...prices.wrong, list: prices.nameHint };
  const fields = Object.keys(refusedFields(reason, locale));
  return Object.fromEntries(
    fields.map((field) => [field, Object.entries(say).find(([one]) => one === field)?.[1] ?? field]),
  );
}

/** Charges an account by the list, or lets a route cost by it. @throws OperatorError */
export async function usePrices(api: ConsoleApi, list: string, fields: PriceUseFields, locale: Locale) {
  const { account, mode, route } = fields;
  if (route !== "") return api("PUT /routes/:name/costs", { name: route, list });
  const id = await typedAccount(api, account, locale);
  return api("PUT /accounts/:id/billing", { id, list, mode: modeOf(mode) ?? "prepaid" });
}

/** The field of the account carries what the list lacks. @throws what is no refusal of a form */
export function refusedUse(reason: unknown, locale: Locale): FieldErrors {
  if (reason instanceof UnknownAccount) return refusedFields(reason, locale);
  if (!(reason instanceof OperatorError) || reason.code !== "price_list_incomplete") throw reason;
  return { account: locale.words.prices.incomplete };
}
