/** Amounts for people, as the console writes them: `50.00 USD` for 5000 of the smallest unit; rials as they are. */

const digitsByCurrency = new Map([["IRR", 0]]);

function digitsOf(currency: string): number {
  const known = digitsByCurrency.get(currency);
  if (known !== undefined) return known;
  const { maximumFractionDigits = 0 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  digitsByCurrency.set(currency, maximumFractionDigits);
  return maximumFractionDigits;
}

/** `amount`: in the currency's smallest unit. Exact for every amount: the digits are only divided by a point. */
export function amountText(amount: number, currency: string): string {
  const digits = digitsOf(currency);
  if (digits === 0) return String(amount);
  const text = String(Math.abs(amount)).padStart(digits + 1, "0");
  return `${amount < 0 ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** With the currency's ISO 4217 code. */
export const amountInCurrency = (amount: number, currency: string): string =>
  `${amountText(amount, currency)} ${currency}`;
