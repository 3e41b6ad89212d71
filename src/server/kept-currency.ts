/** Refuses a start that would reinterpret all stored amounts in another currency. */
import { originText, type SettingsSource } from "../config/settings.ts";
import { changedCurrencyText } from "../store/currency.ts";
import type { Store } from "../store/store.ts";

/** The database was not changed; the message says what to do. */
export class CurrencyChanged extends Error {
  override readonly name = "CurrencyChanged";
}

/**
 * Throws CurrencyChanged. Amounts stored by an earlier release without a currency are assumed to be in the configured
 * one.
 */
export async function keepCurrency(
  store: Store,
  setting: string,
  origins: SettingsSource["origins"] | undefined,
): Promise<void> {
  const kept = store.tables.currency.kept();
  if (kept === null) {
    if (store.tables.currency.areAmountsStored()) await store.write(({ currency }) => currency.keep(setting));
    return;
  }
  if (kept === setting) return;
  throw new CurrencyChanged(
    changedCurrencyText(kept, setting, originText(origins?.get("currency") ?? { source: "default" })),
  );
}
