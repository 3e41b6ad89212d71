/** Compares the setting `currency` with the one stored in the database, as a start would, without starting. */
import { type LoadedSettings, originText } from "../config/settings.ts";
import { errorCode, fileFailure } from "../platform/error-code.ts";
import { changedCurrencyText, keptCurrencyIn } from "../store/currency.ts";
import { asServiceUser } from "./service-files.ts";

type GoodSettings = Extract<LoadedSettings, { ok: true }>;

export type CurrencyCheck =
  /** `kept`: null before the first price or top-up, and where there is no database yet. */
  | { state: "good"; kept: string | null }
  /** `words`: why a start would refuse. */
  | { state: "changed"; words: string }
  /** `words`: why the database cannot be read by this user. */
  | { state: "unknown"; words: string };

export function checkCurrency({ settings, origins }: GoodSettings, dataDir: string): CurrencyCheck {
  const { currency } = settings;
  try {
    const kept = asServiceUser(dataDir, () => keptCurrencyIn(dataDir));
    if (kept === null || kept === currency) return { state: "good", kept };
    const origin = originText(origins.get("currency") ?? { source: "default" });
    return { state: "changed", words: changedCurrencyText(kept, currency, origin) };
  } catch (reason) {
    if (!/^(SQLITE_|E[A-Z]+$)/.test(errorCode(reason))) throw reason;
    return { state: "unknown", words: `The currency that the database keeps is not known: ${fileFailure(reason)}.` };
  }
}
